//===- MatmulKernels.cpp - Blocked matrix products ------------------------===//

#include "MatmulKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "renorm/Support/Structured.h"

using namespace mlir;
using namespace mlir::norm;

/// Rows of B whose slice, a tile wide, stays in the first-level cache.
static constexpr int64_t kDepth = 256;
/// Rows of A, in tiles, of which `kDepth` columns stay in the second-level
/// cache.
static constexpr int64_t kTilesOfRows = 24;
/// Groups of columns that are packed at a time, so that of a row more than a
/// cache line is read.
static constexpr int64_t kGroups = 8;
/// With fewer rows than this, packing B costs more than it gains.
static constexpr int64_t kFewRows = 16;
/// Rows of B that are read at the same time where there are few of A.
static constexpr int64_t kStreams = 8;

int64_t MatmulKernels::getTileRows() const {
  // Two vectors for each row of the tile, two of B: of 32 registers with 512
  // bits, of 16 with less.
  return vectorBits >= 512 ? 12 : 6;
}

int64_t MatmulKernels::getTileColumns(FloatType sum) const {
  return 2 * vectorBits / sum.getWidth();
}

MemRefType MatmulKernels::getOperandType(Type elementType) {
  constexpr int64_t any = ShapedType::kDynamic;
  return MemRefType::get(
      {any, any}, elementType,
      StridedLayoutAttr::get(elementType.getContext(), any, {any, any}));
}

MemRefType MatmulKernels::getResultType(Type elementType) {
  constexpr int64_t any = ShapedType::kDynamic;
  return MemRefType::get(
      {any, any}, elementType,
      StridedLayoutAttr::get(elementType.getContext(), any, {any, 1}));
}

static MemRefType getPackedType(Type elementType) {
  return MemRefType::get({ShapedType::kDynamic}, elementType);
}

//===----------------------------------------------------------------------===//
// Short ways to write loops
//===----------------------------------------------------------------------===//

namespace {
using LocBuilder = ImplicitLocOpBuilder;
} // namespace

static Value index(LocBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}
static Value add(LocBuilder &b, Value x, Value y) {
  return arith::AddIOp::create(b, x, y);
}
static Value add(LocBuilder &b, Value x, int64_t y) {
  return y == 0 ? x : add(b, x, index(b, y));
}
static Value mul(LocBuilder &b, Value x, Value y) {
  return arith::MulIOp::create(b, x, y);
}
static Value mul(LocBuilder &b, Value x, int64_t y) {
  return mul(b, x, index(b, y));
}
/// min(step, end - begin): how much of a step is left.
static Value rest(LocBuilder &b, int64_t step, Value begin, Value end) {
  return arith::MinSIOp::create(b, index(b, step),
                                arith::SubIOp::create(b, end, begin));
}
static Value dim(LocBuilder &b, Value matrix, int64_t dimension) {
  return memref::DimOp::create(b, matrix, dimension);
}

static void forLoop(LocBuilder &b, Value begin, Value end, int64_t step,
                    llvm::function_ref<void(LocBuilder &, Value)> body) {
  scf::ForOp::create(
      b, begin, end, index(b, step), ValueRange(),
      [&](OpBuilder &nested, Location loc, Value iv, ValueRange) {
        LocBuilder inner(loc, nested);
        body(inner, iv);
        scf::YieldOp::create(inner);
      });
}

static void ifElse(LocBuilder &b, Value condition,
                   llvm::function_ref<void(LocBuilder &)> then,
                   llvm::function_ref<void(LocBuilder &)> otherwise) {
  auto build = [](llvm::function_ref<void(LocBuilder &)> body) {
    return [body](OpBuilder &nested, Location loc) {
      LocBuilder inner(loc, nested);
      body(inner);
      scf::YieldOp::create(inner);
    };
  };
  scf::IfOp::create(b, condition, build(then), build(otherwise));
}

static Value compare(LocBuilder &b, arith::CmpIPredicate predicate, Value x,
                     Value y) {
  return arith::CmpIOp::create(b, predicate, x, y);
}

