//===- FoldedWeights.cpp - Weights that a norm's affine part is in --------===//

#include "FoldedWeights.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "renorm/Dialect/Norm/Transforms/ConstantWeights.h"
#include "renorm/Support/Structured.h"

using namespace mlir;
using namespace mlir::norm;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

SmallVector<int64_t> FoldedMap::getFeatureDims() const {
  return llvm::map_to_vector(features, [&](const FeatureLoop &feature) {
    return map.getRootDim(feature.loop);
  });
}

SmallVector<int64_t> FoldedMap::getOutputDims() const {
  if (biasAdd)
    return llvm::map_to_vector(
        biasAdd->rootLoops, [&](int64_t loop) { return map.getRootDim(loop); });
  SmallVector<int64_t> dims;
  for (auto [dim, loop] : llvm::enumerate(map.rootLoops))
    if (loop >= 0 && !llvm::is_contained(map.inputLoops, loop))
      dims.push_back(dim);
  return dims;
}

/// The dimensions of the weight's root that those of a norm's parameter are.
static SmallVector<int64_t> getParameterDims(const FoldedMap &folded,
                                             Value parameter) {
  if (getType(parameter).getRank() == 0)
    return {};
  return folded.getFeatureDims();
}

static SmallVector<int64_t> select(ArrayRef<int64_t> extents,
                                   ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return extents[dim]; });
}

/// Calls `visit` on the position of every element of a tensor of `extents`, and
/// the positions that those of its dimensions that are in each of `selections`
/// have in a tensor of these.
static void
forEachElement(ArrayRef<int64_t> extents,
               ArrayRef<SmallVector<int64_t>> selections,
               llvm::function_ref<void(size_t, ArrayRef<size_t>)> visit) {
  // How far a step along a dimension goes in each selection.
  SmallVector<SmallVector<size_t>> steps;
  for (ArrayRef<int64_t> selection : selections) {
    SmallVector<size_t> step(extents.size(), 0);
    size_t size = 1;
    for (int64_t dim : llvm::reverse(selection)) {
      step[dim] = size;
      size *= extents[dim];
    }
    steps.push_back(step);
  }
  SmallVector<int64_t> index(extents.size(), 0);
  SmallVector<size_t> positions(selections.size(), 0);
  size_t count = ShapedType::getNumElements(extents);
  for (size_t element = 0; element < count; ++element) {
    visit(element, positions);
    for (int64_t dim = extents.size(); dim-- > 0;) {
      bool carries = ++index[dim] == extents[dim];
      for (auto [position, step] : llvm::zip_equal(positions, steps))
        position += step[dim] * (carries ? 1 - extents[dim] : 1);
      if (!carries)
        break;
      index[dim] = 0;
    }
  }
}

/// The extents of all that the features' loops run over, and the positions
/// among them of the dimensions of scale and bias.
static std::pair<SmallVector<int64_t>, SmallVector<int64_t>>
getParts(const FoldedMap &folded, int64_t rank) {
  SmallVector<int64_t> extents, dims(rank, -1);
  for (const FoldedMap::FeatureLoop &feature : folded.features)
    for (const DimPart &part : feature.parts) {
      if (part.dim >= 0)
        dims[part.dim] = extents.size();
      extents.push_back(part.extent);
    }
  return {extents, dims};
}

/// Whether each dimension of scale and bias has a loop of its own.
static bool haveOwnLoops(const FoldedMap &folded) {
  return llvm::all_of(folded.features, [](const auto &feature) {
    return feature.parts.size() == 1;
  });
}

/// The elements of a constant scale or bias, one for each element that the
/// features' loops run over.
static std::vector<double> readSpread(const FoldedMap &folded,
                                      ElementsAttr parameter) {
  std::vector<double> elements = readWeight(parameter);
  int64_t rank = parameter.getShapedType().getRank();
  if (rank == 0 || haveOwnLoops(folded))
    return elements;
  auto [extents, dims] = getParts(folded, rank);
  std::vector<double> result(ShapedType::getNumElements(extents));
  forEachElement(extents, dims, [&](size_t element, ArrayRef<size_t> position) {
    result[element] = elements[position.front()];
  });
  return result;
}

/// The type that weights whose elements have `types` are computed in.
static FloatType getComputeType(ArrayRef<Type> types) {
  Type type = types.front();
  return llvm::any_of(types, [](Type type) { return type.isF64(); })
             ? cast<FloatType>(Float64Type::get(type.getContext()))
             : Float32Type::get(type.getContext());
}

