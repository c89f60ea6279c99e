// Host and device code run together, with the emulator as the GPU.
//
// REQUIRES: plugin
//
// DEFINE: %{device} = nvvm-attach-target{chip=sm_80 features=+ptx80},gpu.module(convert-gpu-to-nvvm,reconcile-unrealized-casts)
// DEFINE: %{host} = convert-scf-to-cf,gpu-to-llvm,gpu-module-to-binary{format=llvm}
// DEFINE: %{run} = mlir-runner --entry-point-result=void --shared-libs=%renorm_obj/lib/librenorm_emulator_runtime.so --shared-libs=%mlir_lib_dir/libmlir_runner_utils.so
// RUN: mlir-opt %s --pass-pipeline='builtin.module(%{device},%{host})' -o %t.mlir
// RUN: %{run} -e main %t.mlir | FileCheck %s
// RUN: env RENORM_EMULATOR_SEED=3 %{run} -e main %t.mlir | FileCheck %s
// RUN: %{run} -e registered %t.mlir | FileCheck %s
// RUN: %{run} -e shared %t.mlir | FileCheck %s --check-prefix=SHARED
// RUN: not %{run} -e unregistered %t.mlir 2>&1 | FileCheck %s --check-prefix=UNREGISTERED
// RUN: not %{run} -e too_small %t.mlir 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not %{run} -e copy_too_much %t.mlir 2>&1 | FileCheck %s --check-prefix=COPY

// Neighbours exchange exp(tanh(x)).
// CHECK: [2.14{{[0-9]*}}, 1, 2.70{{[0-9]*}}, 2.62{{[0-9]*}}]
// Memory that was set, and a block with more than 48 KiB of shared memory.
// SHARED: [2.14{{[0-9]*}}, 2.14{{[0-9]*}}, 2.14{{[0-9]*}}, 2.14{{[0-9]*}}]
// UNREGISTERED: error: out-of-bounds access: reads an address in no allocation, in kernel 'exchange', block (0, 0, 0), thread (0, 0, 0)
// SMALL: error: out-of-bounds access: reads bytes [12, 16) of the allocation of 12 bytes, in kernel 'exchange', block (0, 0, 0), thread (3, 0, 0)
// COPY: error: out-of-bounds access: the host copies or sets bytes [0, 16) of the allocation of 12 bytes

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @exchange(%a: memref<?xf32>) kernel {
      %tid = gpu.thread_id x
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %x = memref.load %a[%tid] : memref<?xf32>
      %t = math.tanh %x : f32
      %e = math.exp %t : f32
      %y, %valid = gpu.shuffle xor %e, %c1, %c4 : f32
      memref.store %y, %a[%tid] : memref<?xf32>
      gpu.return
    }
  }

  func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

  func.func @make() -> memref<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %integer = arith.index_cast %i : index to i32
      %x = arith.sitofp %integer : i32 to f32
      memref.store %x, %a[%i] : memref<4xf32>
    }
    return %a : memref<4xf32>
  }

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = call @make() : () -> memref<4xf32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] (%c4) : memref<?xf32>
    %dynamic = memref.cast %a : memref<4xf32> to memref<?xf32>
    %t2 = gpu.memcpy async [%t1] %d, %dynamic : memref<?xf32>, memref<?xf32>
    %t3 = gpu.launch_func async [%t2] @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%d : memref<?xf32>)
    %t4 = gpu.memcpy async [%t3] %dynamic, %d : memref<?xf32>, memref<?xf32>
    %t5 = gpu.dealloc async [%t4] %d : memref<?xf32>
    gpu.wait [%t5]
    %u = memref.cast %a : memref<4xf32> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }

  func.func @shared() {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %bytes = arith.constant 65536 : i32
    %a = call @make() : () -> memref<4xf32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] (%c4) : memref<?xf32>
    %t2 = gpu.memset async [%t1] %d, %one : memref<?xf32>, f32
    %t3 = gpu.launch_func async [%t2] @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%d : memref<?xf32>)
    %dynamic = memref.cast %a : memref<4xf32> to memref<?xf32>
    %t4 = gpu.memcpy async [%t3] %dynamic, %d : memref<?xf32>, memref<?xf32>
    gpu.wait [%t4]
    %u = memref.cast %a : memref<4xf32> to memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }

  func.func @launch(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %dynamic = memref.cast %a : memref<4xf32> to memref<?xf32>
    gpu.launch_func @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%dynamic : memref<?xf32>)
    return
  }

  func.func @registered() {
    %a = call @make() : () -> memref<4xf32>
    %u = memref.cast %a : memref<4xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    call @launch(%a) : (memref<4xf32>) -> ()
    gpu.host_unregister %u : memref<*xf32>
    call @printMemrefF32(%u) : (memref<*xf32>) -> ()
    return
  }

  func.func @unregistered() {
    %a = call @make() : () -> memref<4xf32>
    call @launch(%a) : (memref<4xf32>) -> ()
    return
  }

  func.func @too_small() {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] (%c3) : memref<?xf32>
    %t2 = gpu.launch_func async [%t1] @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%d : memref<?xf32>)
    gpu.wait [%t2]
    return
  }

  func.func @copy_too_much() {
    %c3 = arith.constant 3 : index
    %a = call @make() : () -> memref<4xf32>
    %dynamic = memref.cast %a : memref<4xf32> to memref<?xf32>
    %t0 = gpu.wait async
    %d, %t1 = gpu.alloc async [%t0] (%c3) : memref<?xf32>
    %t2 = gpu.memcpy async [%t1] %d, %dynamic : memref<?xf32>, memref<?xf32>
    gpu.wait [%t2]
    return
  }
}