static Value equal(LocBuilder &b, Value x, Value y) {
  return compare(b, arith::CmpIPredicate::eq, x, y);
}

/// `matrix` from (row, column) on, of this size.
static Value block(LocBuilder &b, Value matrix, Value row, Value column,
                   Value rows, Value columns) {
  OpFoldResult one = b.getIndexAttr(1);
  return memref::SubViewOp::create(b, cast<MemRefType>(matrix.getType()),
                                   matrix, ArrayRef<OpFoldResult>{row, column},
                                   ArrayRef<OpFoldResult>{rows, columns},
                                   ArrayRef<OpFoldResult>{one, one});
}

/// x y + z, rounded once where the target can.
static Value multiplyAdd(LocBuilder &b, Value x, Value y, Value z) {
  constexpr auto contract = arith::FastMathFlags::contract;
  return arith::AddFOp::create(b, z, arith::MulFOp::create(b, x, y, contract),
                               contract);
}

/// Elements of `matrix` from (row, column) on, as many as `type` has.
static Value load(LocBuilder &b, VectorType type, Value matrix, Value row,
                  Value column) {
  Type from = cast<MemRefType>(matrix.getType()).getElementType();
  Value vector = vector::LoadOp::create(b, type.clone(from), matrix,
                                        ValueRange{row, column});
  if (from == type.getElementType())
    return vector;
  return arith::ExtFOp::create(b, type, vector);
}

/// Which lanes of a vector come before `count`.
static Value lanesBefore(LocBuilder &b, int64_t lanes, Value count) {
  auto type = VectorType::get({lanes}, b.getI32Type());
  SmallVector<int32_t> numbers = llvm::to_vector(llvm::seq<int32_t>(0, lanes));
  Value lane = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef(numbers)));
  Value bound = arith::IndexCastOp::create(b, b.getI32Type(), count);
  return compare(b, arith::CmpIPredicate::slt, lane,
                 vector::BroadcastOp::create(b, type, bound));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

func::FuncOp MatmulKernels::getFunction(const Twine &name,
                                        ArrayRef<Type> arguments, Body body) {
  std::string symbol = ("renorm_" + name).str();
  if (auto function = symbols.lookup<func::FuncOp>(symbol))
    return function;
  Location loc = symbols.getOp()->getLoc();
  LocBuilder b(loc, symbols.getOp()->getContext());
  auto function =
      func::FuncOp::create(b, symbol, b.getFunctionType(arguments, {}));
  function.setPrivate();
  symbols.insert(function);
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  body(b, entry->getArguments());
  func::ReturnOp::create(b);
  return function;
}

static std::string nameOf(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

namespace {
/// Packs a group of `width` columns of a matrix, from `column` on, row by row.
struct ColumnGroup {
  Value matrix, packed, depth, column, start;
  /// How many columns there are, at most `width`.
  Value count;
  FloatType type;
  int64_t width;

  /// `groups` groups of which all columns are there, where the elements of a
  /// row lie side by side.
  void copyRows(LocBuilder &b, Value rowMajor, int64_t groups) const;
  /// All columns, where those of a column do: squares of `side` elements.
  void transposeSquares(LocBuilder &b, Value columnMajor, int64_t side) const;
  /// The columns that there are, from row `from` on, and zeros for the others.
  void copyElements(LocBuilder &b, Value from) const;

private:
  Value position(LocBuilder &b, Value row, Value lane) const {
    return add(b, add(b, start, mul(b, row, width)), lane);
  }
};
} // namespace

void ColumnGroup::copyRows(LocBuilder &b, Value rowMajor,
                           int64_t groups) const {
  auto vector = VectorType::get({width}, type);
  forLoop(b, index(b, 0), depth, 1, [&](LocBuilder &b, Value row) {
    for (int64_t group = 0; group < groups; ++group) {
      Value elements =
          load(b, vector, rowMajor, row, add(b, column, group * width));
      Value to =
          add(b, position(b, row, index(b, 0)), mul(b, depth, group * width));
      vector::StoreOp::create(b, elements, packed, to);
    }
  });
}

/// The columns of the square matrix of these rows.
static SmallVector<Value> transpose(LocBuilder &b, SmallVector<Value> rows) {
  int64_t side = rows.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < side / 2; ++i) {
    low.append({i, side + i});
    high.append({side / 2 + i, side + side / 2 + i});
  }
  for (int64_t step = 1; step < side; step *= 2) {
    SmallVector<Value> shuffled;
    for (int64_t i = 0; i < side / 2; ++i)
      for (ArrayRef<int64_t> mask : {ArrayRef(low), ArrayRef(high)})
        shuffled.push_back(
            vector::ShuffleOp::create(b, rows[i], rows[side / 2 + i], mask));
    rows = shuffled;
  }
  return rows;
}