FoldedWeights::FoldedWeights(FunctionOpInterface function)
    : builder(OpBuilder::atBlockBegin(&function.getFunctionBody().front())) {}

void norm::eraseUnread(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SetVector<Value> operands(op->operand_begin(), op->operand_end());
  op->erase();
  llvm::for_each(operands, eraseUnread);
}

Value FoldedWeights::getAtEntry(Value parameter) {
  if (Operation *op = parameter.getDefiningOp();
      op && !atEntry.contains(parameter)) {
    for (Value operand : op->getOperands())
      getAtEntry(operand);
    builder.clone(*op, atEntry);
  }
  return atEntry.lookupOrDefault(parameter);
}

SmallVector<Value> FoldedWeights::finish() {
  SetVector<Value> unread, read;
  for (const auto &[key, value] : made)
    if (value)
      (value.use_empty() ? unread : read).insert(value);
  llvm::for_each(unread, eraseUnread);
  return llvm::to_vector(llvm::make_filter_range(
      computed, [&](Value value) { return read.contains(value); }));
}

Value FoldedWeights::materialize(ElementsAttr elements, Location loc) {
  if (!elements)
    return {};
  return arith::ConstantOp::create(builder, loc, elements);
}

Value FoldedWeights::spread(const FoldedMap &folded, Value parameter,
                            Location loc) {
  RankedTensorType type = getType(parameter);
  parameter = getAtEntry(parameter);
  if (type.getRank() == 0 || haveOwnLoops(folded))
    return parameter;
  ImplicitLocOpBuilder b(loc, builder);
  auto [extents, dims] = getParts(folded, type.getRank());
  Value result = createElementwise(
      b, getAsIndexOpFoldResult(b.getContext(), extents), type.getElementType(),
      {{parameter, selectDims(b, extents.size(), dims)}},
      [](ImplicitLocOpBuilder &, ValueRange elements) { return elements[0]; });
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (const FoldedMap::FeatureLoop &feature : folded.features) {
    ReassociationIndices &group = groups.emplace_back();
    for (size_t part = 0; part < feature.parts.size(); ++part)
      group.push_back(next++);
  }
  return tensor::CollapseShapeOp::create(b, result, groups);
}

Value FoldedWeights::createWeight(const FoldedMap &folded,
                                  NormalizationOpInterface norm) {
  Value weight = folded.map.moved.root, scale = norm.getScale();
  RankedTensorType type = getType(weight);
  SmallVector<int64_t> scaleDims = getParameterDims(folded, scale);
  linalg::LinalgOp op = folded.map.op;
  Location loc = op.getLoc();
  double offset = norm.getUnitOffset() ? 1.0 : 0.0;
  ElementsAttr weightAttr = getConstantWeight(weight);
  ElementsAttr scaleAttr = getConstantWeight(scale);
  if (weightAttr && scaleAttr) {
    std::vector<double> elements = readWeight(weightAttr);
    std::vector<double> factors = readSpread(folded, scaleAttr);
    forEachElement(type.getShape(), scaleDims,
                   [&](size_t element, ArrayRef<size_t> position) {
                     elements[element] *= offset + factors[position.front()];
                   });
    return materialize(
        makeWeight(type, elements, isa<DenseResourceElementsAttr>(weightAttr)),
        loc);
  }

  ImplicitLocOpBuilder b(loc, builder);
  auto elementType = cast<FloatType>(type.getElementType());
  FloatType computeType =
      getComputeType({elementType, getType(scale).getElementType()});
  int64_t rank = type.getRank();
  Value product = createElementwise(
      b, getAsIndexOpFoldResult(b.getContext(), type.getShape()), elementType,
      {{getAtEntry(weight), b.getMultiDimIdentityMap(rank)},
       {spread(folded, scale, loc), selectDims(b, rank, scaleDims)}},
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
        Value element = convertFloat(inner, elements[0], computeType);
        Value factor = convertFloat(inner, elements[1], computeType);
        if (norm.getUnitOffset())
          factor = arith::AddFOp::create(
              inner, factor, createConstant(inner, computeType, 1.0));
        return convertFloat(
            inner, arith::MulFOp::create(inner, element, factor), elementType);
      });
  computed.push_back(product);
  return product;
}

