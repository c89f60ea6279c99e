//===- AttentionToLinalg.cpp - Attention as linalg ------------------------===//

#include "Attention.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Conversion/NormToLinalg/NormToLinalg.h"
#include <limits>

using namespace mlir;
using namespace mlir::norm;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Attention::Attention(ImplicitLocOpBuilder &b, AttentionOp op)
    : b(b), op(op), type(op.getSoftmaxType()),
      batchRank(op.getQuery().getType().getRank() - 3) {
  int64_t heads = op.getHeads(), keyHeads = op.getKeyValueHeads();
  isGrouped = ShapedType::isDynamic(heads) || heads != keyHeads;
  query = op.getQuery();
  if (isGrouped) {
    Location loc = b.getLoc();
    keyValueHeads = tensor::getMixedSize(b, loc, op.getKey(), batchRank);
    if (ShapedType::isStatic(heads) && ShapedType::isStatic(keyHeads)) {
      staticGroup = heads / keyHeads;
      group = b.getIndexAttr(staticGroup);
    } else {
      // No heads at all make groups of none: that is no division by zero.
      Value total = getValueOrCreateConstantIndexOp(
          b, loc, tensor::getMixedSize(b, loc, op.getQuery(), batchRank));
      Value divisor = arith::MaxUIOp::create(
          b, getValueOrCreateConstantIndexOp(b, loc, keyValueHeads),
          arith::ConstantIndexOp::create(b, 1));
      group = arith::DivUIOp::create(b, total, divisor).getResult();
    }
    query = splitHeads(query, batchRank);
  }
  rowSizes = tensor::getMixedSizes(b, b.getLoc(), query);
  rowSizes.pop_back();
  rowDim = rowSizes.size() - 1;
  keyDim = rowSizes.size();
  keys = tensor::getMixedSize(b, b.getLoc(), op.getKey(), batchRank + 1);
}

/// Splits dimension `dim` of `tensor`, the query's heads, into kv_heads and
/// group.
Value Attention::splitHeads(Value tensor, int64_t dim) {
  auto source = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(source.getShape());
  int64_t keyHeads = op.getKeyValueHeads();
  // An extent can only be split into unknown ones when it is unknown itself.
  if (ShapedType::isDynamic(keyHeads) || ShapedType::isDynamic(staticGroup)) {
    shape[dim] = ShapedType::kDynamic;
    tensor = tensor::CastOp::create(
        b, RankedTensorType::get(shape, source.getElementType()), tensor);
  }
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  sizes[dim] = keyValueHeads;
  sizes.insert(sizes.begin() + dim + 1, group);
  shape[dim] = keyHeads;
  shape.insert(shape.begin() + dim + 1, staticGroup);
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t from = 0, to = 0; from < source.getRank(); ++from) {
    reassociation.push_back({to++});
    if (from == dim)
      reassociation.back().push_back(to++);
  }
  return tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(shape, source.getElementType()), tensor,
      reassociation, sizes);
}

