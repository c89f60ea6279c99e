// RUN: renorm-opt %s --convert-norm-to-linalg --canonicalize --cse | FileCheck %s

// Groups that fill the axis are a dimension of their own; what is left is a smaller one.

// CHECK-LABEL: func @groups
// CHECK-SAME: (%[[X:.*]]: tensor<?x320xbf16>)
// CHECK: %[[MAIN:.*]] = tensor.extract_slice %[[X]][0, 0] [%{{.*}}, 256] [1, 1]
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %[[MAIN]] {{\[}}[0], [1, 2]{{\]}} output_shape [%{{.*}}, 2, 128]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[SPLIT]]
// CHECK: %[[TAIL:.*]] = tensor.extract_slice %[[X]][0, 256] [%{{.*}}, 64] [1, 1]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[TAIL]]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [%{{.*}}, 2] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 2] [%{{.*}}, 1] [1, 1]
// CHECK-NOT: norm.
func.func @groups(%x: tensor<?x320xbf16>) -> tensor<?x3xf32> {
  %0 = norm.row_stats rms %x group_size = 128 : tensor<?x320xbf16>
  return %0 : tensor<?x3xf32>
}

// A smaller group counts less.

// CHECK-LABEL: func @merge
// CHECK-DAG: %[[COUNTS:.*]] = arith.constant dense<[1.280000e+02, 1.280000e+02, 6.400000e+01]> : tensor<3xf32>
// CHECK-DAG: %[[N:.*]] = arith.constant 3.200000e+02 : f32
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[COUNTS]]
// CHECK: arith.divf %{{.*}}, %[[N]] : f32
// CHECK-NOT: norm.
func.func @merge(%s: tensor<?x3xf32>) -> tensor<?xf32> {
  %0 = norm.merge_stats rms %s group_size = 128 extent = 320 : tensor<?x3xf32>
  return %0 : tensor<?xf32>
}

// The mean is multiplied by the column sums; everything is computed in the type of the statistics.

// CHECK-LABEL: func @apply
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xbf16>, %[[M:.*]]: tensor<4xf32>, %[[V:.*]]: tensor<4xf32>, %[[S:.*]]: tensor<8xf32>)
// CHECK: %[[ROOT:.*]] = linalg.generic {{.*}} ins(%[[V]]
// CHECK: math.sqrt
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[M]], %[[ROOT]], %[[S]]
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK: %[[MEAN:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: %[[CENTERED:.*]] = arith.subf %[[WIDE]], %[[MEAN]] : f32
// CHECK: %[[Y:.*]] = arith.divf %[[CENTERED]], %{{.*}} : f32
// CHECK: arith.truncf %[[Y]] : f32 to f16
// CHECK-NOT: norm.
func.func @apply(%x: tensor<4x8xbf16>, %m: tensor<4xf32>, %v: tensor<4xf32>, %s: tensor<8xf32>) -> tensor<4x8xf16> {
  %0 = norm.apply_stats layer %x stats(%m, %v : tensor<4xf32>, tensor<4xf32>) column_sums(%s : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xbf16> -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}
