//===- ResidualStreamAnalysis.cpp - Where a function normalizes -----------===//

#include "renorm/Analysis/ResidualStreamAnalysis.h"
#include "AttentionLogits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "renorm/Analysis/BranchSlice.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::norm;

StringRef norm::stringifySublayerKind(SublayerKind kind) {
  switch (kind) {
  case SublayerKind::SelfAttention:
    return "self-attention";
  case SublayerKind::CrossAttention:
    return "cross-attention";
  case SublayerKind::FeedForward:
    return "feed-forward";
  case SublayerKind::GatedFeedForward:
    return "gated-feed-forward";
  case SublayerKind::MixtureOfExperts:
    return "mixture-of-experts";
  case SublayerKind::Other:
    return "other";
  }
  llvm_unreachable("unknown sublayer kind");
}

static constexpr std::pair<llvm::StringLiteral, Placement> placementNames[] = {
    {"none", {false, false, false}},
    {"post", {false, false, true}},
    {"pre", {true, false, false}},
    {"peri", {true, true, false}},
    {"output", {false, true, false}}};

StringRef Placement::getName() const {
  for (auto [name, placement] : placementNames)
    if (*this == placement)
      return name;
  return "other";
}

std::optional<Placement> Placement::parse(StringRef text) {
  for (auto [name, placement] : placementNames)
    if (text == name)
      return placement;
  return std::nullopt;
}

std::string Placement::getBits() const {
  SmallVector<StringRef> bits;
  if (input)
    bits.push_back("in");
  if (output)
    bits.push_back("out");
  if (post)
    bits.push_back("post");
  return bits.empty() ? "-" : llvm::join(bits, "+");
}

std::optional<uint64_t> ResidualStream::getTripCount() {
  if (!loop)
    return 1;
  auto loopLike = dyn_cast<LoopLikeOpInterface>(loop);
  std::optional<APInt> count =
      loopLike ? loopLike.getStaticTripCount() : std::nullopt;
  return count ? count->tryZExtValue() : std::nullopt;
}

std::optional<uint64_t> ResidualStream::getNumLayers() {
  std::optional<uint64_t> count = getTripCount();
  if (!count)
    return std::nullopt;
  return *count * (sublayers.back().layer + 1);
}

//===----------------------------------------------------------------------===//
// Kind of a sublayer
//===----------------------------------------------------------------------===//

