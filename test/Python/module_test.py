import pathlib
import tempfile
import threading
import unittest

import renorm

NORM = """
func.func @f(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
"""


class Parse(unittest.TestCase):
    def test_round_trip(self):
        text = str(renorm.Module.parse(NORM))
        self.assertIn("norm.rms_norm", text)
        self.assertEqual(str(renorm.Module.parse(text)), text)

    def test_error_has_location(self):
        with self.assertRaises(renorm.MLIRError) as caught:
            renorm.Module.parse("func.func @f() {\n  norm.probe %x : tensor<4xf32>\n  return\n}", "bad.mlir")
        (diagnostic,) = caught.exception.diagnostics
        self.assertEqual(diagnostic.severity, "error")
        self.assertEqual(diagnostic.message, "use of undeclared SSA value name")
        self.assertEqual((diagnostic.file, diagnostic.line, diagnostic.column), ("bad.mlir", 2, 14))
        self.assertEqual(str(caught.exception), "bad.mlir:2:14: error: use of undeclared SSA value name")

    def test_verifier_speaks(self):
        with self.assertRaisesRegex(renorm.MLIRError, r"^<string>:3:8: error: .*expected 'epsilon'"):
            renorm.Module.parse(NORM.replace("1.0e-5", "-1.0"))

    def test_notes(self):
        with self.assertRaises(renorm.MLIRError) as caught:
            renorm.Module.parse("func.func private @f()\nfunc.func private @f()")
        (diagnostic,) = caught.exception.diagnostics
        (note,) = diagnostic.notes
        self.assertEqual((note.severity, note.line), ("note", 1))
        self.assertEqual(str(caught.exception).splitlines()[1], str(note))

    def test_what_is_no_mlir(self):
        for source in ["}", b"ML\xefR", b"ML\xefR\x00garbage", b"\xff\xfe\x00", "foo.bar", '"foo.bar"() : () -> ()']:
            with self.subTest(source), self.assertRaises(renorm.MLIRError):
                renorm.Module.parse(source)

    def test_files(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "f.mlir")
            with self.assertRaises(FileNotFoundError):
                renorm.Module.from_file(path)
            path.write_text(NORM)
            self.assertEqual(str(renorm.Module.from_file(path)), str(renorm.Module.parse(NORM)))
            path.write_text("foo")
            with self.assertRaisesRegex(renorm.MLIRError, "f.mlir:1:1: error: "):
                renorm.Module.from_file(str(path))


class Lint(unittest.TestCase):
    def test_findings(self):
        module = renorm.Module.parse(NORM.replace("1.0e-5", "0.0"))
        (finding,) = module.lint()
        self.assertEqual((finding["code"], finding["severity"]), ("missing-epsilon", "warning"))
        self.assertEqual(finding["loc"], "<string>:3:8")
        (finding,) = module.lint(["error", "unbounded-logits=ignore"])
        self.assertEqual(finding["severity"], "error")
        self.assertEqual(module.lint(["missing-epsilon=ignore"]), [])
        self.assertEqual(renorm.Module.parse(NORM).lint(), [])

    def test_unknown_rule(self):
        with self.assertRaisesRegex(renorm.MLIRError, "expected the code of a rule"):
            renorm.Module.parse(NORM).lint(["no-such-rule=error"])


class RunPipeline(unittest.TestCase):
    DEAD = "func.func @f(%x: i32) { %0 = arith.addi %x, %x : i32 return }"

    def test_spellings(self):
        for pipeline in ["canonicalize", "builtin.module(canonicalize)", " builtin.module( func.func(canonicalize) ) "]:
            with self.subTest(pipeline):
                module = renorm.Module.parse(self.DEAD)
                self.assertEqual(module.run_pipeline(pipeline), [])
                self.assertNotIn("addi", str(module))
        module = renorm.Module.parse(self.DEAD)
        module.run_pipeline("")
        self.assertIn("addi", str(module))

    def test_clone_is_another(self):
        module = renorm.Module.parse(self.DEAD)
        clone = module.clone()
        clone.run_pipeline("canonicalize")
        self.assertIn("addi", str(module))
        self.assertNotIn("addi", str(clone))

    def test_errors(self):
        for pipeline, reason in [
            ("norm-nothing", "'norm-nothing' does not refer to a registered pass or pass pipeline"),
            ("builtin.module(norm-nothing)", "does not refer to a registered pass"),
            ("builtin.module(cse", "expected a pass pipeline, but got 'builtin.module"),
            ("builtin.module(cse),cse", "expected a pass pipeline"),
            ("cse{no-such-option=1}", "expected a pass pipeline"),
        ]:
            with self.subTest(pipeline):
                module = renorm.Module.parse(self.DEAD)
                before = str(module)
                with self.assertRaisesRegex(renorm.MLIRError, reason):
                    module.run_pipeline(pipeline)
                self.assertEqual(str(module), before)

    def test_failure_leaves_the_module_alone(self):
        module = renorm.Module.parse(self.DEAD)
        before = str(module)
        with self.assertRaisesRegex(renorm.MLIRError, "<string>:1:1: error: .*symbol table"):
            module.run_pipeline("canonicalize,func.func(inline)")
        self.assertEqual(str(module), before)

    def test_threads_take_turns(self):
        module = renorm.Module.parse(NORM)
        threads = [threading.Thread(target=module.run_pipeline, args=("cse,canonicalize",)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(str(module), str(renorm.Module.parse(NORM)))


class Report(unittest.TestCase):
    def test_dict_and_text(self):
        module = renorm.Module.parse("""
        func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
          %zero = arith.constant dense<0.0> : tensor<4x8xf32>
          %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
          %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
          %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
          return %2 : tensor<4x8xf32>
        }""")
        before = str(module)
        (function,) = module.report()["functions"]
        (sublayer,) = function["sublayers"]
        self.assertEqual((function["name"], sublayer["placement"]), ("f", "pre"))
        self.assertEqual((sublayer["input"]["kind"], sublayer["input"]["epsilon"]), ("rms", 1e-5))
        self.assertIn("function @f", module.report_text())
        self.assertEqual(str(module), before)

    def test_nothing_to_report(self):
        self.assertEqual(renorm.Module.parse("").report(), {"functions": []})


class Package(unittest.TestCase):
    def test_names(self):
        for name in renorm.__all__:
            self.assertIsNotNone(getattr(renorm, name))
        with self.assertRaisesRegex(AttributeError, "module 'renorm' has no attribute 'Modul'"):
            renorm.Modul


if __name__ == "__main__":
    unittest.main()
