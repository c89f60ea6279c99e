import gc
import resource
import threading
import unittest
import weakref

import numpy as np

import renorm
from renorm import make_inputs
from renorm.function import bfloat16


def compile(text, **options):
    return renorm.Module.parse(text).compile(**options)


def unary(element_type, body, shape="?x3", attributes=""):
    type = f"tensor<{shape}x{element_type}>" if shape else f"tensor<{element_type}>"
    return compile(f"func.func @f(%x: {type} {attributes}) -> {type} {{ {body.replace('T', type)} }}")


NEGATE = "%0 = arith.negf %x : T\n return %0 : T"


class ElementTypes(unittest.TestCase):
    def test_floats(self):
        for element_type, dtype in [
            ("f64", np.float64),
            ("f32", np.float32),
            ("f16", np.float16),
            ("bf16", bfloat16),
        ]:
            with self.subTest(element_type):
                function = unary(element_type, NEGATE)
                x = np.arange(6).reshape(2, 3).astype(dtype)
                y = function(x)
                self.assertEqual(y.dtype, dtype)
                np.testing.assert_array_equal(y.astype(np.float64), -np.arange(6.0).reshape(2, 3))

    def test_integers(self):
        for element_type, dtype in [("i64", np.int64), ("i32", np.int32), ("i16", np.int16), ("i8", np.int8)]:
            with self.subTest(element_type):
                function = unary(element_type, "%0 = arith.addi %x, %x : T\n return %0 : T")
                y = function(np.array([[1, -2, 3]], dtype))
                self.assertEqual(y.dtype, dtype)
                np.testing.assert_array_equal(y, [[2, -4, 6]])

    def test_booleans(self):
        function = unary("i1", "%true = arith.constant dense<true> : T\n %0 = arith.xori %x, %true : T\n return %0 : T", "3")
        np.testing.assert_array_equal(function(np.array([True, False, True])), [False, True, False])

    def test_bf16_rounds_to_nearest_even(self):
        function = compile(
            "func.func @f(%x: tensor<5xf32>) -> tensor<5xbf16> {"
            "  %0 = arith.truncf %x : tensor<5xf32> to tensor<5xbf16>"
            "  return %0 : tensor<5xbf16> }"
        )
        x = np.array([1 + 2**-8, 1 + 3 * 2**-8, 3.4e38, np.inf, np.nan], np.float32)
        y = function(x).astype(np.float32)
        np.testing.assert_array_equal(y, np.array([1, 1 + 2**-6, np.inf, np.inf, np.nan], np.float32))

    def test_bf16_as_its_bits(self):
        function = unary("bf16", NEGATE, "2")
        y = function(np.array([0x3F80, 0xC000], np.uint16))
        np.testing.assert_array_equal(y.view(np.uint16), [0xBF80, 0x4000])


class Shapes(unittest.TestCase):
    def test_dynamic(self):
        function = unary("f32", NEGATE)
        for rows in (0, 1, 17):
            x = np.ones((rows, 3), np.float32)
            self.assertEqual(function(x).shape, (rows, 3))

    def test_scalar(self):
        function = unary("f32", NEGATE, "")
        y = function(np.float32(2))
        self.assertEqual((y.shape, y.item()), ((), -2))
        self.assertEqual(function(np.array(2, np.float32)).shape, ())

    def test_not_contiguous(self):
        function = unary("f32", NEGATE)
        base = np.arange(24, dtype=np.float32).reshape(3, 8)
        for x in (base.T, base[:, 5:8], base[::-1, 1:7:2], np.broadcast_to(np.float32(1), (2, 3))):
            np.testing.assert_array_equal(function(x), -x)

    def test_read_only(self):
        x = np.ones((2, 3), np.float32)
        x.flags.writeable = False
        np.testing.assert_array_equal(unary("f32", NEGATE)(x), -x)


