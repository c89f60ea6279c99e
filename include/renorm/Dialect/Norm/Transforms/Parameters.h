//===- Parameters.h - Parameters that a rewrite makes -----------*- C++ -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_PARAMETERS_H
#define RENORM_DIALECT_NORM_TRANSFORMS_PARAMETERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "renorm/Dialect/Norm/IR/NormInterfaces.h"
#include <optional>

namespace mlir::norm {

/// How the parameter of a norm that a pass makes comes into the program.
enum class ParameterPolicy {
  /// A dense splat constant.
  Constant,
  /// A new argument of the function, with `norm.param` and `norm.init`. Callers
  /// in the module pass the initial value; the function itself, where it is
  /// recursive, passes its own argument.
  Argument,
  /// An `ml_program.global` that holds the initial value.
  Global
};

/// Makes, and takes away again, the parameters of one function. While it lives,
/// no one else may change the symbols of the module or the calls of the
/// function.
class ParameterBuilder {
public:
  ParameterBuilder(FunctionOpInterface function, ParameterPolicy policy);

  /// Fails, with the reason in `why`, if parameters of this policy cannot be
  /// made: for arguments, if the function is used other than by direct calls.
  LogicalResult checkCanCreate(std::string &why);

  /// A tensor of static type `type` whose elements all begin as `init`, called
  /// `name`. Constants and loads are inserted at `builder`'s insertion point.
  Value create(OpBuilder &builder, Location loc, StringRef name,
               RankedTensorType type, double init);

  /// Whether `value` is a parameter that `create` made (or a constant equal to
  /// one) and that holds its initial value as far as the program tells: every
  /// caller must pass that.
  bool isInitial(Value value, double init);

  /// Whether `isInitial` holds for whatever `value` begins as: the `norm.init`
  /// of an argument, the one number that a constant or global holds.
  bool holdsItsInitial(Value value);

  /// Whether all parameters of `norm` hold the values that those of a new norm
  /// begin as: a factor of 1, a bias of 0.
  bool areInitial(NormalizationOpInterface norm);

  /// Removes those of `parameters`, for each of which `isInitial` holds, that
  /// nothing reads.
  void eraseUnused(ArrayRef<Value> parameters);

private:
  Value createArgument(Location loc, StringRef name, RankedTensorType type,
                       double init);
  Value createGlobal(OpBuilder &builder, Location loc, StringRef name,
                     RankedTensorType type, double init);
  /// Whether nothing but the function itself, which passes it on, reads it.
  bool isUnused(BlockArgument argument, ArrayRef<CallOpInterface> calls);
  void eraseUnusedArguments(ArrayRef<BlockArgument> arguments);
  void eraseUnusedGlobals(ArrayRef<Operation *> globals);
  /// The direct calls of the function; null if it has other uses.
  const SmallVector<CallOpInterface> *findCalls();
  Operation *getModule();

  FunctionOpInterface function;
  ParameterPolicy policy;
  /// Looked up once: each is linear in the size of the module.
  std::optional<FailureOr<SmallVector<CallOpInterface>>> calls;
  std::optional<SymbolTable> symbols;
};

/// What a diagnostic calls a parameter: its `norm.param` name, else "a
/// constant", "argument 3" or "a computed value".
std::string describeParameter(Value value);

} // namespace mlir::norm

#endif // RENORM_DIALECT_NORM_TRANSFORMS_PARAMETERS_H
