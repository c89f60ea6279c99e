//===- TensorMap.h - Descriptors of tensors for TMA -------------*- C++ -*-===//

#ifndef RENORM_NVVMEMULATOR_TENSORMAP_H
#define RENORM_NVVMEMULATOR_TENSORMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>

namespace mlir {
namespace norm {
namespace emulator {

/// Has the place of CUDA's `CUtensorMap`: a kernel takes it as an argument in
/// memory.
struct alignas(64) TensorMap {
  std::array<uint8_t, 128> bytes;
};

/// What `cuTensorMapEncodeTiled` takes. The first dimension is contiguous;
/// `strides` are bytes, of the other dimensions. `swizzleBytes` is 0, 32, 64 or
/// 128. Fails on what CUDA refuses.
llvm::Expected<TensorMap> encodeTensorMap(const void *base,
                                          unsigned elementBytes,
                                          llvm::ArrayRef<uint64_t> extents,
                                          llvm::ArrayRef<uint64_t> strides,
                                          llvm::ArrayRef<uint32_t> box,
                                          unsigned swizzleBytes);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_NVVMEMULATOR_TENSORMAP_H