Value Attention::logits() {
  // Products, in the iteration space [leading..., row, key, head_dim].
  int64_t rank = keyDim + 2, depthDim = keyDim + 1;
  SmallVector<OpFoldResult> sizes = rowSizes;
  sizes.push_back(keys);
  SmallVector<int64_t> queryDims = upTo(rowDim + 1);
  queryDims.push_back(depthDim);
  Value zero = createFilled(b, sizes, type, 0.0);
  Value products = createGeneric(
      b,
      {{query, selectDims(b, rank, queryDims)},
       {op.getKey(), keyMap(rank, keyDim, depthDim)}},
      {zero, selectDims(b, rank, upTo(keyDim + 1))},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value product = arith::MulFOp::create(b, convertFloat(b, args[0], type),
                                              convertFloat(b, args[1], type),
                                              kReductionFlags);
        return arith::AddFOp::create(b, args[2], product, kReductionFlags);
      });

  SmallVector<Operand> inputs = {
      {products, b.getMultiDimIdentityMap(sizes.size())}};
  Value scalarScale;
  addLogitScale(inputs, scalarScale);
  addMask(inputs);
  return createElementwise(
      b, sizes, type, inputs,
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value logit = args[0];
        args = args.drop_front();
        Value scale = scalarScale;
        if (!scale) {
          scale = convertFloat(b, args[0], type);
          args = args.drop_front();
        }
        logit = arith::MulFOp::create(b, logit, scale);
        if (std::optional<APFloat> softcap = op.getSoftcap()) {
          Value cap = createConstant(b, type, softcap->convertToDouble());
          logit = arith::DivFOp::create(b, logit, cap);
          logit = arith::MulFOp::create(b, cap, math::TanhOp::create(b, logit));
        }
        Value visible = isVisible(b);
        if (op.getMask()) {
          Value mask = maskSizes.empty() ? args[0] : loadMask(b);
          if (!mask.getType().isInteger(1))
            logit =
                arith::AddFOp::create(b, logit, convertFloat(b, mask, type));
          else if (visible)
            visible = arith::AndIOp::create(b, visible, mask);
          else
            visible = mask;
        }
        if (!visible)
          return logit;
        return arith::SelectOp::create(b, visible, logit,
                                       createConstant(b, type, -kInfinity));
      });
}

/// The factor on the logits: either `scalar`, or one more input.
void Attention::addLogitScale(SmallVectorImpl<Operand> &inputs, Value &scalar) {
  if (Value scale = op.getLearnedScale()) {
    SmallVector<int64_t> dims;
    if (op.getLearnedScale().getType().getRank() == 1) {
      dims.push_back(batchRank);
      if (isGrouped) {
        scale = splitHeads(scale, 0);
        dims.push_back(batchRank + 1);
      }
    }
    inputs.push_back({scale, selectDims(b, keyDim + 1, dims)});
    return;
  }
  if (std::optional<double> scale = op.getLogitScale()) {
    scalar = createConstant(b, type, *scale);
    return;
  }
  OpFoldResult headDim =
      tensor::getMixedSize(b, b.getLoc(), op.getQuery(), batchRank + 2);
  auto f64 = cast<FloatType>(b.getF64Type());
  Value root = math::SqrtOp::create(b, createCount(b, headDim, f64));
  scalar = convertFloat(
      b, arith::DivFOp::create(b, createConstant(b, f64, 1.0), root), type);
}

/// The mask as one more input, if its shape says where it broadcasts.
void Attention::addMask(SmallVectorImpl<Operand> &inputs) {
  Value mask = op.getMask();
  if (!mask)
    return;
  RankedTensorType maskType = op.getMask().getType();
  if (!maskType.hasStaticShape()) {
    maskSizes = tensor::getMixedSizes(b, b.getLoc(), mask);
    return;
  }
  int64_t logitRank = batchRank + 3, split = 0;
  SmallVector<AffineExpr> exprs;
  for (int64_t dim = 0; dim < maskType.getRank(); ++dim) {
    int64_t logitDim = logitRank - maskType.getRank() + dim;
    // The dimension of the loops: those after the heads may have moved by one.
    int64_t loop = logitDim + (isGrouped && logitDim > batchRank ? 1 : 0);
    if (maskType.getDimSize(dim) == 1) {
      exprs.push_back(b.getAffineConstantExpr(0));
      continue;
    }
    exprs.push_back(b.getAffineDimExpr(loop));
    if (isGrouped && logitDim == batchRank) {
      mask = splitHeads(mask, dim + split++);
      exprs.push_back(b.getAffineDimExpr(loop + 1));
    }
  }
  inputs.push_back(
      {mask, AffineMap::get(keyDim + 1, 0, exprs, b.getContext())});
}

