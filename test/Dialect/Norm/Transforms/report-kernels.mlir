// RUN: renorm-opt %s --norm-report-kernels=output=%t.json -o /dev/null
// RUN: FileCheck %s < %t.json

// What is computed of the extents of inputs can be computed by whoever launches the kernel.
// CHECK:      "function": "dynamic",
// CHECK:      "buffers": [
// CHECK-NEXT: {
// CHECK-NEXT: "type": "memref<?x64xf32>",
// CHECK-NEXT: "extents": [
// CHECK-NEXT: {
// CHECK-NEXT: "dimension": 0,
// CHECK-NEXT: "input": 1
// CHECK-NEXT: }
// CHECK-NEXT: ],
// CHECK-NEXT: "result": 0
// CHECK:      "launches": [
// CHECK-NOT:  "inside"
// CHECK:      "grid": [
// CHECK-NEXT: {
// CHECK-NEXT: "operands": [
// CHECK-NEXT: {
// CHECK-NEXT: "dimension": 0,
// CHECK-NEXT: "input": 1
// CHECK-NEXT: },
// CHECK-NEXT: 4
// CHECK-NEXT: ],
// CHECK-NEXT: "operation": "ceildivui"
// CHECK-NEXT: },
// CHECK-NEXT: 1,
// CHECK-NEXT: 1
// CHECK-NEXT: ],
// CHECK:      "arguments": [
// CHECK:      "type": "index",
// CHECK-NEXT: "value": {
// CHECK-NEXT: "dimension": 0,
// CHECK-NEXT: "input": 1
// CHECK:      "type": "index",
// CHECK-NEXT: "value": 3

// What isn't launched exactly once is said to be so; what is computed in another way is unknown.
// CHECK:      "function": "others",
// CHECK:      "extents": [
// CHECK-NEXT: null
// CHECK:      "inside": "scf.for",
// CHECK-NEXT: "grid": [
// CHECK-NEXT: null,
// CHECK-NEXT: 1,
// CHECK-NEXT: 1
// CHECK-NEXT: ],
// CHECK:      "type": "index",
// CHECK-NEXT: "computed_by": "arith.muli"
// CHECK:      "kernel": "k",
// CHECK:      "inside": "scf.if",
module attributes {gpu.container_module} {
  func.func @dynamic(%s: tensor<8xf32>, %x: tensor<?x64xf32>) -> tensor<?x64xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %rows = tensor.dim %x, %c0 : tensor<?x64xf32>
    %y = memref.alloc(%rows) : memref<?x64xf32>
    %p = memref.reinterpret_cast %y to offset: [0], sizes: [], strides: [] : memref<?x64xf32> to memref<f32>
    %blocks = arith.ceildivui %rows, %c4 : index
    %any = arith.cmpi ne, %blocks, %c0 : index
    scf.if %any {
      gpu.launch_func @m::@k blocks in (%blocks, %c1, %c1) threads in (%c4, %c1, %c1) args(%p : memref<f32>, %rows : index, %c3 : index)
    }
    %t = bufferization.to_tensor %y restrict : memref<?x64xf32> to tensor<?x64xf32>
    return %t : tensor<?x64xf32>
  }

  func.func @others(%n: index, %condition: i1, %x: memref<?xf32>, %a: tensor<4xi64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = tensor.extract %a[%c0] : tensor<4xi64>
    %i = arith.index_cast %v : i64 to index
    %y = memref.alloc(%i) : memref<?xf32>
    %p = memref.reinterpret_cast %y to offset: [0], sizes: [], strides: [] : memref<?xf32> to memref<f32>
    %twice = arith.muli %n, %n : index
    scf.for %j = %c0 to %n step %c1 {
      gpu.launch_func @m::@k blocks in (%i, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>, %twice : index, %c1 : index)
    }
    // Not a test of the grid.
    scf.if %condition {
      gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>, %c1 : index, %c1 : index)
    }
    memref.dealloc %y : memref<?xf32>
    return
  }

  gpu.module @m {
    gpu.func @k(%p: memref<f32>, %rows: index, %n: index) kernel {
      gpu.return
    }
  }
}
