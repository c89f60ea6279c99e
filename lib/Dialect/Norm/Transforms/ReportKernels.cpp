//===- ReportKernels.cpp - Report the launches of a module ----------------===//

#include "OutputText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "renorm/Dialect/Norm/IR/Norm.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMREPORTKERNELSPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;
using llvm::json::OStream;

template <typename T>
static std::string print(T printed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << printed;
  return text;
}

/// What `value` is a view of, as tensor or memref.
static Value stripViews(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<ViewLikeOpInterface, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            tensor::CastOp, bufferization::ToBufferOp,
            bufferization::ToTensorOp>(op))
      value = op->getOperand(0);
    else
      break;
  }
  return value;
}

/// What `value`, an index, is computed of: a number, the dimension of an input,
/// or an operation on such; null for anything else.
static llvm::json::Value describeSize(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant;
  Operation *op = value.getDefiningOp();
  if (!op)
    return nullptr;
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    Value source = dim.getShapedValue();
    if (auto buffer = source.getDefiningOp<bufferization::ToBufferOp>())
      source = buffer.getTensor();
    auto input = dyn_cast<BlockArgument>(source);
    std::optional<int64_t> number = getConstantIntValue(dim.getDimension());
    if (!input || !number || !input.getOwner()->isEntryBlock() ||
        !isa<FunctionOpInterface>(input.getOwner()->getParentOp()))
      return nullptr;
    return llvm::json::Object{{"input", input.getArgNumber()},
                              {"dimension", *number}};
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return describeSize(op->getOperand(0));
  if (!isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
      op->getNumOperands() != 2 || !value.getType().isIndex())
    return nullptr;
  llvm::json::Array operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(describeSize(operand));
    if (operands.back().kind() == llvm::json::Value::Null)
      return nullptr;
  }
  return llvm::json::Object{{"operation", op->getName().stripDialect()},
                            {"operands", std::move(operands)}};
}

/// Whether `op` only tests whether the grid of `launch`, which it holds, is
/// empty.
static bool isTestOfGrid(Operation *op, gpu::LaunchFuncOp launch) {
  auto test = dyn_cast<scf::IfOp>(op);
  if (!test || test.elseBlock())
    return false;
  auto compare = test.getCondition().getDefiningOp<arith::CmpIOp>();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  return compare && compare.getPredicate() == arith::CmpIPredicate::ne &&
         isConstantIntValue(compare.getRhs(), 0) &&
         llvm::is_contained({grid.x, grid.y, grid.z}, compare.getLhs());
}

namespace {
/// Writes the launches of one function.
class LaunchReport {
public:
  LaunchReport(OStream &json, FunctionOpInterface function)
      : json(json), function(function) {}

  void write();

private:
  void writeBuffers();
  void writeLaunch(gpu::LaunchFuncOp launch);
  void writeExtents(StringRef name, gpu::KernelDim3 extents);
  void writeArgument(Value argument);

  OStream &json;
  FunctionOpInterface function;
  /// Memory that the function allocates for kernels, by its number.
  llvm::MapVector<Value, int64_t> buffers;
};
} // namespace

void LaunchReport::write() {
  SmallVector<gpu::LaunchFuncOp> launches;
  function->walk([&](gpu::LaunchFuncOp launch) {
    launches.push_back(launch);
    for (Value operand : launch.getKernelOperands()) {
      Value base = stripViews(operand);
      if (base.getDefiningOp<memref::AllocOp>())
        buffers.try_emplace(base, buffers.size());
    }
  });
  if (launches.empty())
    return;
  json.object([&]() {
    json.attribute("function", function.getName());
    json.attributeArray("inputs", [&]() {
      for (unsigned index = 0; index < function.getNumArguments(); ++index)
        json.object([&]() {
          json.attribute("type", print(function.getArgumentTypes()[index]));
          if (auto name =
                  function.getArgAttrOfType<StringAttr>(index, kParamAttrName))
            json.attribute("parameter", name.getValue());
        });
    });
    json.attributeArray("buffers", [&]() { writeBuffers(); });
    json.attributeArray("launches", [&]() {
      for (gpu::LaunchFuncOp launch : launches)
        writeLaunch(launch);
    });
  });
}

