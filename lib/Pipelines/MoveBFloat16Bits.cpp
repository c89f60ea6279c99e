//===- MoveBFloat16Bits.cpp - bf16 that is only moved ---------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "renorm/Pipelines/Passes.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMMOVEBFLOAT16BITSPASS
#include "renorm/Pipelines/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
struct NormMoveBFloat16BitsPass
    : public norm::impl::NormMoveBFloat16BitsPassBase<
          NormMoveBFloat16BitsPass> {
  void runOnOperation() final {
    LLVM::LLVMFuncOp function = getOperation();
    Builder b(&getContext());
    auto bitsOf = [&](Type type) -> Type {
      return type.isBF16() ? b.getIntegerType(16) : type;
    };
    LLVM::LLVMFunctionType type = function.getFunctionType();
    SmallVector<Type> parameters =
        llvm::map_to_vector(type.getParams(), bitsOf);
    function.setFunctionType(
        type.clone(parameters, bitsOf(type.getReturnType())));

    function.walk([&](Block *block) {
      for (BlockArgument argument : block->getArguments())
        argument.setType(bitsOf(argument.getType()));
    });
    SmallVector<LLVM::BitcastOp> bitcasts;
    function.walk([&](Operation *op) {
      for (Value result : op->getResults())
        result.setType(bitsOf(result.getType()));
      if (auto constant = dyn_cast<LLVM::ConstantOp>(op)) {
        auto value = dyn_cast<FloatAttr>(constant.getValue());
        if (value && value.getType().isBF16())
          constant.setValueAttr(b.getIntegerAttr(
              b.getIntegerType(16), value.getValue().bitcastToAPInt()));
      } else if (auto bitcast = dyn_cast<LLVM::BitcastOp>(op)) {
        bitcasts.push_back(bitcast);
      }
    });
    for (LLVM::BitcastOp bitcast : bitcasts)
      if (bitcast.getType() == bitcast.getArg().getType()) {
        bitcast.replaceAllUsesWith(bitcast.getArg());
        bitcast.erase();
      }
  }
};
} // namespace
