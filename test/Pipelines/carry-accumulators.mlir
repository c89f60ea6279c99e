// RUN: renorm-opt %s -norm-carry-accumulators -split-input-file | FileCheck %s
// RUN: renorm-opt %s -norm-carry-accumulators -norm-carry-accumulators -split-input-file | FileCheck %s

// Two sums of a loop beside what it handed on already; the loop around them writes other elements each time. A loop that
// has no iteration touches nothing.
// CHECK-LABEL: func @two_sums
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %{{.*}}: index, %[[N:.*]]: index
// CHECK: %[[A:.*]] = memref.alloc{{.*}} : memref<?xf32>
// CHECK: %[[B:.*]] = memref.alloc{{.*}} : memref<?xf32>
// CHECK: scf.for %[[I:.*]] =
// CHECK:   %[[RUNS:.*]] = arith.cmpi slt, %c0, %[[N]] : index
// CHECK:   %[[A0:.*]] = scf.if %[[RUNS]]
// CHECK-NEXT: memref.load %[[A]][%[[I]]]
// CHECK:   %[[B0:.*]] = scf.if %[[RUNS]]
// CHECK-NEXT: memref.load %[[B]][%[[I]]]
// CHECK:   %[[SUMS:.*]]:3 = scf.for {{.*}} iter_args(%[[LAST:.*]] = %{{.*}}, %[[A1:.*]] = %[[A0]], %[[B1:.*]] = %[[B0]])
// CHECK-NEXT: %[[ELEMENT:.*]] = memref.load %[[X]]
// CHECK-NEXT: %[[A2:.*]] = arith.addf %[[A1]], %[[ELEMENT]]
// CHECK-NEXT: %[[B2:.*]] = arith.mulf %[[B1]], %[[ELEMENT]]
// CHECK-NEXT: scf.yield %[[ELEMENT]], %[[A2]], %[[B2]]
// CHECK:   scf.if %[[RUNS]]
// CHECK-NEXT: memref.store %[[SUMS]]#1, %[[A]][%[[I]]]
// CHECK-NEXT: memref.store %[[SUMS]]#2, %[[B]][%[[I]]]
func.func @two_sums(%x: memref<?x?xf32>, %m: index, %n: index, %zero: f32) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%m) : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  scf.for %i = %c0 to %m step %c1 {
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%l = %zero) -> (f32) {
      %0 = memref.load %x[%i, %j] : memref<?x?xf32>
      %1 = memref.load %a[%i] : memref<?xf32>
      %2 = memref.load %b[%i] : memref<?xf32>
      %3 = arith.addf %1, %0 : f32
      %4 = arith.mulf %2, %0 : f32
      memref.store %3, %a[%i] : memref<?xf32>
      memref.store %4, %b[%i] : memref<?xf32>
      scf.yield %0 : f32
    }
  }
  return %a, %b : memref<?xf32>, memref<?xf32>
}

// -----

// CHECK-LABEL: func @no_iteration
// CHECK: memref.alloc
// CHECK-NEXT: scf.for
// CHECK-NOT: iter_args
func.func @no_iteration() -> memref<0xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = memref.alloc() : memref<0xf32>
  scf.for %i = %c0 to %c0 step %c1 {
    %0 = memref.load %sum[%c0] : memref<0xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %sum[%c0] : memref<0xf32>
  }
  return %sum : memref<0xf32>
}

// -----

// What is read may be the sum itself: both are arguments.
// CHECK-LABEL: func @may_alias
// CHECK: scf.for
// CHECK-NOT: iter_args
// CHECK: memref.store
// CHECK-NEXT: }
func.func @may_alias(%x: memref<8xf32>, %sum: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %x[%i] : memref<8xf32>
    %1 = memref.load %sum[%c0] : memref<1xf32>
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %sum[%c0] : memref<1xf32>
  }
  return
}

// -----

// Another element of the same buffer may be the same one; one that moves is none to keep.
// CHECK-LABEL: func @other_elements
// CHECK-NOT: iter_args
// CHECK: return
func.func @other_elements(%k: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %sum[%k] : memref<8xf32>
    %1 = memref.load %sum[%c0] : memref<8xf32>
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %sum[%c0] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %sum[%i] : memref<8xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %sum[%i] : memref<8xf32>
  }
  return %sum : memref<8xf32>
}

// -----

// A load after the store reads what was stored; a store without a load, or under a condition, is no accumulator; and
// what is called may read it.
// CHECK-LABEL: func @not_accumulated
// CHECK-NOT: iter_args
// CHECK: return
func.func private @see(memref<1xf32>)
func.func @not_accumulated(%x: memref<8xf32>, %condition: i1) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = memref.alloc() : memref<1xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %x[%i] : memref<8xf32>
    memref.store %0, %sum[%c0] : memref<1xf32>
    %1 = memref.load %sum[%c0] : memref<1xf32>
    memref.store %1, %x[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %x[%i] : memref<8xf32>
    %1 = memref.load %sum[%c0] : memref<1xf32>
    %2 = arith.addf %1, %0 : f32
    scf.if %condition {
      memref.store %2, %sum[%c0] : memref<1xf32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %sum[%c0] : memref<1xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %sum[%c0] : memref<1xf32>
    func.call @see(%sum) : (memref<1xf32>) -> ()
  }
  return %sum : memref<1xf32>
}
