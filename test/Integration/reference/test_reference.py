"""The reference against values worked out by hand, against laws that hold
whatever the values, and against PyTorch's saved outputs."""

import math
import unittest
from dataclasses import replace
from fractions import Fraction

import numpy as np

from . import exported, ops
from .check import assert_close, relative_error
from .placement import Unconvertible, convert
from .stack import PLACEMENTS, Norm, Stack, Sublayer


class Norms(unittest.TestCase):
    def test_layer_norm(self):
        # Mean 5, variance 4.
        x = [[3.0, 7.0, 3.0, 7.0]]
        assert_close(ops.layer_norm(x, epsilon=0.0), [[-1, 1, -1, 1]], 1e-15)
        assert_close(ops.layer_norm(x, epsilon=12.0), [[-0.5, 0.5, -0.5, 0.5]], 1e-15)
        y = ops.layer_norm(x, [1, 2, 3, 4], [10, 20, 30, 40], epsilon=0.0)
        assert_close(y, [[9, 22, 27, 44]], 1e-15)

    def test_rms_norm(self):
        # Mean square 25.
        x = [[1.0, 7.0, 1.0, 7.0]]
        assert_close(ops.rms_norm(x, epsilon=0.0), [[0.2, 1.4, 0.2, 1.4]], 1e-15)
        y = ops.rms_norm(x, [0, 1, 2, 3], epsilon=0.0, unit_offset=True)
        assert_close(y, [[0.2, 2.8, 0.6, 5.6]], 1e-15)

    def test_l2_norm(self):
        assert_close(ops.l2_norm([3.0, 4.0], epsilon=0.0), [0.6, 0.8], 1e-15)
        # ScaleNorm: one number for all elements.
        assert_close(ops.l2_norm([3.0, 4.0], 10.0, epsilon=0.0), [6, 8], 1e-15)

    def test_epsilon_modes(self):
        # The square sum of (3, 4) is 25, their mean square 12.5.
        for mode, divisor in [
            ("inside", 8.0),
            ("outside", 44.0),
            ("clamp", 39.0),
            ("clamp_inside", math.sqrt(39.0)),
        ]:
            y = ops.l2_norm([3.0, 4.0], epsilon=39.0, epsilon_mode=mode)
            assert_close(y, [3 / divisor, 4 / divisor], 1e-15, mode)
        for mode in ("clamp", "clamp_inside"):
            y = ops.l2_norm([3.0, 4.0], epsilon=0.1, epsilon_mode=mode)
            assert_close(y, [0.6, 0.8], 1e-15, mode)
        with self.assertRaises(ValueError):
            ops.l2_norm([3.0, 4.0], epsilon=1.0, epsilon_mode="beside")

    def test_axes_and_scale_dims(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(2, 3, 4, 5))
        scale = rng.normal(size=(3, 5))
        # One weight for each head, over head_dim.
        y = ops.rms_norm(x, scale, epsilon=0.1, scale_dims=(1, 3))
        for head in range(3):
            expected = ops.rms_norm(x[:, head], scale[head], epsilon=0.1)
            assert_close(y[:, head], expected, 1e-15)
        assert_close(ops.rms_norm(x, scale.T, epsilon=0.1, scale_dims=(3, 1)), y, 1e-15)
        # Over all heads at once, as before they were split.
        merged = x.swapaxes(1, 2).reshape(2, 4, 15)
        expected = ops.layer_norm(merged, scale.ravel(), epsilon=0.1)
        y = ops.layer_norm(x, scale, epsilon=0.1, axes=(1, 3))
        assert_close(y.swapaxes(1, 2).reshape(2, 4, 15), expected, 1e-14)
        with self.assertRaises(ValueError):
            ops.rms_norm(x, scale, epsilon=0.1, scale_dims=(1, 2))

    def test_layer_norm_far_from_zero(self):
        # Exact arithmetic on the values as they are stored.
        x = 1e8 + 1e-5 * np.random.default_rng(1).normal(size=37)
        exact = [Fraction(float(value)) for value in x]
        mean = sum(exact) / len(exact)
        variance = sum((value - mean) ** 2 for value in exact) / len(exact)
        expected = [float(value - mean) / math.sqrt(float(variance)) for value in exact]
        assert_close(ops.layer_norm(x, epsilon=0.0), expected, 1e-14)


