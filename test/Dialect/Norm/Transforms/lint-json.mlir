// RUN: renorm-opt %s -norm-lint="format=json output=%t.json" -o /dev/null
// RUN: FileCheck %s --input-file=%t.json --match-full-lines
// RUN: %python %S/Inputs/check_schema.py %renorm_src/docs/lint-schema.json %t.json

// The report has the same, in the function and the stream.
// RUN: renorm-opt %s -norm-report="format=json output=%t.report.json" -o /dev/null
// RUN: FileCheck %s --input-file=%t.report.json --check-prefix=REPORT
// RUN: %python %S/Inputs/check_schema.py %renorm_src/docs/report-schema.json %t.report.json

// Severities apply; findings that are errors are for the reader to judge.
// RUN: renorm-opt %s -norm-lint="format=json severity=error,missing-final-norm=ignore" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SEVERITY
// SEVERITY:     "findings": [
// SEVERITY-NOT: missing-final-norm
// SEVERITY:     "code": "unbounded-logits",
// SEVERITY-NEXT: "severity": "error",

// RUN: not renorm-opt %s -norm-lint="format=json output=%t.missing/x" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: cannot write the findings: {{.*}}

// RUN: sed -e 's/"warning"/"fatal"/; s/"message"/"text"/' %t.json > %t.bad.json
// RUN: not %python %S/Inputs/check_schema.py %renorm_src/docs/lint-schema.json %t.bad.json | FileCheck %s --check-prefix=BAD
// BAD-DAG: but got 'fatal'
// BAD-DAG: no 'message'

//      CHECK:{
// CHECK-NEXT:  "findings": [
// CHECK-NEXT:    {
// CHECK-NEXT:      "code": "missing-final-norm",
// CHECK-NEXT:      "severity": "warning",
// CHECK-NEXT:      "message": "the trunk ends after layers.0.ffn (placement pre) without a final norm: the head reads a sum that grows with depth",
// CHECK-NEXT:      "function": "pre",
// CHECK-NEXT:      "stream": 0,
// CHECK-NEXT:      "sublayer": null,
// CHECK-NEXT:      "loc": "{{.*}}lint-json.mlir:{{[0-9]+}}:8"
// CHECK-NEXT:    },
// CHECK-NEXT:    {
// CHECK-NEXT:      "code": "missing-epsilon",
// CHECK-NEXT:      "severity": "warning",
// CHECK-NEXT:      "message": "epsilon of the input norm of layers.0.ffn is 0: a row of zeros gives NaN",
// CHECK-NEXT:      "function": "pre",
// CHECK-NEXT:      "stream": 0,
// CHECK-NEXT:      "sublayer": "layers.0.ffn",
// CHECK-NEXT:      "loc": "{{.*}}lint-json.mlir:{{[0-9]+}}:8"
// CHECK-NEXT:    },
// CHECK-NEXT:    {
// CHECK-NEXT:      "code": "unbounded-logits",
// CHECK-NEXT:      "severity": "remark",
// CHECK-NEXT:      "message": "nothing bounds the logits of attention 0: no QK-Norm and no soft cap",
// CHECK-NEXT:      "function": "\"not\\a name\"",
// CHECK-NEXT:      "stream": null,
// CHECK-NEXT:      "sublayer": null,
// CHECK-NEXT:      "loc": null
// CHECK-NEXT:    }
// CHECK-NEXT:  ]
// CHECK-NEXT:}

// REPORT:      "name": "pre",
// REPORT:      "lint": [
// REPORT:        "code": "missing-final-norm",
// REPORT:        "code": "missing-epsilon",
// REPORT-NOT:    "code":
// REPORT:      "name": "\"not\\a name\"",
// REPORT:      "lint": [
// REPORT-NEXT:   {
// REPORT-NEXT:     "code": "unbounded-logits",
// REPORT-NOT:    "code":
// REPORT:      "name": "clean",
// REPORT:      "lint": []
func.func @pre(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = norm.rms_norm %x epsilon = 0.0 : tensor<4x8xf32>
  %f = linalg.matmul ins(%n, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = norm.residual_add %x, %f : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @"\22not\5Ca name\22"(%x: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %a = norm.attention %x, %x, %x : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32> loc(unknown)
  return %a : tensor<4x8x16xf32>
}
func.func @clean(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  return %x : tensor<4x8xf32>
}
