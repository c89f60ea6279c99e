// Parallel sublayers, shared norms, cross-attention, loops: what a norm may be shared by, and where a trunk may go.

// RUN: split-file %s %t

//===--- Parallel sublayers --------------------------------------------------------------------------------------===//

// One norm of the trunk for both modules (GPT-J): it moves to the trunk, and back.
// RUN: renorm-opt %t/parallel-shared.mlir '--norm-convert-placement=to=post' | FileCheck %s --check-prefix=SHARED
// SHARED-LABEL: func.func @parallel
// SHARED: %[[N:.*]] = norm.layer_norm %[[X:.*]] scale(%[[G:.*]] : tensor<8xf32>)
// SHARED: %[[A:.*]] = linalg.matmul ins(%[[N]],
// SHARED: %[[F:.*]] = linalg.matmul ins(%[[N]],
// SHARED: %[[S:.*]] = norm.residual_add %[[N]], %[[A]]
// SHARED: %[[T:.*]] = norm.residual_add %[[S]], %[[F]]
// SHARED: %[[M:.*]] = norm.layer_norm %[[T]] scale(%[[H:.*]] : tensor<8xf32>)
// SHARED: return %[[M]]
// RUN: renorm-opt %t/parallel-shared.mlir -o %t/parallel-shared
// RUN: renorm-opt %t/parallel-shared.mlir '--norm-convert-placement=to=post' '--norm-convert-placement=to=pre' | diff %t/parallel-shared -
// RUN: renorm-opt %t/parallel-shared.mlir '--norm-convert-placement=to=none' '--norm-convert-placement=to=pre' | diff %t/parallel-shared -
// RUN: renorm-opt %t/parallel-shared.mlir '--norm-convert-placement=to=peri params=argument' '--norm-convert-placement=to=pre' | diff %t/parallel-shared -
// RUN: renorm-opt %t/parallel-shared.mlir '--norm-convert-placement=to=deepnorm alpha=3' | FileCheck %s --check-prefix=DEEP
// DEEP: norm.residual_add %{{.*}}, %{{.*}} residual_scale = 3.0 :
// DEEP: norm.residual_add %{{[^ ]*}}, %{{[^ ]*}} :

// A norm for each (GPT-NeoX): neither is the trunk's, which gets its own.
// RUN: renorm-opt %t/parallel-separate.mlir '--norm-convert-placement=to=post' | FileCheck %s --check-prefix=SEPARATE
// SEPARATE-LABEL: func.func @parallel
// SEPARATE: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// SEPARATE: %[[E:.*]] = norm.layer_norm %[[X:.*]] scale(%[[ONE]]
// SEPARATE: norm.layer_norm %[[E]] scale(%{{.*}} {norm.dropped = "layers.0.ffn.input_norm"}
// SEPARATE: %[[A:.*]] = linalg.matmul ins(%[[E]],
// SEPARATE: norm.layer_norm %[[E]] scale(%{{.*}} {norm.dropped = "layers.1.ffn.input_norm"}
// SEPARATE: %[[F:.*]] = linalg.matmul ins(%[[E]],
// SEPARATE: %[[S:.*]] = norm.residual_add %[[E]], %[[A]]
// SEPARATE: norm.residual_add %[[S]], %[[F]]
// RUN: renorm-opt %t/parallel-separate.mlir -o %t/parallel-separate
// RUN: renorm-opt %t/parallel-separate.mlir '--norm-convert-placement=to=none' '--norm-convert-placement=to=pre' | diff %t/parallel-separate -
// RUN: renorm-opt %t/parallel-separate.mlir '--norm-convert-placement=to=post' '--norm-convert-placement=to=pre embedding-norm=drop' | diff %t/parallel-separate -

// Both modules begin with one matmul (ViT-22B, PaLM): one norm is made for it, goes, and comes back.
// RUN: renorm-opt %t/parallel-fused.mlir '--norm-convert-placement=to=pre params=argument new-norm=rms epsilon=1e-6' | FileCheck %s --check-prefix=FUSED
// FUSED-LABEL: func.func @parallel
// FUSED-SAME: %[[G:[^:]*]]: tensor<8xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.ffn.input_norm.scale"}
// FUSED-SAME: %[[H:[^:]*]]: tensor<8xf32> {norm.init = 1.000000e+00 : f64, norm.param = "final_norm.scale"})
// FUSED: %[[N:.*]] = norm.rms_norm %[[X:.*]] scale(%[[G]]
// FUSED: linalg.matmul ins(%[[N]],
// FUSED: norm.residual_add %[[X]],
// FUSED: norm.rms_norm %{{.*}} scale(%[[H]]
// RUN: renorm-opt %t/parallel-fused.mlir '--norm-convert-placement=to=none' -o %t/parallel-fused
// RUN: renorm-opt %t/parallel-fused.mlir '--norm-convert-placement=to=pre params=argument new-norm=rms epsilon=1e-6 final-norm=keep' '--norm-convert-placement=to=none' | diff %t/parallel-fused -

