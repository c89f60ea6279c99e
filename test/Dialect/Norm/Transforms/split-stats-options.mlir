// RUN: not renorm-opt %s --norm-split-stats=group-size=-1 2>&1 | FileCheck %s

// CHECK: error: expected 'group-size' to be 0 or more, but got -1
func.func @f() {
  return
}
