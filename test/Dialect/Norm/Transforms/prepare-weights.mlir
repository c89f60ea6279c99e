// What is computed of weights alone moves to a function of its own.

// RUN: split-file %s %t

// The wrapper keeps its name, its signature and its callers; the body loses the argument that only the preparation reads,
// and computes the rest.
// RUN: renorm-opt %t/transpose.mlir -norm-prepare-weights -o %t/transpose.once
// RUN: FileCheck %s --check-prefix=TRANSPOSE --input-file=%t/transpose.once
// TRANSPOSE-LABEL: func.func @forward(%arg0: tensor<4x8xf32>, %arg1: tensor<16x8xf32> {norm.param = "w"}, %arg2: tensor<16xf32> {norm.param = "b"})
// TRANSPOSE-SAME: -> (tensor<4x16xf32> {test.result}) attributes {test.function} {
// TRANSPOSE-NEXT: %[[T:.*]] = call @forward.prepare(%arg1) : (tensor<16x8xf32>) -> tensor<8x16xf32>
// TRANSPOSE-NEXT: %[[Y:.*]] = call @forward.prepared(%arg0, %arg2, %[[T]])
// TRANSPOSE-NEXT: return %[[Y]]
// TRANSPOSE-LABEL: func.func private @forward.prepare(%arg0: tensor<16x8xf32> {norm.param = "w"}) -> tensor<8x16xf32> {
// TRANSPOSE-NEXT: tensor.empty
// TRANSPOSE-NEXT: %[[T:.*]] = linalg.transpose ins(%arg0
// TRANSPOSE-NEXT: return %[[T]]
// TRANSPOSE-LABEL: func.func private @forward.prepared(%arg0: tensor<4x8xf32>, %arg1: tensor<16xf32> {norm.param = "b"}, %arg2: tensor<8x16xf32> {norm.prepared})
// TRANSPOSE-SAME: attributes {norm.prepare = @forward.prepare, test.function} {
// TRANSPOSE-NOT: transpose
// TRANSPOSE: linalg.matmul ins(%arg0, %arg2
// TRANSPOSE-LABEL: func.func @caller
// TRANSPOSE: call @forward(%arg0, %arg1, %arg2)

// Once is enough.
// RUN: renorm-opt %t/transpose.once -norm-prepare-weights | diff %t/transpose.once -

// The values keep their uses: a second one, one within a region, one in a computation that stays. A broadcast, what has an
// open extent, a view and what is computed from other arguments, or from constants, stays.
// RUN: renorm-opt %t/uses.mlir -norm-prepare-weights | FileCheck %s --check-prefix=USES
// USES-LABEL: func.func @forward(
// USES-NEXT: %[[P:.*]]:2 = call @forward.prepare(%arg1, %arg2, %arg3)
// USES-NEXT: call @forward.prepared(%arg0, %arg1, %arg4, %[[P]]#0, %[[P]]#1)
// USES-LABEL: func.func private @forward.prepare(
// USES-NEXT: %[[A:.*]] = arith.addf %arg0, %arg1
// USES-NEXT: %[[B:.*]] = arith.mulf %[[A]], %arg2
// USES-NEXT: return %[[A]], %[[B]]
// USES-LABEL: func.func private @forward.prepared(
// USES-SAME: %[[X:[^:]*]]: tensor<4x8xf32>, %[[W:[^:]*]]: tensor<4x8xf32> {norm.param = "w"}, %[[D:[^:]*]]: tensor<?x8xf32> {norm.param = "d"},
// USES-SAME: %[[A:[^:]*]]: tensor<4x8xf32> {norm.prepared}, %[[B:[^:]*]]: tensor<4x8xf32> {norm.prepared})
// USES: tensor.expand_shape %[[A]]
// USES: linalg.broadcast ins(%[[W]]
// USES: arith.addf %[[D]], %[[D]]
// USES: arith.addf %[[X]], %[[A]]
// USES: scf.for
// USES: arith.addf %{{.*}}, %[[B]]

