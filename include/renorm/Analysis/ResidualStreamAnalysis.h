//===- ResidualStreamAnalysis.h - Where a function normalizes ---*- C++ -*-===//
//
// Finds the residual streams (trunks) of a function, the sublayers that read
// and write them, the placement of every norm, and what bounds the attention
// logits. It reads the `norm` dialect: what `norm-raise` has not recognised is
// invisible here.
//
// A stream is a chain of `norm.residual_add`, linked by their skip operands,
// possibly through a norm on the trunk:
//
//     source -> [embedding norm] -> add 0 -> [post norm] -> add 1 -> ... ->
//     [final norm]
//
// Before, between and after the adds lie the trunk's points. A norm *on the
// trunk* at a point is read by the next skip (embedding norm, post norm, final
// norm); a norm *in a branch* is read by a module only (input norm) or is the
// last operation of a branch (output norm).
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_RESIDUALSTREAMANALYSIS_H
#define RENORM_ANALYSIS_RESIDUALSTREAMANALYSIS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "renorm/Analysis/ProjectionPath.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::norm {

/// What a sublayer's module computes.
enum class SublayerKind {
  /// Keys and values come from the trunk.
  SelfAttention,
  /// Keys and values come from elsewhere.
  CrossAttention,
  /// At least one contraction and no attention.
  FeedForward,
  /// A feed-forward with a product of two projections (GLU).
  GatedFeedForward,
  /// A feed-forward that moves rows by indices computed from its input.
  MixtureOfExperts,
  Other
};

/// "self-attention", "cross-attention", "feed-forward", ...
StringRef stringifySublayerKind(SublayerKind kind);

/// Where a sublayer normalizes: three bits.
struct Placement {
  bool input = false, output = false, post = false;

  /// "none", "post", "pre", "peri" or "output"; "other" for another
  /// combination.
  StringRef getName() const;
  /// The placement of that name; none if there is none.
  static std::optional<Placement> parse(StringRef name);
  /// The bits as text: "in", "out" and "post" joined by "+", or "-".
  std::string getBits() const;

  bool operator==(const Placement &other) const {
    return input == other.input && output == other.output && post == other.post;
  }
};

/// One residual add and the branch that feeds it.
struct Sublayer {
  ResidualAddOp add;
  SublayerKind kind = SublayerKind::Other;
  /// Index of the layer in its stream: a new layer begins where a kind of
  /// sublayer comes again.
  unsigned layer = 0;
  /// "layers.3.attention", "layers.3.ffn", ...
  std::string name;

  /// The value on the trunk that the branch reads. It is the add's skip, except
  /// in a parallel group, whose members all read what the first one adds to.
  Value trunk;
  /// The uses of `trunk` in the branch (the skip is not among them).
  SmallVector<OpOperand *> trunkReads;
  /// The norms through which every use of the trunk in the branch passes; equal
  /// but for their place. Empty if the module reads the trunk itself.
  SmallVector<NormalizationOpInterface> inputNorms;
  /// The uses, in the branch, of what the module reads: of the input norms, or
  /// of the trunk if there is none.
  SmallVector<OpOperand *> moduleReads;
  /// The last operation of the branch, if it is a norm; else null.
  NormalizationOpInterface outputNorm;
  /// The norm on the trunk after the add, if the next skip reads it (for the
  /// last sublayer: if the stack normalizes there; see
  /// `ResidualStream::finalNorm`).
  NormalizationOpInterface postNorm;

  /// Sublayers with the same number read the same trunk value.
  std::optional<unsigned> parallelGroup;
  /// Why passes must leave the sublayer alone; empty if they need not.
  std::string irregularity;

  Placement getPlacement() const {
    return {!inputNorms.empty(), outputNorm != nullptr, postNorm != nullptr};
  }
  bool isDeepNorm() {
    return postNorm && !add.getResidualScale().isExactlyValue(1.0);
  }
};

