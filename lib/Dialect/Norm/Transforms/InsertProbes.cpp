//===- InsertProbes.cpp - Record the residual stream's statistics ---------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMINSERTPROBESPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// Probes `value` where it is defined, unless it is probed under this name.
static void insertProbe(Value value, const Twine &name) {
  std::string text = name.str();
  for (Operation *user : value.getUsers())
    if (auto probe = dyn_cast<ProbeOp>(user); probe && probe.getName() == text)
      return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  ProbeOp::create(builder, value.getLoc(), value, text);
}

/// What the first sublayer adds to; for a loop, what its first iteration does.
static Value getEmbedding(ResidualStream &stream) {
  if (auto loop = dyn_cast_if_present<LoopLikeOpInterface>(stream.loop))
    return loop.getTiedLoopInit(cast<BlockArgument>(stream.source))->get();
  return stream.sublayers.front().add.getSkip();
}

static void probeStream(ResidualStream &stream, bool sums) {
  insertProbe(getEmbedding(stream), stream.prefix + "embedding");
  if (sums && stream.embeddingNorm)
    insertProbe(stream.embeddingNorm.getInput(),
                stream.prefix + "embedding.sum");
  for (Sublayer &sublayer : stream.sublayers) {
    Value sum = sublayer.add.getResult();
    insertProbe(sublayer.postNorm ? Value(sublayer.postNorm.getResult()) : sum,
                sublayer.name);
    if (sums && sublayer.postNorm)
      insertProbe(sum, sublayer.name + ".sum");
  }
  if (stream.finalNorm)
    insertProbe(stream.finalNorm.getResult(), stream.prefix + "final");
}

//===----------------------------------------------------------------------===//
// Logits
//===----------------------------------------------------------------------===//

/// Splits dimension `dim` of `tensor`, the query's heads, into the key's heads
/// and the queries that share one.
static Value splitHeads(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                        int64_t keyHeads) {
  auto type = cast<RankedTensorType>(tensor.getType());
  int64_t group = type.getDimSize(dim) / keyHeads;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = keyHeads;
  shape.insert(shape.begin() + dim + 1, group);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  sizes[dim] = b.getIndexAttr(keyHeads);
  sizes.insert(sizes.begin() + dim + 1, b.getIndexAttr(group));
  SmallVector<ReassociationIndices> reassociation(type.getRank());
  for (int64_t from = 0, to = 0; from < type.getRank(); ++from) {
    reassociation[from].push_back(to++);
    if (from == dim)
      reassociation[from].push_back(to++);
  }
  return tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), tensor,
      reassociation, sizes);
}