// What a later pass computes of prepared weights joins the preparation, whose results that nothing reads any more go.
// RUN: renorm-opt %t/again.mlir -norm-prepare-weights -o %t/again.once
// RUN: FileCheck %s --check-prefix=AGAIN --input-file=%t/again.once
// AGAIN-LABEL: func.func @forward(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32> {norm.param = "w"}, %arg2: tensor<4x4xf32> {norm.param = "v"}, %arg3: tensor<4x4xf32> {norm.param = "u"})
// AGAIN-NEXT: %[[P:.*]]:2 = call @p(%arg1, %arg2, %arg3)
// AGAIN-NEXT: %[[Y:.*]] = call @b(%arg0, %[[P]]#0, %[[P]]#1)
// AGAIN-NEXT: return %[[Y]]
// AGAIN-LABEL: func.func private @p(%arg0: tensor<4x4xf32> {norm.param = "w"}, %arg1: tensor<4x4xf32> {norm.param = "v"}, %arg2: tensor<4x4xf32> {norm.param = "u"}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
// AGAIN-NEXT: %[[A:.*]] = arith.addf %arg0, %arg1
// AGAIN-NEXT: %[[B:.*]] = arith.negf %arg0
// AGAIN-NEXT: %[[C:.*]] = arith.mulf %[[A]], %arg2
// AGAIN-NEXT: return %[[B]], %[[C]]
// AGAIN-LABEL: func.func private @b(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32> {norm.prepared}, %arg2: tensor<4x4xf32> {norm.prepared})
// AGAIN-NEXT: %[[Y:.*]] = arith.addf %arg0, %arg2
// AGAIN-NEXT: arith.addf %[[Y]], %arg1
// RUN: renorm-opt %t/again.once -norm-prepare-weights | diff %t/again.once -

// The report is that of the prepared form.
// RUN: renorm-opt %t/stream.mlir -norm-prepare-weights -norm-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT --implicit-check-not=function
// REPORT: function @forward.prepared
// REPORT: layers.0.ffn

// And so is what passes change.
// RUN: renorm-opt %t/stream.mlir -norm-prepare-weights '-norm-convert-placement=to=output' | FileCheck %s --check-prefix=CONVERT
// CONVERT-LABEL: func.func private @forward.prepared
// CONVERT: linalg.matmul
// CONVERT: norm.layer_norm
// CONVERT-NEXT: norm.residual_add

// Inlined, it is one function again, and is reported as such.
// RUN: renorm-opt %t/stream.mlir -norm-prepare-weights -inline -symbol-dce -norm-report 2>&1 -o %t/inlined | FileCheck %s --check-prefix=INLINED --implicit-check-not=function
// INLINED: function @forward
// RUN: renorm-opt %t/stream.mlir -o %t/stream
// RUN: diff %t/stream %t/inlined

// Refused: a prepared form with a second caller, and a function of another dialect. Names that are taken are left alone.
// RUN: renorm-opt %t/refused.mlir -norm-prepare-weights -verify-diagnostics -o %t/refused
// RUN: FileCheck %s --check-prefix=TAKEN --input-file=%t/refused
// TAKEN-LABEL: func.func @taken(
// TAKEN-NEXT: call @[[$P:taken.prepare_[0-9]+]](
// TAKEN-NEXT: call @[[$B:taken.prepared_[0-9]+]](
// TAKEN: func.func private @[[$P]](
// TAKEN: func.func private @[[$B]]({{.*}}attributes {norm.prepare = @[[$P]]}

//--- transpose.mlir
func.func @forward(%x: tensor<4x8xf32>, %w: tensor<16x8xf32> {norm.param = "w"},
                   %b: tensor<16xf32> {norm.param = "b"}) -> (tensor<4x16xf32> {test.result}) attributes {test.function} {
  %empty = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%empty : tensor<8x16xf32>) permutation = [1, 0]
  %init = tensor.empty() : tensor<4x16xf32>
  %bias = linalg.broadcast ins(%b : tensor<16xf32>) outs(%init : tensor<4x16xf32>) dimensions = [0]
  %y = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>) outs(%bias : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}
