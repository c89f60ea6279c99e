//===- Norm.h - The norm dialect --------------------------------*- C++ -*-===//
//
// The dialect, its operations, and the two ways to make a norm without naming
// its operation.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_IR_NORM_H
#define RENORM_DIALECT_NORM_IR_NORM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "renorm/Dialect/Norm/IR/NormInterfaces.h"

namespace mlir {
class PatternRewriter;
class RewriterBase;
} // namespace mlir

namespace mlir::norm {
/// What `norm.probe` writes to: the record of the run.
struct ProbeResource : public SideEffects::Resource::Base<ProbeResource> {
  StringRef getName() final { return "<probe record>"; }
};
} // namespace mlir::norm

#include "renorm/Dialect/Norm/IR/NormDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "renorm/Dialect/Norm/IR/NormAttrs.h.inc"

#define GET_OP_CLASSES
#include "renorm/Dialect/Norm/IR/NormOps.h.inc"

namespace mlir::norm {

/// All that defines a norm but its input: what a pass holds while it moves one.
struct NormSpec {
  NormKind kind = NormKind::Layer;
  /// Null when absent. Shapes as `scale_dims` says.
  Value scale, bias;
  double epsilon = 0.0;
  EpsilonMode epsilonMode = EpsilonMode::Inside;
  /// Empty / null: the defaults of the operations.
  SmallVector<int64_t> axes, scaleDims;
  Type computeType;
  bool unitOffset = false;
  bool castBeforeScale = false;

  NormSpec() = default;
  explicit NormSpec(NormalizationOpInterface op);

  /// Makes this norm of `input`. Attributes that hold their default value are
  /// left out, so that equal norms are equal IR. A bias on a kind that has none
  /// is the caller's error.
  NormalizationOpInterface create(OpBuilder &builder, Location loc,
                                  Value input) const;

  /// The same in the place of `op`: with its location and its discardable
  /// attributes.
  NormalizationOpInterface createLike(OpBuilder &builder,
                                      NormalizationOpInterface op,
                                      Value input) const;

  friend bool operator==(const NormSpec &lhs, const NormSpec &rhs);
  friend bool operator!=(const NormSpec &lhs, const NormSpec &rhs) {
    return !(lhs == rhs);
  }
};

/// Names of the discardable attributes of function arguments and operations
/// that the dialect owns (see the dialect's description).
inline constexpr llvm::StringLiteral kParamAttrName = "norm.param";
inline constexpr llvm::StringLiteral kInitAttrName = "norm.init";
inline constexpr llvm::StringLiteral kInitGainAttrName = "norm.init_gain";
inline constexpr llvm::StringLiteral kDroppedAttrName = "norm.dropped";
inline constexpr llvm::StringLiteral kCenteredAttrName = "norm.centered";
inline constexpr llvm::StringLiteral kReplacedScaleAttrName =
    "norm.replaced_scale";

/// Names of the attribute by which a function names the one that computes
/// weights for it, and of that of the arguments which take them.
inline constexpr llvm::StringLiteral kPrepareAttrName = "norm.prepare";
inline constexpr llvm::StringLiteral kPreparedAttrName = "norm.prepared";

/// Name of the module's attribute that lists the names of its lowered probes.
inline constexpr llvm::StringLiteral kProbeNamesAttrName = "norm.probe_names";

} // namespace mlir::norm

#endif // RENORM_DIALECT_NORM_IR_NORM_H