class Results(unittest.TestCase):
    SEVERAL = """
    func.func @f(%x: tensor<?xf32>, %y: tensor<2xi64>) -> (tensor<?xf32>, tensor<2xi64>, tensor<2xf32>, tensor<?xf32>) {
      %0 = arith.negf %x : tensor<?xf32>
      %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
      return %0, %y, %c, %0 : tensor<?xf32>, tensor<2xi64>, tensor<2xf32>, tensor<?xf32>
    }"""

    def test_several(self):
        function = compile(self.SEVERAL)
        x, y = np.array([1, 2, 3], np.float32), np.array([4, 5])
        for _ in range(3):
            results = function(x, y)
            self.assertIsInstance(results, tuple)
            for result, expected in zip(results, (-x, y, [1, 2], -x), strict=True):
                np.testing.assert_array_equal(result, expected)
            # Every result is the caller's own: neither another result, nor an argument, nor a constant.
            for i, result in enumerate(results):
                result[:] = i + 100
            for i, result in enumerate(results):
                self.assertTrue((result == i + 100).all())
            np.testing.assert_array_equal(y, [4, 5])

    def test_none(self):
        self.assertEqual(compile("func.func @f() { return }")(), ())

    def test_arguments_are_not_written_to(self):
        # In place, were it allowed.
        function = compile("""
        func.func @f(%x: tensor<4xf32>, %i: tensor<f32>) -> tensor<4xf32> {
          %c = arith.constant 1 : index
          %v = tensor.extract %i[] : tensor<f32>
          %0 = tensor.insert %v into %x[%c] : tensor<4xf32>
          return %0 : tensor<4xf32>
        }""")
        x = np.zeros(4, np.float32)
        np.testing.assert_array_equal(function(x, np.float32(7)), [0, 7, 0, 0])
        np.testing.assert_array_equal(x, 0)

    def test_outlives_the_function(self):
        function = unary("f32", NEGATE, "3")
        result = function(np.ones(3, np.float32))
        gone = weakref.ref(function)
        del function
        gc.collect()
        self.assertIsNone(gone())
        np.testing.assert_array_equal(result, -1)

    def test_no_leak(self):
        function = compile(self.SEVERAL)
        arguments = np.ones(1 << 18, np.float32), np.array([4, 5])

        def grow(calls):
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            for _ in range(calls):
                function(*arguments)
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before

        grow(10)
        # Each call makes two results of a MiB, and ru_maxrss counts KiB.
        self.assertLess(grow(100), 20 << 10)


