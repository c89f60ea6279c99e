"""Random programs, fused for each target, against float64: groups that never wait for each other, values stored once and
none forgotten."""

import unittest

import numpy as np
from kernels import PLAIN_LOOPS, STRATEGIES, read_kernels
from numerics import check
from random_programs import Program

import renorm

SEEDS = range(12)
TARGETS = ("cpu", "sm_80", "sm_90a")


class RandomPrograms(unittest.TestCase):
    def check_results(self, module, program, what):
        results = module.compile(entry="main", pipeline=PLAIN_LOOPS)(*program.inputs())
        results = results if isinstance(results, (tuple, list)) else [results]
        for index, (result, exact) in enumerate(zip(results, program.expected(), strict=True)):
            # Roundings are of 1e-16, mistakes of 1.
            check(result, exact, 1e-10 * (1 + np.abs(exact).max(initial=0)), f"{what}, result {index}")

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
