// RUN: renorm-opt %s --norm-raise | FileCheck %s
// RUN: renorm-opt %s --norm-raise --norm-raise | FileCheck %s

// The formula in its spellings: softmax(softcap(scale * query key^T)) value.

#q = affine_map<(h, m, n, c) -> (h, m, c)>
#k = affine_map<(h, m, n, c) -> (h, n, c)>
#s = affine_map<(h, m, n, c) -> (h, m, n)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func @softmax_op
// CHECK-SAME: %[[Q:.*]]: tensor<4x8x16xf32>, %[[K:.*]]: tensor<4x8x16xf32>, %[[V:.*]]: tensor<4x8x16xf32>
func.func @softmax_op(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  // CHECK-NEXT: %[[O:.*]] = norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
  // CHECK-NEXT: return %[[O]]
  return %o : tensor<4x8x16xf32>
}

// What torch-mlir emits: the maximum with its index, a kept dimension.
// CHECK-LABEL: func @maximum_subtracted
// CHECK-SAME: %[[Q:.*]]: tensor<4x8x16xf32>, %[[K:.*]]: tensor<4x8x16xf32>, %[[V:.*]]: tensor<4x8x16xf32>
func.func @maximum_subtracted(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %c0_i64 = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %es = tensor.empty() : tensor<4x8x8xf32>
  %er = tensor.empty() : tensor<4x8x1xf32>
  %em = tensor.empty() : tensor<4x8xf32>
  %ei = tensor.empty() : tensor<4x8xi64>
  %fm = linalg.fill ins(%inf : f32) outs(%em : tensor<4x8xf32>) -> tensor<4x8xf32>
  %fi = linalg.fill ins(%c0_i64 : i64) outs(%ei : tensor<4x8xi64>) -> tensor<4x8xi64>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x8x8xf32>) outs(%es : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x8xf32>
  %m:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scaled : tensor<4x8x8xf32>) outs(%fm, %fi : tensor<4x8xf32>, tensor<4x8xi64>) {
  ^bb0(%in: f32, %out: f32, %out_0: i64):
    %1 = linalg.index 2 : index
    %2 = arith.index_cast %1 : index to i64
    %3 = arith.maximumf %in, %out : f32
    %4 = arith.cmpf ogt, %in, %out : f32
    %5 = arith.select %4, %2, %out_0 : i64
    linalg.yield %3, %5 : f32, i64
  } -> (tensor<4x8xf32>, tensor<4x8xi64>)
  %kept = tensor.expand_shape %m#0 [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xf32> into tensor<4x8x1xf32>
  %d = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scaled, %kept : tensor<4x8x8xf32>, tensor<4x8x1xf32>) outs(%es : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.subf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x8xf32>
  %e = math.exp %d : tensor<4x8x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<4x8x8xf32>) outs(%fr : tensor<4x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x1xf32>
  %p = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %sum : tensor<4x8x8xf32>, tensor<4x8x1xf32>) outs(%es : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.divf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  // CHECK-NEXT: %[[O:.*]] = norm.attention %[[Q]], %[[K]], %[[V]] scale = 0.25
  // CHECK-NEXT: return %[[O]]
  return %o : tensor<4x8x16xf32>
}

