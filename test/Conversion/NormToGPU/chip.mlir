// RUN: not renorm-opt %s --convert-norm-to-gpu=chip=sm_75 2>&1 | FileCheck %s
// RUN: not renorm-opt %s --convert-norm-to-gpu=chip=gfx90a 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: renorm-opt %s --convert-norm-to-gpu=chip=sm_90a
// RUN: not renorm-opt %s --convert-norm-to-gpu=f32-precision=bf16 2>&1 | FileCheck %s --check-prefix=PRECISION

// CHECK: chip.mlir:{{.*}}error: expected a chip of sm_80 or later, but got 'sm_75'
// PRECISION: Cannot find option named 'bf16'!
// OTHER: error: expected a chip of sm_80 or later, but got 'gfx90a'
module {
}