Value FoldedWeights::createBias(const FoldedMap &folded,
                                NormalizationOpInterface norm) {
  Value weight = folded.map.moved.root, normBias = norm.getBias();
  Value own = folded.biasAdd ? folded.biasAdd->bias.root : Value();
  RankedTensorType type = getType(weight);
  SmallVector<int64_t> biasDims = getParameterDims(folded, normBias);
  SmallVector<int64_t> outputDims = folded.getOutputDims();
  linalg::LinalgOp op = folded.map.op;
  Location loc = op.getLoc();
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  auto sumType =
      own ? getType(own)
          : RankedTensorType::get(select(type.getShape(), outputDims),
                                  resultType.getElementType());
  ElementsAttr weightAttr = getConstantWeight(weight);
  ElementsAttr biasAttr = getConstantWeight(normBias);
  ElementsAttr ownAttr = own ? getConstantWeight(own) : nullptr;
  if (weightAttr && biasAttr && (ownAttr || !own)) {
    std::vector<double> elements = readWeight(weightAttr);
    std::vector<double> summands = readSpread(folded, biasAttr);
    std::vector<double> sums(sumType.getNumElements(), 0.0);
    if (own)
      sums = readWeight(ownAttr);
    forEachElement(type.getShape(), {biasDims, outputDims},
                   [&](size_t element, ArrayRef<size_t> positions) {
                     sums[positions[1]] +=
                         elements[element] * summands[positions[0]];
                   });
    return materialize(
        makeWeight(sumType, sums, isa<DenseResourceElementsAttr>(weightAttr)),
        loc);
  }

  ImplicitLocOpBuilder b(loc, builder);
  auto elementType = cast<FloatType>(sumType.getElementType());
  FloatType computeType = getComputeType(
      {elementType, type.getElementType(), getType(normBias).getElementType()});
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), sumType.getShape());
  auto convert = [&](Value tensor, FloatType to) -> Value {
    if (getType(tensor).getElementType() == to)
      return tensor;
    return createElementwise(
        b, sizes, to, {{tensor, b.getMultiDimIdentityMap(sizes.size())}},
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          return convertFloat(inner, elements[0], to);
        });
  };
  Value init = own ? convert(getAtEntry(own), computeType)
                   : createFilled(b, sizes, computeType, 0.0);
  int64_t rank = type.getRank();
  Value sum = createGeneric(
      b,
      {{getAtEntry(weight), b.getMultiDimIdentityMap(rank)},
       {spread(folded, normBias, loc), selectDims(b, rank, biasDims)}},
      {init, selectDims(b, rank, outputDims)},
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
        Value product = arith::MulFOp::create(
            inner, convertFloat(inner, elements[0], computeType),
            convertFloat(inner, elements[1], computeType), kReductionFlags);
        return arith::AddFOp::create(inner, elements[2], product,
                                     kReductionFlags);
      });
  sum = convert(sum, elementType);
  computed.push_back(sum);
  return sum;
}

Value FoldedWeights::getWeight(const FoldedMap &folded,
                               NormalizationOpInterface norm) {
  Value weight = folded.map.moved.root, scale = norm.getScale();
  if (!scale)
    return weight;
  Key key;
  std::get<0>(key) = {weight.getAsOpaquePointer(), scale.getAsOpaquePointer()};
  llvm::append_range(std::get<1>(key), getParameterDims(folded, scale));
  std::get<1>(key).push_back(norm.getUnitOffset());
  auto [found, isNew] = made.try_emplace(key);
  if (isNew)
    found->second = createWeight(folded, norm);
  return found->second;
}

Value FoldedWeights::getBias(const FoldedMap &folded,
                             NormalizationOpInterface norm) {
  linalg::LinalgOp op = folded.map.op;
  Value own = folded.biasAdd ? folded.biasAdd->bias.root : Value();
  Key key;
  std::get<0>(key) = {
      folded.map.moved.root.getAsOpaquePointer(),
      norm.getBias().getAsOpaquePointer(), own.getAsOpaquePointer(),
      getElementTypeOrSelf(op->getResult(0).getType()).getAsOpaquePointer()};
  llvm::append_range(std::get<1>(key),
                     getParameterDims(folded, norm.getBias()));
  std::get<1>(key).push_back(-1);
  llvm::append_range(std::get<1>(key), folded.getOutputDims());
  auto [found, isNew] = made.try_emplace(key);
  if (isNew)
    found->second = createBias(folded, norm);
  return found->second;
}