//===--- Norms that are shared -----------------------------------------------------------------------------------===//

// The norm of each module is a value of its own; it becomes one on the trunk, before its first reader.
// RUN: renorm-opt %t/two-norms.mlir '--norm-convert-placement=to=post' | FileCheck %s --check-prefix=MERGED --implicit-check-not=norm.rms_norm
// MERGED-LABEL: func.func @two_norms
// MERGED: %[[N:.*]] = norm.rms_norm %[[X:.*]] scale(%[[G:.*]] : tensor<8xf32>)
// MERGED: %[[A:.*]] = linalg.matmul ins(%[[N]],
// MERGED: %[[B:.*]] = linalg.matmul ins(%[[N]], %{{.*}}) outs(%[[A]]
// MERGED: %[[S:.*]] = norm.residual_add %[[N]], %[[B]]
// MERGED: norm.rms_norm %[[S]]

// A norm value that something else reads, and a parameter of two norms, survive a conversion that drops one use.
// RUN: renorm-opt %t/shared-parameter.mlir '--norm-convert-placement=to=none' | FileCheck %s --check-prefix=PARAMETER
// PARAMETER-LABEL: func.func @shared_parameter
// PARAMETER: %[[ONE:.*]] = arith.constant dense<1.000000e+00>
// PARAMETER: %[[N:.*]] = norm.rms_norm %arg0 scale(%[[ONE]]
// PARAMETER: %[[F:.*]] = linalg.matmul ins(%arg0,
// PARAMETER: %[[S:.*]] = norm.residual_add %arg0, %[[F]]
// PARAMETER: %[[T:.*]] = norm.rms_norm %[[S]] scale(%[[ONE]]
// PARAMETER: return %[[T]], %[[N]]

// The parameters of a norm that moves up are made before.
// RUN: renorm-opt %t/moves-up.mlir '--norm-convert-placement=to=post' | FileCheck %s --check-prefix=UP
// UP-LABEL: func.func @moves_up
// UP-NEXT: %[[E:.*]] = tensor.empty() : tensor<8xf32>
// UP-NEXT: %[[G:.*]] = linalg.add ins(%[[B:.*]], %[[B]] : {{.*}}) outs(%[[E]]
// UP-NEXT: %[[N:.*]] = norm.rms_norm %[[X:.*]] bias(%[[G]]
// UP-NEXT: norm.probe %[[N]]
// UP: linalg.matmul ins(%[[N]],
// UP: norm.residual_add %[[N]],

//===--- Two stacks in one function ------------------------------------------------------------------------------===//

// Cross-attention: what the decoder reads of the encoder is its final norm.
// RUN: renorm-opt %t/encoder-decoder.mlir '--norm-convert-placement=to=peri' | FileCheck %s --check-prefix=CROSS --implicit-check-not=norm.rms_norm
// CROSS-LABEL: func.func @encoder_decoder
// CROSS: %[[EN:.*]] = norm.rms_norm %arg0 scale(%arg3
// CROSS: %[[EA:.*]] = norm.attention
// CROSS: %[[EO:.*]] = norm.rms_norm %[[EA]] scale(%cst
// CROSS: %[[ES:.*]] = norm.residual_add %arg0, %[[EO]]
// CROSS: %[[M:.*]] = norm.rms_norm %[[ES]] scale(%cst
// CROSS: %[[DN:.*]] = norm.rms_norm %arg1 scale(%arg4
// CROSS: %[[Q:.*]] = linalg.batch_matmul ins(%[[DN]],
// CROSS: %[[DA:.*]] = norm.attention %[[Q]], %[[M]], %[[M]]
// CROSS: %[[DO:.*]] = norm.rms_norm %[[DA]] scale(%cst
// CROSS: %[[DS:.*]] = norm.residual_add %arg1, %[[DO]]
// CROSS: %[[OUT:.*]] = norm.rms_norm %[[DS]] scale(%cst
// CROSS: return %[[OUT]]

