// RUN: renorm-opt %s --norm-fuse=target=cpu --canonicalize 2>/dev/null | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: renorm-opt %s --norm-fuse=target=sm_80 --canonicalize 2>/dev/null | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: renorm-opt %s --norm-fuse=target=sm_80 --canonicalize 2>/dev/null | renorm-opt --norm-fuse=target=sm_80 --canonicalize 2>/dev/null | FileCheck %s --check-prefixes=CHECK,SM80

// The trunk is stored, since the next residual add reads it, and so are its
// statistics; the matmul applies them to its sums.
// CHECK-LABEL: func.func @pre_norm
// CHECK-SAME: (%[[R:.*]]: tensor<64x512xbf16>, %[[A:.*]]: tensor<64x1024xbf16>, %[[W0:.*]]: tensor<1024x512xbf16>, %[[W1:.*]]: tensor<512x128xbf16>)
func.func @pre_norm(%r: tensor<64x512xbf16>, %a: tensor<64x1024xbf16>, %w0: tensor<1024x512xbf16>, %w1: tensor<512x128xbf16>) -> (tensor<64x512xbf16>, tensor<64x128xf32>) {
  // CPU: %[[P:.*]]:2 = norm.fusion strategies = [two_kernel_stats] ({{.*}}) -> (tensor<64x512xbf16>, tensor<64xf32>) {
  // SM80: %[[P:.*]]:2 = norm.fusion strategies = [two_kernel_stats] (%[[IA:.*]] = %[[A]] : {{.*}}, %[[IW:.*]] = %[[W0]] : {{.*}}, %[[IR:.*]] = %[[R]] : {{.*}}) -> (tensor<64x512xbf16>, tensor<64x4xf32>) {
  // CHECK: %[[M:.*]] = linalg.matmul
  // CHECK: %[[S:.*]] = norm.residual_add %{{.*}}, %[[M]]
  // CPU: %[[T:.*]] = norm.row_stats rms %[[S]] : tensor<64x512xbf16>
  // SM80: %[[T:.*]] = norm.row_stats rms %[[S]] group_size = 128 : tensor<64x512xbf16>
  // CHECK: norm.yield %[[S]], %[[T]]
  // CHECK: %[[Q:.*]] = norm.fusion strategies = [deferred] (%[[X:.*]] = %[[P]]#0 : {{.*}}, %[[W:.*]] = %[[W1]] : {{.*}}, %[[U:.*]] = %[[P]]#1 : {{.*}}) -> (tensor<64x128xf32>) {
  // CHECK: %[[M:.*]] = linalg.matmul ins(%[[X]], %[[W]]
  // SM80: %[[V:.*]] = norm.merge_stats rms %[[U]] group_size = 128 extent = 512
  // CPU: %[[Y:.*]] = norm.apply_stats rms %[[M]] stats(%[[U]] :
  // SM80: %[[Y:.*]] = norm.apply_stats rms %[[M]] stats(%[[V]] :
  // CHECK: norm.yield %[[Y]]
  // CHECK: return %[[P]]#0, %[[Q]]
  %zero = arith.constant 0.0 : f32
  %zero16 = arith.constant 0.0 : bf16
  %e0 = tensor.empty() : tensor<64x512xbf16>
  %i0 = linalg.fill ins(%zero16 : bf16) outs(%e0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
  %0 = linalg.matmul ins(%a, %w0 : tensor<64x1024xbf16>, tensor<1024x512xbf16>) outs(%i0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
  %1 = norm.residual_add %r, %0 : tensor<64x512xbf16>
  %2 = norm.rms_norm %1 epsilon = 1.0e-6 : tensor<64x512xbf16>
  %e1 = tensor.empty() : tensor<64x128xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %3 = linalg.matmul ins(%2, %w1 : tensor<64x512xbf16>, tensor<512x128xbf16>) outs(%i1 : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1, %3 : tensor<64x512xbf16>, tensor<64x128xf32>
}

// Only what is normalized is read, by the matmul and by the next residual add.
// Where a kernel has the whole row it is stored; else each of them normalizes
// what it reads.
// CHECK-LABEL: func.func @post_norm
func.func @post_norm(%r: tensor<64x512xf32>, %a: tensor<64x512xf32>, %w0: tensor<512x512xf32>, %w1: tensor<512x512xf32>, %g: tensor<512xf32>, %b: tensor<512xf32>) -> tensor<64x512xf32> {
  // CPU: %[[P:.*]] = norm.fusion strategies = [whole_row] {{.*}} -> (tensor<64x512xf32>) {
  // CPU: norm.layer_norm
  // CPU: norm.fusion (%{{.*}} = %[[P]] : {{.*}}, %{{.*}} = %{{.*}} : {{.*}}) -> (tensor<64x512xf32>) {
  // CPU: linalg.matmul
  // CPU: norm.residual_add
  // SM80: %[[P:.*]]:3 = norm.fusion strategies = [two_kernel_stats] {{.*}} -> (tensor<64x512xf32>, tensor<64x4xf32>, tensor<64x4xf32>) {
  // SM80: %[[T:.*]]:2 = norm.row_stats layer %{{.*}} group_size = 128
  // SM80: norm.fusion strategies = [two_kernel_stats] {{.*}}%[[P]]#0{{.*}} -> (tensor<64x512xf32>) {
  // SM80: %[[S:.*]]:2 = norm.merge_stats layer
  // SM80: %[[N:.*]] = norm.apply_stats layer %{{.*}} stats(%[[S]]#0, %[[S]]#1 :
  // SM80: %[[M:.*]] = linalg.matmul ins(%[[N]],
  // SM80: norm.residual_add %[[N]], %[[M]]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %0 = linalg.matmul ins(%a, %w0 : tensor<64x512xf32>, tensor<512x512xf32>) outs(%i : tensor<64x512xf32>) -> tensor<64x512xf32>
  %1 = norm.residual_add %r, %0 : tensor<64x512xf32>
  %2 = norm.layer_norm %1 scale(%g : tensor<512xf32>) bias(%b : tensor<512xf32>) epsilon = 1.0e-5 : tensor<64x512xf32>
  %3 = linalg.matmul ins(%2, %w1 : tensor<64x512xf32>, tensor<512x512xf32>) outs(%i : tensor<64x512xf32>) -> tensor<64x512xf32>
  %4 = norm.residual_add %2, %3 : tensor<64x512xf32>
  return %4 : tensor<64x512xf32>
}

// A norm of what a sublayer computed: with the whole row in its kernel, else in
// one of its own, which has the add and the next statistics as well.
// CHECK-LABEL: func.func @output_norm
func.func @output_norm(%r: tensor<64x512xf32>, %a: tensor<64x512xf32>, %w0: tensor<512x512xf32>, %w1: tensor<512x512xf32>) -> (tensor<64x512xf32>, tensor<64x512xf32>) {
  // CPU: norm.fusion strategies = [whole_row, two_kernel_stats]
  // CPU: linalg.matmul
  // SM80: %[[P:.*]] = norm.fusion (
  // SM80-NOT: norm.rms_norm
  // SM80: }
  // SM80: norm.fusion strategies = [row_kernel, two_kernel_stats] (%[[Z:.*]] = %[[P]] : {{.*}}) -> (tensor<64x512xf32>, tensor<64xf32>) {
  // CHECK: %[[N:.*]] = norm.rms_norm
  // CHECK: %[[S:.*]] = norm.residual_add %{{.*}}, %[[N]]
  // CHECK: norm.row_stats rms %[[S]] : tensor<64x512xf32>
  // CHECK: norm.fusion strategies = [deferred]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %0 = linalg.matmul ins(%a, %w0 : tensor<64x512xf32>, tensor<512x512xf32>) outs(%i : tensor<64x512xf32>) -> tensor<64x512xf32>
  %1 = norm.rms_norm %0 epsilon = 1.0e-5 : tensor<64x512xf32>
  %2 = norm.residual_add %r, %1 : tensor<64x512xf32>
  %3 = norm.rms_norm %2 epsilon = 1.0e-5 : tensor<64x512xf32>
  %4 = linalg.matmul ins(%3, %w1 : tensor<64x512xf32>, tensor<512x512xf32>) outs(%i : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %2, %4 : tensor<64x512xf32>, tensor<64x512xf32>
}

// QK-Norm: heads are groups of columns. The transposed weight is read as it
// lies, and what rotates pairs of columns stays in the tile.
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#angle = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-LABEL: func.func @qk_norm
// CHECK-SAME: %[[X:.*]]: tensor<40x96xf32>, %[[W:.*]]: tensor<96x96xf32>
func.func @qk_norm(%x: tensor<40x96xf32>, %w: tensor<96x96xf32>, %g: tensor<16xf32>, %cos: tensor<10x16xf32>) -> tensor<4x6x10x16xf32> {
  // CHECK-NEXT: %[[F:.*]] = norm.fusion strategies = [grouped_rows] (%{{.*}} = %[[X]] : {{.*}}, %[[B:.*]] = %[[W]] : tensor<96x96xf32>, {{.*}}) -> (tensor<4x6x10x16xf32>) {
  // CHECK: linalg.transpose ins(%[[B]]
  // CHECK: linalg.matmul
  // CHECK: norm.rms_norm {{.*}} : tensor<4x10x6x16xf32>
  // CHECK: tensor.concat
  // CHECK: norm.yield %{{.*}} : tensor<4x6x10x16xf32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[F]]
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<96x96xf32>
  %transposed = linalg.transpose ins(%w : tensor<96x96xf32>) outs(%t : tensor<96x96xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<40x96xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<40x96xf32>) -> tensor<40x96xf32>
  %0 = linalg.matmul ins(%x, %transposed : tensor<40x96xf32>, tensor<96x96xf32>) outs(%i : tensor<40x96xf32>) -> tensor<40x96xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2, 3]] output_shape [4, 10, 6, 16] : tensor<40x96xf32> into tensor<4x10x6x16xf32>
  %2 = norm.rms_norm %1 scale(%g : tensor<16xf32>) epsilon = 1.0e-6 : tensor<4x10x6x16xf32>
  %e1 = tensor.empty() : tensor<4x6x10x16xf32>
  %3 = linalg.transpose ins(%2 : tensor<4x10x6x16xf32>) outs(%e1 : tensor<4x6x10x16xf32>) permutation = [0, 2, 1, 3]
  %lo = tensor.extract_slice %3[0, 0, 0, 0] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
  %hi = tensor.extract_slice %3[0, 0, 0, 8] [4, 6, 10, 8] [1, 1, 1, 1] : tensor<4x6x10x16xf32> to tensor<4x6x10x8xf32>
  %4 = tensor.concat dim(3) %hi, %lo : (tensor<4x6x10x8xf32>, tensor<4x6x10x8xf32>) -> tensor<4x6x10x16xf32>
  %5 = linalg.generic {indexing_maps = [#id, #id, #angle, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%3, %4, %cos : tensor<4x6x10x16xf32>, tensor<4x6x10x16xf32>, tensor<10x16xf32>) outs(%e1 : tensor<4x6x10x16xf32>) {
  ^bb0(%p: f32, %q: f32, %c: f32, %out: f32):
    %6 = arith.mulf %q, %c : f32
    %7 = arith.addf %p, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<4x6x10x16xf32>
  return %5 : tensor<4x6x10x16xf32>
}

// A bias that is broadcast first is read as it lies, by each kernel that adds it,
// and does not keep the addition from the matmul before.
// CHECK-LABEL: func.func @broadcast_bias
// CHECK-SAME: %{{.*}}: tensor<8x32xf32>, %{{.*}}: tensor<32x64xf32>, %[[B:.*]]: tensor<64xf32>
func.func @broadcast_bias(%x: tensor<8x32xf32>, %w: tensor<32x64xf32>, %b: tensor<64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  // CHECK-NEXT: norm.fusion ({{.*}} = %[[B]] : tensor<64xf32>) -> (tensor<8x64xf32>) {
  // CHECK: linalg.matmul
  // CHECK: linalg.broadcast
  // CHECK: linalg.add
  // CHECK: norm.yield
  // CHECK: norm.fusion strategies = [row_kernel] ({{.*}} = %[[B]] : tensor<64xf32>) -> (tensor<8x64xf32>) {
  // CHECK: linalg.broadcast
  // CHECK: norm.rms_norm
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x32xf32>, tensor<32x64xf32>) outs(%i : tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = linalg.broadcast ins(%b : tensor<64xf32>) outs(%e : tensor<8x64xf32>) dimensions = [0]
  %2 = linalg.add ins(%0, %1 : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = linalg.exp ins(%1 : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = norm.rms_norm %3 epsilon = 1.0e-6 : tensor<8x64xf32>
  return %2, %4 : tensor<8x64xf32>, tensor<8x64xf32>
}

// One of the values that a group computes is read twice, and stored once; its
// reshape is made outside.
// CHECK-LABEL: func.func @stored_once
func.func @stored_once(%x: tensor<?x32xf32>, %w: tensor<32x64xf32>, %n: index) -> (tensor<?x64xf32>, tensor<?x4x16xf32>, tensor<?x64xf32>) {
  // CHECK: %[[F:.*]]:2 = norm.fusion (%{{.*}}) -> (tensor<?x64xf32>, tensor<?x64xf32>) {
  // CHECK-NOT: tensor.expand_shape
  // CHECK: norm.yield
  // CHECK: %[[E:.*]] = tensor.expand_shape %[[F]]#0
  // CHECK: return %[[F]]#0, %[[E]], %[[F]]#1
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x32xf32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x32xf32>, tensor<32x64xf32>) outs(%i : tensor<?x64xf32>) -> tensor<?x64xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [%m, 4, 16] : tensor<?x64xf32> into tensor<?x4x16xf32>
  // Who asks for the shape does not read the value.
  %rows = tensor.dim %0, %c0 : tensor<?x64xf32>
  %e1 = tensor.empty(%rows) : tensor<?x64xf32>
  %2 = linalg.exp ins(%0 : tensor<?x64xf32>) outs(%e1 : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %0, %1, %2 : tensor<?x64xf32>, tensor<?x4x16xf32>, tensor<?x64xf32>
}

// What waits for a part of a group cannot be waited for by the rest of it.
// CHECK-LABEL: func.func @no_cycle
func.func @no_cycle(%x: tensor<8x32xf32>, %w: tensor<32x32xf32>) -> tensor<8x32xf32> {
  // CHECK: %[[F:.*]] = norm.fusion
  // CHECK: linalg.matmul
  // CHECK-NOT: linalg.exp
  // CHECK: norm.yield
  // CHECK: %[[C:.*]] = tensor.cast %[[F]]
  // CHECK: call @opaque
  // CHECK: norm.residual_add
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x32xf32>, tensor<32x32xf32>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = tensor.cast %0 : tensor<8x32xf32> to tensor<?x32xf32>
  %2 = func.call @opaque(%1) : (tensor<?x32xf32>) -> tensor<8x32xf32>
  %3 = norm.residual_add %0, %2 : tensor<8x32xf32>
  return %3 : tensor<8x32xf32>
}
func.func private @opaque(tensor<?x32xf32>) -> tensor<8x32xf32>

// Calls keep their order: what the second one returns cannot be waited for by
// what the first one reads.
// CHECK-LABEL: func.func @effects
func.func @effects(%x: tensor<8x32xf32>, %w: tensor<32x32xf32>) -> tensor<8x32xf32> {
  // CHECK: %[[F:.*]] = norm.fusion
  // CHECK: linalg.matmul
  // CHECK-NOT: norm.residual_add
  // CHECK: call @show(%[[F]])
  // CHECK: %[[C:.*]] = call @draw()
  // CHECK: norm.residual_add %[[F]], %[[C]]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x32xf32>, tensor<32x32xf32>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  func.call @show(%0) : (tensor<8x32xf32>) -> ()
  %1 = func.call @draw() : () -> tensor<8x32xf32>
  %2 = norm.residual_add %0, %1 : tensor<8x32xf32>
  return %2 : tensor<8x32xf32>
}
func.func private @show(tensor<8x32xf32>)
func.func private @draw() -> tensor<8x32xf32>

// Nor by way of another group: of the two sums, the first joins the second
// matmul, which waits for the first; the second sum joins it as well.
// CHECK-LABEL: func.func @no_cycle_of_groups
func.func @no_cycle_of_groups(%x: tensor<8x32xf32>, %w: tensor<32x32xf32>) -> (tensor<8x32xf32>, tensor<8x32xf32>) {
  // CHECK: %[[A:.*]] = norm.fusion
  // CHECK: %[[B:.*]]:2 = norm.fusion (%{{.*}} = %[[A]]
  // CHECK: linalg.matmul
  // CHECK: norm.residual_add
  // CHECK: norm.residual_add
  // CHECK: return %[[B]]#0, %[[B]]#1
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<8x32xf32>, tensor<32x32xf32>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x32xf32>, tensor<32x32xf32>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
  %2 = norm.residual_add %0, %1 : tensor<8x32xf32>
  %3 = norm.residual_add %0, %2 : tensor<8x32xf32>
  return %2, %3 : tensor<8x32xf32>, tensor<8x32xf32>
}

// In the body of a loop.
// CHECK-LABEL: func.func @loop
func.func @loop(%x: tensor<8x32xf32>, %w: tensor<32x32xf32>) -> tensor<8x32xf32> {
  // CHECK: scf.for
  // CHECK: norm.fusion strategies = [two_kernel_stats]
  // CHECK: norm.row_stats
  // CHECK: norm.fusion strategies = [deferred]
  // CHECK: norm.residual_add
  // CHECK: scf.yield
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %x) -> tensor<8x32xf32> {
    %n = norm.rms_norm %t epsilon = 1.0e-6 : tensor<8x32xf32>
    %e = tensor.empty() : tensor<8x32xf32>
    %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
    %0 = linalg.matmul ins(%n, %w : tensor<8x32xf32>, tensor<32x32xf32>) outs(%i : tensor<8x32xf32>) -> tensor<8x32xf32>
    %1 = norm.residual_add %t, %0 : tensor<8x32xf32>
    scf.yield %1 : tensor<8x32xf32>
  }
  return %r : tensor<8x32xf32>
}

// A constant of many numbers is an input; one of a single number is made in the
// kernel.
// CHECK-LABEL: func.func @constants
func.func @constants(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // CHECK: %[[W:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00]
  // CHECK: norm.fusion (%{{.*}} = %{{.*}} : tensor<2x2xf32>, %{{.*}} = %[[W]] : tensor<2x2xf32>) ->
  // CHECK: %[[H:.*]] = arith.constant dense<5.000000e-01>
  // CHECK: arith.mulf %{{.*}}, %[[H]]
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %half = arith.constant dense<0.5> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = arith.mulf %0, %half : tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
