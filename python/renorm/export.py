"""Exports a Hugging Face model as MLIR (linalg on tensors), with PyTorch's own outputs beside it.

    python -m renorm.export --model BertModel --seed 0 -o bert.mlir

writes `bert.mlir` and `bert.npz`. The module holds one function

    @forward(input_ids, parameters...) -> last_hidden_state

whose parameters are arguments, so that the IR stays small. Each carries its name in the model's state_dict as
`norm.param`; the values that go with a seed are those of `renorm.parameters`. The .npz holds

    input_ids              [batch, sequence] int64
    last_hidden_state      what PyTorch computes, in the exported dtype (stored as float32)
    last_hidden_state_f64  the same parameters and inputs with every operation in float64: the reference

Needs torch, transformers and torch-mlir: see requirements-export.txt.
"""

import argparse
import ast
import importlib.metadata
import inspect
import pathlib
import re
import shlex
import sys

import numpy as np
import torch
import transformers
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map
from torch_mlir import fx
from torch_mlir.extras.fx_decomp_util import get_decomposition_table
from torch_mlir.extras.fx_importer import TORCH_DTYPE_TO_NPY_TYPE, create_mlir_tensor_type
from torch_mlir.ir import ArrayAttr, DenseElementsAttr, DictAttr, Operation, StringAttr

from .parameters import random_parameter

# All extents that meet in one model are different, their products and halves included, so that nothing fits by
# accident; and hidden is no power of two, so that 1/hidden rounds.
BATCH, SEQUENCE = 4, 10
COMMON = dict(
    vocab_size=97,
    hidden_size=96,
    num_hidden_layers=2,
    num_attention_heads=6,
    max_position_embeddings=32,
    bos_token_id=None,
    eos_token_id=None,
)
GATED = dict(COMMON, intermediate_size=160, num_key_value_heads=2)
CONFIGS = {
    "BertModel": dict(COMMON, intermediate_size=160, num_hidden_layers=4),
    "GPT2Model": dict(COMMON, n_inner=160),
    "LlamaModel": GATED,
    # A soft cap, a window and a scale that show at this size.
    "Gemma2Model": dict(GATED, head_dim=28, query_pre_attn_scalar=36, attn_logit_softcapping=5.0, sliding_window=5),
    "Olmo2Model": GATED,
    "Qwen3Model": dict(GATED, head_dim=28),
}

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def build_model(name, overrides, seed, dtype):
    """Returns the model in evaluation mode, its parameters those that go with `seed`, rounded to `dtype`."""
    cls = getattr(transformers, name, None)
    if cls is None or not issubclass(cls, transformers.PreTrainedModel):
        raise SystemExit(f"expected a model class of transformers, but got {name}")
    config = cls.config_class(**{**CONFIGS.get(name, COMMON), **overrides})
    config.use_cache = False
    config._attn_implementation = "eager"
    # The pooler reads the last hidden state and is no part of it.
    options = {"add_pooling_layer": False} if "add_pooling_layer" in inspect.signature(cls).parameters else {}
    model = cls(config, **options).eval().requires_grad_(False)
    for path, parameter in model.named_parameters():
        # Only the parameters: transformers, too, keeps buffers such as the frequencies of RoPE in float32.
        parameter.data = torch.from_numpy(random_parameter(path, parameter.shape, seed=seed)).to(dtype)
    return model


class Forward(torch.nn.Module):
    """The model as a function of its input and of its parameters."""

    def __init__(self, model):
        super().__init__()
        # In a tuple, so that the parameters are not registered and exported a second time.
        self.model = (model,)

    def forward(self, input_ids, parameters):
        # Every token counts. Without a mask, transformers would look for several sequences packed into one, by a
        # cumulative sum that torch-mlir writes in a dialect of its own.
        attention_mask = torch.ones_like(input_ids)
        return torch.func.functional_call(
            self.model[0], parameters, (input_ids,), {"attention_mask": attention_mask}
        ).last_hidden_state


class InFloat64(TorchDispatchMode):
    """Computes in float64 what a model asks to be computed in float32.

    `model.double()` alone does not: RMSNorm, softmax and RoPE of most models cast to float32 by name.
    """

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        def widen(leaf):
            return torch.float64 if leaf is torch.float32 else leaf

        result = func(*tree_map(widen, args), **tree_map(widen, kwargs or {}))
        for leaf in tree_leaves(result):
            assert not isinstance(leaf, torch.Tensor) or leaf.dtype not in DTYPES.values(), f"{func} left float64"
        return result


def reference_outputs(model, input_ids):
    """Returns the last hidden state in the model's own dtype, as float32, and in float64. Widens `model` for good."""
    own = model(input_ids).last_hidden_state.float().numpy()
    with InFloat64():
        wide = model.double()(input_ids).last_hidden_state
    return own, wide.numpy()


