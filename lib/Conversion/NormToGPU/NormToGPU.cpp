//===- NormToGPU.cpp - Groups as kernels ----------------------------------===//

#include "renorm/Conversion/NormToGPU/NormToGPU.h"
#include "Kernels.h"
#include "SplitK.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "renorm/Analysis/Traffic.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::norm {
#define GEN_PASS_DEF_CONVERTNORMTOGPUPASS
#include "renorm/Conversion/NormToGPU/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

/// The first element of `buffer`, behind which the others lie. As an argument
/// of a kernel it is a pointer, and still says whose memory that is.
static Value firstElement(ImplicitLocOpBuilder &b, Value buffer) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return memref::ReinterpretCastOp::create(
      b, MemRefType::get({}, element), buffer, /*offset=*/b.getIndexAttr(0),
      /*sizes=*/ArrayRef<OpFoldResult>(), /*strides=*/ArrayRef<OpFoldResult>());
}

/// What a kernel computes and moves.
struct Costs {
  int64_t flops, bytes;
};

/// What each kernel of `fusion` computes and moves; nothing where an extent is
/// dynamic. `used` says which inputs and results, which come first among the
/// arguments, each of them has. Between two kernels is a workspace.
static SmallVector<Costs> costsOf(FusionOp fusion,
                                  ArrayRef<llvm::BitVector> used,
                                  int64_t workspaceBytes) {
  Traffic traffic = measureTraffic(fusion, /*streamElements=*/0);
  if (traffic.isDynamic)
    return {};
  int64_t flops = 0;
  if (auto root = cast_or_null<linalg::LinalgOp>(fusion.getRoot())) {
    flops = 2;
    for (int64_t extent : root.getStaticLoopRanges())
      flops *= extent;
  }
  if (used.size() == 1)
    return {{flops, traffic.bytes}};
  // The first multiplies, the last one has the results.
  unsigned inputs = fusion.getInputs().size();
  SmallVector<Costs> all = {{flops, workspaceBytes}, {0, workspaceBytes}};
  for (auto [costs, arguments] : llvm::zip_equal(all, used)) {
    for (auto [number, input] : llvm::enumerate(fusion.getInputs()))
      if (isa<RankedTensorType>(input.getType()) && arguments.test(number))
        costs.bytes += getReadBytes(input);
    for (auto [number, type] : llvm::enumerate(fusion.getResultTypes()))
      if (arguments.test(inputs + number))
        costs.bytes += getBytes(type);
  }
  return all;
}

/// Replaces `plan`'s group by launches of `kernels`, one after the other.
static void replaceByLaunches(IRRewriter &rewriter, GroupPlan &plan,
                              MutableArrayRef<Kernel> kernels) {
  FusionOp fusion = plan.fusion;
  rewriter.setInsertionPoint(fusion);
  ImplicitLocOpBuilder b(fusion.getLoc(), rewriter);

  SmallVector<Value> symbols;
  for (const Extents::Symbol &symbol : plan.extents.getSymbols()) {
    Value input = fusion.getInputs()[symbol.input];
    symbols.push_back(input.getType().isIndex()
                          ? input
                          : tensor::DimOp::create(b, input, symbol.dim));
  }

  SmallVector<Value> arguments, outputs;
  for (Value input : fusion.getInputs()) {
    auto tensor = dyn_cast<RankedTensorType>(input.getType());
    if (tensor)
      input = firstElement(
          b, bufferization::ToBufferOp::create(
                 b, MemRefType::get(tensor.getShape(), tensor.getElementType()),
                 input, /*read_only=*/true));
    arguments.push_back(input);
  }
  for (Value value : fusion.getYieldedValues()) {
    auto tensor = cast<RankedTensorType>(value.getType());
    SmallVector<Value> sizes;
    SmallVector<AffineExpr> extents = *plan.extents.of(value);
    for (auto [dim, extent] : llvm::enumerate(extents))
      if (tensor.isDynamicDim(dim))
        sizes.push_back(expand(b, extent, {}, symbols));
    outputs.push_back(memref::AllocOp::create(
        b, MemRefType::get(tensor.getShape(), tensor.getElementType()), sizes));
    arguments.push_back(firstElement(b, outputs.back()));
  }
  llvm::append_range(arguments, symbols);
  int64_t workspaceBytes = 0;
  if (kernels.size() > 1) {
    auto rows = dyn_cast<AffineConstantExpr>(plan.rows);
    auto type = MemRefType::get({kernels.front().splits,
                                 rows ? rows.getValue() : ShapedType::kDynamic,
                                 plan.columns},
                                b.getF32Type());
    SmallVector<Value> sizes;
    if (rows)
      workspaceBytes = type.getNumElements() * bytesOf(type.getElementType());
    else
      sizes.push_back(expand(b, plan.rows, {}, symbols));
    arguments.push_back(
        firstElement(b, memref::AllocOp::create(b, type, sizes)));
  }

  // Not all inputs are read by each kernel, or at all: of some only the shape.
  SmallVector<llvm::BitVector> used;
  for (Kernel &kernel : kernels) {
    llvm::BitVector unused(arguments.size());
    for (BlockArgument argument : kernel.function.getArguments())
      if (argument.use_empty())
        unused.set(argument.getArgNumber());
    (void)kernel.function.eraseArguments(unused);
    used.push_back(unused.flip());
  }
  SmallVector<Costs> costs = costsOf(fusion, used, workspaceBytes);

  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto launch = [&](unsigned number, Value blocks) {
    Kernel &kernel = kernels[number];
    Value one = index(1), splits = index(kernel.splits);
    Value shared = kernel.sharedBytes == 0
                       ? Value()
                       : arith::ConstantIntOp::create(b, b.getI32Type(),
                                                      kernel.sharedBytes)
                             .getResult();
    SmallVector<Value> operands;
    for (unsigned argument : used[number].set_bits())
      operands.push_back(arguments[argument]);
    auto op = gpu::LaunchFuncOp::create(
        b, kernel.function, gpu::KernelDim3{blocks, splits, one},
        gpu::KernelDim3{index(kernel.threads), one, one}, shared, operands);
    if (costs.empty())
      return;
    op->setAttr("norm.flops", b.getI64IntegerAttr(costs[number].flops));
    op->setAttr("norm.bytes", b.getI64IntegerAttr(costs[number].bytes));
  };
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    if (auto count = dyn_cast<AffineConstantExpr>(kernel.blocks)) {
      if (count.getValue() > 0)
        launch(number, index(count.getValue()));
      continue;
    }
    // A launch of no blocks is an error.
    Value blocks = expand(b, kernel.blocks, {}, symbols);
    Value isAny =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, blocks, index(0));
    auto branch = scf::IfOp::create(b, isAny, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    launch(number, blocks);
  }

  SmallVector<Value> results;
  for (auto [type, output] : llvm::zip(fusion.getResultTypes(), outputs))
    results.push_back(
        bufferization::ToTensorOp::create(b, type, output, /*restrict=*/true));
  rewriter.replaceOp(fusion, results);
}