func.func @caller(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>) -> tensor<4x16xf32> {
  %y = call @forward(%x, %w, %b) : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

//--- uses.mlir
func.func @forward(%x: tensor<4x8xf32>, %w: tensor<4x8xf32> {norm.param = "w"}, %v: tensor<4x8xf32> {norm.param = "v"},
                   %u: tensor<4x8xf32> {norm.param = "u"}, %d: tensor<?x8xf32> {norm.param = "d"})
    -> (tensor<2x2x8xf32>, tensor<4x8x3xf32>, tensor<?x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ones = arith.constant dense<1.0> : tensor<4x8xf32>
  %a = arith.addf %w, %v : tensor<4x8xf32>
  %view = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  %wide = tensor.empty() : tensor<4x8x3xf32>
  %broadcast = linalg.broadcast ins(%w : tensor<4x8xf32>) outs(%wide : tensor<4x8x3xf32>) dimensions = [2]
  %dynamic = arith.addf %d, %d : tensor<?x8xf32>
  %b = arith.mulf %a, %u : tensor<4x8xf32>
  %constant = arith.addf %ones, %ones : tensor<4x8xf32>
  %y = arith.addf %x, %a : tensor<4x8xf32>
  %loop = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %y) -> tensor<4x8xf32> {
    %next = arith.addf %t, %b : tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  return %view, %broadcast, %dynamic, %loop, %constant : tensor<2x2x8xf32>, tensor<4x8x3xf32>, tensor<?x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

//--- again.mlir
func.func @forward(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {norm.param = "w"}, %v: tensor<4x4xf32> {norm.param = "v"},
                   %u: tensor<4x4xf32> {norm.param = "u"}) -> tensor<4x4xf32> {
  %0:2 = call @p(%w, %v) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %1 = call @b(%x, %u, %0#0, %0#1) : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
func.func private @p(%w: tensor<4x4xf32> {norm.param = "w"}, %v: tensor<4x4xf32> {norm.param = "v"}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = arith.addf %w, %v : tensor<4x4xf32>
  %1 = arith.negf %w : tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}
func.func private @b(%x: tensor<4x4xf32>, %u: tensor<4x4xf32> {norm.param = "u"}, %0: tensor<4x4xf32> {norm.prepared},
                     %1: tensor<4x4xf32> {norm.prepared}) -> tensor<4x4xf32> attributes {norm.prepare = @p} {
  %2 = arith.mulf %0, %u : tensor<4x4xf32>
  %3 = arith.addf %x, %2 : tensor<4x4xf32>
  %4 = arith.addf %3, %1 : tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

//--- stream.mlir
func.func @forward(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {norm.param = "w"}) -> tensor<4x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x8xf32>
  %init = tensor.empty() : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %t : tensor<4x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = norm.residual_add %x, %f : tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

//--- refused.mlir
func.func @forward(%x: tensor<4xf32>, %w: tensor<4xf32> {norm.param = "w"}) -> tensor<4xf32> {
  %0 = call @p(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @b(%x, %w, %0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @p(%w: tensor<4xf32> {norm.param = "w"}) -> tensor<4xf32> {
  %0 = arith.negf %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-remark @below {{weights not prepared: expected one function that calls 'b' and its 'norm.prepare' function, once each}}
func.func private @b(%x: tensor<4xf32>, %w: tensor<4xf32> {norm.param = "w"}, %0: tensor<4xf32> {norm.prepared})
    -> tensor<4xf32> attributes {norm.prepare = @p} {
  %1 = arith.addf %w, %w : tensor<4xf32>
  %2 = arith.addf %1, %0 : tensor<4xf32>
  %3 = arith.addf %x, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func @own(%x: tensor<4xf32>, %w: tensor<4xf32>, %0: tensor<4xf32>) -> tensor<4xf32> {
  %1 = call @b(%x, %w, %0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @taken.prepare()
func.func private @taken.prepared()
func.func @taken(%x: tensor<4xf32>, %w: tensor<4xf32> {norm.param = "w"}) -> tensor<4xf32> {
  %0 = arith.negf %w : tensor<4xf32>
  %1 = arith.addf %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-remark @below {{weights not prepared: expected a 'func.func' with a body, but got 'ml_program.func' @other}}
ml_program.func @other(%x: tensor<4xf32>, %w: tensor<4xf32> {norm.param = "w"}) -> tensor<4xf32> {
  %0 = arith.negf %w : tensor<4xf32>
  %1 = arith.addf %x, %0 : tensor<4xf32>
  ml_program.return %1 : tensor<4xf32>
}
