// How the parameters of new norms come into the program, and go.

// RUN: split-file %s %t

// RUN: renorm-opt %t/pre.mlir '--norm-convert-placement=to=peri params=constant' | FileCheck %s --check-prefix=CONSTANT
// CONSTANT-LABEL: func.func @stack
// CONSTANT: %[[F:.*]] = linalg.matmul
// CONSTANT-NEXT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// CONSTANT-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// CONSTANT-NEXT: norm.layer_norm %[[F]] scale(%[[ONE]] : tensor<8xf32>) bias(%[[ZERO]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>

// Every function that calls the stack passes what the parameters begin as; what it is passed itself, it passes on.
// RUN: renorm-opt %t/pre.mlir '--norm-convert-placement=to=peri params=argument' | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT-LABEL: func.func @stack
// ARGUMENT-SAME: %[[SCALE:[^:]*]]: tensor<8xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.ffn.output_norm.scale"},
// ARGUMENT-SAME: %[[BIAS:[^:]*]]: tensor<8xf32> {norm.init = 0.000000e+00 : f64, norm.param = "layers.0.ffn.output_norm.bias"})
// ARGUMENT: norm.layer_norm %{{.*}} scale(%[[SCALE]] : tensor<8xf32>) bias(%[[BIAS]] : tensor<8xf32>) epsilon = 1.0e-05 : tensor<4x8xf32>
// ARGUMENT-LABEL: func.func @caller
// ARGUMENT: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<8xf32>
// ARGUMENT-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// ARGUMENT-NEXT: call @stack(%arg0, %arg1, %arg2, %[[ONE]], %[[ZERO]])

// RUN: renorm-opt %t/pre.mlir '--norm-convert-placement=to=peri params=global' | FileCheck %s --check-prefix=GLOBAL
// GLOBAL: ml_program.global private @[[$SCALE:.*output_norm.scale]](dense<1.000000e+00> : tensor<8xf32>) : tensor<8xf32>
// GLOBAL-NEXT: ml_program.global private @[[$BIAS:.*output_norm.bias]](dense<0.000000e+00> : tensor<8xf32>) : tensor<8xf32>
// GLOBAL-LABEL: func.func @stack
// GLOBAL: %[[S:.*]] = ml_program.global_load_const @[[$SCALE]] : tensor<8xf32>
// GLOBAL-NEXT: %[[B:.*]] = ml_program.global_load_const @[[$BIAS]] : tensor<8xf32>
// GLOBAL-NEXT: norm.layer_norm %{{.*}} scale(%[[S]] : tensor<8xf32>) bias(%[[B]] : tensor<8xf32>)

// Two functions may have parameters of one name.
// RUN: renorm-opt %t/two.mlir '--norm-convert-placement=to=peri params=global' -o %t/two.peri
// RUN: FileCheck %s --check-prefix=TWO --input-file=%t/two.peri
// TWO: ml_program.global private @layers.0.ffn.output_norm.scale(dense<1.000000e+00> : tensor<8xf32>)
// TWO-LABEL: func.func @one
// TWO: ml_program.global_load_const @layers.0.ffn.output_norm.scale :
// TWO: ml_program.global private @layers.0.ffn.output_norm.scale_[[$N:[0-9]+]](dense<1.000000e+00> : tensor<8xf32>)
// TWO-LABEL: func.func @two
// TWO: ml_program.global_load_const @layers.0.ffn.output_norm.scale_[[$N]] :
// RUN: renorm-opt %t/two.mlir -o %t/two
// RUN: renorm-opt %t/two.peri '--norm-convert-placement=to=pre' | diff %t/two -

// A function that is its own caller, or another's, passes the parameters on.
// RUN: renorm-opt %t/recursive.mlir '--norm-convert-placement=to=peri params=argument' -o %t/recursive.peri
// RUN: FileCheck %s --check-prefix=RECURSIVE --input-file=%t/recursive.peri
// RECURSIVE-LABEL: func.func @recursive
// RECURSIVE-SAME: %[[SCALE:[^:]*]]: tensor<8xf32> {norm.init
// RECURSIVE: call @recursive(%{{.*}}, %{{.*}}, %{{.*}}, %[[SCALE]])
// RUN: renorm-opt %t/recursive.mlir -o %t/recursive
// RUN: renorm-opt %t/recursive.peri '--norm-convert-placement=to=pre' | diff %t/recursive -

// A value that some caller passes in place of the first one is not lost.
// RUN: renorm-opt %t/trained.mlir '--norm-convert-placement=to=pre' | FileCheck %s --check-prefix=TRAINED
// TRAINED-LABEL: func.func @stack
// TRAINED: norm.rms_norm %{{.*}} scale(%arg3 : tensor<8xf32>) epsilon = 1.0e-05 {norm.dropped = "layers.0.ffn.output_norm"}

// A public global may be another module's, and a constant may have other uses: they stay.
// RUN: renorm-opt %t/shared.mlir '--norm-convert-placement=to=none' | FileCheck %s --check-prefix=SHARED
// SHARED: ml_program.global public @scale
// SHARED: func.func @shared
// SHARED: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// SHARED-NOT: norm.rms_norm
// SHARED: return %{{.*}}, %[[ONE]]

// RUN: renorm-opt %t/taken.mlir '--norm-convert-placement=to=peri params=argument' --verify-diagnostics | FileCheck %s --check-prefix=TAKEN
// TAKEN-LABEL: func.func @taken
// TAKEN-SAME: (%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<8xf32>)
// TAKEN-COUNT-1: norm.rms_norm
// TAKEN-NOT: norm.rms_norm

//--- pre.mlir
func.func @stack(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) bias(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = norm.layer_norm %2 scale(%g : tensor<8xf32>) bias(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
func.func @caller(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = call @stack(%x, %w, %g) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

//--- two.mlir
func.func @one(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
func.func @two(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

//--- recursive.mlir
func.func @recursive(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %4 = call @recursive(%3, %w, %g) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

//--- trained.mlir
func.func @stack(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %o: tensor<8xf32> {norm.init = 1.0, norm.param = "layers.0.ffn.output_norm.scale"}) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%o : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  %4 = norm.rms_norm %3 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}
func.func @caller(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = call @stack(%x, %w, %g, %g) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

//--- shared.mlir
ml_program.global public @scale(dense<1.0> : tensor<8xf32>) : tensor<8xf32>
func.func @shared(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %g = ml_program.global_load_const @scale : tensor<8xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%one : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  return %3, %one : tensor<4x8xf32>, tensor<8xf32>
}

//--- taken.mlir
func.func @taken(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{the residual stream is left as it is: its arguments cannot be extended: 'taken' is used other than by direct calls}}
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @taker() -> ((tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>) {
  %0 = constant @taken : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
}
