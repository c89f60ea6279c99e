//===- Tensor.h - Tensors in the memory of a target -------------*- C++ -*-===//
//
// What compiled functions take and return. The host can read the memory of all
// targets; a function reads memory of its own target, or of the host if that is
// its target.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_EXECUTIONENGINE_TENSOR_H
#define RENORM_EXECUTIONENGINE_TENSOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir {
namespace norm {

/// What runs a function.
enum class ExecutionTarget {
  /// This processor.
  CPU,
  /// This processor, and the emulator of a GPU for kernels.
  Emulator,
  /// This processor, and an NVIDIA GPU for kernels (renorm/CUDARuntime says
  /// which).
  CUDA
};

/// A tensor that somebody else owns, contiguous and row-major.
struct TensorView {
  const void *data;
  ArrayRef<int64_t> shape;
  /// The target in whose memory it lies.
  ExecutionTarget memory = ExecutionTarget::CPU;
};

/// A tensor that frees its memory, contiguous and row-major.
struct OwnedTensor {
  struct Free {
    ExecutionTarget memory = ExecutionTarget::CPU;
    void operator()(void *block) const;
  };
  using Block = std::unique_ptr<void, Free>;

  /// The block of memory, in which the elements may start later, at `data`.
  Block block;
  void *data = nullptr;
  SmallVector<int64_t> shape;

  TensorView getView() const {
    return {data, shape, block.get_deleter().memory};
  }
};

/// That a target isn't there, or that something went wrong on it: memory ran
/// out, a kernel did something that it must not.
class DeviceError : public llvm::ErrorInfo<DeviceError> {
public:
  static char ID;

  explicit DeviceError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &stream) const override { stream << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string message;
};

/// Returns a copy of a tensor whose elements take `bytes` in the memory of
/// `target`. Fails with a `DeviceError`.
llvm::Expected<OwnedTensor> copyTensor(TensorView tensor, size_t bytes,
                                       ExecutionTarget target);

/// Fails with a `DeviceError` that says why if no program for `target` can run
/// here.
llvm::Error checkTarget(ExecutionTarget target);

} // namespace norm
} // namespace mlir

#endif // RENORM_EXECUTIONENGINE_TENSOR_H