/// Whether `op` multiplies elements of its operands at equal places.
static bool isElementwiseProduct(Operation *op) {
  if (isa<arith::MulFOp, linalg::MulOp, tosa::MulOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.getNumLoops() == generic.getNumParallelLoops() &&
         !generic.getBody()->getOps<arith::MulFOp>().empty();
}

/// Whether `op` reads or writes rows at places that the branch computes.
static bool movesRows(Operation *op, const BranchSlice &branch) {
  if (auto gather = dyn_cast<tensor::GatherOp>(op))
    return branch.depends(gather.getIndices());
  if (auto scatter = dyn_cast<tensor::ScatterOp>(op))
    return branch.depends(scatter.getIndices());
  if (auto gather = dyn_cast<tosa::GatherOp>(op))
    return branch.depends(gather.getIndices());
  if (auto scatter = dyn_cast<tosa::ScatterOp>(op))
    return branch.depends(scatter.getIndices());
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && !generic.getBody()->getOps<tensor::ExtractOp>().empty() &&
         llvm::any_of(generic.getInputs(), [&](Value input) {
           Type type = getElementTypeOrSelf(input);
           return type.isIntOrIndex() && !type.isInteger(1) &&
                  branch.depends(input);
         });
}

/// Calls `visit` on the attentions of a branch, those in regions included.
static void
forEachAttention(const BranchSlice &branch,
                 llvm::function_ref<void(AttentionOp attention)> visit) {
  for (Operation *op : branch.getOperations())
    op->walk(visit);
}

static SublayerKind classify(const BranchSlice &module) {
  std::optional<SublayerKind> attentionKind;
  forEachAttention(module, [&](AttentionOp attention) {
    if (!attentionKind)
      attentionKind = module.depends(attention.getKey())
                          ? SublayerKind::SelfAttention
                          : SublayerKind::CrossAttention;
  });
  if (attentionKind)
    return *attentionKind;

  bool hasContraction = false, isGated = false, isRouted = false;
  // The projection that a value comes from: the last contraction on the way, or
  // the part of its result. Where two meet, the meeting point.
  llvm::DenseMap<Value, Operation *> projection;
  for (Operation *op : module.getOperations()) {
    Operation *from = nullptr;
    bool meets = false;
    for (Value operand : op->getOperands()) {
      Operation *other = projection.lookup(operand);
      meets |= from && other && from != other;
      from = from ? from : other;
    }
    if (isContraction(op)) {
      hasContraction = true;
      from = op;
    } else if (from && (meets || isa<tensor::ExtractSliceOp>(op))) {
      isGated |= meets && isElementwiseProduct(op);
      from = op;
    }
    isRouted |= movesRows(op, module);
    for (Value result : op->getResults())
      projection[result] = from;
  }
  if (!hasContraction)
    return SublayerKind::Other;
  if (isRouted)
    return SublayerKind::MixtureOfExperts;
  return isGated ? SublayerKind::GatedFeedForward : SublayerKind::FeedForward;
}

/// How a sublayer of this kind is called within its layer.
static StringRef shortName(SublayerKind kind) {
  switch (kind) {
  case SublayerKind::SelfAttention:
    return "attention";
  case SublayerKind::CrossAttention:
    return "cross_attention";
  case SublayerKind::FeedForward:
  case SublayerKind::GatedFeedForward:
    return "ffn";
  case SublayerKind::MixtureOfExperts:
    return "moe";
  case SublayerKind::Other:
    return "module";
  }
  llvm_unreachable("unknown sublayer kind");
}

//===----------------------------------------------------------------------===//
// One sublayer
//===----------------------------------------------------------------------===//

/// The norm that defines `value` in `block`, or null.
static NormalizationOpInterface normDefining(Value value, Block *block) {
  auto norm = value.getDefiningOp<NormalizationOpInterface>();
  return norm && norm->getBlock() == block ? norm : nullptr;
}

/// The first norm, in block order, that reads `value` and that something reads.
static NormalizationOpInterface firstNormReading(Value value) {
  NormalizationOpInterface first;
  for (Operation *user : value.getUsers()) {
    auto norm = dyn_cast<NormalizationOpInterface>(user);
    if (norm && norm.getInput() == value && !norm->use_empty() &&
        norm->getBlock() == value.getParentBlock() &&
        (!first || norm->isBeforeInBlock(first)))
      first = norm;
  }
  return first;
}

/// Fills in how the branch of `sublayer` reads and normalizes.
static void analyzeBranch(Sublayer &sublayer, const BranchSlice &branch) {
  Block *block = sublayer.add->getBlock();
  for (OpOperand &use : sublayer.trunk.getUses())
    if (branch.contains(use.getOwner()) && !readsShapeOnly(use))
      sublayer.trunkReads.push_back(&use);
  if (sublayer.trunk == sublayer.add.getBranch())
    sublayer.trunkReads.push_back(&sublayer.add.getBranchMutable());

  SmallVector<NormalizationOpInterface> norms;
  for (OpOperand *use : sublayer.trunkReads) {
    auto norm = dyn_cast<NormalizationOpInterface>(use->getOwner());
    if (norm && norm->getBlock() == block && use == &norm.getInputMutable())
      norms.push_back(norm);
  }
  if (llvm::any_of(branch.getOperations(), [&](Operation *op) {
        auto add = dyn_cast<ResidualAddOp>(op);
        Operation *skip = add ? add.getSkip().getDefiningOp() : op;
        return !skip || !branch.contains(skip);
      })) {
    sublayer.irregularity = "its branch holds a residual add of another stream";
  } else if (!norms.empty() && norms.size() != sublayer.trunkReads.size()) {
    sublayer.irregularity =
        "its branch reads the trunk both through a norm and directly";
  } else if (!llvm::all_of(norms, [&](NormalizationOpInterface norm) {
               return NormSpec(norm) == NormSpec(norms.front());
             })) {
    sublayer.irregularity = "its branch normalizes the trunk in different ways";
  } else {
    sublayer.inputNorms = norms;
  }

  if (sublayer.inputNorms.empty()) {
    sublayer.moduleReads = sublayer.trunkReads;
  } else {
    for (NormalizationOpInterface norm : sublayer.inputNorms)
      for (OpOperand &use : norm->getUses())
        if (branch.contains(use.getOwner()) ||
            &use == &sublayer.add.getBranchMutable())
          sublayer.moduleReads.push_back(&use);
  }

  NormalizationOpInterface last = normDefining(sublayer.add.getBranch(), block);
  if (last && !llvm::is_contained(sublayer.inputNorms, last))
    sublayer.outputNorm = last;
  sublayer.kind = classify(branch);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

namespace {
/// Builds the streams of one function.
class StreamBuilder {
public:
  StreamBuilder(Operation *function, SmallVectorImpl<ResidualStream> &streams,
                llvm::DenseMap<Operation *, AttentionSite> &sites)
      : function(function), streams(streams), sites(sites) {}

  void add(ResidualAddOp op);
  void finish();

private:
  /// The add before a skip, and the norm on the trunk between the two.
  std::pair<ResidualAddOp, NormalizationOpInterface> previous(ResidualAddOp op);
  void finishLoop(ResidualStream &stream);
  void finishEnd(ResidualStream &stream);
  void connect(ResidualStream &stream);
  void nameSublayers(ResidualStream &stream);

  Operation *function;
  SmallVectorImpl<ResidualStream> &streams;
  llvm::DenseMap<Operation *, AttentionSite> &sites;
  /// Stream and index of the sublayer of each add. A loop counts as the last
  /// sublayer of the stream that goes through it.
  llvm::DenseMap<Operation *, std::pair<unsigned, unsigned>> position;
  unsigned parallelGroups = 0;
};
} // namespace

std::pair<ResidualAddOp, NormalizationOpInterface>
StreamBuilder::previous(ResidualAddOp op) {
  Block *block = op->getBlock();
  Value skip = op.getSkip();
  NormalizationOpInterface norm = normDefining(skip, block);
  if (norm)
    skip = norm.getInput();
  auto add = skip.getDefiningOp<ResidualAddOp>();
  if (!add || add->getBlock() != block)
    return {};
  // Unreachable code may name an add that comes later, or itself.
  auto found = position.find(add);
  if (found == position.end())
    return {};
  // Only the end of a stream is continued; elsewhere the trunk forks.
  auto [stream, index] = found->second;
  if (index + 1 != streams[stream].sublayers.size())
    return {};
  return {add, norm};
}

void StreamBuilder::add(ResidualAddOp op) {
  auto [before, trunkNorm] = previous(op);
  Sublayer sublayer;
  sublayer.add = op;
  sublayer.trunk = op.getSkip();
  BranchSlice branch(sublayer.trunk, op.getBranch());

  unsigned streamIndex;
  if (before) {
    streamIndex = position.lookup(before).first;
    Sublayer &last = streams[streamIndex].sublayers.back();
    if (!branch.isConnected() && !trunkNorm) {
      // What does not read the sum may read what the sum was made from.
      BranchSlice parallel(last.trunk, op.getBranch());
      if (parallel.isConnected()) {
        if (!last.parallelGroup)
          last.parallelGroup = parallelGroups++;
        sublayer.parallelGroup = last.parallelGroup;
        sublayer.trunk = last.trunk;
        branch = std::move(parallel);
      }
    }
    if (!sublayer.parallelGroup)
      last.postNorm = trunkNorm;
  } else {
    streamIndex = streams.size();
    ResidualStream &stream = streams.emplace_back();
    stream.embeddingNorm = normDefining(op.getSkip(), op->getBlock());
    stream.source =
        stream.embeddingNorm ? stream.embeddingNorm.getInput() : op.getSkip();
    // Where the trunk forks, what it forks from is not an embedding.
    Operation *source = stream.source.getDefiningOp();
    if (source && position.contains(source)) {
      stream.source = op.getSkip();
      stream.embeddingNorm = {};
      if (source->getBlock() == op->getBlock())
        stream.fork = position.lookup(source);
    }
  }

  if (branch.isConnected())
    analyzeBranch(sublayer, branch);
  else
    sublayer.irregularity = "its branch does not read the trunk";

  std::vector<Sublayer> &sublayers = streams[streamIndex].sublayers;
  std::pair<unsigned, unsigned> here(streamIndex, sublayers.size());
  position[op] = here;
  forEachAttention(branch, [&](AttentionOp attention) {
    AttentionSite &site = sites[attention];
    // What is in a branch of a branch has its sublayer.
    if (site.op)
      return;
    site.op = attention;
    site.sublayer = here;
    analyzeLogits(site, &branch, sublayer.inputNorms);
  });
  // A stream within a branch is not the stack.
  for (Operation *member : branch.getOperations())
    if (auto found = position.find(member); found != position.end()) {
      ResidualStream &inner = streams[found->second.first];
      inner.beginsElsewhere = inner.goesOnElsewhere = true;
    }
  sublayers.push_back(std::move(sublayer));
}

/// A stream that begins with an iteration argument and ends with the value that
/// the next iteration gets for it goes through the whole loop.
void StreamBuilder::finishLoop(ResidualStream &stream) {
  Sublayer &last = stream.sublayers.back();
  auto argument = dyn_cast<BlockArgument>(stream.source);
  if (!argument)
    return;
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop)
    return;
  OpOperand *init = loop.getTiedLoopInit(argument);
  OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
  if (!init || !yielded)
    return;
  NormalizationOpInterface norm =
      normDefining(yielded->get(), last.add->getBlock());
  Value sum = norm ? norm.getInput() : yielded->get();
  if (sum != last.add.getResult())
    return;
  last.postNorm = norm;
  stream.loop = loop;
  position[loop] = position.lookup(last.add);
  stream.exit = loop.getTiedLoopResult(init);
  // A norm before the first add is passed in every iteration.
  if (stream.embeddingNorm)
    for (Sublayer &sublayer : stream.sublayers)
      sublayer.irregularity =
          "each iteration of its loop begins with a norm on the trunk";
  stream.embeddingNorm = init->get().getDefiningOp<NormalizationOpInterface>();
}

void StreamBuilder::finishEnd(ResidualStream &stream) {
  Sublayer &last = stream.sublayers.back();
  stream.exit = last.add.getResult();
  NormalizationOpInterface norm = firstNormReading(stream.exit);
  if (!norm)
    return;
  // Post norm or final norm: the stack tells by what it does elsewhere.
  Placement lastPlacement = last.getPlacement();
  bool isPost = !lastPlacement.input && !lastPlacement.output;
  for (Sublayer &other : llvm::drop_begin(llvm::reverse(stream.sublayers))) {
    Placement placement = other.getPlacement();
    bool insideGroup =
        other.parallelGroup && other.parallelGroup == last.parallelGroup;
    if (insideGroup || placement.input != lastPlacement.input ||
        placement.output != lastPlacement.output)
      continue;
    isPost = placement.post;
    break;
  }
  if (isPost) {
    last.postNorm = norm;
    stream.exit = norm.getResult();
  }
}

/// Whether `op` casts, reshapes or transposes `operand`, or computes a tensor
/// of its shape from it element by element or row by row, as norms do.
static bool keepsTrunk(Operation *op, Value operand) {
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::ReshapeOp, linalg::TransposeOp, tosa::ReshapeOp,
          tosa::TransposeOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (isContraction(op) || (linalgOp && linalgOp.getNumReductionLoops() > 0))
    return false;
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  auto resultType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && resultType && type.getShape() == resultType.getShape();
}

/// Finds out whether `stream` is the whole stack, or its trunk comes from that
/// of an earlier stream through something else than residual adds.
void StreamBuilder::connect(ResidualStream &stream) {
  Value entry = stream.source;
  Operation *frame = stream.sublayers.front().add;
  if (stream.loop) {
    frame = stream.loop;
    entry = cast<LoopLikeOpInterface>(frame)
                .getTiedLoopInit(cast<BlockArgument>(stream.source))
                ->get();
  }
  Block *block = frame->getBlock();
  if (frame->getParentOp() != function || !block->getParent()->hasOneBlock())
    stream.beginsElsewhere = stream.goesOnElsewhere = true;
  if (stream.fork)
    return;

  SmallVector<Value> worklist = {entry};
  llvm::SmallDenseSet<Operation *> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto found = position.find(op); found != position.end()) {
      auto [index, sublayer] = found->second;
      stream.beginsElsewhere = true;
      streams[index].goesOnElsewhere |=
          sublayer + 1 == streams[index].sublayers.size();
      continue;
    }
    if (op->getBlock() != block)
      continue;
    for (Value operand : op->getOperands())
      if (keepsTrunk(op, operand))
        worklist.push_back(operand);
  }
}

