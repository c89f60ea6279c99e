// RUN: renorm-opt %s --convert-norm-to-gpu --canonicalize --split-input-file 2>&1 | FileCheck %s

// Two batches of three keys, each read by two heads of 80 queries: six products of 160 x 16 by 16 x 200, of two by two
// tiles each. The batch is a part of the block's number, and of the addresses.
// CHECK-LABEL: func.func @logits(
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.constant 24 : index
// CHECK:         gpu.launch_func @logits_kernel_0::@logits_kernel_0 blocks in (%[[BLOCKS]],
// CHECK-LABEL:   gpu.func @logits_kernel_0
// CHECK-DAG:     %[[TILES:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[KEYS:.*]] = arith.constant 3200 : index
// CHECK-DAG:     %[[QUERIES:.*]] = arith.constant 2560 : index
// CHECK:         %[[BLOCK:.*]] = gpu.block_id x
// CHECK:         %[[BATCH:.*]] = arith.divui %[[BLOCK]], %[[TILES]]
// CHECK:         arith.remui %[[BLOCK]], %[[TILES]]
// CHECK:         arith.muli %[[BATCH]], %[[QUERIES]]
// CHECK:         arith.muli %[[BATCH]], %[[KEYS]]
// CHECK:         nvvm.cp.async.shared.global
// CHECK:         nvvm.mma.sync
func.func @logits(%q: tensor<2x3x2x80x16xbf16>, %k: tensor<2x3x200x16xbf16>) -> tensor<2x3x2x80x200xf32> {
  %0 = norm.fusion (%a = %q : tensor<2x3x2x80x16xbf16>, %b = %k : tensor<2x3x200x16xbf16>) -> (tensor<2x3x2x80x200xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x3x2x80x200xf32>
    %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x2x80x200xf32>) -> tensor<2x3x2x80x200xf32>
    %1 = linalg.generic {
        indexing_maps = [affine_map<(b, h, g, q, k, d) -> (b, h, g, q, d)>, affine_map<(b, h, g, q, k, d) -> (b, h, k, d)>,
                         affine_map<(b, h, g, q, k, d) -> (b, h, g, q, k)>],
        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<2x3x2x80x16xbf16>, tensor<2x3x200x16xbf16>) outs(%i : tensor<2x3x2x80x200xf32>) {
      ^bb0(%i0: bf16, %i1: bf16, %o: f32):
        %x = arith.extf %i0 : bf16 to f32
        %y = arith.extf %i1 : bf16 to f32
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %o, %p : f32
        linalg.yield %s : f32
    } -> tensor<2x3x2x80x200xf32>
    norm.yield %1 : tensor<2x3x2x80x200xf32>
  }
  return %0 : tensor<2x3x2x80x200xf32>
}

// -----

// A dynamic number of batches, also of none.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[B:.*]] = tensor.dim
// CHECK:         %[[ANY:.*]] = arith.cmpi ne, %[[B]], %{{.*}} : index
// CHECK:         scf.if %[[ANY]] {
// CHECK:           gpu.launch_func @dynamic_kernel_0::@dynamic_kernel_0 blocks in (%[[B]],
func.func @dynamic(%x: tensor<?x10x16xf32>, %w: tensor<?x16x24xf32>, %init: tensor<?x10x24xf32>) -> tensor<?x10x24xf32> {
  %0 = norm.fusion (%a = %x : tensor<?x10x16xf32>, %b = %w : tensor<?x16x24xf32>, %i = %init : tensor<?x10x24xf32>) -> (tensor<?x10x24xf32>) {
    %1 = linalg.batch_matmul ins(%a, %b : tensor<?x10x16xf32>, tensor<?x16x24xf32>) outs(%i : tensor<?x10x24xf32>) -> tensor<?x10x24xf32>
    norm.yield %1 : tensor<?x10x24xf32>
  }
  return %0 : tensor<?x10x24xf32>
}

// -----

#all = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// A softmax reads a row once: four chunks of a warp's lanes. Two reductions, of five shuffles each; the maximum of all
// is subtracted.
// CHECK-LABEL: func.func @softmax(
// CHECK:         gpu.launch_func @softmax_kernel_0
// CHECK-LABEL:   gpu.func @softmax_kernel_0
// CHECK-COUNT-4: llvm.load {{.*}} vector<4xf32>
// CHECK-NOT:     llvm.load
// CHECK:         arith.maximumf
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK:         arith.subf
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT:     gpu.shuffle
// CHECK:         arith.divf
// CHECK:         llvm.store {{.*}} vector<4xf32>
// CHECK:         gpu.return
func.func @softmax(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %0 = norm.fusion (%a = %x : tensor<64x512xf32>) -> (tensor<64x512xf32>) {
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %rows = tensor.empty() : tensor<64xf32>
    %e = tensor.empty() : tensor<64x512xf32>
    %low = linalg.fill ins(%lowest : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
    %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
    %max = linalg.reduce {arith.maximumf} ins(%a : tensor<64x512xf32>) outs(%low : tensor<64xf32>) dimensions = [1]
    %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%a, %max : tensor<64x512xf32>, tensor<64xf32>) outs(%e : tensor<64x512xf32>) {
      ^bb0(%i0: f32, %i1: f32, %o: f32):
        %d = arith.subf %i0, %i1 : f32
        %p = math.exp %d : f32
        linalg.yield %p : f32
    } -> tensor<64x512xf32>
    %sum = linalg.reduce {arith.addf} ins(%exp : tensor<64x512xf32>) outs(%none : tensor<64xf32>) dimensions = [1]
    %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%exp, %sum : tensor<64x512xf32>, tensor<64xf32>) outs(%e : tensor<64x512xf32>) {
      ^bb0(%i0: f32, %i1: f32, %o: f32):
        %q = arith.divf %i0, %i1 : f32
        linalg.yield %q : f32
    } -> tensor<64x512xf32>
    norm.yield %y : tensor<64x512xf32>
  }
  return %0 : tensor<64x512xf32>
}