namespace {
struct ConvertNormToGPUPass
    : public norm::impl::ConvertNormToGPUPassBase<ConvertNormToGPUPass> {
  using ConvertNormToGPUPassBase::ConvertNormToGPUPassBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    int64_t capability = 0;
    StringRef number = chip;
    if (!number.consume_front("sm_") || number.consumeInteger(10, capability) ||
        capability < 80) {
      emitError(module.getLoc())
          << "expected a chip of sm_80 or later, but got '" << chip << "'";
      return signalPassFailure();
    }
    if (splitK < 0) {
      emitError(module.getLoc())
          << "expected 0 or a number of blocks as split-k, but got "
          << splitK.getValue();
      return signalPassFailure();
    }
    MatmulOptions options = {f32Precision, splitK,
                             multiprocessorsOf(capability)};

    SmallVector<FusionOp> fusions;
    module.walk([&](FusionOp fusion) { fusions.push_back(fusion); });
    SymbolTableCollection tables;
    IRRewriter rewriter(&getContext());
    for (FusionOp fusion : fusions) {
      FailureOr<GroupPlan> plan = planGroup(fusion);
      if (failed(plan))
        continue;
      auto parent = fusion->getParentOfType<ModuleOp>();
      SymbolTable &symbols = tables.getSymbolTable(parent);
      std::string name = kernelName(fusion, symbols);
      FailureOr<SmallVector<Kernel>> built =
          plan->root ? buildMatmulKernels(*plan, parent, name, options)
                     : buildRowKernel(*plan, parent, name);
      if (failed(built))
        continue;
      for (Kernel &kernel : *built)
        symbols.insert(kernel.function->getParentOfType<gpu::GPUModuleOp>());
      replaceByLaunches(rewriter, *plan, *built);
      parent->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      rewriter.getUnitAttr());
    }
  }

private:
  /// A name that no symbol has, with or without what is behind it where the
  /// reduction is split: that of the function, and a number.
  static std::string kernelName(FusionOp fusion, const SymbolTable &symbols) {
    auto function = fusion->getParentOfType<FunctionOpInterface>();
    std::string prefix =
        ((function ? function.getName() : "group") + "_kernel").str();
    // PTX has no other characters in names.
    for (char &c : prefix)
      c = llvm::isAlnum(c) ? c : '_';
    for (unsigned number = 0;; ++number) {
      std::string name = prefix + "_" + std::to_string(number);
      if (!symbols.lookup(name) && !symbols.lookup(name + kSplitSuffix.str()))
        return name;
    }
  }
};
} // namespace
