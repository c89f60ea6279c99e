//===- WeightPreparation.cpp - What is computed of weights alone ----------===//

#include "renorm/Dialect/Norm/Transforms/WeightPreparation.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// Functions that are prepared forms
//===----------------------------------------------------------------------===//

namespace {
/// How a prepared form is called.
struct PreparedForm {
  func::FuncOp prepare;
  /// In one block.
  func::CallOp prepareCall, bodyCall;
};
} // namespace

static Operation *getModule(func::FuncOp function) {
  return SymbolTable::getNearestSymbolTable(function->getParentOp());
}

/// The only call among the uses of `function`; null if there is none, several,
/// or another use than calls and the `norm.prepare` of `body`.
static func::CallOp findOnlyCall(func::FuncOp function, func::FuncOp body) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, getModule(body));
  if (!uses)
    return {};
  func::CallOp only;
  for (SymbolTable::SymbolUse use : *uses) {
    if (use.getUser() == body)
      continue;
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call || only)
      return {};
    only = call;
  }
  return only;
}

/// How `body`, which has a `norm.prepare`, is called.
static FailureOr<PreparedForm> findPreparedForm(func::FuncOp body) {
  auto symbol = body->getAttrOfType<FlatSymbolRefAttr>(kPrepareAttrName);
  PreparedForm form;
  form.prepare = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      body->getParentOp(), symbol);
  if (!form.prepare || !form.prepare.getBody().hasOneBlock())
    return failure();
  form.prepareCall = findOnlyCall(form.prepare, body);
  form.bodyCall = findOnlyCall(body, body);
  if (!form.prepareCall || !form.bodyCall ||
      form.prepareCall->getBlock() != form.bodyCall->getBlock() ||
      body->isProperAncestor(form.bodyCall))
    return failure();
  // Nothing else may read the weights.
  for (Operation *user : form.prepareCall->getUsers())
    if (user != form.bodyCall)
      return failure();
  return form;
}

