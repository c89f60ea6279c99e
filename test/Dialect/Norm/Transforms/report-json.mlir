// RUN: renorm-opt %s -norm-report="format=json output=%t.json" | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --input-file=%t.json --match-full-lines
// RUN: %python %S/Inputs/check_schema.py %renorm_src/docs/report-schema.json %t.json

// RUN: renorm-opt %S/report.mlir -norm-report="format=json output=%t.json" -o /dev/null
// RUN: %python %S/Inputs/check_schema.py %renorm_src/docs/report-schema.json %t.json

// What breaks the schema is found.
// RUN: sed -e 's/"layer"/"batch"/; s/"heads": 4/"heads": true/; s/"lint"/"lints"/' %t.json > %t.bad.json
// RUN: not %python %S/Inputs/check_schema.py %renorm_src/docs/report-schema.json %t.bad.json | FileCheck %s --check-prefix=BAD
// BAD-DAG: expected one of ['layer', 'rms', 'l2'], but got 'batch'
// BAD-DAG: expected integer or null, but got True
// BAD-DAG: 'lints' is not in the schema
// BAD-DAG: no 'lint'

// IR: func.func @one_of_each

//      CHECK:{
// CHECK-NEXT:  "functions": [
// CHECK-NEXT:    {
// CHECK-NEXT:      "name": "one_of_each",
// CHECK-NEXT:      "stream": 0,
// CHECK-NEXT:      "trunk": {
// CHECK-NEXT:        "type": "tensor<4x?x16xf32>",
// CHECK-NEXT:        "source": "argument 0",
// CHECK-NEXT:        "loop": null,
// CHECK-NEXT:        "growth": "multiplicative",
// CHECK-NEXT:        "prediction": {
// CHECK-NEXT:          "regime": "trained",
// CHECK-NEXT:          "gain": 0.5,
// CHECK-NEXT:          "variance": 1.0242,
// CHECK-NEXT:          "jacobian": 1.012027667{{[0-9]*}},
// CHECK-NEXT:          "maximum": {{[0-9.]+}},
// CHECK-NEXT:          "type": "f32",
// CHECK-NEXT:          "overflow_layer": null
// CHECK-NEXT:        }
// CHECK-NEXT:      },
// CHECK-NEXT:      "embedding_norm": null,
// CHECK-NEXT:      "final_norm": {
// CHECK-NEXT:        "kind": "rms",
// CHECK-NEXT:        "epsilon": 1e-06,
// CHECK-NEXT:        "epsilon_mode": "outside",
// CHECK-NEXT:        "axes": [2],
// CHECK-NEXT:        "scale": true,
// CHECK-NEXT:        "bias": false,
// CHECK-NEXT:        "unit_offset": true,
// CHECK-NEXT:        "compute_type": "f64",
// CHECK-NEXT:        "loc": "{{.*}}report-json.mlir:{{[0-9]+}}:8"
// CHECK-NEXT:      },
// CHECK-NEXT:      "sublayers": [
// CHECK-NEXT:        {
// CHECK-NEXT:          "index": 0,
// CHECK-NEXT:          "name": "layers.0.attention",
// CHECK-NEXT:          "layer": 0,
// CHECK-NEXT:          "kind": "self-attention",
// CHECK-NEXT:          "placement": "pre",
// CHECK-NEXT:          "input": {
// CHECK-NEXT:            "kind": "layer",
// CHECK-NEXT:            "epsilon": 1e-05,
// CHECK-NEXT:            "epsilon_mode": "inside",
// CHECK-NEXT:            "axes": [2],
// CHECK-NEXT:            "scale": false,
// CHECK-NEXT:            "bias": false,
// CHECK-NEXT:            "unit_offset": false,
// CHECK-NEXT:            "compute_type": "f32",
// CHECK-NEXT:            "loc": "{{.*}}report-json.mlir:{{[0-9]+}}:8"
// CHECK-NEXT:          },
// CHECK-NEXT:          "output": null,
// CHECK-NEXT:          "post": null,
// CHECK-NEXT:          "parallel_group": null,
// CHECK-NEXT:          "residual_scale": 1,
// CHECK-NEXT:          "branch_scale": 0.22,
// CHECK-NEXT:          "irregularity": null,
// CHECK-NEXT:          "loc": "{{.*}}report-json.mlir:{{[0-9]+}}:8"
// CHECK-NEXT:        }
// CHECK-NEXT:      ],
// CHECK-NEXT:      "attentions": [
// CHECK-NEXT:        {
// CHECK-NEXT:          "index": 0,
// CHECK-NEXT:          "sublayer": 0,
// CHECK-NEXT:          "heads": 4,
// CHECK-NEXT:          "kv_heads": 4,
// CHECK-NEXT:          "head_dim": 16,
// CHECK-NEXT:          "scale": 0.25,
// CHECK-NEXT:          "causal": true,
// CHECK-NEXT:          "window": 8,
// CHECK-NEXT:          "mask": true,
// CHECK-NEXT:          "softcap": 50,
// CHECK-NEXT:          "qk_norm": {
// CHECK-NEXT:            "kind": "l2",
// CHECK-NEXT:            "scope": "head",
// CHECK-NEXT:            "position": "no-rope",
//      CHECK:          "logit_bound": 50,
// CHECK-NEXT:          "loc": "{{.*}}report-json.mlir:{{[0-9]+}}:8"
// CHECK-NEXT:        }
// CHECK-NEXT:      ],
// CHECK-NEXT:      "other_norms": [],
// CHECK-NEXT:      "lint": [
// CHECK-NEXT:        {
// CHECK-NEXT:          "code": "unscaled-l2-qk-norm",
// CHECK-NEXT:          "severity": "warning",
// CHECK-NEXT:          "message": "queries and keys of layers.0.attention have length 1 and no scale: logits stay in [-0.25, 0.25], and the softmax is nearly uniform",
// CHECK-NEXT:          "function": "one_of_each",
// CHECK-NEXT:          "stream": 0,
// CHECK-NEXT:          "sublayer": "layers.0.attention",
// CHECK-NEXT:          "loc": "{{.*}}report-json.mlir:{{[0-9]+}}:8"
// CHECK-NEXT:        }
// CHECK-NEXT:      ]
// CHECK-NEXT:    },
func.func @one_of_each(%x: tensor<4x?x16xf32>, %w: tensor<4x16x16xf32>, %g: tensor<16xf32>,
    %e: tensor<4x?x16xf32>, %mask: tensor<1x?x?xi1>) -> tensor<4x?x16xf32> {
  %n = norm.layer_norm %x epsilon = 1.0e-05 : tensor<4x?x16xf32>
  %q = linalg.batch_matmul ins(%n, %w : tensor<4x?x16xf32>, tensor<4x16x16xf32>)
         outs(%e : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %k = linalg.batch_matmul ins(%n, %w : tensor<4x?x16xf32>, tensor<4x16x16xf32>)
         outs(%e : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %v = linalg.batch_matmul ins(%n, %w : tensor<4x?x16xf32>, tensor<4x16x16xf32>)
         outs(%e : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %qn = norm.l2_norm %q epsilon = 1.0e-12 : tensor<4x?x16xf32>
  %kn = norm.l2_norm %k epsilon = 1.0e-12 : tensor<4x?x16xf32>
  %a = norm.attention %qn, %kn, %v mask(%mask : tensor<1x?x?xi1>) causal softcap = 50.0 window = 8 : tensor<4x?x16xf32>, tensor<4x?x16xf32>, tensor<4x?x16xf32>
  %y = norm.residual_add %x, %a branch_scale = 0.22 : tensor<4x?x16xf32>
  %f = norm.rms_norm %y scale(%g : tensor<16xf32>) epsilon = 1.0e-06 epsilon_mode = outside compute_type = f64 unit_offset : tensor<4x?x16xf32>
  return %f : tensor<4x?x16xf32>
}

// Nothing has its defaults, and what JSON cannot hold is null or escaped.
// CHECK:      "name": "\"not\\a name\" {{.*}}",
// CHECK-NEXT:      "stream": null,
// CHECK-NEXT:      "trunk": null,
// CHECK-NEXT:      "embedding_norm": null,
// CHECK-NEXT:      "final_norm": null,
// CHECK-NEXT:      "sublayers": [],
// CHECK-NEXT:      "attentions": [
// CHECK-NEXT:        {
// CHECK-NEXT:          "index": 0,
// CHECK-NEXT:          "sublayer": null,
// CHECK-NEXT:          "heads": null,
// CHECK-NEXT:          "kv_heads": null,
// CHECK-NEXT:          "head_dim": null,
// CHECK-NEXT:          "scale": null,
// CHECK-NEXT:          "causal": false,
// CHECK-NEXT:          "window": null,
// CHECK-NEXT:          "mask": false,
// CHECK-NEXT:          "softcap": null,
// CHECK-NEXT:          "qk_norm": null,
// CHECK-NEXT:          "logit_bound": null,
// CHECK-NEXT:          "loc": null
// CHECK-NEXT:        }
// CHECK-NEXT:      ],
// CHECK-NEXT:      "other_norms": [
// CHECK-NEXT:        {
// CHECK-NEXT:          "kind": "layer",
// CHECK-NEXT:          "epsilon": 5e-324,
func.func @"\22not\5Ca name\22 \FF"(%x: tensor<?x?x?xf16>) -> tensor<?x?x?xf16> {
  %n = norm.layer_norm %x epsilon = 4.9406564584124654e-324 axes = [0, 1] compute_type = f16 : tensor<?x?x?xf16>
  %a = norm.attention %n, %x, %x : tensor<?x?x?xf16>, tensor<?x?x?xf16>, tensor<?x?x?xf16> loc(unknown)
  return %a : tensor<?x?x?xf16>
}
