//===- KernelBuilder.cpp - What all layers of a kernel write with ---------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

static constexpr llvm::StringLiteral kSharedName = "shared_memory";

static LLVM::LLVMPointerType pointerType(MLIRContext *context,
                                         NVVM::NVVMMemorySpace space) {
  return LLVM::LLVMPointerType::get(context, static_cast<unsigned>(space));
}

KernelBuilder::KernelBuilder(ModuleOp parent, StringRef name, Location loc,
                             TypeRange arguments, int64_t threads)
    : ImplicitLocOpBuilder(loc, parent.getContext()), threads(threads) {
  setInsertionPointToEnd(parent.getBody());
  module = gpu::GPUModuleOp::create(*this, name);
  setInsertionPointToStart(&module.getBodyRegion().front());
  function =
      gpu::GPUFuncOp::create(*this, name, getFunctionType(arguments, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), getUnitAttr());
  function.setKnownBlockSize(
      ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
  setInsertionPointToStart(&function.getBody().front());
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(*this, argument);
    address = arith::IndexCastOp::create(*this, getI64Type(), address);
    pointers[argument] = LLVM::IntToPtrOp::create(
        *this, pointerType(getContext(), NVVM::NVVMMemorySpace::Global),
        address);
  }
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}
Value KernelBuilder::i32(int64_t value) {
  return arith::ConstantIntOp::create(*this, getI32Type(), value);
}
Value KernelBuilder::f32(double value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}
Value KernelBuilder::add(Value lhs, Value rhs) {
  return createOrFold<arith::AddIOp>(lhs, rhs);
}
Value KernelBuilder::mul(Value lhs, int64_t rhs) {
  return createOrFold<arith::MulIOp>(lhs, index(rhs));
}
Value KernelBuilder::div(Value lhs, int64_t rhs) {
  return createOrFold<arith::DivUIOp>(lhs, index(rhs));
}
Value KernelBuilder::rem(Value lhs, int64_t rhs) {
  return createOrFold<arith::RemUIOp>(lhs, index(rhs));
}
Value KernelBuilder::min(Value lhs, Value rhs) {
  return createOrFold<arith::MinUIOp>(lhs, rhs);
}
Value KernelBuilder::isLess(Value lhs, Value rhs) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ult, lhs, rhs);
}
Value KernelBuilder::isEqual(Value lhs, int64_t rhs) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, lhs, index(rhs));
}
Value KernelBuilder::both(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return createOrFold<arith::AndIOp>(lhs, rhs);
}

void KernelBuilder::ifTrue(Value condition, llvm::function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  body();
}

Value KernelBuilder::thread() {
  return gpu::ThreadIdOp::create(*this, gpu::Dimension::x);
}
Value KernelBuilder::block(gpu::Dimension dimension) {
  return gpu::BlockIdOp::create(*this, dimension);
}
void KernelBuilder::barrier() { gpu::BarrierOp::create(*this); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t kernel::bytesOf(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

int64_t KernelBuilder::allocateShared(int64_t bytes) {
  int64_t offset = llvm::alignTo(sharedBytes, 128);
  sharedBytes = offset + bytes;
  return offset;
}

Value KernelBuilder::shared(Value offset) {
  if (!sharedBase) {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(&module.getBodyRegion().front());
    // An external array without elements is the memory that the launch asks
    // for.
    auto memory = LLVM::GlobalOp::create(
        *this, LLVM::LLVMArrayType::get(getI8Type(), 0), /*isConstant=*/false,
        LLVM::Linkage::External, kSharedName, Attribute(), /*alignment=*/1024,
        static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
    setInsertionPointToStart(&function.getBody().front());
    sharedBase = LLVM::AddressOfOp::create(*this, memory);
  }
  Value bytes = arith::IndexCastOp::create(*this, getI32Type(), offset);
  return LLVM::GEPOp::create(*this, sharedBase.getType(), getI8Type(),
                             sharedBase, ArrayRef<LLVM::GEPArg>{bytes});
}

Value KernelBuilder::loadShared(Type type, Value offset, int64_t alignment) {
  return LLVM::LoadOp::create(*this, type, shared(offset), alignment);
}
void KernelBuilder::storeShared(Value value, Value offset, int64_t alignment) {
  LLVM::StoreOp::create(*this, value, shared(offset), alignment);
}

Value KernelBuilder::global(Value buffer, Value offset) {
  Value pointer = pointers.lookup(buffer);
  offset = arith::IndexCastOp::create(*this, getI64Type(), offset);
  return LLVM::GEPOp::create(
      *this, pointer.getType(),
      cast<MemRefType>(buffer.getType()).getElementType(), pointer,
      ArrayRef<LLVM::GEPArg>{offset});
}

Value KernelBuilder::loadGlobal(Value buffer, Value offset, int64_t width) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  // A vector of bits would have no byte for each.
  if (element.isInteger(1) && width > 1) {
    SmallVector<Value> bits;
    for (int64_t i = 0; i < width; ++i)
      bits.push_back(loadGlobal(buffer, add(offset, i), 1));
    return vector::FromElementsOp::create(
        *this, VectorType::get(width, element), bits);
  }
  Type type = width == 1 ? element : VectorType::get(width, element);
  return LLVM::LoadOp::create(*this, type, global(buffer, offset),
                              width * bytesOf(element));
}

void KernelBuilder::storeGlobal(Value value, Value buffer, Value offset) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto vector = dyn_cast<VectorType>(value.getType());
  LLVM::StoreOp::create(*this, value, global(buffer, offset),
                        (vector ? vector.getNumElements() : 1) *
                            bytesOf(element));
}

void KernelBuilder::finish() {
  gpu::ReturnOp::create(*this);
  // So that who launches the kernel sees what it does not need.
  for (Value pointer : llvm::make_second_range(pointers))
    while (Operation *op = pointer.getDefiningOp()) {
      if (!pointer.use_empty())
        break;
      pointer = op->getOperand(0);
      op->erase();
    }
  // The root of an f32 is an instruction. Upstream's lowering of math, and of
  // the operation llvm.intr.sqrt, calls a library for it.
  IRRewriter rewriter(getContext());
  function.walk([&](math::SqrtOp op) {
    if (!op.getType().isF32())
      return;
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr("llvm.sqrt.f32"),
        op.getOperand());
  });
}