class InlineConstants(fx.FxImporterHooks):
    """Writes constants (positions, the frequencies of RoPE) as literals, which passes fold and people read.

    The default is a hexadecimal resource at the end of the file.
    """

    def resolve_literal(self, gni, literal, info):
        if not isinstance(literal, torch.Tensor):
            return None
        # By way of a list, because the export's fake tensors have no numpy().
        values = np.array(literal.tolist(), TORCH_DTYPE_TO_NPY_TYPE[literal.dtype])
        value = DenseElementsAttr.get(values, type=create_mlir_tensor_type(literal))
        result = gni._cc.tensor_to_vtensor_type(literal)
        return Operation.create("torch.vtensor.literal", results=[result], attributes={"value": value}).result


def export(model, input_ids, dynamic_batch=False):
    """Returns the torch-mlir module of `model`: @forward(input_ids, parameters...) -> last_hidden_state."""
    parameters = dict(model.named_parameters())
    dynamic_shapes = None
    if dynamic_batch:
        dynamic_shapes = {"input_ids": {0: torch.export.Dim("batch")}, "parameters": {name: {} for name in parameters}}
    program = torch.export.export(Forward(model), (input_ids, parameters), dynamic_shapes=dynamic_shapes)
    # torch-mlir's own expansion of the tanh GELU has 0.797724 for sqrt(2/pi) = 0.797885; PyTorch's is exact.
    decompositions = {**get_decomposition_table(), **torch._decomp.get_decompositions([torch.ops.aten.gelu])}
    module = fx.export_and_import(
        program,
        output_type="linalg-on-tensors",
        func_name="forward",
        hooks=InlineConstants(),
        decomposition_table=decompositions,
    )
    context = module.context
    context.allow_unregistered_dialects = True
    (function,) = module.body.operations
    attributes = [{}] + [{"norm.param": StringAttr.get(name, context)} for name in parameters]
    function.attributes["arg_attrs"] = ArrayAttr.get([DictAttr.get(each, context) for each in attributes], context)
    module.operation.verify()
    return module


def render(module, command):
    """Returns the text of `module` under a header that says where it comes from."""
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("torch", "transformers", "torch-mlir")
    )
    header = (
        "// Written by\n"
        f"//   {command}\n"
        f"// with {versions}.\n"
        "// PyTorch's outputs for the parameters of this seed are in the .npz of the same name.\n\n"
    )
    # One argument a line: there are dozens.
    signature = re.compile(r"^  func\.func @forward\(.*$", re.MULTILINE)
    return header + signature.sub(lambda m: m.group().replace(", %arg", ",\n      %arg"), str(module)) + "\n"


def key_value(text):
    key, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"expected key=value, but got {text}")
    try:
        return key, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return key, value


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="renorm.export", description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help=f"model class of transformers: {', '.join(CONFIGS)}, ...")
    parser.add_argument("--seed", type=int, default=0, help="seed of the parameters and of the input (default 0)")
    parser.add_argument("--layers", type=int, help="number of layers, instead of the built-in configuration's")
    parser.add_argument("--batch", type=int, default=BATCH, help=f"(default {BATCH})")
    parser.add_argument("--sequence", type=int, default=SEQUENCE, help=f"(default {SEQUENCE})")
    parser.add_argument(
        "--config",
        type=key_value,
        nargs="*",
        default=[],
        metavar="KEY=VALUE",
        help="overrides of the built-in configuration, such as hidden_size=128",
    )
    parser.add_argument("--dtype", choices=DTYPES, default="f32", help="type of the parameters (default f32)")
    parser.add_argument("--dynamic-batch", action="store_true", help="leave the batch dimension open")
    parser.add_argument(
        "-o", "--output", type=pathlib.Path, required=True, help="the .mlir file; the .npz goes beside it"
    )
    options = parser.parse_args(argv)

    overrides = dict(options.config)
    if options.layers is not None:
        overrides["num_hidden_layers"] = options.layers
    model = build_model(options.model, overrides, options.seed, DTYPES[options.dtype])
    ids = np.random.RandomState(options.seed).randint(0, model.config.vocab_size, (options.batch, options.sequence))
    input_ids = torch.from_numpy(ids)

    text = render(export(model, input_ids, options.dynamic_batch), shlex.join(["python", "-m", "renorm.export", *argv]))
    own, wide = reference_outputs(model, input_ids)
    options.output.write_text(text)
    np.savez_compressed(
        options.output.with_suffix(".npz"), input_ids=ids, last_hidden_state=own, last_hidden_state_f64=wide
    )
    error = np.abs(own - wide).max() / np.abs(wide).max()
    print(f"{options.output}: {len(text.splitlines())} lines; PyTorch is within {error:.1e} of the float64 reference")


if __name__ == "__main__":
    main()
