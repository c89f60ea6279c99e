//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//

#ifndef RENORM_CONVERSION_PASSES
#define RENORM_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// NormToLinalg
//===----------------------------------------------------------------------===//

def ConvertNormToLinalgPass : Pass<"convert-norm-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Lower the norm dialect to linalg on tensors";
  let description = [{
    Replaces operations of the `norm` dialect by what their descriptions say,
    written as linalg, tensor, arith and math operations on tensors.

    **Numerics**: `bitwise` in everything that the descriptions fix (types,
    rounding points); the order of reductions is chosen here.

    ```mlir
    func.func @example(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
      %0 = norm.residual_add %x, %y : tensor<2x8xf32>
      return %0 : tensor<2x8xf32>
    }
    ```
    ```mlir
    // after convert-norm-to-linalg
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @example(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
      %e = tensor.empty() : tensor<2x8xf32>
      %0 = linalg.generic {indexing_maps = [#id, #id, #id],
                           iterator_types = ["parallel", "parallel"]}
             ins(%x, %y : tensor<2x8xf32>, tensor<2x8xf32>)
             outs(%e : tensor<2x8xf32>) {
           ^bb0(%a: f32, %b: f32, %out: f32):
             %s = arith.addf %a, %b : f32
             linalg.yield %s : f32
           } -> tensor<2x8xf32>
      return %0 : tensor<2x8xf32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // RENORM_CONVERSION_PASSES