static Value convert(OpBuilder &b, Location loc, Value value, FloatType type) {
  auto from = cast<FloatType>(value.getType());
  if (from == type)
    return value;
  if (from.getWidth() < type.getWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

/// The order of a reduction is the lowering's to choose.
static constexpr arith::FastMathFlags kReductionFlags =
    arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

static Value createScalar(OpBuilder &b, Location loc, FloatType type,
                          double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

/// The logits of `op` before the mask, [batch..., kv_heads, group, seq_q,
/// seq_k] in the type of its softmax. The heads are static.
static Value computeLogits(AttentionOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  FloatType type = op.getSoftmaxType();
  int64_t batch = op.getQuery().getType().getRank() - 3;
  int64_t keyHeads = op.getKeyValueHeads();
  Value query = splitHeads(b, op.getQuery(), batch, keyHeads);

  // Sums over the head_dim, in the loops [batch..., kv_heads, group, seq_q,
  // seq_k, head_dim].
  int64_t logitRank = batch + 4;
  auto loops = [&](ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(
        dims, [&](int64_t dim) { return b.getAffineDimExpr(dim); });
  };
  SmallVector<int64_t> leading =
      llvm::to_vector(llvm::seq<int64_t>(0, batch + 1));
  SmallVector<int64_t> queryLoops = leading, keyLoops = leading,
                       logitLoops = leading;
  queryLoops.append({batch + 1, batch + 2, logitRank});
  keyLoops.append({batch + 3, logitRank});
  logitLoops.append({batch + 1, batch + 2, batch + 3});
  auto map = [&](ArrayRef<int64_t> dims, int64_t rank) {
    return AffineMap::get(rank, 0, loops(dims), b.getContext());
  };
  SmallVector<utils::IteratorType> iterators(logitRank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);

  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), query);
  sizes.back() = tensor::getMixedSize(b, b.getLoc(), op.getKey(), batch + 1);
  Value empty = tensor::EmptyOp::create(b, sizes, type);
  Value zero = createScalar(b, b.getLoc(), type, 0.0);
  Value init =
      linalg::FillOp::create(b, ValueRange{zero}, ValueRange{empty}).result();
  Value products =
      linalg::GenericOp::create(
          b, init.getType(), ValueRange{query, op.getKey()}, init,
          ArrayRef{map(queryLoops, logitRank + 1), map(keyLoops, logitRank + 1),
                   map(logitLoops, logitRank + 1)},
          iterators,
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value product = arith::MulFOp::create(
                b, loc, convert(b, loc, args[0], type),
                convert(b, loc, args[1], type), kReductionFlags);
            Value sum = arith::AddFOp::create(b, loc, args[2], product,
                                              kReductionFlags);
            linalg::YieldOp::create(b, loc, sum);
          })
          .getResult(0);

  SmallVector<Value> inputs = {products};
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(logitRank)};
  if (Value learned = op.getLearnedScale()) {
    SmallVector<int64_t> dims;
    if (op.getLearnedScale().getType().getRank() == 1) {
      learned = splitHeads(b, learned, 0, keyHeads);
      dims = {batch, batch + 1};
    }
    inputs.push_back(learned);
    maps.push_back(map(dims, logitRank));
  }
  maps.push_back(maps.front());
  iterators.pop_back();
  return linalg::GenericOp::create(
             b, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value scale =
                   op.getLearnedScale()
                       ? convert(b, loc, args[1], type)
                       : createScalar(b, loc, type, *op.getLogitScale());
               Value logit = arith::MulFOp::create(b, loc, args[0], scale);
               if (std::optional<APFloat> softcap = op.getSoftcap()) {
                 Value cap =
                     createScalar(b, loc, type, softcap->convertToDouble());
                 logit = arith::DivFOp::create(b, loc, logit, cap);
                 logit = math::TanhOp::create(b, loc, logit);
                 logit = arith::MulFOp::create(b, loc, cap, logit);
               }
               linalg::YieldOp::create(b, loc, logit);
             })
      .getResult(0);
}

/// Whether `op` has the static extents that `computeLogits` needs.
static bool hasStaticHeads(AttentionOp op) {
  return ShapedType::isStatic(op.getHeads()) &&
         ShapedType::isStatic(op.getKeyValueHeads()) &&
         op.getKeyValueHeads() > 0 &&
         (op.getLearnedScale() || op.getLogitScale());
}

static void probeLogits(FunctionOpInterface function,
                        ResidualStreamAnalysis &analysis) {
  // The value of a logits probe is made for it, so that its name alone says
  // whether it is there.
  llvm::StringSet<> names;
  function->walk([&](ProbeOp probe) { names.insert(probe.getName()); });
  for (const AttentionSite &site : analysis.getAttentions()) {
    std::string name = site.name + ".logits";
    if (names.contains(name))
      continue;
    AttentionOp op = site.op;
    if (!hasStaticHeads(op)) {
      op.emitRemark(
          "logits not probed: expected static heads and head_dim, but "
          "got ")
          << op.getQuery().getType() << " and " << op.getKey().getType();
      continue;
    }
    insertProbe(computeLogits(op), name);
  }
}

namespace {
struct NormInsertProbesPass
    : public norm::impl::NormInsertProbesPassBase<NormInsertProbesPass> {
  using NormInsertProbesPassBase::NormInsertProbesPassBase;

  void runOnOperation() final {
    getOperation().walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      auto &analysis = getChildAnalysis<ResidualStreamAnalysis>(function);
      for (ResidualStream &stream : analysis.getStreams())
        probeStream(stream, sums);
      if (logits)
        probeLogits(function, analysis);
    });
    // No norm, residual add or attention has changed.
    markAnalysesPreserved<ResidualStreamAnalysis>();
  }
};
} // namespace