class Arguments(unittest.TestCase):
    def setUp(self):
        self.function = compile("""
        func.func @f(%x: tensor<?x3xf32>, %w: tensor<3xf32> {norm.param = "ln.weight"},
                     %v: tensor<3xf32> {norm.param = "new.scale", norm.init = 1.0 : f64}) { return }""")
        self.x, self.w = np.ones((2, 3), np.float32), np.ones(3, np.float32)

    def test_assertion(self):
        function = compile("""
        func.func @f(%i: tensor<1xi64>) -> tensor<1xi64> {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : i64
          %0 = tensor.extract %i[%c0] : tensor<1xi64>
          %1 = arith.cmpi slt, %0, %c4 : i64
          cf.assert %1, "expected an index below 4"
          return %i : tensor<1xi64>
        }""")
        for _ in range(3):
            with self.assertRaisesRegex(ValueError, "^the program stopped: expected an index below 4$"):
                function(np.array([4]))
            self.assertEqual(function(np.array([3])), 3)

    def test_dynamic_extents_must_fit(self):
        function = compile("""
        func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
          %0 = arith.addf %x, %y : tensor<?xf32>
          return %0 : tensor<?xf32>
        }""")
        for n in (0, 1, 5):
            np.testing.assert_array_equal(function(np.ones(n, np.float32), np.ones(n, np.float32)), np.full(n, 2))
        for m, n in ((1, 0), (5, 4), (4, 5)):
            with self.assertRaisesRegex(ValueError, '(?s)the program stopped: .*incompatible.*"<string>":3:16'):
                function(np.ones(m, np.float32), np.ones(n, np.float32))

    def test_inputs(self):
        x, w, v = self.function.inputs
        self.assertEqual((x.name, x.param, x.init, x.type), ("arg0", None, None, "tensor<?x3xf32>"))
        self.assertEqual((x.shape, x.element_type, x.dtype), ((None, 3), "f32", np.float32))
        self.assertEqual((w.name, w.param, w.init), ("ln.weight", "ln.weight", None))
        self.assertEqual((v.name, v.param, v.init), ("new.scale", "new.scale", 1.0))
        self.assertEqual(self.function.outputs, [])

    def test_errors(self):
        x, w = self.x, self.w
        for arguments, message in [
            ((), "expected 3 arguments, but got 0"),
            ((x, w), "expected 3 arguments, but got 2"),
            ((x, w, w, w), "expected 3 arguments, but got 4"),
            ((x, w.astype(np.float64), w), r"expected float32 for argument 1 \('ln.weight'\), but got float64"),
            ((x.astype(np.int32), w, w), "expected float32 for argument 0, but got int32"),
            ((x, w, "scale"), r"expected float32 for argument 2 \('new.scale'\), but got <U5"),
            ((x, w, None), r"expected float32 for argument 2 \('new.scale'\), but got object"),
            ((x, w[:2], w), r"expected shape \[3\] for argument 1 \('ln.weight'\), but got \[2\]"),
            ((x.T, w, w), r"expected shape \[\?, 3\] for argument 0, but got \[3, 2\]"),
            ((w, w, w), r"expected shape \[\?, 3\] for argument 0, but got \[3\]"),
        ]:
            with self.subTest(message), self.assertRaisesRegex(ValueError, f"^{message}$"):
                self.function(*arguments)
        self.assertEqual(self.function(x, w, w), ())

    def test_make_inputs(self):
        x, w, v = make_inputs(self.function.inputs, seed=3, dynamic_size=5)
        self.assertEqual(x.shape, (5, 3))
        np.testing.assert_array_equal(w, renorm.random_parameter("ln.weight", (3,), seed=3))
        np.testing.assert_array_equal(v, 1)
        self.assertIs(make_inputs(self.function.inputs, {"arg0": self.x})[0], self.x)
        with self.assertRaisesRegex(ValueError, "but got x, y; the inputs are arg0, 2 parameters"):
            make_inputs(self.function.inputs, {"y": 0, "x": 0})

    def test_make_integers(self):
        inputs = compile("func.func @f(%i: tensor<1000xi64>, %m: tensor<9xi1>) { return }").inputs
        integers, mask = make_inputs(inputs, int_max=6)
        self.assertEqual((integers.min(), integers.max()), (0, 6))
        self.assertTrue(mask.all())


