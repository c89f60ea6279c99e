// A tensor map that the host makes, and a kernel that loads a box by it: 8x16 of 12x16, from row 8 on.
//
// REQUIRES: plugin
//
// RUN: mlir-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_90a features=+ptx80},convert-nvgpu-to-nvvm,convert-nvvm-to-llvm,convert-scf-to-cf,gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts),gpu-to-llvm,reconcile-unrealized-casts,gpu-module-to-binary{format=llvm})' -o %t.mlir
// RUN: mlir-runner -e main --entry-point-result=void --shared-libs=%renorm_obj/lib/librenorm_emulator_runtime.so --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so %t.mlir | FileCheck %s

// CHECK: [128,  129,  130,  131,
// CHECK-SAME: 189,  190,  191,  0,  0,
!box = memref<8x16xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !box, swizzle = none, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global internal @box() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<128 x f32>
    llvm.mlir.global internal @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : i64
    gpu.func @load(%map: !llvm.ptr, %out: memref<128xf32>) kernel {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c8 = arith.constant 8 : i32
      %bytes = arith.constant 512 : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %box = llvm.mlir.addressof @box : !llvm.ptr<3>
      %barrier = llvm.mlir.addressof @barrier : !llvm.ptr<3>
      %first = arith.cmpi eq, %tid, %c0 : i32
      scf.if %first {
        nvvm.mbarrier.init %barrier, %c1 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
        nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
        %to = llvm.addrspacecast %box : !llvm.ptr<3> to !llvm.ptr<7>
        nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %barrier, box[%c0, %c8] : !llvm.ptr<7>, !llvm.ptr
      }
      gpu.barrier
      nvvm.mbarrier.try_wait.parity %barrier, %c0, %bytes : !llvm.ptr<3>, i32, i32
      %at = llvm.getelementptr %box[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %x = llvm.load %at : !llvm.ptr<3> -> f32
      %i = gpu.thread_id x
      memref.store %x, %out[%i] : memref<128xf32>
      gpu.return
    }
  }
  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c12 = arith.constant 12 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %a = memref.alloc() : memref<12x16xf32>
    scf.for %i = %c0 to %c12 step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %begin = arith.muli %i, %c16 : index
        %place = arith.addi %begin, %j : index
        %integer = arith.index_cast %place : index to i32
        %x = arith.sitofp %integer : i32 to f32
        memref.store %x, %a[%i, %j] : memref<12x16xf32>
      }
    }
    %out = memref.alloc() : memref<128xf32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] () : memref<12x16xf32>
    %o, %t2 = gpu.alloc async [%t1] () : memref<128xf32>
    %t3 = gpu.memcpy async [%t2] %d, %a : memref<12x16xf32>, memref<12x16xf32>
    gpu.wait [%t3]
    %u = memref.cast %d : memref<12x16xf32> to memref<*xf32>
    %map = nvgpu.tma.create.descriptor %u box[%c8, %c16] : memref<*xf32> -> !map
    %p = builtin.unrealized_conversion_cast %map : !map to !llvm.ptr
    gpu.launch_func @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%p : !llvm.ptr, %o : memref<128xf32>)
    %t4 = gpu.wait async
    %t5 = gpu.memcpy async [%t4] %out, %o : memref<128xf32>, memref<128xf32>
    gpu.wait [%t5]
    %r = memref.cast %out : memref<128xf32> to memref<*xf32>
    call @printMemrefF32(%r) : (memref<*xf32>) -> ()
    return
  }
}
