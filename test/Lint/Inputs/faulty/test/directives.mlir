// RUN: mlir-opt %s | FileCheck %s
// RUN: mlir-opt %s --canonicalize \
// RUN:   | FileCheck %s --check-prefixes=CANON,CANON-FOLD

// CHECK-LABEL @missing_colon
// CHECK-NEXT : return
// CHECK return
// CHECK-LABLE: func @misspelt
// CHECK_NEXT: return
// CANON-FOLD return
// CANNON-NEXT: return
func.func @missing_colon() {
  return // CHECK return
}