void LaunchReport::writeBuffers() {
  Operation *end = function.getFunctionBody().back().getTerminator();
  for (Value buffer : llvm::make_first_range(buffers))
    json.object([&]() {
      auto type = cast<MemRefType>(buffer.getType());
      json.attribute("type", print(type));
      if (type.hasStaticShape())
        json.attribute("bytes",
                       type.getNumElements() *
                           llvm::divideCeil(type.getElementTypeBitWidth(), 8));
      else
        json.attributeArray("extents", [&]() {
          for (Value extent :
               buffer.getDefiningOp<memref::AllocOp>().getDynamicSizes())
            json.value(describeSize(extent));
        });
      for (auto [index, result] : llvm::enumerate(end->getOperands()))
        if (stripViews(result) == buffer)
          json.attribute("result", index);
    });
}

void LaunchReport::writeExtents(StringRef name, gpu::KernelDim3 extents) {
  json.attributeArray(name, [&]() {
    for (Value extent : {extents.x, extents.y, extents.z})
      json.value(describeSize(extent));
  });
}

void LaunchReport::writeArgument(Value argument) {
  json.object([&]() {
    json.attribute("type", print(argument.getType()));
    llvm::json::Value size = describeSize(argument);
    if (size.kind() != llvm::json::Value::Null) {
      json.attribute("value", size);
      return;
    }
    Value base = stripViews(argument);
    auto buffer = buffers.find(base);
    if (buffer != buffers.end())
      json.attribute("buffer", buffer->second);
    else if (auto input = dyn_cast<BlockArgument>(base);
             input && input.getOwner()->isEntryBlock())
      json.attribute("input", static_cast<int64_t>(input.getArgNumber()));
    else if (Operation *op = base.getDefiningOp())
      json.attribute("computed_by", op->getName().getStringRef());
  });
}

void LaunchReport::writeLaunch(gpu::LaunchFuncOp launch) {
  json.object([&]() {
    json.attribute("kernel", launch.getKernelName().getValue());
    json.attribute("module", launch.getKernelModuleName().getValue());
    json.attribute("location", print(launch.getLoc()));
    Operation *parent = launch->getParentOp();
    if (isTestOfGrid(parent, launch))
      parent = parent->getParentOp();
    if (parent != function)
      json.attribute("inside", parent->getName().getStringRef());
    writeExtents("grid", launch.getGridSizeOperandValues());
    writeExtents("block", launch.getBlockSizeOperandValues());
    std::optional<int64_t> shared = 0;
    if (Value bytes = launch.getDynamicSharedMemorySize())
      shared = getConstantIntValue(bytes);
    shared ? json.attribute("shared_bytes", *shared)
           : json.attribute("shared_bytes", nullptr);
    for (StringRef count : {"flops", "bytes"})
      if (auto value =
              launch->getAttrOfType<IntegerAttr>(("norm." + count).str()))
        json.attribute(count, value.getInt());
    json.attributeArray("arguments", [&]() {
      for (Value argument : launch.getKernelOperands())
        writeArgument(argument);
    });
  });
}

namespace {
struct NormReportKernelsPass
    : public norm::impl::NormReportKernelsPassBase<NormReportKernelsPass> {
  using NormReportKernelsPassBase::NormReportKernelsPassBase;

  void runOnOperation() final {
    markAllAnalysesPreserved();
    auto print = [&](raw_ostream &os) {
      OStream json(os, /*IndentSize=*/2);
      json.array([&]() {
        getOperation().walk([&](FunctionOpInterface function) {
          if (!function.isExternal() && !isa<gpu::GPUFuncOp>(function))
            LaunchReport(json, function).write();
        });
      });
      os << "\n";
    };
    if (failed(writeText(output, getOperation().getLoc(), "the report", print)))
      signalPassFailure();
  }
};
} // namespace
