"""Random programs, fused for each target, against float64: groups that never wait for each other, values stored once and
none forgotten."""

import unittest

import numpy as np
from kernels import PLAIN_LOOPS, STRATEGIES, read_kernels
from numerics import check
from random_programs import Program

import renorm

# %a's kernel may not compute %sum, although its reads of %b would do no harm: %b's kernel computes %total, too, which
# waits for %a.
WAITING = """
func.func @main(%x: tensor<4x8xf64>, %y: tensor<1x8xf64>, %w: tensor<8x12xf64>) -> (tensor<4x12xf64>, tensor<1x12xf64>) {
  %zero = arith.constant 0.0 : f64
  %e0 = tensor.empty() : tensor<4x12xf64>
  %e1 = tensor.empty() : tensor<1x12xf64>
  %e2 = tensor.empty() : tensor<12xf64>
  %i0 = linalg.fill ins(%zero : f64) outs(%e0 : tensor<4x12xf64>) -> tensor<4x12xf64>
  %i1 = linalg.fill ins(%zero : f64) outs(%e1 : tensor<1x12xf64>) -> tensor<1x12xf64>
  %i2 = linalg.fill ins(%zero : f64) outs(%e2 : tensor<12xf64>) -> tensor<12xf64>
  %a = linalg.matmul ins(%x, %w : tensor<4x8xf64>, tensor<8x12xf64>) outs(%i0 : tensor<4x12xf64>) -> tensor<4x12xf64>
  %columns = linalg.reduce { arith.addf } ins(%a : tensor<4x12xf64>) outs(%i2 : tensor<12xf64>) dimensions = [0]
  %row = tensor.expand_shape %columns [[0, 1]] output_shape [1, 12] : tensor<12xf64> into tensor<1x12xf64>
  %b = linalg.matmul ins(%y, %w : tensor<1x8xf64>, tensor<8x12xf64>) outs(%i1 : tensor<1x12xf64>) -> tensor<1x12xf64>
  %total = arith.addf %b, %row : tensor<1x12xf64>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0, j)>,
                                          affine_map<(i, j) -> (i, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x12xf64>, tensor<1x12xf64>) outs(%e0 : tensor<4x12xf64>) {
  ^bb0(%p: f64, %q: f64, %out: f64):
    %r = arith.addf %p, %q : f64
    linalg.yield %r : f64
  } -> tensor<4x12xf64>
  return %sum, %total : tensor<4x12xf64>, tensor<1x12xf64>
}
"""
SEEDS = range(12)
TARGETS = ("cpu", "sm_80", "sm_90a")


class RandomPrograms(unittest.TestCase):
    def check_results(self, module, program, what):
        results = module.compile(entry="main", pipeline=PLAIN_LOOPS)(*program.inputs())
        results = results if isinstance(results, (tuple, list)) else [results]
        for index, (result, exact) in enumerate(zip(results, program.expected(), strict=True)):
            # Roundings are of 1e-16, mistakes of 1.
            check(result, exact, 1e-10 * (1 + np.abs(exact).max(initial=0)), f"{what}, result {index}")

    def test_groups_that_would_wait_for_each_other(self):
        rng = np.random.default_rng(0)
        x, y, w = rng.normal(size=(4, 8)), rng.normal(size=(1, 8)), rng.normal(size=(8, 12))
        module = renorm.Module.parse(WAITING)
        module.run_pipeline("norm-fuse")
        groups = [kernel.operations for kernel in read_kernels(module)[0]]
        self.assertEqual([sum("arith.addf" in line for line in group) for group in groups], [0, 1], groups)
        expected = (x @ w + y @ w, y @ w + (x @ w).sum(0))
        for result, exact in zip(module.compile(pipeline=PLAIN_LOOPS)(x, y, w), expected, strict=True):
            check(result, exact, 1e-12, "groups that would wait")

    def test_random_programs(self):
        seen = set()
        for seed in SEEDS:
            program = Program(seed)
            raised = renorm.Module.parse(program.text())
            if seed % 3 == 0:
                raised.run_pipeline("norm-fold-affine{weights=prepare}")
            tried = set()
            for target in TARGETS:
                module = raised.clone()
                what = f"seed {seed}, {target}"
                # This verifies that nothing is read before it is computed.
                module.run_pipeline(f"norm-fuse{{target={target} weights=prepare}}")
                kernels, alone = read_kernels(module)
                for kernel in kernels:
                    self.assertLessEqual(kernel.contractions, 1, what)
                    seen |= kernel.strategies
                # What stands alone is applied by its readers, too, or there would be no need.
                self.assertTrue(all("apply_stats" in line for line in alone), f"{what}: {alone}")
                if str(module) not in tried:
                    tried.add(str(module))
                    self.check_results(module, program, what)
        self.assertEqual(seen, STRATEGIES)


if __name__ == "__main__":
    unittest.main()
