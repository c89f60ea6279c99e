//===- DeepNorm.cpp - What a conversion to DeepNorm sets ------------------===//

#include "DeepNorm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Dialect/Norm/Transforms/ConstantWeights.h"

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

static bool hasCrossAttention(ResidualStream &stream) {
  return llvm::any_of(stream.sublayers, [](const Sublayer &sublayer) {
    return sublayer.kind == SublayerKind::CrossAttention;
  });
}

void DeepNormStacks::add(MutableArrayRef<ResidualStream> functionStreams) {
  Function &function = functions.emplace_back();
  for (ResidualStream &stream : functionStreams) {
    functionOf[&stream] = functions.size() - 1;
    (hasCrossAttention(stream) ? function.decoders : function.others)
        .push_back(&stream);
  }
}

/// The number of layers of `stream`, if it is not given by `option`.
FailureOr<uint64_t> DeepNormStacks::countLayers(ResidualStream &stream,
                                                uint64_t given,
                                                StringRef option,
                                                std::string &why) const {
  if (given > 0)
    return given;
  std::optional<uint64_t> layers = stream.getNumLayers();
  if (layers && *layers > 0 && !stream.beginsElsewhere &&
      !stream.goesOnElsewhere)
    return *layers;
  why = "the number of layers of its stack is not known; expected '" +
        option.str() + "'";
  return failure();
}

FailureOr<StackRole> DeepNormStacks::findRole(ResidualStream &stream,
                                              std::string &why) const {
  bool isDecoder = hasCrossAttention(stream);
  switch (options.stack) {
  case DeepNormStack::EncoderOnly:
  case DeepNormStack::DecoderOnly:
    return StackRole::Single;
  case DeepNormStack::EncoderDecoder:
    return isDecoder ? StackRole::Decoder : StackRole::Encoder;
  case DeepNormStack::Auto:
    break;
  }
  if (isDecoder)
    return StackRole::Decoder;
  if (!functions[functionOf.lookup(&stream)].decoders.empty())
    return StackRole::Encoder;
  // A decoder whose memory comes from elsewhere may attend to this stack.
  for (const Function &function : functions)
    if (!function.decoders.empty() && function.others.empty()) {
      why = "it may be the encoder of another function's decoder; expected "
            "'stack'";
      return failure();
    }
  return StackRole::Single;
}

/// The number of layers of the decoder that belongs to `encoder`.
FailureOr<uint64_t> DeepNormStacks::countDecoderLayers(ResidualStream &encoder,
                                                       std::string &why) const {
  if (options.decoderLayers > 0)
    return options.decoderLayers;
  ArrayRef<ResidualStream *> own =
      functions[functionOf.lookup(&encoder)].decoders;
  SmallVector<ResidualStream *> decoders(own);
  if (own.empty())
    for (const Function &function : functions)
      llvm::append_range(decoders, function.decoders);
  std::optional<uint64_t> count;
  for (ResidualStream *decoder : decoders) {
    FailureOr<uint64_t> layers =
        countLayers(*decoder, 0, "decoder-layers", why);
    if (failed(layers))
      return failure();
    if (count && *count != *layers) {
      why = "its decoders differ in their numbers of layers; expected "
            "'decoder-layers'";
      return failure();
    }
    count = *layers;
  }
  if (!count) {
    why = "no decoder tells its number of layers; expected 'decoder-layers'";
    return failure();
  }
  return *count;
}

FailureOr<DeepNormFactors> DeepNormStacks::getFactors(ResidualStream &stream,
                                                      std::string &why) const {
  std::optional<double> beta;
  if (options.beta > 0.0)
    beta = options.beta;
  if (options.alpha > 0.0)
    return DeepNormFactors{options.alpha, beta};

  FailureOr<StackRole> role = findRole(stream, why);
  if (failed(role))
    return failure();
  bool isDecoder = *role == StackRole::Decoder ||
                   options.stack == DeepNormStack::DecoderOnly;
  uint64_t given = isDecoder ? options.decoderLayers : options.encoderLayers;
  FailureOr<uint64_t> layers = countLayers(
      stream, given, isDecoder ? "decoder-layers" : "encoder-layers", why);
  if (failed(layers))
    return failure();
  uint64_t decoderLayers = 1;
  if (*role == StackRole::Encoder) {
    FailureOr<uint64_t> count = countDecoderLayers(stream, why);
    if (failed(count))
      return failure();
    decoderLayers = *count;
  }
  DeepNormConstants constants =
      getDeepNormConstants(*role, *layers, decoderLayers);
  return DeepNormFactors{constants.alpha, beta.value_or(constants.beta)};
}

//===----------------------------------------------------------------------===//
// Gains
//===----------------------------------------------------------------------===//

namespace {
class GainSetter {
public:
  GainSetter(ArrayRef<SublayerWeights> sublayers, double beta,
             bool scaleWeights, bool strict)
      : sublayers(sublayers), beta(beta), scaleWeights(scaleWeights),
        strict(strict) {
    for (const SublayerWeights &each : sublayers)
      for (const LinearMap &map : each.weights.maps)
        maps.insert(map.op);
  }

