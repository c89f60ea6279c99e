//===- EvaluateStatistics.cpp - Statistics of rows in a kernel ------------===//

#include "../NormToLinalg/Normalization.h"
#include "Evaluator.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "renorm/Support/Structured.h"

using namespace mlir;
using namespace mlir::norm;
using namespace mlir::norm::kernel;

//===----------------------------------------------------------------------===//
// Of what the threads have
//===----------------------------------------------------------------------===//

int64_t Evaluator::spanOf(const Reduction &reduction) const {
  return reduction.columns == plan.columns
             ? fragment.shape.columns()
             : fragment.layout.span(reduction.columns);
}

void Evaluator::sumRow(const Reduction &reduction, unsigned row, Term term,
                       MutableArrayRef<Value> partials) {
  int64_t span = spanOf(reduction);
  unsigned groups = fragment.groupCount(span);
  Value zero = b.f32(0.0);
  for (unsigned chunk = 0; chunk < fragment.shape.chunks; ++chunk)
    for (unsigned place = 0; place < fragment.shape.width; ++place) {
      Position p = {row, chunk, place};
      unsigned group = row * groups + fragment.groupOf(chunk, span);
      Value x = convertFloat(b, at(reduction.input, reduction.indices, p),
                             b.getF32Type());
      Value value = term(x, group);
      if (Value isIn = fragment.column(p).isIn)
        value = arith::SelectOp::create(b, isIn, value, zero);
      Value &partial = partials[group];
      if (partial)
        value = arith::AddFOp::create(b, partial, value, kReductionFlags);
      partial = value;
    }
}

SmallVector<Value> Evaluator::sumOver(const Reduction &reduction, Term term) {
  int64_t span = spanOf(reduction);
  SmallVector<Value> partials(fragment.rowCount() * fragment.groupCount(span));
  for (unsigned row = 0; row < fragment.rowCount(); ++row)
    sumRow(reduction, row, term, partials);
  return fragment.sum(b, partials, span);
}

MutableArrayRef<Value> Evaluator::firstSums(const Reduction &reduction) {
  SmallVector<Value> &partials = first[keyOf(reduction)];
  partials.resize(fragment.rowCount() * fragment.groupCount(spanOf(reduction)));
  return partials;
}

void Evaluator::sumRowFirst(const Reduction &reduction, unsigned row) {
  // Evaluating an element can begin other sums, and so move this one's.
  unsigned groups = fragment.groupCount(spanOf(reduction));
  SmallVector<Value> partials(firstSums(reduction));
  if (partials[row * groups])
    return;
  sumRow(
      reduction, row,
      [&](Value x, unsigned) -> Value {
        if (reduction.kind == NormKind::Layer)
          return x;
        return arith::MulFOp::create(b, x, x, kReductionFlags);
      },
      partials);
  llvm::copy(partials, firstSums(reduction).begin());
}

Value Evaluator::groupExtent(const Reduction &reduction, unsigned chunk) {
  int64_t columns = reduction.columns;
  if (plan.columns % columns == 0)
    return b.f32(static_cast<double>(columns));
  // The last group has what is left.
  Value column = fragment.column({0, chunk, 0}).safe;
  Value first = b.mul(b.div(column, columns), columns);
  Value rest = arith::SubIOp::create(b, b.index(plan.columns), first);
  Value count = arith::IndexCastOp::create(b, b.getI32Type(),
                                           b.min(rest, b.index(columns)));
  return arith::UIToFPOp::create(b, b.getF32Type(), count);
}

SmallVector<Evaluator::Statistics>
Evaluator::computeStatistics(const Reduction &reduction) {
  int64_t span = spanOf(reduction);
  unsigned groups = fragment.groupCount(span);
  for (unsigned row = 0; row < fragment.rowCount(); ++row)
    sumRowFirst(reduction, row);
  SmallVector<Value> sums = fragment.sum(b, firstSums(reduction), span);

  SmallVector<Value> extents(groups);
  for (unsigned chunk = 0; chunk < fragment.shape.chunks; ++chunk)
    if (Value &extent = extents[fragment.groupOf(chunk, span)]; !extent)
      extent = groupExtent(reduction, chunk);
  auto average = [&](SmallVectorImpl<Value> &sums) {
    for (auto [index, sum] : llvm::enumerate(sums))
      sum = arith::DivFOp::create(b, sum, extents[index % groups]);
  };
  if (reduction.kind != NormKind::L2)
    average(sums);
  if (reduction.kind != NormKind::Layer)
    return llvm::map_to_vector(sums, [](Value power) -> Statistics {
      return {Value(), Value(), power};
    });

  // The mean of what is left after subtracting the rounded mean has the digits
  // that were lost; see Normalization::center.
  auto deviation = [&](Value x, unsigned group) -> Value {
    return arith::SubFOp::create(b, x, sums[group]);
  };
  SmallVector<Value> rests = sumOver(reduction, deviation);
  average(rests);
  SmallVector<Value> powers =
      sumOver(reduction, [&](Value x, unsigned group) -> Value {
        Value d = arith::SubFOp::create(b, deviation(x, group), rests[group]);
        return arith::MulFOp::create(b, d, d, kReductionFlags);
      });
  average(powers);
  SmallVector<Statistics> all;
  for (auto [mean, rest, power] : llvm::zip(sums, rests, powers))
    all.push_back({mean, rest, power});
  return all;
}