LogicalResult norm::checkCanPrepareWeights(FunctionOpInterface function,
                                           std::string &why) {
  auto body = dyn_cast<func::FuncOp>(*function);
  if (!body || body.isExternal()) {
    why = "expected a 'func.func' with a body, but got '" +
          function->getName().getStringRef().str() + "' @" +
          function.getName().str();
    return failure();
  }
  if (!body->hasAttr(kPrepareAttrName) || succeeded(findPreparedForm(body)))
    return success();
  why = "expected one function that calls '" + body.getName().str() +
        "' and its '" + kPrepareAttrName.str() + "' function, once each";
  return failure();
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

static void forEachOperand(Operation *op,
                           llvm::function_ref<void(Value)> visit) {
  llvm::for_each(op->getOperands(), visit);
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::for_each(captured, visit);
}

/// The operations, in order, that compute `weights` from arguments of `body`.
static FailureOr<SetVector<Operation *>>
findComputations(func::FuncOp body, ArrayRef<Value> weights) {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  SetVector<Operation *> computations;
  for (Value weight : weights)
    if (weight.getDefiningOp() &&
        failed(getBackwardSlice(weight, &computations, options)))
      return failure();
  Block *entry = &body.getBody().front();
  for (Operation *op : computations) {
    bool isKnown = op->getBlock() == entry && isMemoryEffectFree(op) &&
                   !op->hasTrait<OpTrait::IsTerminator>();
    forEachOperand(op, [&](Value operand) {
      isKnown &= operand.getParentBlock() == entry;
    });
    if (!isKnown)
      return failure();
  }
  return computations;
}

/// Whether `op` reads an argument, or what one of `readers` computes.
static bool readsArguments(Operation *op,
                           const llvm::DenseSet<Operation *> &readers) {
  bool reads = false;
  forEachOperand(op, [&](Value operand) {
    reads |= isa<BlockArgument>(operand) ||
             readers.contains(operand.getDefiningOp());
  });
  return reads;
}

/// Erases those of `operations`, in order, that nothing reads.
static void eraseUnread(ArrayRef<Operation *> operations) {
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
}

//===----------------------------------------------------------------------===//
// Taking apart and putting together
//===----------------------------------------------------------------------===//

/// Erases the arguments that nothing reads, and those of `operands`, which a
/// call passes for them.
static void eraseUnreadArguments(func::FuncOp function,
                                 SmallVectorImpl<Value> &operands) {
  BitVector unread(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty())
      unread.set(argument.getArgNumber());
  LogicalResult erased = function.eraseArguments(unread);
  assert(succeeded(erased) && "a function can do without an unread argument");
  (void)erased;
  unsigned index = 0;
  llvm::erase_if(operands, [&](Value) { return unread.test(index++); });
}

static BlockArgument insertArgument(func::FuncOp function, unsigned index,
                                    Type type, DictionaryAttr attributes,
                                    Location loc) {
  LogicalResult inserted =
      function.insertArgument(index, type, attributes, loc);
  assert(succeeded(inserted) && "a function takes any argument");
  (void)inserted;
  return function.getArgument(index);
}

/// Makes the function that calls `body`, and gives it the name and visibility
/// of `body`.
static func::CallOp createCaller(func::FuncOp body) {
  func::FuncOp caller = body.cloneWithoutRegions();
  SymbolTable symbols(getModule(body));
  symbols.remove(body);
  symbols.insert(caller, Block::iterator(body));
  body.setName((caller.getName() + ".prepared").str());
  body.setPrivate();
  symbols.insert(body);

  Block *block = caller.addEntryBlock();
  for (auto [argument, original] :
       llvm::zip_equal(caller.getArguments(), body.getArguments()))
    argument.setLoc(original.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  auto call =
      func::CallOp::create(builder, body.getLoc(), body, caller.getArguments());
  func::ReturnOp::create(builder, body.getLoc(), call.getResults());
  return call;
}

/// Where an argument for which `operand` is passed goes among those of `call`:
/// in the order of the caller's arguments, and before the weights.
static unsigned findArgumentPlace(func::CallOp call, Value operand) {
  auto argument = dyn_cast<BlockArgument>(operand);
  for (auto [index, other] : llvm::enumerate(call.getOperands())) {
    auto otherArgument = dyn_cast<BlockArgument>(other);
    if (!otherArgument ||
        (argument && otherArgument.getArgNumber() > argument.getArgNumber()))
      return index;
  }
  return call.getNumOperands();
}

/// Puts the computations of `form.prepare` back to where `body` begins, and
/// adds the weights to `weights`.
static void inlinePreparation(const PreparedForm &form, func::FuncOp body,
                              SetVector<Value> &weights) {
  func::FuncOp prepare = form.prepare;
  func::CallOp prepareCall = form.prepareCall, bodyCall = form.bodyCall;
  for (auto [argument, operand] :
       llvm::zip_equal(prepare.getArguments(), prepareCall.getOperands())) {
    auto found = llvm::find(bodyCall.getOperands(), operand);
    unsigned index = found - bodyCall.operand_begin();
    if (found == bodyCall.operand_end()) {
      index = findArgumentPlace(bodyCall, operand);
      insertArgument(body, index, argument.getType(),
                     prepare.getArgAttrDict(argument.getArgNumber()),
                     argument.getLoc());
      bodyCall->insertOperands(index, operand);
    }
    argument.replaceAllUsesWith(body.getArgument(index));
  }

  Block &block = prepare.getBody().front();
  Operation *terminator = block.getTerminator();
  BitVector prepared(bodyCall.getNumOperands());
  for (auto [index, operand] : llvm::enumerate(bodyCall.getOperands())) {
    if (operand.getDefiningOp() != prepareCall)
      continue;
    Value weight =
        terminator->getOperand(cast<OpResult>(operand).getResultNumber());
    body.getArgument(index).replaceAllUsesWith(weight);
    weights.insert(weight);
    prepared.set(index);
  }
  terminator->erase();
  Block &entry = body.getBody().front();
  entry.getOperations().splice(entry.begin(), block.getOperations());

  LogicalResult erased = body.eraseArguments(prepared);
  assert(succeeded(erased) && "a function can do without an unread argument");
  (void)erased;
  bodyCall->eraseOperands(prepared);
  prepareCall.erase();
  prepare.erase();
  body->removeAttr(kPrepareAttrName);
}

/// Makes the function that computes `weights`, by `computations`, of all
/// arguments of `body`.
static func::FuncOp createPrepare(func::FuncOp body, StringRef name,
                                  ArrayRef<Value> weights,
                                  ArrayRef<Operation *> computations) {
  OpBuilder builder(body);
  auto prepare = func::FuncOp::create(
      builder, body.getLoc(), name,
      builder.getFunctionType(body.getArgumentTypes(),
                              ValueRange(weights).getTypes()));
  prepare.setPrivate();
  IRMapping mapping;
  builder.setInsertionPointToEnd(prepare.addEntryBlock());
  for (auto [argument, original] :
       llvm::zip_equal(prepare.getArguments(), body.getArguments())) {
    argument.setLoc(original.getLoc());
    prepare.setArgAttrs(argument.getArgNumber(),
                        body.getArgAttrDict(original.getArgNumber()));
    mapping.map(original, argument);
  }
  for (Operation *op : computations)
    builder.clone(*op, mapping);
  func::ReturnOp::create(builder, body.getLoc(),
                         llvm::map_to_vector(weights, [&](Value weight) {
                           return mapping.lookup(weight);
                         }));
  return prepare;
}

/// Makes `body` take `weights` as its last arguments instead of computing them,
/// and `prepare` return only those that are read then.
static void takeWeights(func::FuncOp body, func::FuncOp prepare,
                        ArrayRef<Value> weights,
                        ArrayRef<Operation *> computations) {
  unsigned first = body.getNumArguments();
  Builder attributes(body.getContext());
  NamedAttribute mark =
      attributes.getNamedAttr(kPreparedAttrName, attributes.getUnitAttr());
  for (Value weight : weights)
    weight.replaceAllUsesWith(
        insertArgument(body, body.getNumArguments(), weight.getType(),
                       attributes.getDictionaryAttr(mark), weight.getLoc()));
  eraseUnread(computations);

  BitVector unreadArguments(body.getNumArguments()), unread(weights.size());
  for (unsigned index = 0; index < weights.size(); ++index)
    if (body.getArgument(first + index).use_empty()) {
      unreadArguments.set(first + index);
      unread.set(index);
    }
  prepare.getBody().front().getTerminator()->eraseOperands(unread);
  LogicalResult erased = failure(failed(body.eraseArguments(unreadArguments)) ||
                                 failed(prepare.eraseResults(unread)));
  assert(succeeded(erased) && "a function can do without an unread value");
  (void)erased;
  SmallVector<Operation *> copies;
  for (Operation &op : prepare.getBody().front().without_terminator())
    copies.push_back(&op);
  eraseUnread(copies);
}

LogicalResult norm::outlineWeightPreparation(FunctionOpInterface function,
                                             ArrayRef<Value> weights,
                                             std::string &why) {
  if (failed(checkCanPrepareWeights(function, why)))
    return failure();
  auto body = cast<func::FuncOp>(*function);
  FailureOr<SetVector<Operation *>> found = findComputations(body, weights);
  // Refused before anything changes.
  if (failed(found)) {
    why = "expected weights that operations without memory effects compute "
          "from the arguments of '" +
          body.getName().str() + "' in its entry block";
    return failure();
  }

  SetVector<Value> prepared;
  func::CallOp call;
  std::string name;
  if (body->hasAttr(kPrepareAttrName)) {
    PreparedForm form = *findPreparedForm(body);
    call = form.bodyCall;
    name = form.prepare.getName().str();
    inlinePreparation(form, body, prepared);
  }
  prepared.insert(weights.begin(), weights.end());
  found = findComputations(body, prepared.getArrayRef());
  assert(succeeded(found) && "expected the computations of a preparation");
  llvm::DenseSet<Operation *> readers;
  for (Operation *op : *found)
    if (readsArguments(op, readers))
      readers.insert(op);
  prepared.remove_if([&](Value weight) {
    return weight.use_empty() || !readers.contains(weight.getDefiningOp());
  });
  if (prepared.empty())
    return success();

  if (!call) {
    name = (body.getName() + ".prepare").str();
    call = createCaller(body);
  }
  func::FuncOp prepare =
      createPrepare(body, name, prepared.getArrayRef(), found->getArrayRef());
  SymbolTable(getModule(body)).insert(prepare);
  takeWeights(body, prepare, prepared.getArrayRef(), found->getArrayRef());
  body->setAttr(kPrepareAttrName, FlatSymbolRefAttr::get(prepare));

  SmallVector<Value> prepareOperands(call.getOperands()),
      bodyOperands(call.getOperands());
  eraseUnreadArguments(prepare, prepareOperands);
  OpBuilder builder(call);
  auto prepareCall =
      func::CallOp::create(builder, call.getLoc(), prepare, prepareOperands);
  llvm::append_range(bodyOperands, prepareCall.getResults());
  eraseUnreadArguments(body, bodyOperands);
  call.getOperandsMutable().assign(bodyOperands);
  return success();
}

SmallVector<FunctionOpInterface> norm::collectFunctions(ModuleOp module) {
  SmallVector<FunctionOpInterface> functions;
  llvm::DenseSet<Operation *> preparations;
  module.walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
    if (auto prepare =
            function->getAttrOfType<FlatSymbolRefAttr>(kPrepareAttrName))
      preparations.insert(SymbolTable::lookupNearestSymbolFrom(
          function->getParentOp(), prepare));
  });
  llvm::erase_if(functions, [&](FunctionOpInterface function) {
    return preparations.contains(function);
  });
  return functions;
}
