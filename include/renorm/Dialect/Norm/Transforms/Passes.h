//===- Passes.h - Passes on the norm dialect --------------------*- C++ -*-===//
//
// Each pass has a struct of options and a `createFooPass(FooOptions)`,
// generated from Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_PASSES_H
#define RENORM_DIALECT_NORM_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "renorm/Dialect/Norm/Transforms/Parameters.h"
#include "renorm/Dialect/Norm/Transforms/WeightPreparation.h"

namespace mlir::norm {

/// Values of the options of `norm-convert-placement`; see Passes.td.
enum class TargetPlacement { None, Post, Pre, Peri, Output, DeepNorm };
enum class DeepNormStack { Auto, EncoderOnly, DecoderOnly, EncoderDecoder };
enum class SublayerSelector { Attention, FeedForward, Other };
enum class FinalNorm { Auto, Require, Keep };
enum class EmbeddingNorm { Auto, Keep, Add, Drop };
enum class NewNorm { Auto, RMS, Layer };

/// Values of the options of `norm-swap-kind`; see KindPasses.td.
enum class SwappedKind { RMS, Layer };
enum class NormSelector { Trunk, QK, Both, All };
enum class BiasPolicy { Auto, Drop, Keep, Add };

/// What `norm-fold-affine` does with a weight that something else reads as
/// well.
enum class TiedWeights { Clone, Refuse };
/// How `norm-center-residual` centers what a trunk begins with.
enum class EmbeddingCentering { Auto, Fold, Explicit };

/// Values of the options of `norm-insert-qk-norm`.
enum class QKNormScope { Head, Hidden };
enum class QKNormPosition { BeforeRope, AfterRope };

/// What `norm-fuse` makes kernels for.
enum class FusionTarget { CPU, SM80, SM90a };

/// How `norm-report` reports.
enum class ReportFormat { Text, JSON, Remarks };
/// The type that `norm-report` takes the trunks to have.
enum class TrunkType { Own, F16, BF16, F32 };
/// How `norm-lint` tells what it finds.
enum class LintFormat { Diagnostics, JSON };

} // namespace mlir::norm

namespace llvm::cl {
/// Reads "attention", "feed-forward" or "other". An option that is a list of a
/// pass does not know of `values`, by which other enums are read.
template <>
class parser<mlir::norm::SublayerSelector>
    : public basic_parser<mlir::norm::SublayerSelector> {
public:
  using basic_parser::basic_parser;
  /// Returns true, with an error, if `text` is none of the names.
  bool parse(Option &option, StringRef name, StringRef text,
             mlir::norm::SublayerSelector &value);
  static void print(raw_ostream &os, mlir::norm::SublayerSelector value);
};
} // namespace llvm::cl

namespace mlir::norm {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"

} // namespace mlir::norm

#endif // RENORM_DIALECT_NORM_TRANSFORMS_PASSES_H