class Functions(unittest.TestCase):
    def test_softmax(self):
        e8, e10 = math.exp(-8), math.exp(-10)
        expected = np.array([1, e8, e10]) / (1 + e8 + e10)
        assert_close(ops.softmax([12.0, 4.0, 2.0]), expected, 1e-15)
        # exp(760) is no float64.
        assert_close(ops.softmax([760.0, 752.0, 750.0]), expected, 1e-15)
        assert_close(ops.softmax([[0.0, 5.0], [0.0, 5.0]], axis=0), np.full((2, 2), 0.5), 1e-15)

    def test_activations(self):
        x = [-2.0, 0.0, 1.0]
        assert_close(ops.gelu(x), [-0.045500263896358417, 0, 0.84134474606854293], 1e-15)
        assert_close(ops.gelu_tanh(x), [-0.045402305912, 0, 0.841191990608], 1e-11)
        assert_close(ops.silu(x), [-0.23840584404423512, 0, 0.73105857863000488], 1e-15)
        assert_close(ops.relu(x), [0, 0, 1], 0)
        assert_close(ops.sigmoid([-1000.0, 1000.0]), [0, 1], 0)

    def test_linear(self):
        weight = [[1, 2], [3, 4], [5, 6]]
        assert_close(ops.linear([1, 10], weight, [100, 200, 300]), [121, 243, 365], 0)

    def test_rope(self):
        assert_close(ops.rope_frequencies(4), [1, 0.01], 1e-15)
        # At position 2 the unit vectors of the pairs turn by 2 and by 0.02.
        cos, sin = np.cos([2, 0.02]), np.sin([2, 0.02])
        y = ops.rope([[1.0, 1, 0, 0]], [2], [1, 0.01])
        assert_close(y, [[cos[0], cos[1], sin[0], sin[1]]], 1e-15)
        y = ops.rope([[1.0, 0, 1, 0]], [2], [1, 0.01], "interleaved")
        assert_close(y, [[cos[0], sin[0], cos[1], sin[1]]], 1e-15)
        with self.assertRaises(ValueError):
            ops.rope([[1.0, 0]], [2], [1], "other")

    def test_rope_is_relative(self):
        rng = np.random.default_rng(2)
        q, k = rng.normal(size=(2, 1, 8))
        frequencies = ops.rope_frequencies(8)

        def score(m, n):
            return ops.rope(q, [m], frequencies) @ ops.rope(k, [n], frequencies).T

        assert_close(score(107, 103), score(4, 0), 1e-13)
        self.assertGreater(relative_error(score(0, 4), score(4, 0)), 0.1)

    def test_statistics(self):
        # Deviations -3, 1, 1, 1: variance 3, fourth moment 21.
        expected = {"mean": -1.0, "variance": 3.0, "max_abs": 4.0, "kurtosis": 21 / 9}
        self.assertEqual(ops.statistics([[-4.0, 0], [0, 0]]), expected)