// Two towers on one embedding: it stays whose it is while the other is converted.
// RUN: renorm-opt %t/towers.mlir '--norm-convert-placement=to=pre' | FileCheck %s --check-prefix=TOWERS --implicit-check-not=norm.rms_norm
// TOWERS-LABEL: func.func @towers
// TOWERS: %[[N:.*]] = norm.rms_norm %[[X:arg0]] scale(%arg2
// TOWERS: %[[A:.*]] = linalg.matmul ins(%[[N]],
// TOWERS: %[[S:.*]] = norm.residual_add %[[X]], %[[A]]
// TOWERS: %[[SN:.*]] = norm.rms_norm %[[S]] scale(%arg3
// TOWERS: %[[B:.*]] = linalg.matmul ins(%[[N]],
// TOWERS: %[[T:.*]] = norm.residual_add %[[X]], %[[B]]
// TOWERS: %[[TN:.*]] = norm.rms_norm %[[T]] scale(%arg4
// TOWERS: return %[[SN]], %[[TN]]
// RUN: renorm-opt %t/towers.mlir -o %t/towers
// RUN: renorm-opt %t/towers.mlir '--norm-convert-placement=to=pre' '--norm-convert-placement=to=post' | diff %t/towers -

// A trunk that forks: the norm at the fork is both stacks'.
// RUN: renorm-opt %t/fork.mlir '--norm-convert-placement=to=pre' | FileCheck %s --check-prefix=FORK --implicit-check-not=norm.rms_norm
// FORK-LABEL: func.func @fork
// FORK: norm.rms_norm %arg0 scale(%arg2
// FORK: %[[S:.*]] = norm.residual_add
// FORK: %[[N:.*]] = norm.rms_norm %[[S]] scale(%arg3
// FORK: %[[A:.*]] = linalg.matmul ins(%[[N]],
// FORK: norm.residual_add %[[S]], %[[A]]
// FORK: norm.rms_norm %{{.*}} scale(%arg4
// FORK: %[[B:.*]] = linalg.matmul ins(%[[N]],
// FORK: norm.residual_add %[[S]], %[[B]]
// FORK: norm.rms_norm %{{.*}} scale(%arg5
// RUN: renorm-opt %t/fork.mlir -o %t/fork
// RUN: renorm-opt %t/fork.mlir '--norm-convert-placement=to=pre' '--norm-convert-placement=to=post' | diff %t/fork -

// A norm that is made for one tower is not read by the norm that is made for the other.
// RUN: renorm-opt %t/towers.mlir '--norm-convert-placement=to=none embedding-norm=drop' '--norm-convert-placement=to=pre embedding-norm=add params=argument' | FileCheck %s --check-prefix=TWOTOWERS
// TWOTOWERS-LABEL: func.func @towers
// TWOTOWERS: norm.rms_norm %arg0 scale(
// TWOTOWERS: norm.rms_norm %arg0 scale(
// TWOTOWERS-COUNT-2: norm.residual_add

// RUN: renorm-opt %t/fork.mlir '--norm-convert-placement=to=none' '--norm-convert-placement=to=post' | diff %t/fork -
// RUN: renorm-opt %t/fork.mlir '--norm-convert-placement=to=output' '--norm-convert-placement=to=post' | diff %t/fork -

// The post norm of one stack is the input norm of the one that forks there, and stays it.
// RUN: renorm-opt %t/fork-mixed.mlir '--norm-convert-placement=to=pre' | FileCheck %s --check-prefix=FORK --implicit-check-not=norm.rms_norm

//===--- Loops ---------------------------------------------------------------------------------------------------===//

