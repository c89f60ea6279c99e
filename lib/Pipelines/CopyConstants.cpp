//===- CopyConstants.cpp - Constants where kernels can read them ----------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMCOPYCONSTANTSPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// Whether a kernel reads `buffer`, or a view of it.
static bool isReadByKernel(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [](Operation *user) {
    return isa<gpu::LaunchFuncOp>(user) ||
           (isa<ViewLikeOpInterface>(user) &&
            llvm::any_of(user->getResults(), isReadByKernel));
  });
}

namespace {
struct NormCopyConstantsPass
    : public norm::impl::NormCopyConstantsPassBase<NormCopyConstantsPass> {
  void runOnOperation() final {
    getOperation()->walk([](memref::GetGlobalOp constant) {
      if (!isReadByKernel(constant))
        return;
      OpBuilder b(constant);
      b.setInsertionPointAfter(constant);
      Location loc = constant.getLoc();
      auto copy =
          memref::AllocOp::create(b, loc, cast<MemRefType>(constant.getType()));
      constant.getResult().replaceAllUsesWith(copy);
      memref::CopyOp::create(b, loc, constant, copy);
    });
  }
};
} // namespace
