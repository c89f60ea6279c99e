//===- NormDialect.cpp - The norm dialect ---------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/InliningUtils.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::norm;

#include "renorm/Dialect/Norm/IR/NormDialect.cpp.inc"
#include "renorm/Dialect/Norm/IR/NormEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "renorm/Dialect/Norm/IR/NormAttrs.cpp.inc"

namespace {
/// Every operation may be inlined: none refers to its function. Nothing is
/// inlined into a region.
struct NormInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void NormDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "renorm/Dialect/Norm/IR/NormAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "renorm/Dialect/Norm/IR/NormOps.cpp.inc"
      >();
  addInterfaces<NormInlinerInterface>();
  // Registered with the dialect by registerAllDialects.
  declarePromisedInterfaces<TilingInterface, LayerNormOp, RMSNormOp, L2NormOp,
                            ResidualAddOp, AttentionOp>();
  declarePromisedInterfaces<ValueBoundsOpInterface, LayerNormOp, RMSNormOp,
                            L2NormOp, ResidualAddOp, AttentionOp>();
}

LogicalResult NormDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == kPrepareAttrName) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "expected '" << kPrepareAttrName << "' on a function only";
    if (!isa<FlatSymbolRefAttr>(attribute.getValue()))
      return op->emitOpError() << "expected '" << kPrepareAttrName
                               << "' to be the name of a function, but got "
                               << attribute.getValue();
    return success();
  }
  if (attribute.getName() == kReplacedScaleAttrName) {
    auto scale = dyn_cast<FloatAttr>(attribute.getValue());
    if (!isa<AttentionOp>(op) || !scale || !scale.getType().isF64() ||
        !scale.getValue().isFinite())
      return op->emitOpError()
             << "expected '" << kReplacedScaleAttrName
             << "' to be a finite f64 of a norm.attention, but got "
             << attribute.getValue();
    return success();
  }
  if (attribute.getName() != kProbeNamesAttrName)
    return success();
  if (!isa<ModuleOp>(op))
    return op->emitOpError()
           << "expected '" << kProbeNamesAttrName << "' on a module only";
  auto names = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!names || !llvm::all_of(names, llvm::IsaPred<StringAttr>))
    return op->emitOpError()
           << "expected '" << kProbeNamesAttrName
           << "' to be an array of strings, but got " << attribute.getValue();
  return success();
}

LogicalResult NormDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto emit = [&]() {
    return op->emitOpError()
           << "expected '" << name << "' of argument " << argIndex << " to be ";
  };
  if (name == kParamAttrName) {
    auto param = dyn_cast<StringAttr>(attribute.getValue());
    if (!param || param.empty())
      return emit() << "a non-empty string, but got " << attribute.getValue();
    return success();
  }
  if (name == kInitAttrName || name == kInitGainAttrName) {
    auto value = dyn_cast<FloatAttr>(attribute.getValue());
    if (!value || !value.getValue().isFinite())
      return emit() << "a finite floating-point number, but got "
                    << attribute.getValue();
    return success();
  }
  if (name == kPreparedAttrName) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return emit() << "a unit attribute, but got " << attribute.getValue();
    return success();
  }
  return op->emitOpError() << "expected an argument attribute of the norm "
                              "dialect, but got '"
                           << name << "'";
}