// The norms of an iteration are inside, the final norm outside of the loop.
// RUN: renorm-opt %t/loop.mlir '--norm-convert-placement=to=peri params=argument' | FileCheck %s --check-prefix=LOOP
// LOOP-LABEL: func.func @loop
// LOOP-SAME: %[[GO:[^:]*]]: tensor<8xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.ffn.output_norm.scale"}
// LOOP-SAME: %[[GF:[^:]*]]: tensor<8xf32> {norm.init = 1.000000e+00 : f64, norm.param = "final_norm.scale"}
// LOOP: %[[R:.*]] = scf.for {{.*}} iter_args(%[[X:.*]] = %arg0)
// LOOP: norm.rms_norm %[[X]] scale(%arg2
// LOOP: %[[F:.*]] = linalg.matmul
// LOOP: %[[O:.*]] = norm.rms_norm %[[F]] scale(%[[GO]]
// LOOP: norm.residual_add %[[X]], %[[O]]
// LOOP: scf.yield
// LOOP: %[[N:.*]] = norm.rms_norm %[[R]] scale(%[[GF]]
// LOOP: return %[[N]]
// RUN: renorm-opt %t/loop.mlir '--norm-convert-placement=to=output' | FileCheck %s --check-prefix=LOOPOUT
// LOOPOUT: scf.for {{.*}} iter_args(%[[X:.*]] = %arg0)
// LOOPOUT: norm.rms_norm %[[X]] {{.*}} {norm.dropped = "layers.0.ffn.input_norm"}
// LOOPOUT: %[[F:.*]] = linalg.matmul ins(%[[X]],
// LOOPOUT: %[[O:.*]] = norm.rms_norm %[[F]] scale(
// LOOPOUT: norm.residual_add %[[X]], %[[O]]

// In a branch of a conditional the input norms are inside, and nothing is known of the trunk's end. A norm that was
// dropped inside is not taken back outside.
// RUN: renorm-opt %t/conditional.mlir '--norm-convert-placement=to=pre' | FileCheck %s --check-prefix=INSIDE --implicit-check-not=norm.rms_norm
// INSIDE-LABEL: func.func @conditional
// INSIDE: %[[ON:.*]] = norm.rms_norm %arg0
// INSIDE: linalg.matmul ins(%[[ON]],
// INSIDE: %[[S:.*]] = norm.residual_add %arg0,
// INSIDE: scf.if
// INSIDE: %[[N:.*]] = norm.rms_norm %[[S]]
// INSIDE: linalg.matmul ins(%[[N]],
// INSIDE: norm.rms_norm {{.*}} {norm.dropped = "streams.1.layers.0.ffn.output_norm"}
// INSIDE: %[[T:.*]] = norm.residual_add %[[S]],
// INSIDE: scf.yield %[[T]]
// INSIDE: return %{{.*}}, %[[S]]
// RUN: renorm-opt %t/conditional.mlir '--norm-convert-placement=to=none' '--norm-convert-placement=to=pre new-norm=rms epsilon=1e-5' | FileCheck %s --check-prefix=INSIDE --implicit-check-not=norm.rms_norm

//===--- Shapes and types ----------------------------------------------------------------------------------------===//

// Batch and sequence may be dynamic. Who asks for an extent asks the trunk as it is.
// RUN: renorm-opt %t/dynamic.mlir '--norm-convert-placement=to=post' | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC-LABEL: func.func @dynamic
// DYNAMIC: tensor.dim %arg0,
// DYNAMIC: %[[N:.*]] = norm.rms_norm %arg0 scale(%arg2 : tensor<8xf32>) epsilon = 1.0e-05 : tensor<?x?x8xf32>
// DYNAMIC: linalg.batch_matmul ins(%[[N]],
// DYNAMIC: %[[S:.*]] = norm.residual_add %[[N]],
// DYNAMIC: norm.rms_norm %[[S]] scale(%{{.*}} : tensor<8xf32>) epsilon = 1.0e-05 : tensor<?x?x8xf32>
// RUN: renorm-opt %t/dynamic.mlir '--norm-convert-placement=to=pre final-norm=keep' -o %t/dynamic
// RUN: renorm-opt %t/dynamic.mlir '--norm-convert-placement=to=peri final-norm=keep' '--norm-convert-placement=to=pre final-norm=keep' | diff %t/dynamic -

