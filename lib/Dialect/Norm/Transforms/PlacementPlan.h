//===- PlacementPlan.h - What a placement conversion does -------*- C++ -*-===//
//
// A stream with n sublayers has n + 1 points: before the first sublayer,
// between two, after the last one. At each point the trunk may pass a norm T
// (embedding, post or final norm), and each sublayer that reads the trunk there
// may have an input norm B. The placements of the sublayer before and of those
// after say which of T and B there must be; the plan says how to get there,
// moving norms between the trunk and the branches where it can. Output norms
// are each sublayer's own.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_DIALECT_NORM_TRANSFORMS_PLACEMENTPLAN_H
#define RENORM_LIB_DIALECT_NORM_TRANSFORMS_PLACEMENTPLAN_H

#include "renorm/Analysis/ResidualStreamAnalysis.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"

namespace mlir::norm {

using PlacementOptions = NormConvertPlacementPassOptions;

/// The streams that uses of trunk values belong to: as skips, or as what
/// modules or embedding norms read.
using UseOwners = llvm::DenseMap<OpOperand *, const ResidualStream *>;

/// A point of the trunk: between `raw`, which a residual add (or the source)
/// gives, and `value`, which the next skip reads.
struct TrunkPoint {
  Value raw;
  NormalizationOpInterface trunkNorm;
  /// The name of the trunk norm there.
  std::string place;
  /// The sublayer whose add gives `raw`; null at the source.
  Sublayer *before = nullptr;
  /// The sublayers that read the trunk here; empty at the exit.
  SmallVector<Sublayer *> after;
  /// The norm of `raw` that the trunk passes from which the stream forks here,
  /// if it does.
  NormalizationOpInterface sharedNorm;
  /// The uses of `value` that go with the trunk's norm: the next skip, and what
  /// belongs to no stream.
  SmallVector<OpOperand *> uses;

  Value value() const {
    return trunkNorm ? Value(trunkNorm->getResult(0)) : raw;
  }
  /// The operations that a norm on the trunk must stand before.
  SmallVector<Operation *> getReaders() const;
};

/// Where a norm that must be at a place comes from.
struct NormSource {
  enum Kind {
    /// There is none, and there must be none.
    Absent,
    /// It is there already.
    Present,
    /// It is there and must go.
    Dropped,
    /// The trunk norm becomes the input norm, or an input norm the trunk norm.
    Moved,
    /// A dropped norm is taken back.
    Revived,
    /// It is made.
    Created
  } kind = Absent;
  /// The norm that is moved or revived. Norms equal to one that moves go.
  NormalizationOpInterface norm;
};

struct PointPlan {
  NormSource trunk;
  /// One for each sublayer after the point.
  SmallVector<NormSource> inputs;

  bool creates() const {
    return trunk.kind == NormSource::Created ||
           llvm::any_of(inputs, [](const NormSource &input) {
             return input.kind == NormSource::Created;
           });
  }
};

/// What happens to a stream: to the norms at each of its points, and to the
/// output norm of each sublayer.
struct PlacementPlan {
  Placement target;
  /// The sublayers that are converted; if none, there is nothing else here.
  llvm::SmallPtrSet<const Sublayer *, 16> selected;
  SmallVector<TrunkPoint, 0> points;
  SmallVector<PointPlan, 0> pointPlans;
  SmallVector<NormSource> outputNorms;

  bool isSelected(const Sublayer &sublayer) const {
    return selected.contains(&sublayer);
  }
  /// Whether a norm must be made.
  bool creates() const;
};

/// Plans the conversion of the stream `index` of `streams`, those before being
/// converted already. What is refused is left out, with a remark; failure, with
/// an error, only where a refusal is one.
FailureOr<PlacementPlan> planPlacement(MutableArrayRef<ResidualStream> streams,
                                       unsigned index, const UseOwners &owners,
                                       ParameterBuilder &parameters,
                                       const PlacementOptions &options);

/// Says that `what` is not converted, at `op`; failure if that is an error.
LogicalResult refuseConversion(Operation *op, const Twine &what,
                               const Twine &why, bool strict);

/// What must move, in this order, to right after the definition of `input`, so
/// that `norm`, of `input`, stands before `readers`: the norm and what its
/// parameters are made from, or nothing. Failure if a side effect is among it.
FailureOr<SmallVector<Operation *>>
findMovesBefore(NormalizationOpInterface norm, Value input,
                ArrayRef<Operation *> readers);

/// The operations that `uses` are operands of.
SmallVector<Operation *> ownersOf(ArrayRef<OpOperand *> uses);

/// Names of the places of a sublayer's own norms.
std::string inputNormPlace(const Sublayer &sublayer);
std::string outputNormPlace(const Sublayer &sublayer);

} // namespace mlir::norm

#endif // RENORM_LIB_DIALECT_NORM_TRANSFORMS_PLACEMENTPLAN_H
