//===- CenterResidual.cpp - Pre-LayerNorm to equal Pre-RMSNorm ------------===//
//
// First everything that reads or writes a trunk is found, and whatever stands
// in the way; only then is anything changed.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"
#include "renorm/Analysis/Summands.h"
#include "renorm/Dialect/Norm/Transforms/ConstantWeights.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "renorm/Support/Structured.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMCENTERRESIDUALPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// `tensor` minus its mean along `dim`, of static extent, computed in f64 and
/// rounded once.
static Value createCentered(ImplicitLocOpBuilder &b, Value tensor,
                            int64_t dim) {
  FloatType type = b.getF64Type();
  auto tensorType = cast<RankedTensorType>(tensor.getType());
  auto elementType = cast<FloatType>(tensorType.getElementType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  SmallVector<OpFoldResult> rowSizes = sizes;
  rowSizes.erase(rowSizes.begin() + dim);
  SmallVector<int64_t> rowDims =
      llvm::to_vector(llvm::seq<int64_t>(0, tensorType.getRank()));
  rowDims.erase(rowDims.begin() + dim);
  AffineMap all = b.getMultiDimIdentityMap(tensorType.getRank());
  AffineMap rows = selectDims(b, tensorType.getRank(), rowDims);

  Value sums = createGeneric(
      b, Operand{tensor, all}, {createFilled(b, rowSizes, type, 0.0), rows},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        return arith::AddFOp::create(b, args[1], convertFloat(b, args[0], type),
                                     kReductionFlags);
      });
  Value count = createConstant(b, type, tensorType.getDimSize(dim));
  return createElementwise(
      b, sizes, elementType, {Operand{tensor, all}, Operand{sums, rows}},
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        Value mean = arith::DivFOp::create(b, args[1], count);
        Value centered =
            arith::SubFOp::create(b, convertFloat(b, args[0], type), mean);
        return convertFloat(b, centered, elementType);
      });
}

/// `weight` minus its mean along `dim`; null if that cannot be represented.
static ElementsAttr foldCentered(ElementsAttr weight, int64_t dim) {
  auto type = cast<RankedTensorType>(weight.getType());
  std::vector<double> elements = readWeight(weight);
  int64_t extent = type.getDimSize(dim), stride = 1;
  for (int64_t inner : type.getShape().drop_front(dim + 1))
    stride *= inner;
  for (int64_t first = 0, end = elements.size(); first < end; ++first) {
    // The first element along `dim` of each row.
    if (first / stride % extent != 0)
      continue;
    double sum = 0.0;
    for (int64_t index = 0; index < extent; ++index)
      sum += elements[first + index * stride];
    for (int64_t index = 0; index < extent; ++index)
      elements[first + index * stride] -= sum / extent;
  }
  return makeWeight(type, elements, isa<DenseResourceElementsAttr>(weight));
}

//===----------------------------------------------------------------------===//
// One stream
//===----------------------------------------------------------------------===//

namespace {
struct CenteringOptions {
  WeightPolicy weights;
  EmbeddingCentering embedding;
};

/// What stands in the way.
struct Obstacle {
  Location loc;
  std::string why;
};

/// Centers the streams of one function.
class StreamCenterer {
public:
  StreamCenterer(FunctionOpInterface function, const CenteringOptions &options)
      : function(function), options(options) {
    if (options.weights == WeightPolicy::Constant)
      argumentObstacle = "it is an argument; expected weights=prepare";
    else
      (void)checkCanPrepareWeights(function, argumentObstacle);
  }

  /// Centers `stream`, or says in a remark why not.
  void run(ResidualStream &stream);
  /// Moves what is computed of arguments to where it is computed once.
  LogicalResult prepareWeights();

private:
  std::optional<Obstacle> plan(ResidualStream &stream);
  std::optional<Obstacle> findReaders(Value trunk, StringRef place);
  std::optional<Obstacle> findWriters(Value value, OpOperand *read,
                                      StringRef place);
  std::optional<Obstacle> checkWriter(const Summand &writer, StringRef place);
  std::optional<std::string> checkWeight(Value weight, int64_t dim);
  void centerEmbedding();
  void centerWriters();
  Value centerWeight(ImplicitLocOpBuilder &b, Value weight, int64_t dim);
  void replaceNorms();

  FunctionOpInterface function;
  CenteringOptions options;
  /// What keeps arguments from being centered, if anything does.
  std::string argumentObstacle;

  // Of the stream at hand.
  llvm::SmallDenseSet<OpOperand *> skips;
  /// The value that the trunk begins with, and how the stream reads it.
  Value embedding;
  SmallVector<OpOperand *> embeddingReads;
  /// What keeps the embedding from being centered by what writes it.
  std::optional<Obstacle> embeddingObstacle;
  SmallVector<NormalizationOpInterface> norms;
  std::vector<Summand> writers;

