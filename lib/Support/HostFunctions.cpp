//===- HostFunctions.cpp - What host code of a GPU calls ------------------===//

#include "renorm/Support/HostFunctions.h"
#include "llvm/ADT/bit.h"

std::pair<char *, uint64_t> mlir::norm::getMemRefRange(int64_t rank,
                                                       const void *descriptor,
                                                       int64_t elementBytes) {
  const auto *words = static_cast<const int64_t *>(descriptor);
  const int64_t *sizes = words + 3, *strides = sizes + rank;
  int64_t last = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (sizes[i] == 0)
      return {nullptr, 0};
    last += (sizes[i] - 1) * strides[i];
  }
  return {llvm::bit_cast<char *>(words[1]) + words[2] * elementBytes,
          static_cast<uint64_t>((last + 1) * elementBytes)};
}
