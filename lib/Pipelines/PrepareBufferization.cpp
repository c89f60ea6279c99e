//===- PrepareBufferization.cpp - What bufferization has to know ----------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMPREPAREBUFFERIZATIONPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

static void markEntryPoint(func::FuncOp function) {
  StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
  Builder b(function.getContext());
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    b.getUnitAttr());
  for (BlockArgument argument : function.getArguments())
    if (isa<TensorType>(argument.getType()) &&
        !function.getArgAttr(argument.getArgNumber(), writable))
      function.setArgAttr(argument.getArgNumber(), writable,
                          b.getBoolAttr(false));
}

namespace {
struct NormPrepareBufferizationPass
    : public norm::impl::NormPrepareBufferizationPassBase<
          NormPrepareBufferizationPass> {
  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        markEntryPoint(function);

    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](ml_program::GlobalLoadConstOp load) {
      rewriter.setInsertionPoint(load);
      rewriter.replaceOpWithNewOp<ml_program::GlobalLoadOp>(
          load, load.getType(), load.getGlobalAttr());
    });
  }
};
} // namespace
