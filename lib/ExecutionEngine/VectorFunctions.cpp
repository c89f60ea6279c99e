//===- VectorFunctions.cpp - Functions of vectors in the C library --------===//

#include "VectorFunctions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace {
/// Vectors of one width: the feature of processors that have them, and how
/// the vector function ABI of x86 names functions of one such argument.
struct Width {
  StringRef feature, prefix;
  unsigned lanes;
};
/// Scalar functions, and the names of those of vectors, one for each width.
struct VectorForms {
  StringRef scalar, vectors[3];
};
} // namespace

static constexpr Width kWidths[] = {{"sse2", "_ZGV_LLVM_N4v", 4},
                                    {"avx2", "_ZGV_LLVM_N8v", 8},
                                    {"avx512f", "_ZGV_LLVM_N16v", 16}};

static constexpr VectorForms kFunctions[] = {
    {"expf", {"_ZGVbN4v_expf", "_ZGVdN8v_expf", "_ZGVeN16v_expf"}},
    {"llvm.exp.f32", {"_ZGVbN4v_expf", "_ZGVdN8v_expf", "_ZGVeN16v_expf"}},
    {"erff", {"_ZGVbN4v_erff", "_ZGVdN8v_erff", "_ZGVeN16v_erff"}},
    {"tanhf", {"_ZGVbN4v_tanhf", "_ZGVdN8v_tanhf", "_ZGVeN16v_tanhf"}},
    {"llvm.tanh.f32", {"_ZGVbN4v_tanhf", "_ZGVdN8v_tanhf", "_ZGVeN16v_tanhf"}},
};

void mlir::norm::addVectorFunctions(TargetLibraryInfoImpl &library) {
  // Fails where there is no such library; then it has no functions, either.
  sys::DynamicLibrary::LoadLibraryPermanently("libmvec.so.1");
  StringMap<bool> features = sys::getHostCPUFeatures();
  SmallVector<VecDesc> functions;
  for (auto [index, width] : enumerate(kWidths)) {
    if (!features.lookup(width.feature))
      continue;
    for (const VectorForms &function : kFunctions)
      if (sys::DynamicLibrary::SearchForAddressOfSymbol(
              function.vectors[index].str()))
        functions.emplace_back(function.scalar, function.vectors[index],
                               ElementCount::getFixed(width.lanes),
                               /*Masked=*/false, width.prefix, std::nullopt);
  }
  library.addVectorizableFunctions(functions);
}