void ColumnGroup::transposeSquares(LocBuilder &b, Value columnMajor,
                                   int64_t side) const {
  auto vector = VectorType::get({side}, type);
  Value remainder = arith::RemSIOp::create(b, depth, index(b, side));
  Value end = arith::SubIOp::create(b, depth, remainder);
  forLoop(b, index(b, 0), end, side, [&](LocBuilder &b, Value row) {
    for (int64_t lane = 0; lane < width; lane += side) {
      SmallVector<Value> columns;
      for (int64_t i = 0; i < side; ++i)
        columns.push_back(
            load(b, vector, columnMajor, add(b, column, lane + i), row));
      for (auto [i, elements] : llvm::enumerate(transpose(b, columns)))
        vector::StoreOp::create(b, elements, packed,
                                position(b, add(b, row, i), index(b, lane)));
    }
  });
  copyElements(b, end);
}

void ColumnGroup::copyElements(LocBuilder &b, Value from) const {
  forLoop(b, index(b, 0), count, 1, [&](LocBuilder &b, Value lane) {
    Value at = add(b, column, lane);
    forLoop(b, from, depth, 1, [&](LocBuilder &b, Value row) {
      Value element = memref::LoadOp::create(b, matrix, ValueRange{row, at});
      memref::StoreOp::create(b, convertFloat(b, element, type), packed,
                              position(b, row, lane));
    });
  });
  Value zero = createConstant(b, type, 0.0);
  forLoop(b, count, index(b, width), 1, [&](LocBuilder &b, Value lane) {
    forLoop(b, from, depth, 1, [&](LocBuilder &b, Value row) {
      memref::StoreOp::create(b, zero, packed, position(b, row, lane));
    });
  });
}

/// (matrix, packed): the columns of `matrix` in groups of `width`, one after
/// the other, each row by row and filled up with zeros.
func::FuncOp MatmulKernels::getPack(FloatType from, FloatType to,
                                    int64_t width) {
  int64_t side = vectorBits / to.getWidth();
  auto body = [&](LocBuilder &b, ValueRange args) {
    Value matrix = args[0], packed = args[1];
    Value depth = dim(b, matrix, 0), columns = dim(b, matrix, 1);
    Value zero = index(b, 0), one = index(b, 1);
    auto source = memref::ExtractStridedMetadataOp::create(b, matrix);
    Value rowStride = source.getStrides()[0],
          columnStride = source.getStrides()[1];
    auto withUnitStride = [&](Value outer, Value inner, Value stride) {
      return memref::ReinterpretCastOp::create(
          b, getResultType(from), source.getBaseBuffer(), source.getOffset(),
          {outer, inner}, ArrayRef<OpFoldResult>{stride, b.getIndexAttr(1)});
    };
    Value rowMajor = withUnitStride(depth, columns, rowStride);
    Value columnMajor = withUnitStride(columns, depth, columnStride);
    Value isRowMajor = equal(b, columnStride, one);
    Value isColumnMajor = equal(b, rowStride, one);

    auto groupAt = [&](LocBuilder &b, Value column) {
      return ColumnGroup{matrix,
                         packed,
                         depth,
                         column,
                         mul(b, column, depth),
                         rest(b, width, column, columns),
                         to,
                         width};
    };
    auto packGroup = [&](LocBuilder &b, Value column) {
      ColumnGroup group = groupAt(b, column);
      Value isWhole = equal(b, group.count, index(b, width));
      ifElse(
          b, arith::AndIOp::create(b, isRowMajor, isWhole),
          [&](LocBuilder &b) { group.copyRows(b, rowMajor, 1); },
          [&](LocBuilder &b) {
            if (width % side != 0)
              return group.copyElements(b, zero);
            ifElse(
                b, arith::AndIOp::create(b, isColumnMajor, isWhole),
                [&](LocBuilder &b) {
                  group.transposeSquares(b, columnMajor, side);
                },
                [&](LocBuilder &b) { group.copyElements(b, zero); });
          });
    };
    int64_t some = kGroups * width;
    forLoop(b, zero, columns, some, [&](LocBuilder &b, Value column) {
      Value count = rest(b, some, column, columns);
      Value areWhole = equal(b, count, index(b, some));
      ifElse(
          b, arith::AndIOp::create(b, isRowMajor, areWhole),
          [&](LocBuilder &b) {
            groupAt(b, column).copyRows(b, rowMajor, kGroups);
          },
          [&](LocBuilder &b) {
            forLoop(b, column, add(b, column, count), width, packGroup);
          });
    });
  };
  return getFunction("pack" + Twine(width) + "_" + nameOf(from) + "_" +
                         nameOf(to),
                     {getOperandType(from), getPackedType(to)}, body);
}