class Compile(unittest.TestCase):
    def test_errors(self):
        tensor = "tensor<2xf32>"
        for text, message in [
            ("", "expected a public function with a body, but the module has none"),
            ("func.func private @f()", "expected a public function with a body, but the module has none"),
            ("func.func @f() { return } func.func @g() { return }", "expected one public function .*, but got @f and @g"),
            ("func.func @f(%x: f32) { return }", "expected a ranked tensor as argument 0 .*, but got 'f32'"),
            ("func.func @f(%x: tensor<*xf32>) { return }", r"but got 'tensor<\*xf32>'"),
            ("func.func @f(%x: memref<2xf32>) { return }", "expected a ranked tensor"),
            ("func.func @f(%x: tensor<2xindex>) { return }", "but got 'tensor<2xindex>'"),
            ("func.func @f(%x: tensor<2xcomplex<f32>>) { return }", "but got 'tensor<2xcomplex<f32>>'"),
            (
                f"func.func private @g({tensor}) -> {tensor}\n"
                f"func.func @f(%x: {tensor}) -> {tensor} {{ %0 = call @g(%x) : ({tensor}) -> {tensor}\n return %0 : {tensor} }}",
                "<string>:1:1: error: expected a definition of @g, which is called, but got only a declaration",
            ),
            (
                f"func.func @f(%x: {tensor}) -> {tensor} {{ %0 = tosa.erf %x : ({tensor}) -> {tensor}\n return %0 : {tensor} }}",
                "<string>:1:[0-9]+: error: ",
            ),
        ]:
            with self.subTest(text), self.assertRaisesRegex(renorm.MLIRError, message):
                compile(text)

    def test_target(self):
        with self.assertRaisesRegex(ValueError, "expected 'cpu', 'emulator' or 'cuda' as target, but got 'abacus'"):
            compile("func.func @f() { return }", target="abacus")
        with self.assertRaisesRegex(ValueError, "expected f32_precision 'ieee' for target 'cpu', but got 'tf32'"):
            compile("func.func @f() { return }", f32_precision="tf32")
        with self.assertRaisesRegex(ValueError, "expected 'ieee' or 'tf32' as f32_precision, but got 'bf16'"):
            compile("func.func @f() { return }", target="emulator", f32_precision="bf16")

    def test_entry(self):
        text = """
        func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { %0 = func.call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32> }
        func.func private @g(%x: tensor<2xf32>) -> tensor<2xf32> { %0 = arith.negf %x : tensor<2xf32>
          return %0 : tensor<2xf32> }"""
        for entry in (None, "f", "g"):
            function = compile(text, entry=entry)
            self.assertEqual(function.name, entry or "f")
            np.testing.assert_array_equal(function(np.ones(2, np.float32)), -1)
        with self.assertRaisesRegex(renorm.MLIRError, "expected a function @h, but the module has none"):
            compile(text, entry="h")

    def test_only_what_the_entry_calls(self):
        text = """
        func.func private @missing()
        func.func @f() { return }
        func.func @g() { func.call @missing() : () -> () return }"""
        self.assertEqual(compile(text, entry="f")(), ())
        with self.assertRaisesRegex(renorm.MLIRError, "expected a definition of @missing"):
            compile(text, entry="g")

    def test_module_stays(self):
        module = renorm.Module.parse("func.func @f() { return }")
        before = str(module)
        module.compile()
        self.assertEqual(str(module), before)

    def test_threads(self):
        function = unary("f32", NEGATE)
        failures = []

        def call(i):
            x = np.full((1000, 3), i, np.float32)
            for _ in range(50):
                if not (function(x) == -x).all():
                    failures.append(i)

        threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Probes(unittest.TestCase):
    def test_records(self):
        function = compile("""
        func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
          norm.probe %x {name = "in"} : tensor<?xf32>
          %0 = arith.addf %x, %x : tensor<?xf32>
          norm.probe %0 {name = "out"} : tensor<?xf32>
          norm.probe %x {name = "in"} : tensor<?xf32>
          return %0 : tensor<?xf32>
        }""")
        self.assertEqual(function.probes, [])
        for x in ([1, -3, 2, 4, 1], [10, 20]):
            x = np.array(x, np.float32)
            function(x)
            self.assertEqual([probe.name for probe in function.probes], ["in", "out", "in"])
            self.assertEqual(function.probes[0], function.probes[2])
            for probe, value in zip(function.probes, (x, 2 * x)):
                value = value.astype(np.float64)
                deviation = value - value.mean()
                expected = value.mean(), value.var(), np.abs(value).max(), (deviation**4).mean() / value.var() ** 2
                np.testing.assert_allclose(
                    (probe.mean, probe.variance, probe.max_abs, probe.kurtosis), expected, rtol=1e-12
                )

    def test_functions_have_their_own(self):
        text = 'func.func @f(%x: tensor<2xf32>) {{ norm.probe %x {{name = "{}"}} : tensor<2xf32>\n return }}'
        first, second = compile(text.format("first")), compile(text.format("second"))
        first(np.ones(2, np.float32))
        self.assertEqual(([each.name for each in first.probes], second.probes), (["first"], []))


if __name__ == "__main__":
    unittest.main()
