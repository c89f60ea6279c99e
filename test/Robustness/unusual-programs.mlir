// Programs that a pass has no business with: each leaves them as they are, without a crash or a diagnostic.
// RUN: renorm-opt %s --split-input-file > %t.before
// RUN: renorm-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(norm-raise,norm-report{output=%t.json format=json},norm-convert-placement{to=peri params=argument},norm-insert-probes)' > %t.after
// RUN: diff %t.before %t.after
// Lowering refuses the one that has no memory to live in, and says where.
// RUN: not renorm-opt %s --split-input-file --renorm-to-llvm -o %t.llvm 2> %t.errors
// RUN: grep 'unusual-programs.mlir:.*error: op was not bufferized' %t.errors
// RUN: grep -c error: %t.errors | grep -x 1

// An empty module.

// -----

func.func @empty() {
  return
}

func.func private @declaration(tensor<4x8xf32>) -> tensor<4x8xf32>

// -----

// Recursion, direct and mutual.
func.func @self(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = func.call @self(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @even(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = func.call @odd(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @odd(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = func.call @even(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %0 = arith.mulf %x, %x : tensor<*xf32>
  %1 = math.rsqrt %0 : tensor<*xf32>
  %2 = arith.mulf %x, %1 : tensor<*xf32>
  return %2 : tensor<*xf32>
}

// -----

// The shape of an RMSNorm, over integers.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @integers(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x1xi32>
  %i = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x1xi32>) -> tensor<4x1xi32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xi32>) outs(%i : tensor<4x1xi32>) {
  ^bb0(%a: i32, %o: i32):
    %q = arith.muli %a, %a : i32
    %r = arith.addi %q, %o : i32
    linalg.yield %r : i32
  } -> tensor<4x1xi32>
  %f = tensor.empty() : tensor<4x8xi32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x8xi32>, tensor<4x1xi32>) outs(%f : tensor<4x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %r = arith.divsi %a, %b : i32
    linalg.yield %r : i32
  } -> tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}

// -----

// An RMSNorm over an axis without elements has no mean.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @zero_length(%x: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1xf32>) -> tensor<4x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x0xf32>) outs(%i : tensor<4x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<4x1xf32>
  %f = tensor.empty() : tensor<4x0xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<4x0xf32>, tensor<4x1xf32>) outs(%f : tensor<4x0xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = math.rsqrt %b : f32
    %r = arith.mulf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<4x0xf32>
  return %y : tensor<4x0xf32>
}

// -----