Evaluator::Statistics Evaluator::statistics(const Reduction &reduction,
                                            Position p) {
  ReductionKey key = keyOf(reduction);
  if (!reduced.contains(key)) {
    SmallVector<Statistics> computed = computeStatistics(reduction);
    reduced[key] = std::move(computed);
  }
  int64_t span = spanOf(reduction);
  return reduced[key][p.row * fragment.groupCount(span) +
                      fragment.groupOf(p.chunk, span)];
}

Value Evaluator::reciprocal(Operation *op, AffineMap rowIndices, Value power,
                            double epsilon, EpsilonMode mode, Position p) {
  unsigned chunk = usesColumn(rowIndices) ? p.chunk : 0;
  Value &known =
      reciprocals[{op, rowIndices, p.row * fragment.shape.chunks + chunk}];
  if (!known)
    known = arith::DivFOp::create(b, b.f32(1.0),
                                  createRoot(b, power, b.f32(epsilon), mode));
  return known;
}

//===----------------------------------------------------------------------===//
// Of other kernels
//===----------------------------------------------------------------------===//

namespace {
/// The groups of one row, one after the other.
struct Groups {
  KernelBuilder &b;
  MergeStatsOp op;
  const KernelInputs &inputs;
  AffineMap indices;
  GroupPlan &plan;
  Value row;

  int64_t count() {
    return cast<RankedTensorType>(op.getPartials()[0].getType())
        .getShape()
        .back();
  }
  double extent() { return static_cast<double>(op.getExtent()); }

  Value load(unsigned number, Value group) {
    auto partial = cast<BlockArgument>(op.getPartials()[number]);
    SmallVector<AffineExpr> exprs(indices.getResults());
    exprs.push_back(getAffineDimExpr(1, b.getContext()));
    Value offset = expand(b, linearize(exprs, *plan.extents.of(partial)),
                          {row, group}, inputs.symbols);
    return b.loadGlobal(inputs.values[partial.getArgNumber()], offset, 1);
  }

  /// How many elements the group has.
  Value weight(Value group) {
    int64_t size = op.getGroupSize(), extent = op.getExtent();
    if (extent % size == 0)
      return b.f32(static_cast<double>(size));
    Value rest = arith::SubIOp::create(b, b.index(extent), b.mul(group, size));
    Value count = arith::IndexCastOp::create(b, b.getI32Type(),
                                             b.min(rest, b.index(size)));
    return arith::UIToFPOp::create(b, b.getF32Type(), count);
  }

  /// The sum of a function of the number of a group.
  Value sum(llvm::function_ref<Value(Value)> term) {
    auto loop = scf::ForOp::create(b, b.index(0), b.index(count()), b.index(1),
                                   ValueRange{b.f32(0.0)});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value value = term(loop.getInductionVar());
    Value next = arith::AddFOp::create(b, loop.getRegionIterArg(0), value,
                                       kReductionFlags);
    scf::YieldOp::create(b, next);
    return loop.getResult(0);
  }
  /// The same, each group as often as it has elements, divided by the extent.
  Value mean(llvm::function_ref<Value(Value)> term) {
    Value total = sum([&](Value group) -> Value {
      return arith::MulFOp::create(b, term(group), weight(group),
                                   kReductionFlags);
    });
    return arith::DivFOp::create(b, total, b.f32(extent()));
  }

  SmallVector<Value> merge() {
    auto first = [&](Value group) { return load(0, group); };
    if (op.getKind() == NormKind::L2)
      return {sum(first)};
    if (op.getKind() == NormKind::RMS)
      return {mean(first)};
    Value high = mean(first);
    Value low = mean([&](Value group) -> Value {
      return arith::SubFOp::create(b, load(0, group), high);
    });
    Value variance = mean([&](Value group) -> Value {
      Value d = arith::SubFOp::create(b, load(0, group), high);
      d = arith::SubFOp::create(b, d, low);
      Value square = arith::MulFOp::create(b, d, d, kReductionFlags);
      return arith::AddFOp::create(b, load(1, group), square, kReductionFlags);
    });
    return {arith::AddFOp::create(b, high, low), variance};
  }
};
} // namespace

SmallVector<SharedStatistics>
kernel::mergeStatistics(KernelBuilder &b, GroupPlan &plan,
                        ArrayRef<GroupPlan::Merge> merges,
                        const KernelInputs &inputs, Value firstRow,
                        Value rowCount, int64_t tileRows) {
  if (merges.empty())
    return {};
  constexpr int64_t kBytes = 4;
  SmallVector<SharedStatistics> all;
  for (auto [op, indices] : merges) {
    SharedStatistics &shared = all.emplace_back();
    shared.op = op;
    shared.indices = indices;
    for (size_t i = 0; i < op.getPartials().size(); ++i)
      shared.offsets.push_back(b.allocateShared(tileRows * kBytes));
  }
  // As many rows as there are threads at a time.
  Value last = arith::SubIOp::create(b, rowCount, b.index(1));
  for (int64_t begin = 0; begin < tileRows; begin += b.getThreads()) {
    Value tileRow = b.add(b.thread(), begin);
    Value isIn = tileRows - begin < b.getThreads()
                     ? b.isLess(tileRow, b.index(tileRows))
                     : Value();
    b.ifTrue(isIn, [&]() {
      Value row = b.min(b.add(firstRow, tileRow), last);
      for (const SharedStatistics &shared : all) {
        Groups groups = {b, shared.op, inputs, shared.indices, plan, row};
        for (auto [offset, value] : llvm::zip(shared.offsets, groups.merge()))
          b.storeShared(value, b.add(b.mul(tileRow, kBytes), offset), kBytes);
      }
    });
  }
  b.barrier();
  return all;
}
