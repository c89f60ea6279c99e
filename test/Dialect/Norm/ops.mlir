// RUN: renorm-opt %s --verify-roundtrip | FileCheck %s
// RUN: renorm-opt %s --mlir-print-op-generic | renorm-opt | FileCheck %s
// RUN: renorm-opt %s --emit-bytecode | renorm-opt | FileCheck %s

// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: (%[[X:.*]]: tensor<2x12x64xf32>, %[[G:.*]]: tensor<64xf32> {norm.init = 1.000000e+00 : f64, norm.param = "layers.0.attention.input_norm.scale"}, %[[B:.*]]: tensor<64xf32>
func.func @layer_norm(%x: tensor<2x12x64xf32>,
                      %g: tensor<64xf32> {norm.param = "layers.0.attention.input_norm.scale", norm.init = 1.0 : f64},
                      %b: tensor<64xf32> {norm.init_gain = 0.5 : f64}) -> tensor<2x12x64xf32> {
  // CHECK: norm.layer_norm %[[X]] scale(%[[G]] : tensor<64xf32>) bias(%[[B]] : tensor<64xf32>) epsilon = 1.0e-05 : tensor<2x12x64xf32>
  %0 = norm.layer_norm %x scale(%g : tensor<64xf32>) bias(%b : tensor<64xf32>) epsilon = 1.0e-5 : tensor<2x12x64xf32>
  // CHECK: norm.layer_norm %{{.*}} epsilon = 9.999999960041972e-13 : tensor<2x12x64xf32>
  %1 = norm.layer_norm %0 epsilon = 9.9999999600419721E-13 : tensor<2x12x64xf32>
  // CHECK: norm.layer_norm %{{.*}} bias(%[[B]] : tensor<64xf32>) epsilon = 0.0 epsilon_mode = outside compute_type = f64 : tensor<2x12x64xf32>
  %2 = norm.layer_norm %1 bias(%b : tensor<64xf32>) epsilon = 0.0 epsilon_mode = outside compute_type = f64 : tensor<2x12x64xf32>
  return %2 : tensor<2x12x64xf32>
}

// CHECK-LABEL: func.func @rms_norm
func.func @rms_norm(%x: tensor<2x4x?x16xbf16>, %g: tensor<4x16xf32>, %s: tensor<f32>) -> tensor<2x4x?x16xbf16> {
  // CHECK: norm.rms_norm %{{.*}} scale(%{{.*}} : tensor<4x16xf32>) epsilon = 1.0e-06 scale_dims = [1, 3] unit_offset cast_before_scale : tensor<2x4x?x16xbf16>
  %0 = norm.rms_norm %x scale(%g : tensor<4x16xf32>) epsilon = 1.0e-6 scale_dims = [1, 3] unit_offset cast_before_scale : tensor<2x4x?x16xbf16>
  // CHECK: norm.rms_norm %{{.*}} scale(%{{.*}} : tensor<f32>) epsilon = 1.0e-06 axes = [1, 3] : tensor<2x4x?x16xbf16>
  %1 = norm.rms_norm %0 scale(%s : tensor<f32>) epsilon = 1.0e-6 axes = [1, 3] : tensor<2x4x?x16xbf16>
  return %1 : tensor<2x4x?x16xbf16>
}

// CHECK-LABEL: func.func @l2_norm
func.func @l2_norm(%x: tensor<?x16xf16>, %g: tensor<f32>) -> tensor<?x16xf16> {
  // CHECK: norm.l2_norm %{{.*}} scale(%{{.*}} : tensor<f32>) epsilon = 1.0e-12 epsilon_mode = clamp : tensor<?x16xf16>
  %0 = norm.l2_norm %x scale(%g : tensor<f32>) epsilon = 1.0e-12 epsilon_mode = clamp : tensor<?x16xf16>
  return %0 : tensor<?x16xf16>
}

// CHECK-LABEL: func.func @residual_add
func.func @residual_add(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // CHECK: norm.residual_add %{{.*}}, %{{.*}} : tensor<?x64xf32>
  %0 = norm.residual_add %x, %y : tensor<?x64xf32>
  // CHECK: norm.residual_add %{{.*}}, %{{.*}} residual_scale = 2.5 branch_scale = 0.22 : tensor<?x64xf32>
  %1 = norm.residual_add %0, %y residual_scale = 2.5 branch_scale = 0.22 : tensor<?x64xf32>
  // CHECK: norm.probe %{{.*}} {name = "layers.0.ffn"} : tensor<?x64xf32>
  norm.probe %1 {name = "layers.0.ffn"} : tensor<?x64xf32>
  return %1 : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x4x12x16xf32>, %k: tensor<2x2x12x16xf32>, %v: tensor<2x2x12x8xf32>,
                     %m: tensor<2x1x12x12xf32>, %b: tensor<12xi1>, %g: tensor<4xf32>) {
  // CHECK: norm.attention %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x8xf32>
  %0 = norm.attention %q, %k, %v : tensor<2x4x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x8xf32>
  // CHECK: norm.attention %{{.*}}, %{{.*}}, %{{.*}} mask(%{{.*}} : tensor<2x1x12x12xf32>) scale = 0.125 causal softcap = 50.0 window = 4 zero_masked_rows compute_type = f64
  %1 = norm.attention %q, %k, %v mask(%m : tensor<2x1x12x12xf32>) scale = 0.125 causal softcap = 50.0 window = 4 zero_masked_rows compute_type = f64 : tensor<2x4x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x8xf32>
  // CHECK: norm.attention %{{.*}}, %{{.*}}, %{{.*}} mask(%{{.*}} : tensor<12xi1>) learned_scale(%{{.*}} : tensor<4xf32>)
  %2 = norm.attention %q, %k, %v mask(%b : tensor<12xi1>) learned_scale(%g : tensor<4xf32>) : tensor<2x4x12x16xf32>, tensor<2x2x12x16xf32>, tensor<2x2x12x8xf32>
  // CHECK: return
  return
}

// CHECK-LABEL: func.func @dynamic_attention
func.func @dynamic_attention(%q: tensor<?x4x?x16xbf16>, %k: tensor<?x?x?x16xbf16>, %v: tensor<?x?x?x?xbf16>) -> tensor<?x4x?x?xbf16> {
  // CHECK: norm.attention {{.*}} : tensor<?x4x?x16xbf16>, tensor<?x?x?x16xbf16>, tensor<?x?x?x?xbf16>
  %0 = norm.attention %q, %k, %v : tensor<?x4x?x16xbf16>, tensor<?x?x?x16xbf16>, tensor<?x?x?x?xbf16>
  return %0 : tensor<?x4x?x?xbf16>
}
