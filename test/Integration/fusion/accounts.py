"""What the kernels of a Transformer read and write, in closed form.

Derived from the architectures, for each way to cut them into kernels:

raised       as PyTorch exports them: every operation is a kernel, and so is a norm or an attention
elementwise  the same, with elementwise operations joined to elementwise operations
fused        as norm-fuse should cut them

A kernel reads what it needs once and writes what it makes once, so that the list of the tensors that it touches says
what it moves. Parameters are read where they lie; reshapes and slices move nothing.
"""

RAISED, ELEMENTWISE, FUSED = "raised", "elementwise", "fused"


class Model:
    """`batch` sequences of `length` tokens; a trunk of `width`, heads of `depth`, an MLP of `hidden`; tiles of `tile`
    columns (None: any). After construction, `totals` are kernels, passes over the trunk, and bytes."""

    POSITIONS = 0
    # Numbers in the statistics of a row.
    STATISTICS = 1

    def __init__(self, mode, *, layers, heads, key_heads=None, depth=None, tile=None, element=4, batch=4, length=10,
                 width=96, hidden=160, vocabulary=97):
        self.mode, self.layers, self.tile, self.element = mode, layers, tile, element
        self.batch, self.length, self.width, self.hidden = batch, length, width, hidden
        self.heads, self.key_heads, self.depth = heads, key_heads or heads, depth or width // heads
        self.vocabulary = vocabulary
        self.rows = batch * length
        # Columns of the queries, and of the keys or values.
        self.queries, self.keys = self.heads * self.depth, self.key_heads * self.depth
        self.stream = self.rows * width
        # The trunk, a branch, or what a norm makes of one.
        self.trunk = self.act(self.stream)
        self.scores = self.act(batch * length * length)
        self.kernels = self.passes = self.bytes = 0
        self.embed()
        for layer in range(layers):
            if mode == FUSED:
                self.fused_layer(is_last=layer == layers - 1)
            else:
                self.layer()
        if mode != FUSED:
            self.final_norm()

    @property
    def totals(self):
        return self.kernels, self.passes, self.bytes

    def kernel(self, *tensors, times=1):
        self.kernels += times
        self.bytes += times * sum(bytes for _, bytes in tensors)
        self.passes += times * sum(elements == self.stream for elements, _ in tensors)

    # --- Tensors: elements if they are activations, and bytes ---------------------

    def act(self, elements, bytes=None):
        return elements, elements * (bytes or self.element)

    def param(self, elements, bytes=None):
        return None, elements * (bytes or self.element)

    def ints(self, elements):
        return None, elements * 8

    def bits(self, elements):
        return None, elements

    @property
    def statistics(self):
        """In f32, of each row and each tile of the trunk's columns."""
        tiles = -(-self.width // self.tile) if self.tile else 1
        return [self.act(self.rows * tiles, 4)] * self.STATISTICS

    # --- Embeddings and masks -------------------------------------------------------

    def table(self, rows, tokens):
        """What looking `tokens` up reads of a table: a row for each, but not more than there is."""
        return self.param(min(rows, tokens) * self.width)

    def look_up(self, rows, tokens):
        self.kernel(self.ints(tokens), self.table(rows, tokens), self.act(tokens * self.width))

    def causal_mask(self):
        """0 or the lowest number, of the positions that `embed` has listed."""
        batch, positions, pairs = self.batch, self.ints(self.length), self.bits(self.length**2)
        if self.mode == ELEMENTWISE:
            self.kernel(positions, self.scores)
            return
        self.kernel(self.ints(batch))  # which sequence
        self.kernel(positions, pairs)  # key <= query
        self.kernel(pairs, pairs)  # and true
        padding, masked = self.bits(batch * self.length), self.bits(batch * self.length**2)
        self.kernel(self.ints(batch), positions, padding)
        self.kernel(pairs, padding, masked)
        self.kernel(masked, self.scores)

    # --- Kernels that have no matmul ---------------------------------------------------

    def norm(self, columns, parameters):
        """With `parameters` numbers for its scale and bias."""
        self.kernel(self.act(self.rows * columns), self.param(parameters), self.act(self.rows * columns))

    def move_heads(self, columns):
        """From [batch, length, heads, depth] to [batch, heads, length, depth], or back."""
        self.kernel(*[self.act(self.rows * columns)] * 2)

    def attention(self):
        queries, keys = self.act(self.rows * self.queries), self.act(self.rows * self.keys)
        self.kernel(queries, keys, keys, self.scores, queries)
        self.move_heads(self.queries)

    def add(self):
        self.kernel(self.trunk, self.trunk, self.trunk)

    def elementwise(self, unary, binary, joined):
        """On the MLP's activations: kernels of one operand and of two; `joined` operands if they are one kernel."""
        hidden = self.act(self.rows * self.hidden)
        if self.mode == ELEMENTWISE:
            self.kernel(*[hidden] * (joined + 1))
            return
        self.kernel(hidden, hidden, times=unary)
        self.kernel(hidden, hidden, hidden, times=binary)

    # --- Kernels that have a matmul ----------------------------------------------------

    def linear(self, inputs, outputs, bias=False):
        """The matmul, the cast of its sums, which are in f32, and the bias: each a kernel."""
        result = self.act(self.rows * outputs)
        sums = self.act(self.rows * outputs, 4)
        self.kernel(self.act(self.rows * inputs), self.param(inputs * outputs), sums)
        if self.element < 4:
            self.kernel(sums, result)
        if bias:
            self.kernel(result, self.param(outputs), result)

    def fused(self, inputs, outputs, *others):
        """One kernel, in which the sums stay; `others` is what its epilogue reads, or stores beside the result."""
        self.kernel(self.act(self.rows * inputs), self.param(inputs * outputs), self.act(self.rows * outputs), *others)


class Bert(Model):
    """Post-LN, x = norm(x + f(x)), all norms with scale and bias, all linear maps with bias; an MLP of GELU."""

    POSITIONS, KINDS = 32, 2

    def embed(self):
        """Rows for words, for kinds of token (a list of zeros) and for positions (another list)."""
        length, tokens = self.length, self.rows
        positions = self.act(length * self.width)
        self.kernel(self.ints(length), self.ints(length))  # the kind at each position
        if self.mode == ELEMENTWISE:
            # Lookups are repeated where their results are added; they stay, since they check their indices.
            self.look_up(self.vocabulary, tokens)
            self.kernel(self.ints(length), self.table(self.KINDS, tokens), self.trunk)
            self.look_up(self.POSITIONS, length)
            self.kernel(self.ints(tokens), self.table(self.vocabulary, tokens), self.ints(length),
                        self.table(self.KINDS, tokens), positions, self.trunk)
        else:
            self.kernel(self.ints(length), self.ints(tokens))  # for every sequence
            self.look_up(self.vocabulary, tokens)
            self.look_up(self.KINDS, tokens)
            self.look_up(self.POSITIONS, length)
        if self.mode == RAISED:
            self.add()
            self.kernel(self.trunk, positions, self.trunk)
        if self.mode == FUSED:
            # Both additions and the norm.
            self.kernel(self.trunk, self.trunk, positions, self.param(2 * self.width), self.trunk)
        else:
            self.norm(self.width, 2 * self.width)
        self.padding_mask()

    def padding_mask(self):
        """All may look at all, which is found out of the positions."""
        batch, positions = self.batch, self.ints(self.length)
        self.kernel(positions)
        if self.mode == ELEMENTWISE:
            self.kernel(positions, self.scores)
            return
        self.kernel(self.ints(batch))
        self.kernel(positions, self.bits(self.length))  # query >= 0
        self.kernel(self.bits(self.length), self.bits(self.length))  # and true
        padding, masked = self.bits(batch * self.length), self.bits(batch * self.length**2)
        self.kernel(self.ints(batch), positions, padding)
        self.kernel(self.bits(self.length), padding, masked)
        self.kernel(masked, self.scores)

    def layer(self):
        for _ in range(3):
            self.linear(self.width, self.width, bias=True)
            self.move_heads(self.width)
        self.attention()
        self.linear(self.width, self.width, bias=True)
        self.add()
        self.norm(self.width, 2 * self.width)
        self.linear(self.width, self.hidden, bias=True)
        # x / 2; x / root 2, erf of it, 1 more; and the product.
        self.elementwise(unary=4, binary=1, joined=1)
        self.linear(self.hidden, self.width, bias=True)
        self.add()
        self.norm(self.width, 2 * self.width)

    def fused_layer(self, is_last):
        bias, affine = self.param(self.width), self.param(2 * self.width)
        for _ in range(3):
            self.fused(self.width, self.width, bias)
        self.attention()
        # The skip is read, and what the norm makes is stored.
        self.fused(self.width, self.width, bias, self.trunk, affine)
        self.fused(self.width, self.hidden, self.param(self.hidden))
        self.fused(self.hidden, self.width, bias, self.trunk, affine)

    def final_norm(self):
        pass


class Gpt2(Model):
    """Pre-LN, x + f(norm(x)), all linear maps with bias; queries, keys and values of one matmul; an MLP of GELU. The
    scale and bias of its norms are in the weights, but those of the last."""

    POSITIONS, STATISTICS = 32, 2

    def embed(self):
        tokens, positions = self.rows, self.act(self.length * self.width)
        self.look_up(self.vocabulary, tokens)
        self.kernel(self.ints(self.length))
        self.look_up(self.POSITIONS, self.length)
        if self.mode == RAISED:
            self.kernel(self.trunk, positions, self.trunk)
        elif self.mode == ELEMENTWISE:
            self.kernel(self.ints(tokens), self.table(self.vocabulary, tokens), positions, self.trunk)
        else:
            self.kernel(self.trunk, positions, self.trunk, *self.statistics)
        self.causal_mask()

    def layer(self):
        self.norm(self.width, 0)
        self.linear(self.width, 3 * self.width, bias=True)
        for _ in range(3):
            self.move_heads(self.width)
        self.attention()
        self.linear(self.width, self.width, bias=True)
        self.add()
        self.norm(self.width, 0)
        self.linear(self.width, self.hidden, bias=True)
        # x / 2; x cubed, times 0.044715, plus x, times root(2 / pi), tanh of it, 1 more; and the product.
        self.elementwise(unary=6, binary=2, joined=1)
        self.linear(self.hidden, self.width, bias=True)
        self.add()

    def deferred(self, outputs):
        """What applies a norm after the matmul reads: statistics, the sums of the weight's columns, and the bias."""
        return [*self.statistics, self.param(outputs, 4), self.param(outputs)]

    def fused_layer(self, is_last):
        width, bias = self.width, self.param(self.width)
        if self.tile and 3 * width > self.tile:
            # Heads of queries, keys and values, which are slices of a row, do not stay in a tile.
            self.fused(width, 3 * width, *self.deferred(3 * width))
            for _ in range(3):
                self.move_heads(width)
        else:
            self.kernel(self.trunk, self.param(width * 3 * width), *self.deferred(3 * width), *[self.trunk] * 3)
        self.attention()
        self.fused(width, width, bias, self.trunk, *self.statistics)
        self.fused(width, self.hidden, *self.deferred(self.hidden))
        # The last trunk is read by the norm alone, and not stored.
        after = [self.param(2 * width)] if is_last else self.statistics
        self.fused(self.hidden, width, bias, self.trunk, *after)

    def final_norm(self):
        self.norm(self.width, 2 * self.width)


class Decoder(Model):
    """RMSNorms with a scale, no biases, RoPE, grouped keys, and an MLP with a gate. Input norms, if any, have their
    scale in the weights."""

    INPUT_NORM = True
    OUTPUT_NORM = False
    # Kernels of one operand and of two from the MLP's gate to its activation.
    ACTIVATION = (1, 1)  # sigmoid; the product

    def head_norm(self, columns):
        """The numbers in the scale of a norm of queries or keys; None if there is none."""
        return None

    def embed(self):
        self.look_up(self.vocabulary, self.rows)
        self.kernel(self.ints(self.length))
        self.causal_mask()
        self.rope_tables()
        if self.mode == FUSED and self.INPUT_NORM:
            self.kernel(self.trunk, *self.statistics)

    def rope_tables(self):
        """Cosines and sines in f32 of each position times each frequency, all twice."""
        length, half = self.length, self.depth // 2
        positions, angles, doubled = self.act(length, 4), self.act(length * half, 4), self.act(2 * length * half, 4)
        if self.mode == ELEMENTWISE:
            self.kernel(self.ints(length), self.param(half, 4), angles)
        else:
            self.kernel(self.ints(length), positions)
            self.kernel(positions, self.param(half, 4), angles)
        self.kernel(angles, doubled)
        for _ in ("cosine", "sine"):
            if self.element == 4 or self.mode == ELEMENTWISE:
                self.kernel(doubled, self.rope_table)
            else:
                self.kernel(doubled, doubled)
                self.kernel(doubled, self.rope_table)

    @property
    def rope_table(self):
        return self.act(self.length * self.depth)

    def rope(self, columns):
        """x cos + swapped(x) sin, where the halves of a head change places, one negated."""
        whole, half = self.act(self.rows * columns), self.act(self.rows * columns // 2)
        self.kernel(half, half)
        self.kernel(half, half, whole)
        if self.mode == ELEMENTWISE:
            self.kernel(whole, self.rope_table, whole, self.rope_table, whole)
        else:
            self.kernel(whole, self.rope_table, whole, times=2)
            self.kernel(whole, whole, whole)

    def layer(self):
        if self.INPUT_NORM:
            self.norm(self.width, 0)
        for columns in (self.queries, self.keys):
            self.linear(self.width, columns)
            scale = self.head_norm(columns)
            if scale is not None:
                self.norm(columns, scale)
            self.move_heads(columns)
            self.rope(columns)
        self.linear(self.width, self.keys)
        self.move_heads(self.keys)
        self.attention()
        self.linear(self.queries, self.width)
        self.branch_end()
        if self.INPUT_NORM:
            self.norm(self.width, 0)
        self.linear(self.width, self.hidden)
        self.linear(self.width, self.hidden)
        self.gate()
        self.linear(self.hidden, self.width)
        self.branch_end()

    def gate(self):
        """The activation, and its product with the other half."""
        unary, binary = self.ACTIVATION
        self.elementwise(unary, binary + 1, joined=2)

    def branch_end(self):
        if self.OUTPUT_NORM:
            self.norm(self.width, self.width)
        self.add()

    def fused_layer(self, is_last):
        before = self.statistics if self.INPUT_NORM else []
        output = [self.param(self.width)] if self.OUTPUT_NORM else []
        for columns in (self.queries, self.keys):
            scale = self.head_norm(columns)
            self.fused(self.width, columns, *before, *([] if scale is None else [self.param(scale)]),
                       self.rope_table, self.rope_table)
        self.fused(self.width, self.keys, *before)
        self.attention()
        self.fused(self.queries, self.width, *output, self.trunk, *before)
        self.fused(self.width, self.hidden, *before)
        # The other half reads the first.
        self.fused(self.width, self.hidden, *before, self.act(self.rows * self.hidden))
        # The last trunk is read by the norm alone, and not stored.
        after = [self.param(self.width)] if is_last else before
        self.fused(self.hidden, self.width, *output, self.trunk, *after)

    def final_norm(self):
        self.norm(self.width, self.width)


class Llama(Decoder):
    pass


class Bf16Llama(Llama):
    def gate(self):
        if self.mode == ELEMENTWISE:
            return super().gate()
        # The activation is computed in f32: to it, sigmoid, product, and back; then the other half.
        narrow, wide = self.act(self.rows * self.hidden), self.act(self.rows * self.hidden, 4)
        self.kernel(narrow, wide)
        self.kernel(wide, wide)
        self.kernel(wide, wide, wide)
        self.kernel(wide, narrow)
        self.kernel(narrow, narrow, narrow)


class Gemma2(Decoder):
    """Scales what it looks up; a norm on both sides of each sublayer; every other layer attends to a window."""

    OUTPUT_NORM = True
    ACTIVATION = (6, 3)  # GELU, as in GPT-2, but that x cubed is x^2 times x

    def embed(self):
        tokens = self.rows
        self.look_up(self.vocabulary, tokens)
        self.kernel(self.ints(self.length))
        self.causal_mask()
        self.rope_tables()
        if self.mode == RAISED:
            self.kernel(self.trunk, self.trunk)
        elif self.mode == ELEMENTWISE:
            self.look_up(self.vocabulary, tokens)
        else:
            self.kernel(self.trunk, self.trunk, *self.statistics)

    def causal_mask(self):
        batch, positions, pairs = self.batch, self.ints(self.length), self.bits(self.length**2)
        padding, masked = self.bits(batch * self.length), self.bits(batch * self.length**2)
        if self.mode == ELEMENTWISE:
            # Of what both masks read, nothing is computed twice.
            self.kernel(positions, pairs)
            self.kernel(padding)
            self.kernel(pairs, padding, self.scores)
            self.kernel(positions, pairs, pairs)
            self.kernel(pairs, padding, self.scores)
            return
        super().causal_mask()
        self.kernel(positions, positions)  # where the window of a query begins
        self.kernel(positions, positions, pairs)  # key after it
        self.kernel(pairs, pairs)  # and true
        self.kernel(pairs, pairs, pairs)  # and key <= query
        self.kernel(pairs, pairs)  # and true
        self.kernel(pairs, padding, masked)
        self.kernel(masked, self.scores)


class Olmo2(Decoder):
    """Norms after each sublayer only, and of all queries and all keys of a row."""

    INPUT_NORM, OUTPUT_NORM = False, True

    def head_norm(self, columns):
        return columns


class Qwen3(Decoder):
    """A norm of the queries and of the keys of each head."""

    def head_norm(self, columns):
        return self.depth


def gemm_to_gemm(mode, rows, inputs, width, outputs, statistics, tiles):
    """(kernels, bytes) of x + y W1, its norm, and that times W2, all in bf16 but for the last sums and `statistics`
    numbers of each row and tile, which are f32; the trunk is wanted later, too."""
    trunk, ends = 2 * rows * width, 2 * rows * inputs + 2 * inputs * width + 2 * width * outputs + 4 * rows * outputs
    if mode == FUSED:
        # Skip read, trunk written, and read by the second matmul: 6 bytes for each element. Statistics written and
        # read; with a mean among them, the sums of the weight's columns are read.
        return 2, ends + 3 * trunk + 2 * 4 * statistics * rows * tiles + (4 * outputs if statistics > 1 else 0)
    # Branch written; skip and branch read, trunk written; that read, normalized written; and that read: 14 bytes.
    return 4, ends + 7 * trunk


GROUPED = {"heads": 6, "key_heads": 2, "layers": 2}
MODELS = {
    "bert": (Bert, {"heads": 6, "layers": 4}),
    "gpt2": (Gpt2, {"heads": 6, "layers": 2}),
    "llama": (Llama, GROUPED),
    "llama_bf16": (Bf16Llama, GROUPED | {"element": 2}),
    "gemma2": (Gemma2, GROUPED | {"depth": 28}),
    "olmo2": (Olmo2, GROUPED),
    "qwen3": (Qwen3, GROUPED | {"depth": 28}),
}


def account(file, mode, tile=None):
    model, configuration = MODELS[file]
    return model(mode, tile=tile, **configuration).totals
