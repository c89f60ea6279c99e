//===- TensorMapFields.h - What is in a tensor map --------------*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_TENSORMAPFIELDS_H
#define RENORM_LIB_NVVMEMULATOR_TENSORMAPFIELDS_H

#include "renorm/NVVMEmulator/TensorMap.h"

#include <optional>

namespace mlir {
namespace norm {
namespace emulator {

struct TensorMapFields {
  uint64_t magic;
  uint64_t base;
  /// In bytes, the first too.
  uint64_t strides[5];
  uint32_t extents[5], box[5];
  uint8_t rank, elementBytes, swizzleBytes;
};
static_assert(sizeof(TensorMapFields) <= sizeof(TensorMap));

/// None if there is no tensor map at the address, which can be read.
std::optional<TensorMapFields> readTensorMap(uint64_t address);

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_TENSORMAPFIELDS_H