// New norms have what the stream's have: compute type, type of the parameters, rounding; but their scale multiplies.
// RUN: renorm-opt %t/types.mlir '--norm-convert-placement=to=peri params=argument' | FileCheck %s --check-prefix=TYPES
// TYPES-LABEL: func.func @bf16
// TYPES-SAME: tensor<8xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.ffn.output_norm.scale"}
// TYPES: norm.rms_norm %{{.*}} scale(%arg3 : tensor<8xf32>) epsilon = 1.0e-06 cast_before_scale : tensor<4x8xbf16>
// TYPES-LABEL: func.func @f16
// TYPES-SAME: tensor<8xf16> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.ffn.output_norm.scale"}
// TYPES-SAME: tensor<8xf16> {norm.init = 0.000000e+00 : f64, norm.param = "layers.0.ffn.output_norm.bias"}
// TYPES: norm.layer_norm %{{.*}} scale(%arg3 : tensor<8xf16>) bias(%arg4 : tensor<8xf16>) epsilon = 1.0e-06 compute_type = f16 : tensor<4x8xf16>
// TYPES-LABEL: func.func @gemma
// TYPES: norm.rms_norm %arg0 scale(%arg2 : tensor<8xf32>) epsilon = 1.0e-06 unit_offset : tensor<4x8xf32>
// TYPES: norm.rms_norm %{{.*}} scale(%arg3 : tensor<8xf32>) epsilon = 1.0e-06 : tensor<4x8xf32>
// TYPES-LABEL: func.func @scale_norm
// TYPES-SAME: tensor<f32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.ffn.output_norm.scale"}
// TYPES: norm.l2_norm %{{.*}} scale(%arg3 : tensor<f32>) epsilon = 1.0e-06 : tensor<4x8xf32>
// TYPES-LABEL: func.func @no_parameters
// TYPES-SAME: (%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>)
// TYPES: %[[F:.*]] = linalg.matmul
// TYPES: norm.l2_norm %[[F]] epsilon = 1.0e-06 epsilon_mode = clamp : tensor<4x8xf32>
// TYPES-LABEL: func.func @axes
// TYPES-SAME: tensor<4x8xf32> {norm.init
// TYPES: norm.layer_norm %{{.*}} scale(%arg3 : tensor<4x8xf32>) epsilon = 1.0e-06 axes = [1, 2] : tensor<2x4x8xf32>

//===--- Nothing to do -------------------------------------------------------------------------------------------===//

// RUN: renorm-opt %t/nothing.mlir -o %t/nothing
// RUN: renorm-opt %t/nothing.mlir '--norm-convert-placement=to=peri params=argument strict' --verify-diagnostics | diff %t/nothing -