/// The mask's element of this logit, for a mask of which only the run tells
/// where it broadcasts.
Value Attention::loadMask(ImplicitLocOpBuilder &b) {
  int64_t logitRank = batchRank + 3, maskRank = maskSizes.size();
  auto loopIndex = [&](int64_t logitDim) -> Value {
    if (!isGrouped || logitDim < batchRank)
      return linalg::IndexOp::create(b, logitDim);
    if (logitDim > batchRank)
      return linalg::IndexOp::create(b, logitDim + 1);
    Value outer = linalg::IndexOp::create(b, batchRank);
    Value inner = linalg::IndexOp::create(b, batchRank + 1);
    Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), group);
    return arith::AddIOp::create(b, arith::MulIOp::create(b, outer, size),
                                 inner);
  };
  SmallVector<Value> indices;
  for (auto [dim, size] : llvm::enumerate(maskSizes)) {
    Value index = loopIndex(logitRank - maskRank + dim);
    // The last valid index: 0 where the mask broadcasts.
    Value last = arith::SubIOp::create(
        b, getValueOrCreateConstantIndexOp(b, b.getLoc(), size),
        arith::ConstantIndexOp::create(b, 1));
    indices.push_back(arith::MinUIOp::create(b, index, last));
  }
  return tensor::ExtractOp::create(b, op.getMask(), indices);
}

/// Whether causality and window let this query see this key; null for always.
Value Attention::isVisible(ImplicitLocOpBuilder &b) {
  if (!op.getCausal() && !op.getWindow())
    return {};
  Location loc = b.getLoc();
  // The position of the query among the keys: the last is at the last key.
  Value row = linalg::IndexOp::create(b, rowDim);
  Value key = linalg::IndexOp::create(b, keyDim);
  Value offset = arith::SubIOp::create(
      b, getValueOrCreateConstantIndexOp(b, loc, keys),
      getValueOrCreateConstantIndexOp(b, loc, rowSizes[rowDim]));
  Value position = arith::AddIOp::create(b, row, offset);
  Value visible;
  auto require = [&](arith::CmpIPredicate predicate, Value bound) {
    Value holds = arith::CmpIOp::create(b, predicate, key, bound);
    visible =
        visible ? arith::AndIOp::create(b, visible, holds).getResult() : holds;
  };
  if (op.getCausal())
    require(arith::CmpIPredicate::sle, position);
  if (std::optional<uint64_t> window = op.getWindow()) {
    Value width = arith::ConstantIndexOp::create(b, *window);
    require(arith::CmpIPredicate::sgt,
            arith::SubIOp::create(b, position, width));
    if (!op.getCausal())
      require(arith::CmpIPredicate::slt,
              arith::AddIOp::create(b, position, width));
  }
  return visible;
}

Value Attention::isEmpty(ImplicitLocOpBuilder &b, Value maximum) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum,
                               createConstant(b, type, -kInfinity));
}

Value Attention::maxima(Value logits) {
  Value lowest = createFilled(b, rowSizes, type, -kInfinity);
  return createGeneric(b, {{logits, logitMap()}}, {lowest, rowMap()},
                       [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                         return arith::MaximumFOp::create(b, args[1], args[0]);
                       });
}

Value Attention::exponentials(Value logits, Value maxima, FloatType rounded) {
  return createElementwise(
      b, logitSizes(), rounded, {{logits, logitMap()}, {maxima, rowMap()}},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value shift = args[1];
        if (op.getZeroMaskedRows())
          shift = arith::SelectOp::create(b, isEmpty(b, shift),
                                          createConstant(b, type, 0.0), shift);
        Value power =
            math::ExpOp::create(b, arith::SubFOp::create(b, args[0], shift));
        return convertFloat(b, power, rounded);
      });
}

Value Attention::sums(Value exponentials) {
  Value zero = createFilled(b, rowSizes, type, 0.0);
  return createGeneric(b, {{exponentials, logitMap()}}, {zero, rowMap()},
                       [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                         return arith::AddFOp::create(
                             b, args[1], convertFloat(b, args[0], type),
                             kReductionFlags);
                       });
}

