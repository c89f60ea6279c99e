//===- AxisSpace.cpp - Names for the dimensions of related tensors --------===//

#include "AxisSpace.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::norm;

Axis AxisSpace::create(int64_t extent) {
  axes.push_back({extent, std::nullopt});
  return axes.size() - 1;
}

AxisProduct AxisSpace::createDim(int64_t extent) {
  if (extent == 1)
    return {};
  return {create(extent)};
}

AxisProduct AxisSpace::resolve(ArrayRef<Axis> product) const {
  AxisProduct atoms;
  for (Axis axis : product) {
    if (axes[axis].parts)
      llvm::append_range(atoms, resolve(*axes[axis].parts));
    else
      atoms.push_back(axis);
  }
  return atoms;
}

int64_t AxisSpace::getExtent(ArrayRef<Axis> product) const {
  int64_t extent = 1;
  for (Axis axis : product) {
    if (ShapedType::isDynamic(axes[axis].extent))
      return ShapedType::kDynamic;
    extent *= axes[axis].extent;
  }
  return extent;
}

void AxisSpace::identify(Axis axis, ArrayRef<Axis> product) {
  assert(!axes[axis].parts && "the axis stands for a product already");
  assert(!llvm::is_contained(resolve(product), axis) && "endless product");
  axes[axis].parts = AxisProduct(product);
}

FailureOr<AxisProduct> AxisSpace::take(AxisProduct &atoms, int64_t extent,
                                       bool fromBack) {
  AxisProduct taken;
  while (extent != 1) {
    if (atoms.empty())
      return failure();
    Axis atom = fromBack ? atoms.back() : atoms.front();
    int64_t atomExtent = axes[atom].extent;
    if (ShapedType::isDynamic(atomExtent) || atomExtent == 0 || extent == 0)
      return failure();
    if (extent % atomExtent != 0) {
      // A part of the axis belongs to the product, a part of it doesn't.
      if (atomExtent % extent != 0)
        return failure();
      int64_t rest = atomExtent / extent;
      Axis outer = create(fromBack ? rest : extent);
      Axis inner = create(fromBack ? extent : rest);
      identify(atom, {outer, inner});
      (fromBack ? atoms.back() : atoms.front()) = fromBack ? outer : inner;
      taken.insert(fromBack ? taken.begin() : taken.end(),
                   fromBack ? inner : outer);
      return taken;
    }
    taken.insert(fromBack ? taken.begin() : taken.end(), atom);
    atoms.erase(fromBack ? atoms.end() - 1 : atoms.begin());
    extent /= atomExtent;
  }
  return taken;
}

FailureOr<SmallVector<AxisProduct>>
AxisSpace::split(ArrayRef<Axis> product, ArrayRef<int64_t> extents) {
  SmallVector<AxisProduct> dims(extents.size());
  AxisProduct atoms = resolve(product);
  // The dimensions that have no axes yet are those in [begin, end). Static
  // extents are taken off from both sides, up to a dynamic one.
  size_t begin = 0, end = extents.size();
  bool fromBack = true;
  while (end - begin > 1 && atoms.size() > 1) {
    size_t dim = fromBack ? end - 1 : begin;
    if (ShapedType::isDynamic(extents[dim])) {
      if (!fromBack)
        return failure();
      fromBack = false;
      continue;
    }
    FailureOr<AxisProduct> taken = take(atoms, extents[dim], fromBack);
    if (failed(taken))
      return failure();
    dims[dim] = *taken;
    fromBack ? --end : ++begin;
  }
  // The product of what is left is the product of the extents that are left:
  // one dimension is all the axes, no axis is unit dimensions, and one axis is
  // all the dimensions, of which it is split into those that are no unit.
  if (end - begin == 1) {
    dims[begin] = atoms;
  } else if (atoms.size() == 1) {
    SmallVector<size_t> parts;
    for (size_t dim = begin; dim < end; ++dim)
      if (extents[dim] != 1)
        parts.push_back(dim);
    if (parts.size() == 1) {
      dims[parts.front()] = atoms;
      return dims;
    }
    AxisProduct product;
    for (size_t dim : parts) {
      dims[dim] = createDim(extents[dim]);
      llvm::append_range(product, dims[dim]);
    }
    identify(atoms.front(), product);
  }
  return dims;
}
