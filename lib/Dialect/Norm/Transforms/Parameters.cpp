//===- Parameters.cpp - Parameters that a rewrite makes -------------------===//

#include "renorm/Dialect/Norm/Transforms/Parameters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

ParameterBuilder::ParameterBuilder(FunctionOpInterface function,
                                   ParameterPolicy policy)
    : function(function), policy(policy) {}

Operation *ParameterBuilder::getModule() {
  return SymbolTable::getNearestSymbolTable(function->getParentOp());
}

static FailureOr<SmallVector<CallOpInterface>>
collectCalls(FunctionOpInterface function, Operation *module) {
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

const SmallVector<CallOpInterface> *ParameterBuilder::findCalls() {
  if (!calls)
    calls = collectCalls(function, getModule());
  return succeeded(*calls) ? &**calls : nullptr;
}

LogicalResult ParameterBuilder::checkCanCreate(std::string &why) {
  if (policy != ParameterPolicy::Argument || findCalls())
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
  BlockArgument argument = function.getArgument(index);
  // `checkCanCreate` has seen that every use is a call.
  for (CallOpInterface call : *findCalls()) {
    Value value = argument;
    if (!function->isProperAncestor(call)) {
      OpBuilder builder(call);
      value = arith::ConstantOp::create(builder, loc, splat(type, init));
    }
    call.getArgOperandsMutable().append(value);
  }
  return argument;
}

Value ParameterBuilder::createGlobal(OpBuilder &builder, Location loc,
                                     StringRef name, RankedTensorType type,
                                     double init) {
  Operation *module = getModule();
  if (!symbols)
    symbols.emplace(module);
  OpBuilder moduleBuilder(builder.getContext());
  auto global = ml_program::GlobalOp::create(
      moduleBuilder, loc, name, type, /*is_mutable=*/false, splat(type, init),
      moduleBuilder.getStringAttr("private"));
  // Another function may have a parameter of this name: the symbol is then
  // renamed.
  Block &body = module->getRegion(0).front();
  symbols->insert(global,
                  Block::iterator(body.findAncestorOpInBlock(*function)));
  return ml_program::GlobalLoadConstOp::create(builder, loc, type,
                                               FlatSymbolRefAttr::get(global));
}

static bool isSplat(Attribute attr, double number) {
  auto elements = dyn_cast_or_null<DenseFPElementsAttr>(attr);
  return elements && elements.isSplat() &&
         elements.getSplatValue<APFloat>().isExactlyValue(number);
}

/// Whether `value` is a constant splat of `number`.
static bool isConstantSplat(Value value, double number) {
  Attribute elements;
  return matchPattern(value, m_Constant(&elements)) &&
         isSplat(elements, number);
}

/// The argument's `norm.init`, if its function is one.
static std::optional<double> getInit(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto attr = function ? function.getArgAttrOfType<FloatAttr>(
                             argument.getArgNumber(), kInitAttrName)
                       : FloatAttr();
  return attr ? std::optional(attr.getValueAsDouble()) : std::nullopt;
}

static ml_program::GlobalOp getGlobal(ml_program::GlobalLoadConstOp load) {
  return SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(
      load, load.getGlobal());
}

bool ParameterBuilder::isInitial(Value value, double init) {
  if (isConstantSplat(value, init))
    return true;
  if (auto load = value.getDefiningOp<ml_program::GlobalLoadConstOp>()) {
    ml_program::GlobalOp global = getGlobal(load);
    return global && isSplat(global.getValue().value_or(Attribute()), init);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || getInit(argument) != init)
    return false;
  const SmallVector<CallOpInterface> *calls = findCalls();
  return calls && llvm::all_of(*calls, [&](CallOpInterface call) {
           Value operand = call.getArgOperands()[argument.getArgNumber()];
           auto passedOn = dyn_cast<BlockArgument>(operand);
           return (passedOn && getInit(passedOn) == init) ||
                  isConstantSplat(operand, init);
         });
}

bool ParameterBuilder::holdsItsInitial(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    std::optional<double> init = getInit(argument);
    return init && isInitial(argument, *init);
  }
  Attribute elements;
  if (auto load = value.getDefiningOp<ml_program::GlobalLoadConstOp>()) {
    ml_program::GlobalOp global = getGlobal(load);
    elements = global ? global.getValue().value_or(Attribute()) : Attribute();
  } else {
    matchPattern(value, m_Constant(&elements));
  }
  auto splat = dyn_cast_if_present<SplatElementsAttr>(elements);
  return splat && isa<FloatType>(splat.getElementType());
}

bool ParameterBuilder::areInitial(NormalizationOpInterface norm) {
  Value scale = norm.getScale(), bias = norm.getBias();
  return (!scale || isInitial(scale, norm.getUnitOffset() ? 0.0 : 1.0)) &&
         (!bias || isInitial(bias, 0.0));
}

void ParameterBuilder::eraseUnused(ArrayRef<Value> parameters) {
  SmallVector<BlockArgument> arguments;
  SetVector<Operation *> globals;
  for (Value parameter : parameters) {
    if (auto argument = dyn_cast<BlockArgument>(parameter)) {
      arguments.push_back(argument);
      continue;
    }
    Operation *op = parameter.getDefiningOp();
    if (!isOpTriviallyDead(op))
      continue;
    if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
      globals.insert(getGlobal(load));
    op->erase();
  }
  eraseUnusedArguments(arguments);
  eraseUnusedGlobals(globals.getArrayRef());
}

bool ParameterBuilder::isUnused(BlockArgument argument,
                                ArrayRef<CallOpInterface> calls) {
  return llvm::all_of(argument.getUses(), [&](OpOperand &use) {
    auto call = dyn_cast<CallOpInterface>(use.getOwner());
    return call && llvm::is_contained(calls, call) &&
           call.getArgOperands().getBeginOperandIndex() +
                   argument.getArgNumber() ==
               use.getOperandNumber();
  });
}

void ParameterBuilder::eraseUnusedArguments(ArrayRef<BlockArgument> arguments) {
  // They go only if every caller can be told.
  const SmallVector<CallOpInterface> *calls = findCalls();
  if (arguments.empty() || !calls)
    return;
  BitVector unused(function.getNumArguments());
  for (BlockArgument argument : arguments)
    if (isUnused(argument, *calls))
      unused.set(argument.getArgNumber());
  SetVector<Operation *> passed;
  for (CallOpInterface call : *calls)
    for (unsigned index = unused.size(); index-- > 0;)
      if (unused.test(index)) {
        if (Operation *op = call.getArgOperands()[index].getDefiningOp())
          passed.insert(op);
        call.getArgOperandsMutable().erase(index);
      }
  LogicalResult erased = function.eraseArguments(unused);
  assert(succeeded(erased) && "a function can do without an unused argument");
  (void)erased;
  for (Operation *op : passed)
    if (isOpTriviallyDead(op))
      op->erase();
}

void ParameterBuilder::eraseUnusedGlobals(ArrayRef<Operation *> globals) {
  if (globals.empty())
    return;
  SymbolTableCollection tables;
  SymbolUserMap users(tables, getModule());
  for (Operation *global : globals)
    if (SymbolTable::getSymbolVisibility(global) ==
            SymbolTable::Visibility::Private &&
        users.useEmpty(global))
      global->erase();
  symbols.reset();
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