/// A chain of sublayers.
struct ResidualStream {
  /// What the names of its sublayers begin with: "" for the first stream of a
  /// function, "streams.1." for the second.
  std::string prefix;
  /// The value the stream begins with, before an embedding norm.
  Value source;
  /// The norm between source and first sublayer, on the trunk; or null.
  NormalizationOpInterface embeddingNorm;
  std::vector<Sublayer> sublayers;
  /// The trunk after the last add and its post norm, outside the loop if there
  /// is one: what the final norm, if any, reads.
  Value exit;
  /// The norm after the last sublayer that is not its post norm; or null. The
  /// norm after the last add is a post norm if the latest sublayer before with
  /// the same input and output norms has one (or, without such a sublayer, if
  /// the last one has neither); a norm of a post norm is the final norm.
  NormalizationOpInterface finalNorm;
  /// The operation whose body holds the stream (one iteration is one or more
  /// layers), if it is a loop and the stream its iteration argument; else null.
  Operation *loop = nullptr;
  /// The sublayer (stream and index in it) of another stream in the block after
  /// which this one forks from its trunk, if it does; that trunk goes on. There
  /// is no embedding norm then.
  std::optional<std::pair<unsigned, unsigned>> fork;
  /// Whether the trunk comes from elsewhere than an embedding, or goes on to
  /// elsewhere than a head, so that a norm there need not be an embedding norm
  /// (a final norm). It does where the block, or that of the loop, is not all
  /// of the function's body; where the stream is part of another one's branch;
  /// and where casts, reshapes, elementwise operations and norms alone lie
  /// between the trunks of two streams.
  bool beginsElsewhere = false, goesOnElsewhere = false;

  /// How often its loop runs, 1 without one; none if that is unknown.
  std::optional<uint64_t> getTripCount();
  /// The layers that the trunk passes, those of all iterations of its loop.
  std::optional<uint64_t> getNumLayers();
};

/// What keeps attention logits from growing.
struct QKNorm {
  NormalizationOpInterface query, key;
  /// Over each head's head_dim, or over all heads together.
  enum class Scope { Head, Hidden } scope = Scope::Head;
  /// Relative to the rotary position embedding.
  enum class Position {
    BeforeRope,
    AfterRope,
    NoRope
  } position = Position::NoRope;
};

struct AttentionSite {
  AttentionOp op;
  /// Its sublayer's name, "layers.3.attention"; "attention.2", by its index in
  /// the function, if it is in no sublayer or not the first in it.
  std::string name;
  /// Stream and index in it of the sublayer whose module holds the attention.
  std::optional<std::pair<unsigned, unsigned>> sublayer;
  /// What lies between query, or key, and its projection or norm. The
  /// sublayer's input norm is not their `norm`.
  ProjectionPath query, key;
  std::optional<QKNorm> qkNorm;
  /// The norm between the value and the projection that it comes from, or null:
  /// not the input norm of the sublayer.
  NormalizationOpInterface valueNorm;
  /// A bound on |logit| (before the mask) that holds for every input, if one is
  /// provable: the soft cap; with QK-Norm directly on q and k whose scales and
  /// biases are constants, |scale| * (largest |q|) * (largest |k|), where a
  /// vector normalized over n elements has length at most sqrt(n) max|g| + |b|
  /// (l2: max|g|).
  std::optional<double> logitBound;
};

/// The analysis of one function. Query it with
/// `getChildAnalysis<ResidualStreamAnalysis>(function)`; it never changes the
/// IR, takes time linear in the size of the function, and holds pointers into
/// the IR: whoever changes norms or residual adds must not preserve it.
class ResidualStreamAnalysis {
public:
  explicit ResidualStreamAnalysis(Operation *function);

  /// Streams by the place of their first add, those of loop bodies included.
  MutableArrayRef<ResidualStream> getStreams() { return streams; }
  /// Every `norm.attention` in order.
  ArrayRef<AttentionSite> getAttentions() const { return attentions; }

private:
  SmallVector<ResidualStream> streams;
  std::vector<AttentionSite> attentions;
};

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_RESIDUALSTREAMANALYSIS_H