//--- parallel-shared.mlir
func.func @parallel(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %4 = norm.residual_add %3, %2 : tensor<4x8xf32>
  %5 = norm.layer_norm %4 scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

//--- parallel-separate.mlir
func.func @parallel(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>, %f: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.layer_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.layer_norm %x scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %5 = norm.residual_add %4, %3 : tensor<4x8xf32>
  %6 = norm.layer_norm %5 scale(%f : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %6 : tensor<4x8xf32>
}

//--- parallel-fused.mlir
func.func @parallel(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = tensor.extract_slice %0[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %2 = tensor.extract_slice %0[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %3 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %4 = norm.residual_add %3, %2 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

//--- two-norms.mlir
func.func @two_norms(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = norm.residual_add %x, %3 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

//--- shared-parameter.mlir
func.func @shared_parameter(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %g = arith.constant dense<1.0> : tensor<8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.rms_norm %1 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %3 = norm.residual_add %x, %2 : tensor<4x8xf32>
  %4 = norm.rms_norm %3 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %4, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}

//--- moves-up.mlir
func.func @moves_up(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  norm.probe %x {name = "x"} : tensor<4x8xf32>
  %d = tensor.empty() : tensor<8xf32>
  %g = linalg.add ins(%b, %b : tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x bias(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

//--- encoder-decoder.mlir
func.func @encoder_decoder(%x: tensor<1x4x8xf32>, %y: tensor<1x4x8xf32>, %w: tensor<1x8x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>) -> tensor<1x4x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %1 = linalg.batch_matmul ins(%0, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = norm.attention %1, %1, %1 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %3 = norm.residual_add %x, %2 : tensor<1x4x8xf32>
  %4 = norm.rms_norm %y scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<1x4x8xf32>
  %5 = linalg.batch_matmul ins(%4, %w : tensor<1x4x8xf32>, tensor<1x8x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %6 = norm.attention %5, %3, %3 : tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>
  %7 = norm.residual_add %y, %6 : tensor<1x4x8xf32>
  return %7 : tensor<1x4x8xf32>
}

//--- towers.mlir
func.func @towers(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>, %f: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %0, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %4 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = norm.residual_add %0, %4 : tensor<4x8xf32>
  %6 = norm.rms_norm %5 scale(%f : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %3, %6 : tensor<4x8xf32>, tensor<4x8xf32>
}

//--- fork.mlir
func.func @fork(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>, %f: tensor<8xf32>, %k: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %0, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %4 = linalg.matmul ins(%3, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = norm.residual_add %3, %4 : tensor<4x8xf32>
  %6 = norm.rms_norm %5 scale(%f : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %7 = linalg.matmul ins(%3, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = norm.residual_add %3, %7 : tensor<4x8xf32>
  %9 = norm.rms_norm %8 scale(%k : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %6, %9 : tensor<4x8xf32>, tensor<4x8xf32>
}

//--- fork-mixed.mlir
func.func @fork(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %h: tensor<8xf32>, %f: tensor<8xf32>, %k: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %0, %1 : tensor<4x8xf32>
  %3 = norm.rms_norm %2 scale(%h : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %4 = linalg.matmul ins(%3, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = norm.residual_add %3, %4 : tensor<4x8xf32>
  %6 = norm.rms_norm %5 scale(%f : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %7 = linalg.matmul ins(%3, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = norm.residual_add %2, %7 : tensor<4x8xf32>
  %9 = norm.rms_norm %8 scale(%k : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  return %6, %9 : tensor<4x8xf32>, tensor<4x8xf32>
}

//--- conditional.mlir
func.func @conditional(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>, %c: i1) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  %3 = scf.if %c -> tensor<4x8xf32> {
    %4 = linalg.matmul ins(%2, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = norm.rms_norm %4 scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
    %6 = norm.residual_add %2, %5 : tensor<4x8xf32>
    scf.yield %6 : tensor<4x8xf32>
  } else {
    scf.yield %2 : tensor<4x8xf32>
  }
  return %3, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

//--- loop.mlir
func.func @loop(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%y = %x) -> tensor<4x8xf32> {
    %1 = norm.rms_norm %y scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<4x8xf32>
    %2 = linalg.matmul ins(%1, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = norm.residual_add %y, %2 : tensor<4x8xf32>
    scf.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

//--- dynamic.mlir
func.func @dynamic(%x: tensor<?x?x8xf32>, %w: tensor<?x8x8xf32>, %g: tensor<8xf32>) -> tensor<?x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %e = tensor.empty(%b, %s) : tensor<?x?x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-5 : tensor<?x?x8xf32>
  %1 = linalg.batch_matmul ins(%0, %w : tensor<?x?x8xf32>, tensor<?x8x8xf32>) outs(%e : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<?x?x8xf32>
  return %2 : tensor<?x?x8xf32>
}

//--- types.mlir
func.func @bf16(%x: tensor<4x8xbf16>, %w: tensor<8x8xbf16>, %g: tensor<8xf32>) -> tensor<4x8xbf16> {
  %e = tensor.empty() : tensor<4x8xbf16>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-6 cast_before_scale : tensor<4x8xbf16>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xbf16>, tensor<8x8xbf16>) outs(%e : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %2 = norm.residual_add %x, %1 : tensor<4x8xbf16>
  return %2 : tensor<4x8xbf16>
}
func.func @f16(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %g: tensor<8xf16>) -> tensor<4x8xf16> {
  %e = tensor.empty() : tensor<4x8xf16>
  %0 = norm.layer_norm %x scale(%g : tensor<8xf16>) bias(%g : tensor<8xf16>) epsilon = 1.0e-6 compute_type = f16 : tensor<4x8xf16>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf16>, tensor<8x8xf16>) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf16>
  return %2 : tensor<4x8xf16>
}
func.func @gemma(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x scale(%g : tensor<8xf32>) epsilon = 1.0e-6 unit_offset : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @scale_norm(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %g: tensor<f32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.l2_norm %x scale(%g : tensor<f32>) epsilon = 1.0e-6 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @no_parameters(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.l2_norm %x epsilon = 1.0e-6 epsilon_mode = clamp : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @axes(%x: tensor<2x4x8xf32>, %w: tensor<2x8x8xf32>, %g: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %e = tensor.empty() : tensor<2x4x8xf32>
  %0 = norm.layer_norm %x scale(%g : tensor<4x8xf32>) epsilon = 1.0e-6 axes = [1, 2] : tensor<2x4x8xf32>
  %1 = linalg.batch_matmul ins(%0, %w : tensor<2x4x8xf32>, tensor<2x8x8xf32>) outs(%e : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %2 = norm.residual_add %x, %1 : tensor<2x4x8xf32>
  return %2 : tensor<2x4x8xf32>
}

//--- nothing.mlir
func.func private @declaration(tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @empty() {
  return
}
// A norm and a matmul, but no residual stream.
func.func @no_stream(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = norm.rms_norm %x epsilon = 1.0e-6 : tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = call @declaration(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
