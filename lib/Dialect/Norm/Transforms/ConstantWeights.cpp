//===- ConstantWeights.cpp - Weights that are known when compiled ---------===//

#include "renorm/Dialect/Norm/Transforms/ConstantWeights.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

// Elements are stored in the machine's order, and read from the low bytes on.
static_assert(llvm::endianness::native == llvm::endianness::little);

/// The bytes of the elements, or of the one of a splat; none if unknown.
static ArrayRef<char> getData(ElementsAttr elements) {
  if (auto dense = dyn_cast<DenseElementsAttr>(elements))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(elements);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? blob->getData() : ArrayRef<char>();
}

static size_t getWidth(ElementsAttr elements) {
  return elements.getElementType().getIntOrFloatBitWidth() / 8;
}

ElementsAttr norm::getConstantWeight(Value value) {
  Attribute attr;
  if (auto load = value.getDefiningOp<ml_program::GlobalLoadConstOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(
        load, load.getGlobal());
    if (global && !global.getIsMutable())
      attr = global.getValue().value_or(Attribute());
  } else {
    matchPattern(value, m_Constant(&attr));
  }
  auto elements = dyn_cast_or_null<ElementsAttr>(attr);
  if (!elements || elements.getType() != value.getType() ||
      !isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(
          elements.getElementType()))
    return nullptr;
  size_t size = getData(elements).size(), width = getWidth(elements);
  return size == width || size == elements.getNumElements() * width ? elements
                                                                    : nullptr;
}

std::vector<double> norm::readWeight(ElementsAttr weight) {
  ArrayRef<char> data = getData(weight);
  size_t width = getWidth(weight);
  const llvm::fltSemantics &semantics =
      cast<FloatType>(weight.getElementType()).getFloatSemantics();
  auto read = [&](size_t index) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.data() + index * width, width);
    APFloat value(semantics, APInt(width * 8, bits));
    bool losesInfo = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  };
  std::vector<double> elements(weight.getNumElements());
  if (data.size() == width)
    elements.assign(elements.size(), read(0));
  else
    for (size_t index = 0; index < elements.size(); ++index)
      elements[index] = read(index);
  return elements;
}

ElementsAttr norm::makeWeight(RankedTensorType type, ArrayRef<double> elements,
                              bool asResource) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type.getElementType()).getFloatSemantics();
  size_t width = type.getElementTypeBitWidth() / 8;
  if (!asResource && llvm::all_equal(elements))
    elements = elements.take_front(1);
  std::vector<char> data(elements.size() * width);
  for (auto [index, element] : llvm::enumerate(elements)) {
    APFloat value(element);
    bool losesInfo = false;
    value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    if (value.isInfinity() && std::isfinite(element))
      return nullptr;
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    std::memcpy(data.data() + index * width, &bits, width);
  }
  if (!asResource)
    return DenseElementsAttr::getFromRawBuffer(type, data);
  return DenseResourceElementsAttr::get(
      type, "weight",
      HeapAsmResourceBlob::allocateAndCopyWithAlign(data, /*align=*/64,
                                                    /*dataIsMutable=*/false));
}
