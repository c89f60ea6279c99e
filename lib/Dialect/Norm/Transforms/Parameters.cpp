//===- Parameters.cpp - Parameters that a rewrite makes -------------------===//

#include "renorm/Dialect/Norm/Transforms/Parameters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

ParameterBuilder::ParameterBuilder(FunctionOpInterface function,
                                   ParameterPolicy policy)
    : function(function), policy(policy) {}

FailureOr<SmallVector<CallOpInterface>> ParameterBuilder::findCalls() {
  Operation *module =
      SymbolTable::getNearestSymbolTable(function->getParentOp());
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, module);
  if (!uses)
    return failure();
  SmallVector<CallOpInterface> calls;
  for (SymbolTable::SymbolUse use : *uses) {
    auto call = dyn_cast<CallOpInterface>(use.getUser());
    if (!call || call.getCallableForCallee().dyn_cast<SymbolRefAttr>() !=
                     use.getSymbolRef())
      return failure();
    calls.push_back(call);
  }
  return calls;
}

LogicalResult ParameterBuilder::checkCanCreate(std::string &why) {
  if (policy != ParameterPolicy::Argument || succeeded(findCalls()))
    return success();
  why = "its arguments cannot be extended: '" + function.getName().str() +
        "' is used other than by direct calls";
  return failure();
}

static DenseElementsAttr splat(RankedTensorType type, double value) {
  return DenseElementsAttr::get(
      type, FloatAttr::get(type.getElementType(), value).getValue());
}

Value ParameterBuilder::create(OpBuilder &builder, Location loc, StringRef name,
                               RankedTensorType type, double init) {
  switch (policy) {
  case ParameterPolicy::Constant:
    return arith::ConstantOp::create(builder, loc, splat(type, init));
  case ParameterPolicy::Argument:
    return createArgument(loc, name, type, init);
  case ParameterPolicy::Global:
    return createGlobal(builder, loc, name, type, init);
  }
  llvm_unreachable("unknown parameter policy");
}

Value ParameterBuilder::createArgument(Location loc, StringRef name,
                                       RankedTensorType type, double init) {
  // `checkCanCreate` has seen that every use is a call.
  SmallVector<CallOpInterface> calls = *findCalls();
  Builder attributes(function->getContext());
  unsigned index = function.getNumArguments();
  LogicalResult inserted = function.insertArgument(
      index, type,
      attributes.getDictionaryAttr(
          {attributes.getNamedAttr(kParamAttrName,
                                   attributes.getStringAttr(name)),
           attributes.getNamedAttr(kInitAttrName,
                                   attributes.getF64FloatAttr(init))}),
      loc);
  assert(succeeded(inserted) && "a function takes any tensor argument");
  (void)inserted;
  for (CallOpInterface call : calls) {
    OpBuilder builder(call);
    Value value = arith::ConstantOp::create(builder, loc, splat(type, init));
    call.getArgOperandsMutable().append(value);
  }
  return function.getArgument(index);
}

Value ParameterBuilder::createGlobal(OpBuilder &builder, Location loc,
                                     StringRef name, RankedTensorType type,
                                     double init) {
  Operation *module =
      SymbolTable::getNearestSymbolTable(function->getParentOp());
  SymbolTable symbols(module);
  OpBuilder moduleBuilder(builder.getContext());
  auto global = ml_program::GlobalOp::create(
      moduleBuilder, loc, name, type, /*is_mutable=*/false, splat(type, init),
      moduleBuilder.getStringAttr("private"));
  // Another function may have a parameter of this name: the symbol is then
  // renamed.
  symbols.insert(global, module->getRegion(0).front().begin());
  return ml_program::GlobalLoadConstOp::create(builder, loc, type,
                                               FlatSymbolRefAttr::get(global));
}

bool ParameterBuilder::isInitial(Value value, double init) {
  DenseFPElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)))
    return elements.isSplat() &&
           elements.getSplatValue<APFloat>().isExactlyValue(init);
  if (auto load = value.getDefiningOp<ml_program::GlobalLoadConstOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(
        load, load.getGlobal());
    auto initial = global ? dyn_cast_or_null<DenseFPElementsAttr>(
                                global.getValue().value_or(Attribute()))
                          : DenseFPElementsAttr();
    return initial && initial.isSplat() &&
           initial.getSplatValue<APFloat>().isExactlyValue(init);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return false;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function)
    return false;
  auto attr = function.getArgAttrOfType<FloatAttr>(argument.getArgNumber(),
                                                   kInitAttrName);
  return attr && attr.getValueAsDouble() == init;
}

void ParameterBuilder::eraseIfUnused(Value value) {
  if (!value.use_empty())
    return;
  if (auto load = value.getDefiningOp<ml_program::GlobalLoadConstOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(
        load, load.getGlobal());
    load.erase();
    if (global &&
        SymbolTable::symbolKnownUseEmpty(global, global->getParentOp()))
      global.erase();
    return;
  }
  if (Operation *op = value.getDefiningOp()) {
    if (isOpTriviallyDead(op))
      op->erase();
    return;
  }
  // An argument goes only if every caller can be told.
  FailureOr<SmallVector<CallOpInterface>> calls = findCalls();
  unsigned index = cast<BlockArgument>(value).getArgNumber();
  if (failed(calls) || failed(function.eraseArgument(index)))
    return;
  for (CallOpInterface call : *calls) {
    Value operand = call.getArgOperands()[index];
    call.getArgOperandsMutable().erase(index);
    if (Operation *op = operand.getDefiningOp(); op && isOpTriviallyDead(op))
      op->erase();
  }
}

std::string norm::describeParameter(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    if (function)
      if (auto name = function.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), kParamAttrName))
        return ("'" + name.getValue() + "'").str();
    return "argument " + std::to_string(argument.getArgNumber());
  }
  if (auto load = value.getDefiningOp<ml_program::GlobalLoadConstOp>())
    return "'" + load.getGlobal().getLeafReference().str() + "'";
  return matchPattern(value, m_Constant()) ? "a constant" : "a computed value";
}