void StreamBuilder::nameSublayers(ResidualStream &stream) {
  unsigned layer = 0;
  llvm::SmallDenseSet<StringRef> names;
  for (Sublayer &sublayer : stream.sublayers) {
    StringRef name = shortName(sublayer.kind);
    if (!names.insert(name).second) {
      ++layer;
      names.clear();
      names.insert(name);
    }
    sublayer.layer = layer;
    sublayer.name =
        (stream.prefix + "layers." + Twine(layer) + "." + name).str();
  }
}

void StreamBuilder::finish() {
  for (auto [index, stream] : llvm::enumerate(streams)) {
    finishLoop(stream);
    if (!stream.loop)
      finishEnd(stream);
    stream.finalNorm = firstNormReading(stream.exit);
    if (index > 0)
      stream.prefix = "streams." + std::to_string(index) + ".";
    nameSublayers(stream);
  }
  // The input norm of a sublayer whose branch is a stream is no embedding norm.
  llvm::DenseSet<Operation *> inputNorms;
  for (ResidualStream &stream : streams)
    for (Sublayer &sublayer : stream.sublayers)
      inputNorms.insert(sublayer.inputNorms.begin(), sublayer.inputNorms.end());
  for (ResidualStream &stream : streams) {
    if (!inputNorms.contains(stream.embeddingNorm))
      continue;
    stream.embeddingNorm = {};
    if (!stream.loop)
      stream.source = stream.sublayers.front().add.getSkip();
  }
  for (ResidualStream &stream : streams)
    connect(stream);
}

