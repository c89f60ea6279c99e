"""Rows of a table by their numbers, in the kernel of the norm behind them, against float64."""

import numpy as np
from numerics import check
from reference import ops
from row_kernels_test import norm_bound

import renorm


def main():
    module = renorm.Module.parse("""
      func.func @main(%ids: tensor<3x2xi64>, %table: tensor<7x24xf32>) -> tensor<3x2x24xf32> {
        %empty = tensor.empty() : tensor<3x2x24xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(b, s, c) -> (b, s)>, affine_map<(b, s, c) -> (b, s, c)>],
            iterator_types = ["parallel", "parallel", "parallel"]}
            ins(%ids : tensor<3x2xi64>) outs(%empty : tensor<3x2x24xf32>) {
          ^bb0(%id: i64, %old: f32):
            %row = arith.index_cast %id : i64 to index
            %column = linalg.index 2 : index
            %element = tensor.extract %table[%row, %column] : tensor<7x24xf32>
            linalg.yield %element : f32
        } -> tensor<3x2x24xf32>
        %1 = norm.rms_norm %0 epsilon = 1.0e-5 : tensor<3x2x24xf32>
        return %1 : tensor<3x2x24xf32>
      }""")
    gpu = module.clone()
    gpu.run_pipeline("norm-fuse{target=sm_80},convert-norm-to-gpu,canonicalize")
    assert "linalg.generic" not in str(gpu) and "norm.fusion" not in str(gpu), gpu
    table = np.random.default_rng(2).normal(size=(7, 24)).astype(np.float32)
    ids = np.array([[0, 6], [3, 3], [5, 1]])
    x = np.float64(table[ids])
    expected = ops.rms_norm(x, epsilon=1e-5)
    actual = np.float64(module.compile(target="emulator")(ids, table))
    check(actual, expected, norm_bound("rms", x, expected, "f32", 1), "lookup")


if __name__ == "__main__":
    main()