// CHECK-LABEL: func @maximum_not_subtracted
// CHECK-NEXT: norm.attention {{.*}} scale = 1.0
// CHECK-NEXT: return
func.func @maximum_not_subtracted(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zr = arith.constant dense<0.0> : tensor<4x8xf32>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %e = math.exp %s : tensor<4x8x8xf32>
  %r = linalg.reduce {arith.addf} ins(%e : tensor<4x8x8xf32>) outs(%zr : tensor<4x8xf32>) dimensions = [2]
  %b = linalg.broadcast ins(%r : tensor<4x8xf32>) outs(%zs : tensor<4x8x8xf32>) dimensions = [2]
  %p = arith.divf %e, %b : tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// As tosa writes it, with the reciprocal of the sum.
// CHECK-LABEL: func @tosa
// CHECK-SAME: %[[Q:.*]]: tensor<4x8x16xf32>, %[[K:.*]]: tensor<4x8x16xf32>, %[[V:.*]]: tensor<4x8x16xf32>
func.func @tosa(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %scale = "tosa.const"() <{values = dense<0.25> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  %kt = tosa.transpose %k {perms = array<i32: 0, 2, 1>} : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
  %s = tosa.matmul %q, %kt, %zp, %zp : (tensor<4x8x16xf32>, tensor<4x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8x8xf32>
  %x = tosa.mul %s, %scale, %shift : (tensor<4x8x8xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<4x8x8xf32>
  %m = tosa.reduce_max %x {axis = 2 : i32} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
  %d = tosa.sub %x, %m : (tensor<4x8x8xf32>, tensor<4x8x1xf32>) -> tensor<4x8x8xf32>
  %e = tosa.exp %d : (tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %r = tosa.reduce_sum %e {axis = 2 : i32} : (tensor<4x8x8xf32>) -> tensor<4x8x1xf32>
  %i = tosa.reciprocal %r : (tensor<4x8x1xf32>) -> tensor<4x8x1xf32>
  %p = tosa.mul %e, %i, %shift : (tensor<4x8x8xf32>, tensor<4x8x1xf32>, tensor<1xi8>) -> tensor<4x8x8xf32>
  %o = tosa.matmul %p, %v, %zp, %zp : (tensor<4x8x8xf32>, tensor<4x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8x16xf32>
  // CHECK-NEXT: %[[O:.*]] = norm.attention %[[Q]], %[[K]], %[[V]] scale = 0.25
  // CHECK-NEXT: return %[[O]]
  return %o : tensor<4x8x16xf32>
}

// The exponential computed once for the sum and once more for the quotient.
// CHECK-LABEL: func @computed_twice
// CHECK: norm.attention
func.func @computed_twice(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>, %shift: tensor<4x8xf32>) -> tensor<4x8x16xf32> {
  %zr = arith.constant dense<0.0> : tensor<4x8xf32>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s, %shift : tensor<4x8x8xf32>, tensor<4x8xf32>) outs(%zr : tensor<4x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.subf %in, %in_0 : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %out : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %shift, %r : tensor<4x8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%zs : tensor<4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
    %1 = arith.subf %in, %in_0 : f32
    %2 = math.exp %1 : f32
    %3 = arith.divf %2, %in_1 : f32
    linalg.yield %3 : f32
  } -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// A row without keys, 0/0, is replaced by zeros.
// CHECK-LABEL: func @nan_guard
// CHECK: norm.attention {{.*}} zero_masked_rows :
func.func @nan_guard(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %n = arith.cmpf une, %p, %p : tensor<4x8x8xf32>
  %g = arith.select %n, %zs, %p : tensor<4x8x8xi1>, tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%g, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// torch.nan_to_num replaces infinities too, which no probability is.
// CHECK-LABEL: func @nan_to_num
// CHECK: norm.attention {{.*}} zero_masked_rows :
func.func @nan_to_num(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %inf = arith.constant dense<0x7FF0000000000000> : tensor<4x8x8xf64>
  %largest = arith.constant dense<3.40282347E+38> : tensor<4x8x8xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %n = arith.cmpf une, %p, %p : tensor<4x8x8xf32>
  %g = arith.select %n, %zs, %p : tensor<4x8x8xi1>, tensor<4x8x8xf32>
  %w = arith.extf %p : tensor<4x8x8xf32> to tensor<4x8x8xf64>
  %i = arith.cmpf oeq, %w, %inf : tensor<4x8x8xf64>
  %f = arith.select %i, %largest, %g : tensor<4x8x8xi1>, tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%f, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// scaled_dot_product_attention: zero where all logits of the row are -inf.
// CHECK-LABEL: func @no_key
// CHECK-SAME: %[[M:[^:]*]]: tensor<8x8xf32>)
// CHECK-NEXT: norm.attention {{.*}} mask(%[[M]] : tensor<8x8xf32>) scale = 1.0 zero_masked_rows :
func.func @no_key(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>, %mask: tensor<8x8xf32>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %inf = arith.constant dense<0xFFF0000000000000> : tensor<4x8x8xf64>
  %all = arith.constant dense<true> : tensor<4x8xi1>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %m = linalg.broadcast ins(%mask : tensor<8x8xf32>) outs(%zs : tensor<4x8x8xf32>) dimensions = [0]
  %x = arith.addf %s, %m : tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %w = arith.extf %x : tensor<4x8x8xf32> to tensor<4x8x8xf64>
  %i = arith.cmpf oeq, %w, %inf : tensor<4x8x8xf64>
  %r = linalg.reduce {arith.andi} ins(%i : tensor<4x8x8xi1>) outs(%all : tensor<4x8xi1>) dimensions = [2]
  %g = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r, %p : tensor<4x8xi1>, tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) {
  ^bb0(%in: i1, %in_0: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %1 = arith.select %in, %zero, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%g, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// The same said by the maximum.
// CHECK-LABEL: func @greatest_logit_infinite
// CHECK: norm.attention {{.*}} zero_masked_rows :
func.func @greatest_logit_infinite(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %inf = arith.constant dense<0xFF800000> : tensor<4x8xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<4x8x8xf32>) outs(%inf : tensor<4x8xf32>) dimensions = [2]
  %i = arith.cmpf oeq, %m, %inf : tensor<4x8xf32>
  %g = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%i, %p : tensor<4x8xi1>, tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) {
  ^bb0(%in: i1, %in_0: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %1 = arith.select %in, %zero, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%g, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

//===----------------------------------------------------------------------===//
// Scale and soft cap
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @scale_on_query
// CHECK-SAME: %[[Q:.*]]: tensor<4x8x16xf32>, %[[K:.*]]: tensor<4x8x16xf32>, %[[V:.*]]: tensor<4x8x16xf32>
// CHECK-NEXT: norm.attention %[[Q]], %[[K]], %[[V]] scale = 0.25
func.func @scale_on_query(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %scale = arith.constant dense<0.25> : tensor<4x8x16xf32>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %x = arith.mulf %q, %scale : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%x, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// The product of what f32 made of 0.1^0.5, on both sides, is not 0.1.
// CHECK-LABEL: func @scale_on_both
// CHECK-SAME: %[[Q:.*]]: tensor<4x8x16xf32>, %[[K:.*]]: tensor<4x8x16xf32>, %[[V:.*]]: tensor<4x8x16xf32>
// CHECK-NEXT: norm.attention %[[Q]], %[[K]], %[[V]] scale = 0.09999999865564124
func.func @scale_on_both(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %scale = arith.constant dense<0.316227766> : tensor<4x8x16xf32>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %x = arith.mulf %q, %scale : tensor<4x8x16xf32>
  %y = arith.mulf %scale, %k : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%x, %y : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// CHECK-LABEL: func @logits_divided
// CHECK-NEXT: norm.attention {{.*}} scale = 0.25
func.func @logits_divided(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %root = arith.constant dense<4.0> : tensor<4x8x8xf32>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %x = arith.divf %s, %root : tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// 30 * tanh(0.3 * s / 30): the cap cancels, 0.3 stays as it is in f32.
// CHECK-LABEL: func @softcap
// CHECK-NEXT: norm.attention {{.*}} scale = 0.30000001192092896 softcap = 30.0
func.func @softcap(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %scale = arith.constant dense<0.3> : tensor<4x8x8xf32>
  %cap = arith.constant dense<30.0> : tensor<4x8x8xf32>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %x = arith.mulf %s, %scale : tensor<4x8x8xf32>
  %d = arith.divf %x, %cap : tensor<4x8x8xf32>
  %t = math.tanh %d : tensor<4x8x8xf32>
  %c = arith.mulf %t, %cap : tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%c : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// -8 * tanh(0.5 * s) is 8 * tanh(-4 * s / 8).
// CHECK-LABEL: func @softcap_of_another_factor
// CHECK-NEXT: norm.attention {{.*}} scale = -4.0 softcap = 8.0
func.func @softcap_of_another_factor(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %inner = arith.constant dense<0.5> : tensor<4x8x8xf32>
  %outer = arith.constant dense<-8.0> : tensor<4x8x8xf32>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %x = arith.mulf %s, %inner : tensor<4x8x8xf32>
  %t = math.tanh %x : tensor<4x8x8xf32>
  %c = arith.mulf %t, %outer : tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%c : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// CHECK-LABEL: func @learned_scale
// CHECK-SAME: %[[G:[^:]*]]: tensor<f32>)
// CHECK-NEXT: norm.attention {{.*}} learned_scale(%[[G]] : tensor<f32>) :
func.func @learned_scale(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>, %g: tensor<f32>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %b = linalg.broadcast ins(%g : tensor<f32>) outs(%zs : tensor<4x8x8xf32>) dimensions = [0, 1, 2]
  %x = arith.mulf %b, %s : tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// One for each head (Swin v2).
// CHECK-LABEL: func @learned_scale_of_heads
// CHECK-SAME: %[[G:[^:]*]]: tensor<4x1x1xf32>)
// CHECK-NEXT: %[[H:.*]] = tensor.collapse_shape %[[G]] {{.*}} into tensor<4xf32>
// CHECK-NEXT: norm.attention {{.*}} learned_scale(%[[H]] : tensor<4xf32>) :
func.func @learned_scale_of_heads(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>, %g: tensor<4x1x1xf32>) -> tensor<4x8x16xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %x = tosa.mul %s, %g, %shift : (tensor<4x8x8xf32>, tensor<4x1x1xf32>, tensor<1xi8>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

// A bf16 graph with its softmax in f32: attention computes that in f32 too, and
// does not round between.
// CHECK-LABEL: func @softmax_in_f32
// CHECK-SAME: %[[Q:.*]]: tensor<4x8x16xbf16>, %[[K:.*]]: tensor<4x8x16xbf16>, %[[V:.*]]: tensor<4x8x16xbf16>
// CHECK-NEXT: norm.attention %[[Q]], %[[K]], %[[V]] scale = 0.25 : tensor<4x8x16xbf16>
func.func @softmax_in_f32(%q: tensor<4x8x16xbf16>, %k: tensor<4x8x16xbf16>, %v: tensor<4x8x16xbf16>) -> tensor<4x8x16xbf16> {
  %scale = arith.constant dense<0.25> : tensor<4x8x8xbf16>
  %zb = arith.constant dense<0.0> : tensor<4x8x8xbf16>
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xbf16>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xbf16>, tensor<4x8x16xbf16>) outs(%zb : tensor<4x8x8xbf16>) -> tensor<4x8x8xbf16>
  %x = arith.mulf %s, %scale : tensor<4x8x8xbf16>
  %w = arith.extf %x : tensor<4x8x8xbf16> to tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%w : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %n = arith.truncf %p : tensor<4x8x8xf32> to tensor<4x8x8xbf16>
  %o = linalg.batch_matmul ins(%n, %v : tensor<4x8x8xbf16>, tensor<4x8x16xbf16>) outs(%zo : tensor<4x8x16xbf16>) -> tensor<4x8x16xbf16>
  return %o : tensor<4x8x16xbf16>
}

// Products accumulated in f32 and the result rounded: the attention rounds.
// CHECK-LABEL: func @accumulated_in_f32
// CHECK-SAME: %[[Q:.*]]: tensor<4x8x16xf16>, %[[K:.*]]: tensor<4x8x16xf16>, %[[V:.*]]: tensor<4x8x16xf16>
// CHECK-NEXT: %[[O:.*]] = norm.attention %[[Q]], %[[K]], %[[V]] scale = 1.0 : tensor<4x8x16xf16>
// CHECK-NEXT: return %[[O]]
func.func @accumulated_in_f32(%q: tensor<4x8x16xf16>, %k: tensor<4x8x16xf16>, %v: tensor<4x8x16xf16>) -> tensor<4x8x16xf16> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf16>, tensor<4x8x16xf16>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %n = arith.truncf %p : tensor<4x8x8xf32> to tensor<4x8x8xf16>
  %w = linalg.batch_matmul ins(%n, %v : tensor<4x8x8xf16>, tensor<4x8x16xf16>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %o = arith.truncf %w : tensor<4x8x16xf32> to tensor<4x8x16xf16>
  return %o : tensor<4x8x16xf16>
}

// The result is not rounded, so the operands are extended.
// CHECK-LABEL: func @result_in_f32
// CHECK: arith.extf
// CHECK: arith.extf
// CHECK: arith.extf
// CHECK: %[[O:.*]] = norm.attention {{.*}} scale = 1.0 : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
// CHECK-NEXT: return %[[O]]
func.func @result_in_f32(%q: tensor<4x8x16xf16>, %k: tensor<4x8x16xf16>, %v: tensor<4x8x16xf16>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf16>, tensor<4x8x16xf16>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf16>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

// CHECK-LABEL: func @softmax_in_f64
// CHECK-NEXT: norm.attention {{.*}} scale = 1.0 compute_type = f64 : tensor<4x8x16xf32>
func.func @softmax_in_f64(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zd = arith.constant dense<0.0> : tensor<4x8x8xf64>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %w = arith.extf %s : tensor<4x8x8xf32> to tensor<4x8x8xf64>
  %p = linalg.softmax dimension(2) ins(%w : tensor<4x8x8xf64>) outs(%zd : tensor<4x8x8xf64>) -> tensor<4x8x8xf64>
  %n = arith.truncf %p : tensor<4x8x8xf64> to tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%n, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o : tensor<4x8x16xf32>
}

//===----------------------------------------------------------------------===//
// Other users
//===----------------------------------------------------------------------===//

// The probabilities are a result too: they stay.
// CHECK-LABEL: func @probabilities_returned
// CHECK: %[[S:.*]] = linalg.batch_matmul
// CHECK: %[[P:.*]] = linalg.softmax {{.*}} ins(%[[S]]
// CHECK-NOT: linalg.batch_matmul
// CHECK: %[[O:.*]] = norm.attention
// CHECK-NEXT: return %[[O]], %[[P]]
func.func @probabilities_returned(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x8xf32>) {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  return %o, %p : tensor<4x8x16xf32>, tensor<4x8x8xf32>
}

// The result is read rounded and as it is: both are served.
// CHECK-LABEL: func @result_read_twice
// CHECK: %[[O:.*]] = norm.attention {{.*}} : tensor<4x8x16xf32>
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[O]]
// CHECK-NEXT: return %[[O]], %[[R]]
func.func @result_read_twice(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xbf16>) {
  %zs = arith.constant dense<0.0> : tensor<4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<4x8x16xf32>
  %s = linalg.batch_matmul indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<4x8x16xf32>, tensor<4x8x16xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x8x8xf32>) outs(%zs : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x8x8xf32>, tensor<4x8x16xf32>) outs(%zo : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %r = arith.truncf %o : tensor<4x8x16xf32> to tensor<4x8x16xbf16>
  return %o, %r : tensor<4x8x16xf32>, tensor<4x8x16xbf16>
}