  LogicalResult run();

private:
  LogicalResult refuse(Location loc, StringRef name, const Twine &why);
  Operation *findOtherReader(Value root);
  LogicalResult record(StringRef name, const LinearMap &map,
                       BlockArgument argument);
  LogicalResult scale(StringRef name, const LinearMap &map);

  ArrayRef<SublayerWeights> sublayers;
  double beta;
  bool scaleWeights, strict;
  /// All linear maps whose weights have the gain.
  llvm::SmallPtrSet<Operation *, 32> maps;
  /// What has been decided of a weight that several of them share.
  llvm::DenseMap<Value, Value> scaled;
  llvm::DenseSet<Value> recorded;
};
} // namespace

LogicalResult GainSetter::refuse(Location loc, StringRef name,
                                 const Twine &why) {
  if (strict)
    return emitError(loc) << "a weight of " << name
                          << " cannot have the gain of DeepNorm: " << why;
  emitRemark(loc) << "a weight of " << name
                  << " is without the gain of DeepNorm: " << why;
  return success();
}

/// What reads `root`, past moves, and is none of the linear maps; or null.
Operation *GainSetter::findOtherReader(Value root) {
  SmallVector<Value> worklist = {root};
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (maps.contains(op) || readsShapeOnly(use))
        continue;
      std::optional<Move> move = getMove(op);
      if (!move || move->source != &use)
        return op;
      worklist.push_back(move->result);
    }
  return nullptr;
}

/// Records the gain at `argument`, the weight of `map`.
LogicalResult GainSetter::record(StringRef name, const LinearMap &map,
                                 BlockArgument argument) {
  if (!recorded.insert(argument).second)
    return success();
  Location loc = map.weight->getOwner()->getLoc();
  if (Operation *other = findOtherReader(argument))
    return refuse(loc, name,
                  "it is read elsewhere, by " + describeOperation(other));
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  unsigned index = argument.getArgNumber();
  auto gain = FloatAttr::get(Float64Type::get(function->getContext()), beta);
  auto old = function.getArgAttrOfType<FloatAttr>(index, kInitGainAttrName);
  if (old && old != gain)
    emitRemark(loc) << "the gain of " << describeParameter(argument) << " was "
                    << old.getValueAsDouble() << " and is now " << beta;
  function.setArgAttr(index, kInitGainAttrName, gain);
  return success();
}

/// Erases what only `value`, which nothing reads, was made for.
static void eraseDead(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseDead(operand);
}

/// Gives `map` the weight that it has, a constant, times the gain.
LogicalResult GainSetter::scale(StringRef name, const LinearMap &map) {
  Operation *op = map.weight->getOwner();
  Value root = map.moved.root;
  Value &product = scaled[root];
  if (!product) {
    ElementsAttr weight = getConstantWeight(root);
    if (!weight)
      return refuse(op->getLoc(), name, "its elements are not known");
    std::vector<double> elements = readWeight(weight);
    for (double &element : elements)
      element *= beta;
    ElementsAttr attr =
        makeWeight(cast<RankedTensorType>(root.getType()), elements,
                   isa<DenseResourceElementsAttr>(weight));
    if (!attr)
      return refuse(op->getLoc(), name, "its elements would overflow");
    OpBuilder builder(root.getContext());
    builder.setInsertionPointAfterValue(root);
    product = arith::ConstantOp::create(builder, root.getLoc(), attr);
  }
  OpBuilder builder(op);
  Value old = map.weight->get();
  map.weight->set(map.moved.rebuild(builder, product));
  eraseDead(old);
  return success();
}

LogicalResult GainSetter::run() {
  for (const SublayerWeights &each : sublayers) {
    StringRef name = each.sublayer->name;
    unsigned numConstants = 0;
    for (const LinearMap &map : each.weights.maps) {
      auto argument = dyn_cast<BlockArgument>(map.moved.root);
      if (!argument && !scaleWeights) {
        ++numConstants;
        continue;
      }
      if (failed(argument ? record(name, map, argument) : scale(name, map)))
        return failure();
    }
    if (numConstants > 0)
      emitRemark(each.sublayer->add.getLoc())
          << numConstants << " weights of " << name
          << " are constants, which hold no gain; 'scale-weights' multiplies "
             "them by "
          << beta;
    for (auto [op, why] : each.weights.obstacles)
      if (failed(refuse(op->getLoc(), name, why)))
        return failure();
  }
  return success();
}

LogicalResult norm::setInitGain(ArrayRef<SublayerWeights> sublayers,
                                double beta, bool scaleWeights, bool strict) {
  return GainSetter(sublayers, beta, scaleWeights, strict).run();
}

void norm::eraseInitGain(ArrayRef<SublayerWeights> sublayers,
                         ArrayRef<SublayerWeights> kept) {
  llvm::DenseSet<Value> keptWeights;
  for (const SublayerWeights &each : kept)
    for (const LinearMap &map : each.weights.maps)
      keptWeights.insert(map.moved.root);
  for (const SublayerWeights &each : sublayers)
    for (const LinearMap &map : each.weights.maps)
      if (auto argument = dyn_cast<BlockArgument>(map.moved.root);
          argument && !keptWeights.contains(argument))
        cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
            .removeArgAttr(
                argument.getArgNumber(),
                StringAttr::get(argument.getContext(), kInitGainAttrName));
}
