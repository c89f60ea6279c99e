//===- TensorMap.cpp - Descriptors of tensors for TMA ---------------------===//

#include "TensorMapFields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir::norm::emulator;

static constexpr uint64_t magicNumber = 0x70616d726f736e65;

llvm::Expected<TensorMap> mlir::norm::emulator::encodeTensorMap(
    const void *base, unsigned elementBytes, llvm::ArrayRef<uint64_t> extents,
    llvm::ArrayRef<uint64_t> strides, llvm::ArrayRef<uint32_t> box,
    unsigned swizzleBytes) {
  auto fail = [](const llvm::Twine &what) {
    return llvm::createStringError("a tensor map has " + what);
  };
  size_t rank = extents.size();
  if (rank == 0 || rank > 5 || box.size() != rank || strides.size() + 1 != rank)
    return fail("1 to 5 dimensions, a stride for each but the first, and an "
                "extent of the box for each");
  if (elementBytes == 0 || elementBytes > 8 ||
      !llvm::isPowerOf2_32(elementBytes))
    return fail("elements of 1, 2, 4 or 8 bytes");
  if (reinterpret_cast<uint64_t>(base) % 16)
    return fail("a tensor that is aligned to 16 bytes");
  if (llvm::any_of(strides, [](uint64_t stride) {
        return stride % 16 || stride >= uint64_t(1) << 40;
      }))
    return fail("strides that are multiples of 16 bytes");
  if (llvm::any_of(extents, [](uint64_t extent) {
        return extent == 0 || extent > UINT32_MAX;
      }))
    return fail("extents from 1 to 4294967295");
  if (llvm::any_of(box,
                   [](uint32_t extent) { return extent == 0 || extent > 256; }))
    return fail("a box of 1 to 256 elements in each dimension");
  unsigned rowBytes = box[0] * elementBytes;
  if (rowBytes % 16)
    return fail("a box whose rows are a multiple of 16 bytes");
  if (!llvm::is_contained({0u, 32u, 64u, 128u}, swizzleBytes))
    return fail("a swizzle of 0, 32, 64 or 128 bytes");
  if (swizzleBytes && rowBytes > swizzleBytes)
    return fail("a box whose rows are no longer than the swizzle");

  TensorMapFields fields = {};
  fields.magic = magicNumber;
  fields.base = reinterpret_cast<uint64_t>(base);
  fields.rank = rank;
  fields.elementBytes = elementBytes;
  fields.swizzleBytes = swizzleBytes;
  fields.strides[0] = elementBytes;
  for (size_t i = 0; i < rank; ++i) {
    fields.extents[i] = extents[i];
    fields.box[i] = box[i];
    if (i > 0)
      fields.strides[i] = strides[i - 1];
  }
  TensorMap map = {};
  std::memcpy(map.bytes.data(), &fields, sizeof(fields));
  return map;
}

std::optional<TensorMapFields>
mlir::norm::emulator::readTensorMap(uint64_t address) {
  TensorMapFields fields;
  std::memcpy(&fields, reinterpret_cast<const void *>(address), sizeof(fields));
  if (fields.magic != magicNumber)
    return std::nullopt;
  return fields;
}