Value Attention::softmax(Value logits) {
  Value maximum = maxima(logits);
  Value powers = exponentials(logits, maximum, type);
  SmallVector<Operand> inputs = {{powers, logitMap()},
                                 {sums(powers), rowMap()}};
  if (op.getZeroMaskedRows())
    inputs.push_back({maximum, rowMap()});
  return createElementwise(
      b, logitSizes(), type, inputs,
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value sum = args[1];
        if (op.getZeroMaskedRows())
          sum = arith::SelectOp::create(b, isEmpty(b, args[2]),
                                        createConstant(b, type, 1.0), sum);
        return arith::DivFOp::create(b, args[0], sum);
      });
}

Attention::Weights Attention::weights(Value logits) {
  Value maximum = maxima(logits);
  Value powers =
      exponentials(logits, maximum,
                   cast<FloatType>(op.getValue().getType().getElementType()));
  AffineMap map = b.getMultiDimIdentityMap(rowDim + 1);
  SmallVector<Operand> inputs = {{sums(powers), map}};
  if (op.getZeroMaskedRows())
    inputs.push_back({maximum, map});
  Value factors = createElementwise(
      b, rowSizes, type, inputs,
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value one = createConstant(b, type, 1.0), sum = args[0];
        if (op.getZeroMaskedRows())
          sum = arith::SelectOp::create(b, isEmpty(b, args[1]), one, sum);
        return arith::DivFOp::create(b, one, sum);
      });
  return {powers, factors};
}

Value Attention::weightedValues(Value weights, Value factors) {
  // The iteration space [leading..., row, value_dim, key].
  int64_t rank = keyDim + 2, depthDim = keyDim, sumDim = keyDim + 1;
  SmallVector<OpFoldResult> sizes = rowSizes;
  sizes.push_back(
      tensor::getMixedSize(b, b.getLoc(), op.getValue(), batchRank + 2));
  SmallVector<int64_t> weightDims = upTo(rowDim + 1);
  weightDims.push_back(sumDim);
  Value zero = createFilled(b, sizes, type, 0.0);
  Value result = createGeneric(
      b,
      {{weights, selectDims(b, rank, weightDims)},
       {op.getValue(), keyMap(rank, sumDim, depthDim)}},
      {zero, selectDims(b, rank, upTo(depthDim + 1))},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value product = arith::MulFOp::create(b, convertFloat(b, args[0], type),
                                              convertFloat(b, args[1], type),
                                              kReductionFlags);
        return arith::AddFOp::create(b, args[2], product, kReductionFlags);
      });

  auto resultType = cast<FloatType>(op.getType().getElementType());
  SmallVector<Operand> inputs = {
      {result, b.getMultiDimIdentityMap(sizes.size())}};
  if (factors)
    inputs.push_back({factors, selectDims(b, sizes.size(), upTo(rowDim + 1))});
  if (factors || resultType != type)
    result = createElementwise(
        b, sizes, resultType, inputs,
        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value value = args[0];
          if (factors)
            value = arith::MulFOp::create(b, value, args[1]);
          return convertFloat(b, value, resultType);
        });
  if (isGrouped) {
    SmallVector<ReassociationIndices> reassociation;
    for (int64_t from = 0, end = sizes.size(); from < end; ++from) {
      reassociation.push_back({from});
      if (from == batchRank)
        reassociation.back().push_back(++from);
    }
    result = tensor::CollapseShapeOp::create(b, result, reassociation);
  }
  if (result.getType() != op.getType())
    result = tensor::CastOp::create(b, op.getType(), result);
  return result;
}

namespace {
struct AttentionToLinalg : public OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const final {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Attention attention(b, op);
    Value probabilities = attention.softmax(attention.logits());
    rewriter.replaceOp(op, attention.weightedValues(probabilities));
    return success();
  }
};
} // namespace

void norm::populateAttentionToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<AttentionToLinalg>(patterns.getContext());
}
