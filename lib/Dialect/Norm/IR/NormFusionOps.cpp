//===- NormFusionOps.cpp - What becomes one kernel ------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Dialect/Norm/IR/Norm.h"

using namespace mlir;
using namespace mlir::norm;

OperandRange FusionOp::getYieldedValues() {
  return cast<YieldOp>(getBody().front().getTerminator()).getResults();
}

/// The contractions of `fusion`, in order.
static SmallVector<Operation *> findContractions(FusionOp fusion) {
  SmallVector<Operation *> contractions;
  for (Operation &op : fusion.getBody().front())
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && linalg::isaContractionOpInterface(linalgOp))
      contractions.push_back(&op);
  return contractions;
}

Operation *FusionOp::getRoot() {
  SmallVector<Operation *> contractions = findContractions(*this);
  return contractions.empty() ? nullptr : contractions.front();
}

void FusionOp::inlineBody(RewriterBase &rewriter) {
  Block &block = getBody().front();
  Operation *yield = block.getTerminator();
  rewriter.inlineBlockBefore(&block, *this, getInputs());
  rewriter.replaceOp(*this, yield->getOperands());
  rewriter.eraseOp(yield);
}

LogicalResult FusionOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError() << "expected a block argument for each of the "
                         << getInputs().size() << " inputs, but got "
                         << block.getNumArguments();
  for (auto [index, argument, input] :
       llvm::enumerate(block.getArguments(), getInputs()))
    if (argument.getType() != input.getType())
      return emitOpError() << "expected block argument " << index
                           << " to have the input's type " << input.getType()
                           << ", but got " << argument.getType();
  OperandRange yielded = getYieldedValues();
  if (yielded.getTypes() != getResultTypes())
    return emitOpError() << "expected results of the types that are yielded, "
                         << yielded.getTypes() << ", but got "
                         << getResultTypes();
  SmallVector<Operation *> contractions = findContractions(*this);
  if (contractions.size() > 1) {
    InFlightDiagnostic diagnostic =
        emitOpError() << "expected one contraction at most, but got "
                      << contractions.size();
    diagnostic.attachNote(contractions[1]->getLoc()) << "the second one";
    return diagnostic;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

void FusionOp::print(OpAsmPrinter &p) {
  if (!getStrategies().empty()) {
    p << " strategies = [";
    llvm::interleaveComma(getStrategies().getAsRange<FusionStrategyAttr>(), p,
                          [&](FusionStrategyAttr strategy) {
                            p << stringifyFusionStrategy(strategy.getValue());
                          });
    p << "]";
  }
  p << " (";
  llvm::interleaveComma(
      llvm::zip(getBody().getArguments(), getInputs()), p, [&](auto pair) {
        auto [argument, input] = pair;
        p << argument << " = " << input << " : " << input.getType();
      });
  p << ") -> (";
  llvm::interleaveComma(getResultTypes(), p);
  p << ")";
  p.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                     {getStrategiesAttrName()});
  p << ' ';
  p.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                /*printBlockTerminators=*/getNumResults() > 0);
}

ParseResult FusionOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<Attribute> strategies;
  if (succeeded(parser.parseOptionalKeyword("strategies"))) {
    auto parseStrategy = [&]() -> ParseResult {
      SMLoc loc = parser.getCurrentLocation();
      StringRef name;
      if (parser.parseKeyword(&name))
        return failure();
      std::optional<FusionStrategy> strategy = symbolizeFusionStrategy(name);
      if (!strategy)
        return parser.emitError(loc)
               << "expected a fusion strategy, but got '" << name << "'";
      strategies.push_back(
          FusionStrategyAttr::get(parser.getContext(), *strategy));
      return success();
    };
    if (parser.parseEqual() ||
        parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                       parseStrategy))
      return failure();
  }
  result.addAttribute(getStrategiesAttrName(result.name),
                      parser.getBuilder().getArrayAttr(strategies));

  SmallVector<OpAsmParser::Argument> arguments;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand input;
    OpAsmParser::Argument &argument = arguments.emplace_back();
    return failure(
        parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(input) || parser.parseColonType(argument.type) ||
        parser.resolveOperand(input, argument.type, result.operands));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseInput) ||
      parser.parseArrow() ||
      parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Paren,
          [&]() { return parser.parseType(result.types.emplace_back()); }) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), arguments))
    return failure();
  ensureTerminator(*result.regions.front(), parser.getBuilder(),
                   result.location);
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

/// `fusion` without the inputs and results of which nothing is left.
static void rebuild(RewriterBase &rewriter, FusionOp fusion,
                    const llvm::BitVector &droppedInputs,
                    const llvm::BitVector &droppedResults) {
  Block &block = fusion.getBody().front();
  SmallVector<Value> inputs, yielded;
  for (auto [index, input] : llvm::enumerate(fusion.getInputs()))
    if (!droppedInputs.test(index))
      inputs.push_back(input);
  for (auto [index, value] : llvm::enumerate(fusion.getYieldedValues()))
    if (!droppedResults.test(index))
      yielded.push_back(value);

  auto smaller = FusionOp::create(rewriter, fusion.getLoc(), TypeRange(yielded),
                                  inputs, fusion.getStrategies());
  smaller->setDiscardableAttrs(fusion->getDiscardableAttrDictionary());
  rewriter.modifyOpInPlace(block.getTerminator(), [&]() {
    block.getTerminator()->setOperands(yielded);
  });
  block.eraseArguments(droppedInputs);
  rewriter.inlineRegionBefore(fusion.getBody(), smaller.getBody(),
                              smaller.getBody().begin());
  unsigned next = 0;
  for (OpResult result : fusion.getResults())
    if (!droppedResults.test(result.getResultNumber()))
      rewriter.replaceAllUsesWith(result, smaller.getResult(next++));
  rewriter.eraseOp(fusion);
}

namespace {
/// Drops inputs that the region does not read, an input that is there twice,
/// results that nothing reads, and results that are inputs.
struct SimplifyInterface : public OpRewritePattern<FusionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusionOp fusion,
                                PatternRewriter &rewriter) const final {
    Block &block = fusion.getBody().front();
    llvm::BitVector droppedResults(fusion.getNumResults()),
        droppedInputs(fusion.getInputs().size());
    for (auto [result, yielded] :
         llvm::zip(fusion.getResults(), fusion.getYieldedValues())) {
      if (auto argument = dyn_cast<BlockArgument>(yielded))
        rewriter.replaceAllUsesWith(
            result, fusion.getInputs()[argument.getArgNumber()]);
      if (result.use_empty())
        droppedResults.set(result.getResultNumber());
    }

    DenseMap<Value, unsigned> first;
    for (auto [index, input] : llvm::enumerate(fusion.getInputs())) {
      BlockArgument argument = block.getArgument(index);
      auto [known, isNew] = first.try_emplace(input, index);
      if (!isNew)
        rewriter.replaceAllUsesWith(argument, block.getArgument(known->second));
    }
    for (BlockArgument argument : block.getArguments())
      if (llvm::all_of(argument.getUses(), [&](OpOperand &use) {
            return isa<YieldOp>(use.getOwner()) &&
                   droppedResults.test(use.getOperandNumber());
          }))
        droppedInputs.set(argument.getArgNumber());

    if (droppedInputs.none() && droppedResults.none())
      return rewriter.notifyMatchFailure(fusion, "everything is needed");
    rebuild(rewriter, fusion, droppedInputs, droppedResults);
    return success();
  }
};
} // namespace

void FusionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<SimplifyInterface>(context);
}
