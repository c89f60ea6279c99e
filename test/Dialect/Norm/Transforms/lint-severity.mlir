// What a finding is taken for can be changed, for all rules or for one; later items win.

// RUN: renorm-opt %s -norm-lint -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: not renorm-opt %s -norm-lint="severity=error" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,ERROR
// RUN: renorm-opt %s -norm-lint="severity=warning,missing-epsilon=remark" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,MIXED
// RUN: renorm-opt %s -norm-lint="severity=missing-epsilon=error,ignore" -o /dev/null 2>&1 | FileCheck %s --check-prefix=IGNORE --allow-empty
// RUN: not renorm-opt %s -norm-lint="severity=ignore,missing-epsilon=error" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE

// RUN: not renorm-opt %s -norm-lint="severity=fatal" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not renorm-opt %s -norm-lint="severity=missing-epsilon=" -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not renorm-opt %s -norm-lint="severity=missing-norm=error" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CODE

// CHECK-NOT: [
// DEFAULT: lint-severity.mlir:[[@LINE+14]]:8: warning: epsilon of the value norm of attention 0 is 0: a row of zeros gives NaN [missing-epsilon]
// ERROR:   lint-severity.mlir:[[@LINE+13]]:8: error: epsilon of the value norm of attention 0 is 0: a row of zeros gives NaN [missing-epsilon]
// MIXED:   lint-severity.mlir:[[@LINE+12]]:8: remark: epsilon of the value norm of attention 0 is 0: a row of zeros gives NaN [missing-epsilon]
// ONE:     lint-severity.mlir:[[@LINE+11]]:8: error: epsilon of the value norm of attention 0 is 0: a row of zeros gives NaN [missing-epsilon]
// DEFAULT: lint-severity.mlir:[[@LINE+11]]:8: remark: nothing bounds the logits of attention 0: no QK-Norm and no soft cap [unbounded-logits]
// ERROR:   lint-severity.mlir:[[@LINE+10]]:8: error: nothing bounds the logits of attention 0: no QK-Norm and no soft cap [unbounded-logits]
// MIXED:   lint-severity.mlir:[[@LINE+9]]:8: warning: nothing bounds the logits of attention 0: no QK-Norm and no soft cap [unbounded-logits]
// ONE-NOT: unbounded-logits
// IGNORE-NOT: {{.}}

// LEVEL: error: expected 'severity' to be ignore, remark, warning or error, or one of them after the code of a rule and '=', but got 'fatal'
// EMPTY: or one of them after the code of a rule and '=', but got 'missing-epsilon='
// CODE: error: expected the code of a rule (missing-final-norm, {{.*}}, unbounded-logits), but got 'missing-norm'
func.func @f(%x: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %n = norm.rms_norm %x epsilon = 0.0 : tensor<4x8x16xf32>
  %a = norm.attention %x, %x, %n : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
  return %a : tensor<4x8x16xf32>
}