namespace {
/// A tile of C, and what of the packed operands is added to it.
struct Tile {
  Value result, row, column;
  /// Whether it is whole, and how much of it there is.
  Value isWhole, rows, columns;
  int64_t maxRows;
  VectorType type;

  SmallVector<Value> load(LocBuilder &b) const;
  void store(LocBuilder &b, ValueRange sums) const;

private:
  Value mask(LocBuilder &b, int64_t i) const {
    Value exists = compare(b, arith::CmpIPredicate::sgt, rows, index(b, i));
    return lanesBefore(
        b, type.getDimSize(0),
        arith::SelectOp::create(b, exists, columns, index(b, 0)));
  }
  SmallVector<Value, 2> position(LocBuilder &b, int64_t i) const {
    return {add(b, row, i), column};
  }
};
} // namespace

SmallVector<Value> Tile::load(LocBuilder &b) const {
  auto build = [&](llvm::function_ref<Value(LocBuilder &, int64_t)> loadRow) {
    return [this, loadRow](OpBuilder &nested, Location loc) {
      LocBuilder inner(loc, nested);
      SmallVector<Value> sums;
      for (int64_t i = 0; i < maxRows; ++i)
        sums.push_back(loadRow(inner, i));
      scf::YieldOp::create(inner, sums);
    };
  };
  auto loads = scf::IfOp::create(
      b, isWhole, build([&](LocBuilder &b, int64_t i) -> Value {
        return vector::LoadOp::create(b, type, result, position(b, i));
      }),
      build([&](LocBuilder &b, int64_t i) -> Value {
        Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
        return vector::MaskedLoadOp::create(b, type, result, position(b, i),
                                            mask(b, i), zero);
      }));
  return loads.getResults();
}

void Tile::store(LocBuilder &b, ValueRange sums) const {
  ifElse(
      b, isWhole,
      [&](LocBuilder &b) {
        for (int64_t i = 0; i < maxRows; ++i)
          vector::StoreOp::create(b, sums[i], result, position(b, i));
      },
      [&](LocBuilder &b) {
        for (int64_t i = 0; i < maxRows; ++i)
          vector::MaskedStoreOp::create(b, result, position(b, i), mask(b, i),
                                        sums[i]);
      });
}

