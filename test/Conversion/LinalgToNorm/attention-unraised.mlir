// RUN: renorm-opt %s --norm-raise=remarks --verify-diagnostics | FileCheck %s

// What looks like attention and is another function stays as it is.

#q = affine_map<(b, h, m, n, c) -> (b, h, m, c)>
#k = affine_map<(b, h, m, n, c) -> (b, h, n, c)>
#s = affine_map<(b, h, m, n, c) -> (b, h, m, n)>
#p = affine_map<(b, h, m, c, n) -> (b, h, m, n)>
#v = affine_map<(b, h, m, c, n) -> (b, h, n, c)>
#o = affine_map<(b, h, m, c, n) -> (b, h, m, c)>
#id = affine_map<(b, h, m, n) -> (b, h, m, n)>

// Over the queries.
// CHECK-LABEL: func @softmax_over_queries
// CHECK-NOT: norm.attention
// CHECK: return
func.func @softmax_over_queries(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @softmax_over_heads
// CHECK-NOT: norm.attention
// CHECK: return
func.func @softmax_over_heads(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// What dropout leaves.
// CHECK-LABEL: func @probabilities_scaled
// CHECK-NOT: norm.attention
// CHECK: return
func.func @probabilities_scaled(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %keep = arith.constant dense<1.25> : tensor<2x4x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %d = arith.mulf %p, %keep : tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%d, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Dropout.
// CHECK-LABEL: func @probabilities_masked
// CHECK-NOT: norm.attention
// CHECK: return
func.func @probabilities_masked(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %d = arith.mulf %p, %mask : tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%d, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @mask_multiplied
// CHECK-NOT: norm.attention
// CHECK: return
func.func @mask_multiplied(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x1x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (b, 0, m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<2x1x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.mulf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the factor on the logits is neither a number nor one operand}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// The mask is scaled too.
// CHECK-LABEL: func @scaled_after_the_mask
// CHECK-NOT: norm.attention
// CHECK: return
func.func @scaled_after_the_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %scale = arith.constant dense<0.25> : tensor<2x4x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %a = arith.addf %s, %mask : tensor<2x4x8x8xf32>
  %x = arith.mulf %a, %scale : tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @capped_after_the_mask
// CHECK-NOT: norm.attention
// CHECK: return
func.func @capped_after_the_mask(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %cap = arith.constant dense<5.0> : tensor<2x4x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %a = arith.addf %s, %mask : tensor<2x4x8x8xf32>
  %d = arith.divf %a, %cap : tensor<2x4x8x8xf32>
  %t = math.tanh %d : tensor<2x4x8x8xf32>
  %x = arith.mulf %t, %cap : tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @capped_twice
// CHECK-NOT: norm.attention
// CHECK: return
func.func @capped_twice(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %a = math.tanh %s : tensor<2x4x8x8xf32>
  %x = math.tanh %a : tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Another function of the logits.
// CHECK-LABEL: func @exponential_of_the_logits
// CHECK-NOT: norm.attention
// CHECK: return
func.func @exponential_of_the_logits(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %t = math.exp %s : tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%t : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A key with this logit counts if the others are as low.
// CHECK-LABEL: func @filled_with_a_number
// CHECK-NOT: norm.attention
// CHECK: return
func.func @filled_with_a_number(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xi1>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %low = arith.constant dense<-1.0e+09> : tensor<2x4x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = arith.select %mask, %s, %low : tensor<2x4x8x8xi1>, tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @two_masks
// CHECK-NOT: norm.attention
// CHECK: return
func.func @two_masks(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>, %bias: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %a = arith.addf %s, %mask : tensor<2x4x8x8xf32>
  %x = arith.addf %a, %bias : tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// One for two heads: it does not broadcast.
// CHECK-LABEL: func @mask_of_pairs_of_heads
// CHECK-NOT: norm.attention
// CHECK: return
func.func @mask_of_pairs_of_heads(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x2x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> (b, h floordiv 2, m, n)>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %mask : tensor<2x4x8x8xf32>, tensor<2x2x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.addf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the mask can't be read as a tensor that broadcasts to the logits}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// A contraction that starts from something.
// CHECK-LABEL: func @logits_added_to
// CHECK-NOT: norm.attention
// CHECK: return
func.func @logits_added_to(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%mask : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @result_added_to
// CHECK-NOT: norm.attention
// CHECK: return
func.func @result_added_to(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%k : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// The probabilities of twelve keys, of which eight have values.
// CHECK-LABEL: func @sum_of_more
// CHECK-NOT: norm.attention
// CHECK: return
func.func @sum_of_more(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %keys: tensor<2x4x12x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %zr = arith.constant dense<0.0> : tensor<2x4x8xf32>
  %ss = arith.constant dense<0.0> : tensor<2x4x8x12xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %keys : tensor<2x4x8x16xf32>, tensor<2x4x12x16xf32>) outs(%ss : tensor<2x4x8x12xf32>) -> tensor<2x4x8x12xf32>
  %e = math.exp %s : tensor<2x4x8x12xf32>
  %r = linalg.reduce {arith.addf} ins(%e : tensor<2x4x8x12xf32>) outs(%zr : tensor<2x4x8xf32>) dimensions = [3]
  %d = linalg.broadcast ins(%r : tensor<2x4x8xf32>) outs(%ss : tensor<2x4x8x12xf32>) dimensions = [3]
  %a = arith.divf %e, %d : tensor<2x4x8x12xf32>
  %p = tensor.extract_slice %a[0, 0, 0, 0] [2, 4, 8, 8] [1, 1, 1, 1] : tensor<2x4x8x12xf32> to tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// exp(x) / (1 + sum(exp(x))).
// CHECK-LABEL: func @sum_of_one_more
// CHECK-NOT: norm.attention
// CHECK: return
func.func @sum_of_one_more(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %zr = arith.constant dense<1.0> : tensor<2x4x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %e = math.exp %s : tensor<2x4x8x8xf32>
  %r = linalg.reduce {arith.addf} ins(%e : tensor<2x4x8x8xf32>) outs(%zr : tensor<2x4x8xf32>) dimensions = [3]
  %d = linalg.broadcast ins(%r : tensor<2x4x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) dimensions = [3]
  %p = arith.divf %e, %d : tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Not the same for the whole row.
// CHECK-LABEL: func @shift_of_each_key
// CHECK-NOT: norm.attention
// CHECK: return
func.func @shift_of_each_key(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %zr = arith.constant dense<0.0> : tensor<2x4x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %x = arith.subf %s, %mask : tensor<2x4x8x8xf32>
  %e = math.exp %x : tensor<2x4x8x8xf32>
  %r = linalg.reduce {arith.addf} ins(%e : tensor<2x4x8x8xf32>) outs(%zr : tensor<2x4x8xf32>) dimensions = [3]
  %d = linalg.broadcast ins(%r : tensor<2x4x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) dimensions = [3]
  %p = arith.divf %e, %d : tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits aren't a product of queries and keys that is scaled, then capped, then masked}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @sum_of_others
// CHECK-NOT: norm.attention
// CHECK: return
func.func @sum_of_others(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<2x4x8x8xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %zr = arith.constant dense<0.0> : tensor<2x4x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %e = math.exp %s : tensor<2x4x8x8xf32>
  %f = math.exp %mask : tensor<2x4x8x8xf32>
  %r = linalg.reduce {arith.addf} ins(%f : tensor<2x4x8x8xf32>) outs(%zr : tensor<2x4x8xf32>) dimensions = [3]
  %d = linalg.broadcast ins(%r : tensor<2x4x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) dimensions = [3]
  %p = arith.divf %e, %d : tensor<2x4x8x8xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @constant_and_learned_scale
// CHECK-NOT: norm.attention
// CHECK: return
func.func @constant_and_learned_scale(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %mask: tensor<f32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %scale = arith.constant dense<0.25> : tensor<2x4x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %a = arith.mulf %s, %scale : tensor<2x4x8x8xf32>
  %x = linalg.generic {indexing_maps = [#id, affine_map<(b, h, m, n) -> ()>, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %mask : tensor<2x4x8x8xf32>, tensor<f32>) outs(%zs : tensor<2x4x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %1 = arith.mulf %in, %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%x : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the factor on the logits is neither a number nor one operand}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// Each query has keys of its own.
// CHECK-LABEL: func @keys_of_each_query
// CHECK-NOT: norm.attention
// CHECK: return
func.func @keys_of_each_query(%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x8x16xf32>, %v: tensor<2x4x8x16xf32>, %keys: tensor<8x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, affine_map<(b, h, m, n, c) -> (m, h, n, c)>, #s] ins(%q, %keys : tensor<2x4x8x16xf32>, tensor<8x4x8x16xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: the logits have no layout [batch..., heads, queries, keys]}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @empty_heads
// CHECK-NOT: norm.attention
// CHECK: return
func.func @empty_heads(%q: tensor<2x4x8x0xf32>, %k: tensor<2x4x8x0xf32>, %v: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %zs = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %zo = arith.constant dense<0.0> : tensor<2x4x8x16xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x4x8x0xf32>, tensor<2x4x8x0xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x8xf32>) outs(%zs : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  // expected-remark @below {{not raised to attention: a dimension has extent 0}}
  %o = linalg.contract indexing_maps = [#p, #v, #o] ins(%p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) outs(%zo : tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %o : tensor<2x4x8x16xf32>
}
