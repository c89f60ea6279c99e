// RUN: renorm-opt %s --norm-raise | FileCheck %s

// Masks at every shape they are read with: the operand broadcasts from the last
// dimension on, and is reshaped only where it must be.

#q = affine_map<(b, h, m, n, c) -> (b, h, m, c)>
#k = affine_map<(b, h, m, n, c) -> (b, h, n, c)>
#s = affine_map<(b, h, m, n, c) -> (b, h, m, n)>
#p = affine_map<(b, h, m, c, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, c, n) -> (b, h, n, c)>
#o = affine_map<(b, h, m, c, n) -> (b, h, m, c)>
#id = affine_map<(b, h, m, n) -> (b, h, m, n)>

// CHECK-LABEL: func @of_all_heads
// CHECK-SAME: %[[M:[^:]*]]: tensor<2x1x8x8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<2x1x8x8xf32>) scale = 1.0
func.func @of_all_heads(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x1x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (b, 0, m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @of_each_head
// CHECK-SAME: %[[M:[^:]*]]: tensor<2x4x8x8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<2x4x8x8xf32>) scale = 1.0
func.func @of_each_head(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @of_all_batches
// CHECK-SAME: %[[M:[^:]*]]: tensor<8x8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<8x8xf32>) scale = 1.0
func.func @of_all_batches(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @of_keys
// CHECK-SAME: %[[M:[^:]*]]: tensor<8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<8xf32>) scale = 1.0
func.func @of_keys(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @bias_of_heads
// CHECK-SAME: %[[M:[^:]*]]: tensor<4x8x8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<4x8x8xf32>) scale = 1.0
func.func @bias_of_heads(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (h, m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @of_all
// CHECK-SAME: %[[M:[^:]*]]: tensor<f32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<f32>) scale = 1.0
func.func @of_all(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<f32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<f32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// The batch is not the last but one dimension.
// CHECK-LABEL: func @padding
// CHECK-SAME: %[[M:[^:]*]]: tensor<2x8xf32>)
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[M]] {{\[\[}}0, 1, 2], [3]] output_shape [2, 1, 1, 8]
// CHECK-NEXT: norm.attention {{.*}} mask(%[[E]] : tensor<2x1x1x8xf32>) scale = 1.0
func.func @padding(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (b, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<2x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @of_batch
// CHECK-SAME: %[[M:[^:]*]]: tensor<2x8x8xf32>)
// CHECK-NEXT: %[[E:.*]] = tensor.expand_shape %[[M]] {{\[\[}}0, 1], [2], [3]] output_shape [2, 1, 8, 8]
// CHECK-NEXT: norm.attention {{.*}} mask(%[[E]] : tensor<2x1x8x8xf32>) scale = 1.0
func.func @of_batch(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (b, m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<2x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @transposed
// CHECK-SAME: %[[M:[^:]*]]: tensor<8x8xf32>)
// CHECK: %[[E:.*]] = linalg.transpose ins(%[[M]] : tensor<8x8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[E]] : tensor<8x8xf32>) scale = 1.0
func.func @transposed(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (n, m)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// The mask is the first operand of the addition, and was broadcast before it.
// CHECK-LABEL: func @broadcast_before
// CHECK-SAME: %[[M:[^:]*]]: tensor<8x8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<8x8xf32>) scale = 1.0
func.func @broadcast_before(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %b = linalg.broadcast ins(%mask : tensor<8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) dimensions = [0, 1]
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = arith.addf %b, %s : tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @in_another_type
// CHECK-SAME: %[[M:[^:]*]]: tensor<2x1x8x8xbf16>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<2x1x8x8xbf16>) scale = 1.0
func.func @in_another_type(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x1x8x8xbf16>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %w = arith.extf %mask : tensor<2x1x8x8xbf16> to tensor<2x1x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (b, 0, m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %w : tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A softmax does not change with a number that is added to all logits.
// CHECK-LABEL: func @constant
// CHECK-NEXT: norm.attention {{.*}}, %{{[^ ]*}} scale = 1.0
func.func @constant(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %one = arith.constant dense<1.0> : tensor<2x4x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = arith.addf %s, %one : tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @condition
// CHECK-SAME: %[[M:[^:]*]]: tensor<2x1x8x8xi1>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<2x1x8x8xi1>) scale = 1.0
func.func @condition(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x1x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %inf = arith.constant 0xFF800000 : f32
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (b, 0, m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<2x1x8x8xi1>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: i1, %out: f32):
    %1 = arith.select %in_0, %in, %inf : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Where it holds, the key does not count.
// CHECK-LABEL: func @inverted_condition
// CHECK-SAME: %[[M:[^:]*]]: tensor<8x8xi1>)
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<8x8xi1>)
// CHECK: arith.xori
// CHECK: norm.attention {{.*}} mask(%[[N]] : tensor<8x8xi1>) scale = 1.0
func.func @inverted_condition(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %inf = arith.constant 0xFF800000 : f32
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<8x8xi1>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: i1, %out: f32):
    %1 = arith.select %in_0, %inf, %in : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @condition_and_softcap
// CHECK-SAME: %[[M:[^:]*]]: tensor<8x8xi1>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<8x8xi1>) scale = 1.0 softcap = 5.0
func.func @condition_and_softcap(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %inf = arith.constant 0xFF800000 : f32
  %cap = arith.constant dense<5.0> : tensor<2x4x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %d = arith.divf %s, %cap : tensor<2x4x8x8xf32>
  %t = math.tanh %d : tensor<2x4x8x8xf32>
  %c = arith.mulf %t, %cap : tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %mask : tensor<2x4x8x8xf32>, tensor<8x8xi1>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: i1, %out: f32):
    %1 = arith.select %in_0, %in, %inf : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