/// Adds to `tile` the products of `depth` columns of A, from `lhsStart` on in
/// `lhs`, and rows of B.
static void multiplyTile(LocBuilder &b, const Tile &tile, Value depth,
                         Value lhs, Value lhsStart, Value rhs, Value rhsStart) {
  VectorType type = tile.type;
  auto loop = scf::ForOp::create(
      b, index(b, 0), depth, index(b, 1), tile.load(b),
      [&](OpBuilder &nested, Location loc, Value k, ValueRange sums) {
        LocBuilder b(loc, nested);
        Value lhsRow = add(b, lhsStart, mul(b, k, tile.maxRows));
        Value rhsRow = add(b, rhsStart, mul(b, k, type.getDimSize(0)));
        Value columns = vector::LoadOp::create(b, type, rhs, rhsRow);
        SmallVector<Value> results;
        for (int64_t i = 0; i < tile.maxRows; ++i) {
          Value element = memref::LoadOp::create(b, lhs, add(b, lhsRow, i));
          Value factor = vector::BroadcastOp::create(b, type, element);
          results.push_back(multiplyAdd(b, factor, columns, sums[i]));
        }
        scf::YieldOp::create(b, results);
      });
  tile.store(b, loop.getResults());
}

/// (A, packed B, C): C += A B, of at most `kDepth` columns of A.
func::FuncOp MatmulKernels::getPackedMatmul(MatmulTypes types) {
  int64_t tileRows = getTileRows(), tileColumns = getTileColumns(types.sum);
  int64_t blockRows = kTilesOfRows * tileRows;
  auto vector = VectorType::get({tileColumns}, types.sum);
  func::FuncOp pack = getPack(types.lhs, types.sum, tileRows);
  auto body = [&](LocBuilder &b, ValueRange args) {
    Value lhs = args[0], rhs = args[1], result = args[2];
    Value rows = dim(b, lhs, 0), depth = dim(b, lhs, 1);
    Value columns = dim(b, result, 1), zero = index(b, 0);
    Value packed = memref::AllocOp::create(
        b, MemRefType::get({blockRows * kDepth}, types.sum));
    Value buffer = memref::CastOp::create(b, getPackedType(types.sum), packed);
    auto swap = AffineMapAttr::get(
        AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, b.getContext()));

    forLoop(b, zero, rows, blockRows, [&](LocBuilder &b, Value top) {
      Value height = rest(b, blockRows, top, rows);
      Value lhsBlock = block(b, lhs, top, zero, height, depth);
      Value transposed = memref::TransposeOp::create(b, lhsBlock, swap);
      func::CallOp::create(b, pack, ValueRange{transposed, buffer});
      Value resultBlock = block(b, result, top, zero, height, columns);
      forLoop(b, zero, columns, tileColumns, [&](LocBuilder &b, Value column) {
        Value width = rest(b, tileColumns, column, columns);
        Value isWide = equal(b, width, index(b, tileColumns));
        forLoop(b, zero, height, tileRows, [&](LocBuilder &b, Value row) {
          Value count = rest(b, tileRows, row, height);
          Value isWhole = arith::AndIOp::create(
              b, isWide, equal(b, count, index(b, tileRows)));
          Tile tile{resultBlock, row,   column,   isWhole,
                    count,       width, tileRows, vector};
          multiplyTile(b, tile, depth, buffer, mul(b, row, depth), rhs,
                       mul(b, column, depth));
        });
      });
    });
    memref::DeallocOp::create(b, packed);
  };
  return getFunction("packed_matmul_" + nameOf(types.lhs) + "_" +
                         nameOf(types.sum),
                     {getOperandType(types.lhs), getPackedType(types.sum),
                      getResultType(types.sum)},
                     body);
}

