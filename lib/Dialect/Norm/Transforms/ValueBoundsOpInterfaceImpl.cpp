//===- ValueBoundsOpInterfaceImpl.cpp - Extents of results ----------------===//

#include "renorm/Dialect/Norm/Transforms/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

namespace {
/// The first operand has the extents of the result.
template <typename OpTy>
struct FirstOperandBounds
    : public ValueBoundsOpInterface::ExternalModel<FirstOperandBounds<OpTy>,
                                                   OpTy> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    cstr.bound(value)[dim] == cstr.getExpr(op->getOperand(0), dim);
  }
};

/// The value has the last extent of the result, the query all others.
struct AttentionBounds
    : public ValueBoundsOpInterface::ExternalModel<AttentionBounds,
                                                   AttentionOp> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    auto attention = cast<AttentionOp>(op);
    bool isLast = dim == attention.getType().getRank() - 1;
    cstr.bound(value)[dim] ==
        cstr.getExpr(isLast ? attention.getValue() : attention.getQuery(), dim);
  }
};
} // namespace

void norm::registerValueBoundsOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NormDialect *) {
    LayerNormOp::attachInterface<FirstOperandBounds<LayerNormOp>>(*context);
    RMSNormOp::attachInterface<FirstOperandBounds<RMSNormOp>>(*context);
    L2NormOp::attachInterface<FirstOperandBounds<L2NormOp>>(*context);
    ApplyStatsOp::attachInterface<FirstOperandBounds<ApplyStatsOp>>(*context);
    ResidualAddOp::attachInterface<FirstOperandBounds<ResidualAddOp>>(*context);
    AttentionOp::attachInterface<AttentionBounds>(*context);
  });
}