  // Of all streams: weights along a dimension, centered.
  llvm::DenseMap<std::pair<Value, int64_t>, ElementsAttr> folded;
  llvm::MapVector<std::pair<Value, int64_t>, Value> computed;
};
} // namespace

/// Finds the norms that read `trunk`.
std::optional<Obstacle> StreamCenterer::findReaders(Value trunk,
                                                    StringRef place) {
  for (OpOperand &use : trunk.getUses()) {
    Operation *reader = use.getOwner();
    if (skips.contains(&use)) {
      if (trunk == embedding)
        embeddingReads.push_back(&use);
      continue;
    }
    auto norm = dyn_cast<NormalizationOpInterface>(reader);
    if (readsShapeOnly(use) || (norm && norm->use_empty()))
      continue;
    auto obstacle = [&](const Twine &why) {
      return Obstacle{reader->getLoc(), (describeOperation(reader) +
                                         " reads the trunk at " + place + why)
                                            .str()};
    };
    if (!norm || &use != &norm.getInputMutable()) {
      // It can go on reading what is not centered.
      if (trunk != embedding)
        return obstacle("");
      if (!embeddingObstacle)
        embeddingObstacle = obstacle("");
      continue;
    }
    if (norm.getNormKind() == NormKind::RMS)
      return obstacle(": it is an RMSNorm already");
    if (norm.getNormKind() != NormKind::Layer)
      return obstacle(" with its mean");
    norms.push_back(norm);
    SmallVector<int64_t> axes = norm.getNormalizedAxes();
    if (axes.size() != 1 || axes != norms.front().getNormalizedAxes())
      return obstacle(" along other dimensions than its features");
    if (trunk == embedding)
      embeddingReads.push_back(&use);
  }
  return std::nullopt;
}

std::optional<std::string> StreamCenterer::checkWeight(Value weight,
                                                       int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(weight.getType());
  if (!type || !isa<FloatType>(type.getElementType()) || type.getEncoding())
    return "expected a tensor of floating-point numbers";
  if (ElementsAttr constant = getConstantWeight(weight)) {
    ElementsAttr &centered = folded[{weight, dim}];
    if (!centered)
      centered = foldCentered(constant, dim);
    return centered ? std::nullopt
                    : std::optional<std::string>("it would overflow");
  }
  if (!isa<BlockArgument>(weight))
    return "its elements are not known";
  if (!argumentObstacle.empty())
    return argumentObstacle;
  return std::nullopt;
}

std::optional<Obstacle> StreamCenterer::checkWriter(const Summand &writer,
                                                    StringRef place) {
  auto obstacle = [&](const Twine &why) {
    return Obstacle{writer.op ? writer.op->getLoc() : embedding.getLoc(),
                    (describeOperation(writer.op) + " writes the trunk at " +
                     place + ": " + why)
                        .str()};
  };
  if (writer.kind == Summand::Kind::Other)
    return obstacle("it is neither a linear map, a bias nor a table");
  if (writer.escaping)
    return obstacle("something else reads what it writes");
  Value weight = writer.parameter.root;
  if (std::optional<std::string> why = checkWeight(weight, writer.rootDim))
    return obstacle("cannot center " + describeParameter(weight) + ": " + *why);
  return std::nullopt;
}

/// Finds what writes `value`, of which `read` is the use by the trunk; null if
/// all uses have been looked at.
std::optional<Obstacle>
StreamCenterer::findWriters(Value value, OpOperand *read, StringRef place) {
  if (read)
    for (OpOperand &use : value.getUses())
      if (&use != read && !readsShapeOnly(use))
        return Obstacle{use.getOwner()->getLoc(),
                        (describeOperation(use.getOwner()) +
                         " reads what is written to the trunk at " + place)
                            .str()};
  std::vector<Summand> found =
      findSummands(value, norms.front().getNormalizedAxes().front());
  for (const Summand &writer : found)
    if (std::optional<Obstacle> obstacle = checkWriter(writer, place))
      return obstacle;
  llvm::append_range(writers, found);
  return std::nullopt;
}

