//===- WeightPreparation.h - What is computed of weights alone --*- C++ -*-===//
//
// A pass that changes weights that are function arguments computes the new ones
// where they are read, and so in every call. Here such computations move to a
// function of their own, which need run only once. Of `@forward` become
//
//   @forward            with the signature, attributes and visibility it had;
//                       calls the other two
//   @forward.prepare    the arguments that the computations read -> weights
//   @forward.prepared   the arguments that are still read, then the weights ->
//                       what `@forward` returns
//
// `@forward.prepared` names `@forward.prepare` by its attribute `norm.prepare`.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_WEIGHTPREPARATION_H
#define RENORM_DIALECT_NORM_TRANSFORMS_WEIGHTPREPARATION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>

namespace mlir::norm {

/// Which weights a pass may change.
enum class WeightPolicy {
  /// Constants.
  Constant,
  /// Constants, and what `outlineWeightPreparation` can prepare.
  Prepare
};

/// Fails, with the reason in `why`, if `outlineWeightPreparation` cannot take
/// apart `function`: it must be a `func.func` with a body, and where it is the
/// prepared form of another one already, that must be the only caller of the
/// two functions it was taken apart into.
LogicalResult checkCanPrepareWeights(FunctionOpInterface function,
                                     std::string &why);

/// Moves the computation of each of `weights` out of `function`, which becomes
/// the prepared form: it keeps its body, takes the weights as its last
/// arguments, and no longer those arguments that nothing reads now. If it is
/// the prepared form already, its `norm.prepare` function is extended. A weight
/// that is a constant, that is computed from constants only or that nothing
/// reads stays where it is.
///
/// Fails, with the reason in `why` and the IR as it was, where
/// `checkCanPrepareWeights` does, and if a weight is not computed from
/// arguments and constants by operations without memory effects in the
/// function's entry block. Pointers to operations of the body other than those
/// computations, and to arguments that are still read, stay valid.
LogicalResult outlineWeightPreparation(FunctionOpInterface function,
                                       ArrayRef<Value> weights,
                                       std::string &why);

/// The functions of `module` that have a body, but those that prepare weights
/// for another one. Later preparations add none to them.
SmallVector<FunctionOpInterface> collectFunctions(ModuleOp module);

} // namespace mlir::norm

#endif // RENORM_DIALECT_NORM_TRANSFORMS_WEIGHTPREPARATION_H
