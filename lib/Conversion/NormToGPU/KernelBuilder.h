//===- KernelBuilder.h - What all layers of a kernel write with -*- C++ -*-===//

#ifndef RENORM_LIB_CONVERSION_NORMTOGPU_KERNELBUILDER_H
#define RENORM_LIB_CONVERSION_NORMTOGPU_KERNELBUILDER_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::norm::kernel {

/// Builds the body of one kernel. Global memory is what lies behind the
/// kernel's arguments that are memrefs of rank 0; shared memory is one array of
/// bytes that grows as layers ask for it. Integers are of type index.
class KernelBuilder : public ImplicitLocOpBuilder {
public:
  /// Begins a kernel `name` with `arguments` in a gpu.module of the same name,
  /// at the end of `module`.
  KernelBuilder(ModuleOp module, StringRef name, Location loc,
                TypeRange arguments, int64_t threads);

  gpu::GPUFuncOp getFunction() const { return function; }
  int64_t getThreads() const { return threads; }
  Value argument(unsigned index) { return function.getArgument(index); }

  Value index(int64_t value);
  Value i32(int64_t value);
  Value add(Value lhs, Value rhs);
  Value add(Value lhs, int64_t rhs) { return add(lhs, index(rhs)); }
  Value mul(Value lhs, int64_t rhs);
  Value div(Value lhs, int64_t rhs);
  Value rem(Value lhs, int64_t rhs);
  Value min(Value lhs, Value rhs);
  Value isLess(Value lhs, Value rhs);
  Value isEqual(Value lhs, int64_t rhs);
  /// Their conjunction, where null is always true.
  Value both(Value lhs, Value rhs);

  /// Runs `body` if `condition`; always, if that is null.
  void ifTrue(Value condition, llvm::function_ref<void()> body);

  Value thread();
  /// The number of the block along a dimension of the grid.
  Value block(gpu::Dimension dimension = gpu::Dimension::x);
  void barrier();

  /// The offset of `bytes` more bytes of shared memory.
  int64_t allocateShared(int64_t bytes);
  int64_t getSharedBytes() const { return sharedBytes; }
  /// The address of the byte `offset` of shared memory.
  Value shared(Value offset);
  Value loadShared(Type type, Value offset, int64_t alignment);
  void storeShared(Value value, Value offset, int64_t alignment);

  /// The address of element `offset` of the memory `buffer`.
  Value global(Value buffer, Value offset);
  /// One element, or a vector of `width`, aligned to its size.
  Value loadGlobal(Value buffer, Value offset, int64_t width);
  void storeGlobal(Value value, Value buffer, Value offset);

  /// A number of type f32.
  Value f32(double value);

  /// Ends the kernel.
  void finish();

private:
  gpu::GPUModuleOp module;
  gpu::GPUFuncOp function;
  int64_t threads, sharedBytes = 0;
  Value sharedBase;
  DenseMap<Value, Value> pointers;
};

/// The size of a type of elements in bytes.
int64_t bytesOf(Type element);

} // namespace mlir::norm::kernel

#endif // RENORM_LIB_CONVERSION_NORMTOGPU_KERNELBUILDER_H