/// Finds what reads and writes the trunk of `stream`.
std::optional<Obstacle> StreamCenterer::plan(ResidualStream &stream) {
  skips.clear();
  embeddingReads.clear();
  norms.clear();
  writers.clear();
  embeddingObstacle.reset();
  for (Sublayer &sublayer : stream.sublayers)
    skips.insert(&sublayer.add.getSkipMutable());
  embedding = stream.sublayers.front().add.getSkip();

  std::string place = stream.prefix + "embedding";
  Value trunk = embedding;
  for (Sublayer &sublayer : stream.sublayers) {
    if (sublayer.add.getSkip() != trunk)
      return Obstacle{sublayer.add.getSkip().getLoc(),
                      "a post norm is on the trunk at " + place};
    if (std::optional<Obstacle> obstacle = findReaders(trunk, place))
      return obstacle;
    trunk = sublayer.add.getResult();
    place = sublayer.name;
  }
  if (std::optional<Obstacle> obstacle = findReaders(trunk, place))
    return obstacle;
  Location loc = stream.sublayers.front().add.getLoc();
  if (norms.empty())
    return Obstacle{loc, "no norm reads the trunk"};
  auto type = norms.front().getInput().getType();
  if (type.isDynamicDim(norms.front().getNormalizedAxes().front())) {
    std::string why = "expected a static extent of its features, but got ";
    llvm::raw_string_ostream(why) << type;
    return Obstacle{loc, why};
  }

  if (options.embedding != EmbeddingCentering::Explicit && !embeddingObstacle)
    embeddingObstacle =
        findWriters(embedding, /*read=*/nullptr, stream.prefix + "embedding");
  if (options.embedding == EmbeddingCentering::Fold && embeddingObstacle)
    return embeddingObstacle;
  for (Sublayer &sublayer : stream.sublayers)
    if (std::optional<Obstacle> obstacle =
            findWriters(sublayer.add.getBranch(),
                        &sublayer.add.getBranchMutable(), sublayer.name))
      return obstacle;
  return std::nullopt;
}

/// Subtracts the mean from the embedding, for the stream.
void StreamCenterer::centerEmbedding() {
  ImplicitLocOpBuilder b(embedding.getLoc(), embedding.getContext());
  b.setInsertionPointAfterValue(embedding);
  // What is left of the mean would stay in the trunk.
  Value centered =
      createCentered(b, embedding, norms.front().getNormalizedAxes().front());
  for (OpOperand *use : embeddingReads)
    use->set(centered);
}

/// `weight`, centered along `dim`, at the place of `b`.
Value StreamCenterer::centerWeight(ImplicitLocOpBuilder &b, Value weight,
                                   int64_t dim) {
  if (ElementsAttr constant = folded.lookup({weight, dim}))
    return arith::ConstantOp::create(b, constant);
  Value &centered = computed[{weight, dim}];
  if (!centered) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.getFunctionBody().front());
    centered = createCentered(b, weight, dim);
  }
  return centered;
}

void StreamCenterer::centerWriters() {
  SetVector<Operation *> replaced;
  for (const Summand &writer : writers) {
    const MovedValue &parameter = writer.parameter;
    ImplicitLocOpBuilder b(writer.op->getLoc(), writer.op);
    Value centered = centerWeight(b, parameter.root, writer.rootDim);
    writer.operand->set(parameter.rebuild(b, centered));
    if (Operation *root = parameter.root.getDefiningOp())
      replaced.insert(root);
    replaced.insert(parameter.moves.begin(), parameter.moves.end());
  }
  for (Operation *op : llvm::reverse(replaced))
    if (isOpTriviallyDead(op))
      op->erase();
}

void StreamCenterer::replaceNorms() {
  for (NormalizationOpInterface norm : norms) {
    NormSpec spec(norm);
    spec.kind = NormKind::RMS;
    OpBuilder builder(norm);
    NormalizationOpInterface created =
        spec.createLike(builder, norm, norm.getInput());
    created->setAttr(kCenteredAttrName, builder.getUnitAttr());
    norm->replaceAllUsesWith(created);
    norm->erase();
  }
}

void StreamCenterer::run(ResidualStream &stream) {
  if (std::optional<Obstacle> obstacle = plan(stream)) {
    emitRemark(obstacle->loc)
        << "residual stream not centered: " << obstacle->why;
    return;
  }
  if (embeddingObstacle)
    emitRemark(embeddingObstacle->loc)
        << "mean subtracted from the trunk where it begins: "
        << embeddingObstacle->why;
  if (embeddingObstacle || options.embedding == EmbeddingCentering::Explicit)
    centerEmbedding();
  centerWriters();
  replaceNorms();
}

LogicalResult StreamCenterer::prepareWeights() {
  if (computed.empty())
    return success();
  SmallVector<Value> weights;
  for (auto &[key, value] : computed)
    weights.push_back(value);
  std::string why;
  if (failed(outlineWeightPreparation(function, weights, why)))
    return function.emitError("cannot prepare its weights: ") << why;
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct NormCenterResidualPass
    : public norm::impl::NormCenterResidualPassBase<NormCenterResidualPass> {
  using NormCenterResidualPassBase::NormCenterResidualPassBase;

  void runOnOperation() final {
    for (FunctionOpInterface function : collectFunctions(getOperation())) {
      StreamCenterer centerer(function, {weights, embedding});
      auto &analysis = getChildAnalysis<ResidualStreamAnalysis>(function);
      for (ResidualStream &stream : analysis.getStreams())
        centerer.run(stream);
      if (failed(centerer.prepareWeights()))
        return signalPassFailure();
    }
  }
};
} // namespace