ResidualStreamAnalysis::ResidualStreamAnalysis(Operation *function) {
  // Blocks one after the other: the adds of a stream are in one block.
  llvm::MapVector<Block *, SmallVector<ResidualAddOp>> adds;
  SmallVector<AttentionOp> attentionOps;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto add = dyn_cast<ResidualAddOp>(op))
      adds[op->getBlock()].push_back(add);
    else if (auto attention = dyn_cast<AttentionOp>(op))
      attentionOps.push_back(attention);
  });

  llvm::DenseMap<Operation *, AttentionSite> sites;
  StreamBuilder builder(function, streams, sites);
  for (auto &[block, ops] : adds)
    for (ResidualAddOp op : ops)
      builder.add(op);
  builder.finish();

  llvm::DenseSet<std::pair<unsigned, unsigned>> named;
  for (auto [index, op] : llvm::enumerate(attentionOps)) {
    AttentionSite &site = sites[op];
    if (!site.op) {
      site.op = op;
      analyzeLogits(site, /*module=*/nullptr, /*inputNorms=*/{});
    }
    site.name = ("attention." + Twine(index)).str();
    if (site.sublayer && named.insert(*site.sublayer).second) {
      auto [stream, sublayer] = *site.sublayer;
      site.name = streams[stream].sublayers[sublayer].name;
    }
    attentions.push_back(std::move(site));
  }
}
