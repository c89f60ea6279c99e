//===- AxisSpace.h - Names for the dimensions of related tensors -*- C++
//-*-===//
//
// Reshapes, transpositions and broadcasts move elements around and compute
// nothing. To see through them, the dimensions of a tensor are written as
// products of named axes, outermost first: if the result of a collapse_shape
// has the dimensions [n] [s] [d] and it collapsed [4, 6, 10, 16] to
// [24, 10, 16], then n is split into two axes b and h, and the source has the
// dimensions [b] [h] [s] [d]. Two tensors whose dimensions are written in the
// same axes are indexed alike, whatever lies between them.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_LIB_CONVERSION_LINALGTONORM_AXISSPACE_H
#define RENORM_LIB_CONVERSION_LINALGTONORM_AXISSPACE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::norm {

using Axis = unsigned;
/// A product of axes, outermost first. A unit dimension is the empty product.
using AxisProduct = SmallVector<Axis, 2>;

/// The axes of the tensors of one match. An axis that turns out to be a product
/// is split for good: everything written in it is from then on written in its
/// parts.
class AxisSpace {
public:
  /// A new dimension of `extent` (or ShapedType::kDynamic): one axis, or none
  /// for a unit dimension.
  AxisProduct createDim(int64_t extent);

  /// `product`, every split axis replaced by its parts.
  AxisProduct resolve(ArrayRef<Axis> product) const;

  /// The extent of the product, or ShapedType::kDynamic.
  int64_t getExtent(ArrayRef<Axis> product) const;

  bool equal(ArrayRef<Axis> lhs, ArrayRef<Axis> rhs) const {
    return resolve(lhs) == resolve(rhs);
  }

  /// Writes `product` as one product for each of `extents`, whose product is
  /// known to be its extent; splits axes where needed. Fails if that cannot be
  /// proved to be what the extents mean.
  FailureOr<SmallVector<AxisProduct>> split(ArrayRef<Axis> product,
                                            ArrayRef<int64_t> extents);

  /// Makes the single axis `axis` stand for `product`, which does not hold it
  /// and has its extent.
  void identify(Axis axis, ArrayRef<Axis> product);

private:
  struct Info {
    int64_t extent;
    /// What the axis stands for, once it has been split.
    std::optional<AxisProduct> parts;
  };
  Axis create(int64_t extent);

  /// Takes a product of the static `extent` off one end of `atoms`.
  FailureOr<AxisProduct> take(AxisProduct &atoms, int64_t extent,
                              bool fromBack);

  SmallVector<Info> axes;
};

} // namespace mlir::norm

#endif // RENORM_LIB_CONVERSION_LINALGTONORM_AXISSPACE_H
