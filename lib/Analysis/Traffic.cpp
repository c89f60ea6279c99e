//===- Traffic.cpp - Bytes moved to and from memory -----------------------===//

#include "renorm/Analysis/Traffic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "renorm/Analysis/BranchSlice.h"
#include "renorm/Analysis/DataMovement.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::norm;

/// The number of elements, a dynamic extent as 1.
static int64_t countElements(RankedTensorType type) {
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    count *= ShapedType::isDynamic(extent) ? 1 : extent;
  return count;
}

static int64_t getElementBytes(RankedTensorType type) {
  Type element = type.getElementType();
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : 8;
}

int64_t norm::getBytes(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return countElements(type) * getElementBytes(type);
}

int64_t norm::getStreamElements(FunctionOpInterface function) {
  int64_t elements = 0;
  function->walk([&](ResidualAddOp add) {
    elements = countElements(cast<RankedTensorType>(add.getType()));
    return WalkResult::interrupt();
  });
  return elements;
}

bool norm::isMadeInPlace(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (!op->hasTrait<OpTrait::ConstantLike>())
    return isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp>(op);
  DenseElementsAttr elements;
  return !isa<RankedTensorType>(value.getType()) ||
         (matchPattern(value, m_Constant(&elements)) && elements.isSplat());
}

/// Whether `value` is a parameter of the model, perhaps moved: an activation
/// may be an argument of the function, too.
static bool isModelParameter(Value value) {
  MovedValue moved = traceMoves(value);
  if (auto argument = dyn_cast<BlockArgument>(moved.root)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && argument.getOwner()->isEntryBlock() &&
           (function.getArgAttr(argument.getArgNumber(), kParamAttrName) ||
            function.getArgAttr(argument.getArgNumber(), kPreparedAttrName));
  }
  return moved.isParameter();
}

int64_t norm::getReadBytes(Value value) {
  int64_t bytes = getBytes(value.getType());
  if (!isModelParameter(value))
    return bytes;
  return std::min(bytes, getBytes(traceMoves(value).root.getType()));
}

/// Whether `op` is no kernel: it moves nothing, or what it moves is counted
/// where it is read.
static bool isFree(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::CastOp, tensor::ExtractSliceOp, tensor::DimOp,
             linalg::FillOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<OpTrait::IsTerminator>() || isa<CallOpInterface>(op) ||
         // Who reads its result reads the parameter as it lies.
         (getMove(op) && isModelParameter(op->getResult(0))) ||
         (op->getNumOperands() == 0 && op->getNumRegions() == 0) ||
         (llvm::none_of(op->getOperandTypes(), isTensor) &&
          llvm::none_of(op->getResultTypes(), isTensor));
}

Traffic norm::measureTraffic(Operation *op, int64_t streamElements) {
  Traffic traffic;
  if (isFree(op))
    return traffic;
  traffic.kernels = 1;
  auto add = [&](Value value, int64_t bytes) {
    auto type = cast<RankedTensorType>(value.getType());
    traffic.bytes += bytes;
    traffic.isDynamic |= !type.hasStaticShape();
    if (countElements(type) == streamElements && streamElements != 0 &&
        isa<FloatType>(type.getElementType()) && !isModelParameter(value))
      ++traffic.passes;
  };

  llvm::DenseSet<Value> read;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isa<RankedTensorType>(value.getType()) && !readsShapeOnly(operand) &&
        !isMadeInPlace(value) && read.insert(stripReshapes(value)).second)
      add(value, getReadBytes(value));
  }
  int64_t resultElements = 0;
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type)
      continue;
    add(result, getBytes(type));
    resultElements = countElements(type);
  }
  // Tables, of which an element is taken for each of the result.
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && !isMadeInPlace(value))
      add(value,
          std::min(getBytes(type), resultElements * getElementBytes(type)));
  return traffic;
}

/// Adds what the operations of `region` move, each `times` times.
static void measureRegion(Region &region, int64_t streamElements, int64_t times,
                          Traffic &sum) {
  for (Operation &op : region.getOps()) {
    if (op.getNumRegions() > 0 && !isa<linalg::LinalgOp, FusionOp>(op)) {
      int64_t trips = times;
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
        std::optional<APInt> count = loop.getStaticTripCount();
        sum.isDynamic |= !count;
        trips *= count ? count->getSExtValue() : 1;
      }
      for (Region &inner : op.getRegions())
        measureRegion(inner, streamElements, trips, sum);
      continue;
    }
    Traffic one = measureTraffic(&op, streamElements);
    sum.kernels += times * one.kernels;
    sum.bytes += times * one.bytes;
    sum.passes += times * one.passes;
    sum.isDynamic |= one.isDynamic;
  }
}

Traffic norm::measureTraffic(FunctionOpInterface function) {
  Traffic sum;
  measureRegion(function.getFunctionBody(), getStreamElements(function),
                /*times=*/1, sum);
  return sum;
}