/// Adds `count` products to a row of C at a time: for few rows of A, and B with
/// rows of stride 1, which are read once and where they are.
static void multiplyRows(LocBuilder &b, ValueRange matrices, FloatType sum,
                         int64_t lanes, Value from, int64_t count) {
  Value lhs = matrices[0], rhs = matrices[1], result = matrices[2];
  Value zero = index(b, 0);
  Value columns = dim(b, result, 1);
  auto type = VectorType::get({lanes}, sum);
  auto whole = [&](LocBuilder &b) {
    Value rest = arith::RemSIOp::create(b, columns, index(b, lanes));
    return arith::SubIOp::create(b, columns, rest).getResult();
  };
  forLoop(b, zero, dim(b, result, 0), 1, [&](LocBuilder &b, Value row) {
    SmallVector<Value> elements, factors;
    for (int64_t k = 0; k < count; ++k) {
      Value element =
          memref::LoadOp::create(b, lhs, ValueRange{row, add(b, from, k)});
      elements.push_back(convertFloat(b, element, sum));
      factors.push_back(vector::BroadcastOp::create(b, type, elements.back()));
    }
    Value end = whole(b);
    forLoop(b, zero, end, lanes, [&](LocBuilder &b, Value column) {
      Value sums = load(b, type, result, row, column);
      for (auto [k, factor] : llvm::enumerate(factors))
        sums = multiplyAdd(b, factor,
                           load(b, type, rhs, add(b, from, k), column), sums);
      vector::StoreOp::create(b, sums, result, ValueRange{row, column});
    });
    forLoop(b, end, columns, 1, [&](LocBuilder &b, Value column) {
      Value total = memref::LoadOp::create(b, result, ValueRange{row, column});
      for (auto [k, element] : llvm::enumerate(elements)) {
        Value other =
            memref::LoadOp::create(b, rhs, ValueRange{add(b, from, k), column});
        total = multiplyAdd(b, element, convertFloat(b, other, sum), total);
      }
      memref::StoreOp::create(b, total, result, ValueRange{row, column});
    });
  });
}

func::FuncOp MatmulKernels::getMatmul(MatmulTypes types) {
  int64_t lanes = getTileColumns(types.sum);
  func::FuncOp pack = getPack(types.rhs, types.sum, lanes);
  func::FuncOp multiply = getPackedMatmul(types);
  auto body = [&](LocBuilder &b, ValueRange args) {
    Value lhs = args[0], rhs = args[1], result = args[2];
    Value rows = dim(b, lhs, 0), depth = dim(b, rhs, 0),
          columns = dim(b, rhs, 1);
    Value zero = index(b, 0);
    auto source = memref::ExtractStridedMetadataOp::create(b, rhs);
    Value isRowMajor = equal(b, source.getStrides()[1], index(b, 1));
    Value areFew =
        compare(b, arith::CmpIPredicate::slt, rows, index(b, kFewRows));
    ifElse(
        b, arith::AndIOp::create(b, isRowMajor, areFew),
        [&](LocBuilder &b) {
          Value rowMajor = memref::ReinterpretCastOp::create(
              b, getResultType(types.rhs), source.getBaseBuffer(),
              source.getOffset(), {depth, columns},
              ArrayRef<OpFoldResult>{source.getStrides()[0],
                                     b.getIndexAttr(1)});
          Value matrices[] = {lhs, rowMajor, result};
          Value end = arith::SubIOp::create(
              b, depth, arith::RemSIOp::create(b, depth, index(b, kStreams)));
          forLoop(b, zero, end, kStreams, [&](LocBuilder &b, Value from) {
            multiplyRows(b, matrices, types.sum, lanes, from, kStreams);
          });
          forLoop(b, end, depth, 1, [&](LocBuilder &b, Value from) {
            multiplyRows(b, matrices, types.sum, lanes, from, 1);
          });
        },
        [&](LocBuilder &b) {
          Value packed = memref::AllocOp::create(
              b, getPackedType(types.sum),
              mul(b, arith::CeilDivSIOp::create(b, columns, index(b, lanes)),
                  lanes * kDepth));
          forLoop(b, zero, depth, kDepth, [&](LocBuilder &b, Value from) {
            Value length = rest(b, kDepth, from, depth);
            func::CallOp::create(
                b, pack,
                ValueRange{block(b, rhs, from, zero, length, columns), packed});
            func::CallOp::create(
                b, multiply,
                ValueRange{block(b, lhs, zero, from, rows, length), packed,
                           result});
          });
          memref::DeallocOp::create(b, packed);
        });
  };
  return getFunction("matmul_" + nameOf(types.lhs) + "_" + nameOf(types.rhs) +
                         "_" + nameOf(types.sum),
                     {getOperandType(types.lhs), getOperandType(types.rhs),
                      getResultType(types.sum)},
                     body);
}
