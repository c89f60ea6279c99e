// RUN: mlir-opt %s
// CHECK: nothing reads this
// XFAIL: *