class Attention(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(3)
        self.q = rng.normal(size=(2, 4, 5, 6))
        self.k, self.v = rng.normal(size=(2, 2, 2, 5, 6))

    def by_loops(self, q, k, v, scale, sees, cap=None):
        """One query at a time, with the sums written out."""
        y = np.zeros(q.shape[:-1] + v.shape[-1:])
        for b, h, i in np.ndindex(q.shape[:3]):
            keys = [j for j in range(k.shape[2]) if sees(i, j)]
            kv_head = h * k.shape[1] // q.shape[1]
            weights = []
            for j in keys:
                logit = scale * sum(q[b, h, i] * k[b, kv_head, j])
                weights.append(math.exp(cap * math.tanh(logit / cap) if cap else logit))
            for j, weight in zip(keys, weights):
                y[b, h, i] += weight / sum(weights) * v[b, kv_head, j]
        return y

    def test_against_loops(self):
        q, k, v = self.q, self.k, self.v
        for options, arguments in [
            ({}, (6**-0.5, lambda i, j: True)),
            ({"scale": 0.7, "causal": True}, (0.7, lambda i, j: j <= i)),
            ({"causal": True, "window": 2}, (6**-0.5, lambda i, j: j in (i - 1, i))),
            ({"window": 2}, (6**-0.5, lambda i, j: j in (i - 1, i, i + 1))),
            ({"scale": 3.0, "softcap": 1.5}, (3.0, lambda i, j: True, 1.5)),
        ]:
            y = ops.attention(q, k, v, **options)
            assert_close(y, self.by_loops(q, k, v, *arguments), 1e-14, str(options))

    def test_last_query_is_at_last_key(self):
        whole = ops.attention(self.q, self.k, self.v, causal=True, window=3)
        part = ops.attention(self.q[..., 3:, :], self.k, self.v, causal=True, window=3)
        assert_close(part, whole[..., 3:, :], 1e-15)

    def test_masks(self):
        q, k, v = self.q, self.k, self.v
        sees = np.random.default_rng(4).random((2, 1, 5, 5)) < 0.6
        sees[..., 0] = True
        y = ops.attention(q, k, v, mask=sees)
        for b, seen in enumerate(sees[:, 0]):
            one = slice(b, b + 1)
            expected = self.by_loops(q[one], k[one], v[one], 6**-0.5, lambda i, j, s=seen: s[i, j])
            assert_close(y[one], expected, 1e-14)
        assert_close(ops.attention(q, k, v, mask=np.where(sees, 0.0, -np.inf)), y, 0)
        # log 2 on a key's logit is that key twice.
        y = ops.attention(q, k, v, mask=[0, 0, 0, 0, math.log(2)])
        twice = [0, 1, 2, 3, 4, 4]
        assert_close(y, ops.attention(q, k[..., twice, :], v[..., twice, :]), 1e-14)

    def test_query_without_keys(self):
        sees = np.ones((5, 5), dtype=bool)
        sees[2] = False
        y = ops.attention(self.q, self.k, self.v, mask=sees)
        self.assertTrue(np.isnan(y[:, :, 2]).all())
        self.assertFalse(np.isnan(np.delete(y, 2, axis=2)).any())
        zeroed = ops.attention(self.q, self.k, self.v, mask=sees, zero_masked_rows=True)
        assert_close(zeroed[:, :, 2], np.zeros((2, 4, 6)), 0)
        assert_close(np.delete(zeroed, 2, axis=2), np.delete(y, 2, axis=2), 0)

    def test_scale_of_each_head(self):
        y = ops.attention(self.q, self.k, self.v, scale=[1, 2, 3, 4])
        for head in range(4):
            alone = ops.attention(self.q, self.k, self.v, scale=head + 1)
            assert_close(y[:, head], alone[:, head], 0)

    def test_heads_must_divide(self):
        with self.assertRaises(ValueError):
            ops.attention(self.q[:, :3], self.k, self.v)


class Check(unittest.TestCase):
    def test_relative_error(self):
        self.assertEqual(relative_error([1.0, 4.0], [2.0, 4.0]), 0.25)
        self.assertEqual(relative_error([0.5], [0.0]), 0.5)

    def test_what_fails(self):
        nan, inf = math.nan, math.inf
        assert_close([1.0, 4.0], [2.0, 4.0], 0.25)
        for actual, expected in [
            ([1.0, 4.0], [2.01, 4.0]),
            ([nan, 4.0], [4.0, 4.0]),
            ([4.0, 4.0], [nan, 4.0]),
            ([nan, 4.0], [nan, 4.0]),
            ([inf, 4.0], [4.0, 4.0]),
            ([4.0, 4.0], [inf, 4.0]),
            ([inf, 4.0], [inf, 4.0]),
            ([[1.0, 4.0]], [1.0, 4.0]),
            ([1.0], [1.0, 1.0]),
        ]:
            with self.assertRaises(AssertionError, msg=f"{actual} {expected}"):
                assert_close(actual, expected, 0.25)


WIDTH = 8


def random_norm(rng, kind="layer", epsilon=1e-3):
    scale, bias = rng.normal(1, 0.3, WIDTH), rng.normal(0, 0.3, WIDTH)
    return Norm(kind, epsilon, scale, bias)


def random_stack(placement, layers=2, seed=0, **options):
    """A stack of nonlinear modules; the norms are made in the order of the trunk."""
    rng = np.random.default_rng(seed)
    has_input, has_output, has_post = PLACEMENTS[placement]
    embedding_norm = random_norm(rng) if has_post else None
    sublayers = []
    for layer in range(layers):
        for name, kind in (("attention", "attention"), ("ffn", "feed-forward")):
            weight = rng.normal(size=(WIDTH, WIDTH))
            sublayers.append(
                Sublayer(
                    f"layers.{layer}.{name}",
                    layer,
                    kind,
                    lambda x, weight=weight: np.tanh(x @ weight),
                    random_norm(rng) if has_input else None,
                    random_norm(rng) if has_output else None,
                    random_norm(rng) if has_post else None,
                    **options,
                )
            )
    final_norm = random_norm(rng) if placement in ("pre", "peri", "output") else None
    return Stack(tuple(sublayers), embedding_norm, final_norm)


def slots(stack):
    """Every norm of the stack, and every residual scale."""
    return [stack.embedding_norm, stack.final_norm] + [
        (s.input_norm, s.output_norm, s.post_norm, s.residual_scale) for s in stack.sublayers
    ]


def placements(stack):
    return [sublayer.placement for sublayer in stack.sublayers]


class Stacks(unittest.TestCase):
    def setUp(self):
        self.x = np.random.default_rng(5).normal(size=(3, WIDTH))

    def test_parallel_sublayers(self):
        stack = random_stack("pre", layers=1)
        first, second = stack.sublayers
        second = replace(second, parallel=True, branch_scale=0.5)
        x = self.x
        total = x + first.module(first.input_norm(x)) + 0.5 * second.module(second.input_norm(x))
        y = Stack((first, second), final_norm=stack.final_norm).run(x)
        assert_close(y, stack.final_norm(total), 1e-15)
        with self.assertRaises(ValueError):
            Stack((replace(first, post_norm=first.input_norm), second))

    def test_taps(self):
        stack = random_stack("post", layers=1)
        taps = {}
        y = stack.run(self.x, taps)
        self.assertEqual(
            list(taps),
            [
                "input",
                "embedding_norm",
                "layers.0.attention.add",
                "layers.0.attention.post_norm",
                "layers.0.ffn.add",
                "layers.0.ffn.post_norm",
            ],
        )
        assert_close(y, taps["layers.0.ffn.post_norm"], 0)
        x, first = taps["embedding_norm"], stack.sublayers[0]
        assert_close(taps["layers.0.attention.add"], x + first.module(x), 0)

    def test_growth_of_variance(self):
        # Every module keeps the variance of what it reads: on the trunk of a
        # Pre-LN stack each then adds 1, a Post-LN trunk is always normalized
        # and one without norms doubles.
        rng, width, depth = np.random.default_rng(6), 512, 12
        norm = Norm("rms", 0.0)
        x = norm(rng.normal(size=(8, width)))

        def variances(**norms):
            sublayers = []
            for i in range(depth):
                weight = rng.normal(0, width**-0.5, (width, width))
                sublayers.append(
                    Sublayer(f"{i}", i, "feed-forward", lambda x, w=weight: x @ w, **norms)
                )
            taps = {}
            Stack(tuple(sublayers)).run(x, taps)
            kind = "post_norm" if "post_norm" in norms else "add"
            return [np.mean(np.square(taps[f"{i}.{kind}"])) for i in range(depth)]

        grown = np.arange(2, depth + 2)
        for norms, expected in [
            ({"input_norm": norm}, grown),
            ({"input_norm": norm, "output_norm": norm}, grown),
            ({"output_norm": norm}, grown),
            ({}, 2.0 ** np.arange(1, depth + 1)),
        ]:
            ratio = variances(**norms) / expected
            self.assertTrue((np.abs(ratio - 1) < 0.1).all(), f"{list(norms)} {ratio}")
        assert_close(variances(post_norm=norm), np.ones(depth), 1e-14)


class Conversions(unittest.TestCase):
    def setUp(self):
        self.x = np.random.default_rng(7).normal(size=(3, WIDTH))

    def test_post_to_pre_is_a_rewiring(self):
        post = random_stack("post")
        e, (a, f, b, g) = post.embedding_norm, post.sublayers
        pre = convert(post, "pre")
        x = self.x
        x = x + a.module(e(x))
        x = x + f.module(a.post_norm(x))
        x = x + b.module(f.post_norm(x))
        x = x + g.module(b.post_norm(x))
        assert_close(pre.run(self.x), g.post_norm(x), 0)
        self.assertIsNone(pre.embedding_norm)
        self.assertEqual(placements(pre), ["pre"] * 4)

    def test_post_to_peri(self):
        post = random_stack("post", layers=1)
        e, (a, f) = post.embedding_norm, post.sublayers
        scale, bias = np.arange(1.0, WIDTH + 1), np.arange(WIDTH) / 8
        parameters = {
            "layers.0.attention.output_norm.scale": scale,
            "layers.0.attention.output_norm.bias": bias,
        }
        peri = convert(post, "peri", parameters=parameters)
        x = self.x
        x = x + ops.layer_norm(a.module(e(x)), scale, bias, epsilon=1e-3)
        x = x + ops.layer_norm(f.module(a.post_norm(x)), epsilon=1e-3)
        assert_close(peri.run(self.x), f.post_norm(x), 1e-15)
        with self.assertRaisesRegex(ValueError, "layers.9"):
            convert(post, "peri", parameters={"layers.9.ffn.output_norm.scale": scale})

    def test_post_to_output_and_none(self):
        post = random_stack("post", layers=1)
        e, (a, f) = post.embedding_norm, post.sublayers
        x = e(self.x)
        x = x + ops.layer_norm(a.module(x), epsilon=1e-3)
        x = x + ops.layer_norm(f.module(x), epsilon=1e-3)
        assert_close(convert(post, "output").run(self.x), f.post_norm(x), 1e-15)
        x = e(self.x)
        x = x + a.module(x)
        x = x + f.module(x)
        assert_close(convert(post, "none").run(self.x), f.post_norm(x), 1e-15)

    def test_pre_to_post(self):
        pre = random_stack("pre", layers=1)
        a, f = pre.sublayers
        x = a.input_norm(self.x)
        x = f.input_norm(x + a.module(x))
        x = pre.final_norm(x + f.module(x))
        assert_close(convert(pre, "post").run(self.x), x, 0)

    def test_pre_to_deepnorm(self):
        pre = random_stack("pre", layers=1)
        a, f = pre.sublayers
        x = a.input_norm(self.x)
        x = f.input_norm(3 * x + a.module(x))
        x = pre.final_norm(3 * x + f.module(x))
        deepnorm = convert(pre, "deepnorm", alpha=3)
        assert_close(deepnorm.run(self.x), x, 0)
        self.assertEqual(placements(deepnorm), ["deepnorm"] * 2)
        self.assertEqual(slots(convert(deepnorm, "pre")), slots(pre))
        partly = convert(deepnorm, "post", kinds={"attention"})
        self.assertEqual(placements(partly), ["post", "deepnorm"])
        for to, alpha in (("deepnorm", None), ("post", 3)):
            with self.assertRaises(ValueError):
                convert(pre, to, alpha=alpha)

    def test_residual_scale_that_is_not_deepnorm_stays(self):
        scaled = random_stack("pre", residual_scale=0.5)
        peri = convert(scaled, "peri")
        self.assertEqual([s.residual_scale for s in peri.sublayers], [0.5] * 4)

    def test_every_placement_to_every_other(self):
        for source in PLACEMENTS:
            for to in PLACEMENTS:
                stack = random_stack(source)
                result = convert(stack, to, new_norm="rms", epsilon=1e-5)
                self.assertEqual(placements(result), [to] * 4, source)
                self.assertTrue(np.isfinite(result.run(self.x)).all())
                if source == to:
                    self.assertEqual(slots(result), slots(stack))
                again = convert(result, to, new_norm="rms", epsilon=1e-5)
                self.assertEqual(slots(again), slots(result), f"{source} to {to}")

    def test_round_trips(self):
        for source, to in [
            ("post", "pre"),
            ("pre", "post"),
            ("post", "peri"),
            ("pre", "peri"),
            ("post", "deepnorm"),
        ]:
            for embedding_norm in ("auto", "keep") if source == "post" else ("auto",):
                stack = random_stack(source)
                there = convert(
                    stack,
                    to,
                    alpha=2 if to == "deepnorm" else None,
                    embedding_norm=embedding_norm,
                )
                self.assertNotEqual(slots(there), slots(stack))
                back = convert(there, source, embedding_norm=embedding_norm)
                self.assertEqual(slots(back), slots(stack), f"{source} {to} {embedding_norm}")

    def test_embedding_norm(self):
        post, pre = random_stack("post"), random_stack("pre")
        e, first = post.embedding_norm, pre.sublayers[0].input_norm

        def result(stack, to, policy):
            converted = convert(stack, to, embedding_norm=policy)
            return converted.embedding_norm, converted.sublayers[0].input_norm

        self.assertEqual(result(post, "pre", "auto"), (None, e))
        self.assertEqual(result(post, "pre", "drop"), (None, e))
        for policy in ("keep", "add"):
            embedding_norm, input_norm = result(post, "pre", policy)
            self.assertIs(embedding_norm, e)
            self.assertEqual((input_norm.scale, input_norm.bias), (None, None))
        self.assertEqual(result(post, "output", "auto"), (e, None))
        self.assertEqual(result(post, "output", "drop"), (None, None))

        self.assertEqual(result(pre, "post", "auto"), (first, None))
        self.assertEqual(result(random_stack("output"), "post", "auto"), (None, None))
        a, *others = convert(pre, "post").sublayers
        neither = Stack((replace(a, input_norm=first), *others))
        self.assertIsNone(convert(neither, "post", layers={1}).embedding_norm)

        self.assertEqual(result(pre, "post", "add"), (first, None))
        self.assertEqual(result(pre, "post", "keep"), (None, None))
        self.assertEqual(result(pre, "peri", "auto"), (None, first))
        self.assertEqual(result(pre, "output", "auto"), (None, None))
        embedding_norm, input_norm = result(pre, "peri", "add")
        self.assertIs(input_norm, first)
        self.assertIsNone(embedding_norm.scale)
        with self.assertRaises(ValueError):
            convert(pre, "post", embedding_norm="some")

    def test_final_norm(self):
        none, pre, post = (random_stack(placement) for placement in ("none", "pre", "post"))
        last = post.sublayers[-1].post_norm
        for to in ("pre", "peri", "output", "none"):
            self.assertIs(convert(post, to).final_norm, last)
            self.assertIs(convert(pre, to).final_norm, pre.final_norm)
            made = convert(none, to, new_norm="rms", epsilon=0.5).final_norm
            self.assertEqual(made is None, to == "none")
            if made:
                self.assertEqual((made.kind, made.epsilon), ("rms", 0.5))
                with self.assertRaises(Unconvertible):
                    convert(none, to, new_norm="rms", epsilon=0.5, final_norm="require")
        partly = convert(none, "pre", layers={0}, new_norm="rms", epsilon=0.5)
        self.assertIsNone(partly.final_norm)
        both = replace(post, final_norm=pre.final_norm)
        for to in PLACEMENTS:
            result = convert(both, to)
            self.assertIs(result.final_norm, pre.final_norm)
            self.assertIs(result.sublayers[-1].post_norm, last)
        with self.assertRaises(ValueError):
            convert(pre, "post", final_norm="some")

    def test_new_norms_are_like_the_others(self):
        peri = convert(random_stack("pre"), "peri")
        norm = peri.sublayers[0].output_norm
        self.assertEqual((norm.kind, norm.epsilon, norm.scale), ("layer", 1e-3, None))
        rms = convert(random_stack("pre"), "peri", new_norm="rms").sublayers[0].output_norm
        self.assertEqual((rms.kind, rms.epsilon), ("rms", 1e-3))
        with self.assertRaisesRegex(Unconvertible, "kind"):
            convert(random_stack("none"), "pre")
        mixed = random_stack("pre")
        mixed = replace(mixed, final_norm=replace(mixed.final_norm, epsilon=1e-2))
        with self.assertRaisesRegex(Unconvertible, "epsilon"):
            convert(mixed, "peri")

    def test_layers(self):
        # Mix-LN: the later layers Pre-LN, the earlier ones Post-LN.
        post = random_stack("post")
        a, f, b, g = post.sublayers
        mixed = convert(post, "pre", layers={1})
        self.assertEqual(placements(mixed), ["post", "post", "pre", "pre"])
        new = Norm("layer", 1e-3)
        x = post.embedding_norm(self.x)
        x = a.post_norm(x + a.module(x))
        # Layer 0 still wants this norm on the trunk, layer 1 one in its branch.
        x = f.post_norm(x + f.module(x))
        x = x + b.module(new(x))
        x = x + g.module(b.post_norm(x))
        assert_close(mixed.run(self.x), g.post_norm(x), 1e-15)

        mixed = convert(post, "pre", layers=[0])
        self.assertEqual(placements(mixed), ["pre", "pre", "post", "post"])
        x = self.x
        x = x + a.module(post.embedding_norm(x))
        x = x + f.module(a.post_norm(x))
        x = b.post_norm(x + b.module(x))
        x = g.post_norm(x + g.module(x))
        assert_close(mixed.run(self.x), x, 0)
        self.assertEqual(slots(convert(post, "pre", layers=[])), slots(post))

    def test_kinds(self):
        # HybridNorm: Pre-LN attention, Post-LN feed-forward.
        pre = random_stack("pre", layers=1)
        a, f = pre.sublayers
        hybrid = convert(pre, "post", kinds={"feed-forward"})
        self.assertEqual(placements(hybrid), ["pre", "post"])
        x = self.x + a.module(a.input_norm(self.x))
        x = pre.final_norm(x + f.module(x))
        assert_close(hybrid.run(self.x), x, 0)
        hybrid = convert(pre, "post", kinds={"attention"})
        x = a.input_norm(self.x)
        x = ops.layer_norm(x + a.module(x), epsilon=1e-3)
        x = x + f.module(f.input_norm(x))
        assert_close(hybrid.run(self.x), pre.final_norm(x), 1e-15)

    def test_parallel(self):
        post = random_stack("post")
        a, f, b, g = post.sublayers
        post = replace(
            post,
            sublayers=(
                replace(a, post_norm=None),
                replace(f, parallel=True),
                replace(b, post_norm=None),
                replace(g, parallel=True),
            ),
        )
        pre = convert(post, "pre")
        x = self.x
        x = x + a.module(post.embedding_norm(x)) + f.module(post.embedding_norm(x))
        x = x + b.module(f.post_norm(x)) + g.module(f.post_norm(x))
        assert_close(pre.run(self.x), g.post_norm(x), 1e-15)
        self.assertEqual(slots(convert(pre, "post")), slots(post))
        deepnorm = convert(post, "deepnorm", alpha=3)
        x = post.embedding_norm(self.x)
        x = f.post_norm(3 * x + a.module(x) + f.module(x))
        x = g.post_norm(3 * x + b.module(x) + g.module(x))
        assert_close(deepnorm.run(self.x), x, 1e-15)
        self.assertEqual(slots(convert(deepnorm, "post")), slots(post))
        with self.assertRaises(Unconvertible):
            convert(post, "pre", kinds={"attention"})

    def test_parallel_with_a_norm_each(self):
        pre = random_stack("pre", layers=1)
        a, f = pre.sublayers
        pre = replace(pre, sublayers=(a, replace(f, parallel=True)))
        post = convert(pre, "post")
        # Neither of the two input norms is the trunk's.
        x = ops.layer_norm(self.x, epsilon=1e-3)
        x = pre.final_norm(x + a.module(x) + f.module(x))
        assert_close(post.run(self.x), x, 1e-15)

    def test_no_sublayers(self):
        self.assertEqual(convert(Stack(()), "pre").sublayers, ())

    def test_unknown_placement(self):
        with self.assertRaises(ValueError):
            convert(random_stack("pre"), "sideways")


class Models(unittest.TestCase):
    def test_against_pytorch(self):
        for name in exported.CONFIGS:
            with self.subTest(name):
                saved = exported.saved(name)
                y = exported.build(name)(saved["input_ids"])
                assert_close(y, saved["last_hidden_state_f64"], 1e-13)
                assert_close(saved["last_hidden_state"], y, 1e-5)

    def test_placements(self):
        for name, placement in [
            ("BertModel", "post"),
            ("GPT2Model", "pre"),
            ("LlamaModel", "pre"),
            ("Gemma2Model", "peri"),
            ("Olmo2Model", "output"),
            ("Qwen3Model", "pre"),
        ]:
            stack = exported.build(name).stack
            self.assertEqual(set(placements(stack)), {placement})
            self.assertEqual(stack.embedding_norm is not None, placement == "post")
            self.assertEqual(stack.final_norm is None, placement == "post")

    def test_another_seed_is_another_model(self):
        saved = exported.saved("BertModel")
        y = exported.build("BertModel", seed=1)(saved["input_ids"])
        self.assertGreater(relative_error(y, saved["last_hidden_state_f64"]), 0.1)


if __name__ == "__main__":
    unittest.main()
