//===- LintRules.h - The rules of the lint ----------------------*- C++ -*-===//

#ifndef RENORM_LIB_ANALYSIS_LINTRULES_H
#define RENORM_LIB_ANALYSIS_LINTRULES_H

#include "renorm/Analysis/Lint.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

namespace mlir::norm {

class LintSubject;

/// A rule: its code, how serious what it finds is, and the check.
struct LintRule {
  StringLiteral code;
  LintSeverity severity;
  void (*check)(LintSubject &);
};

/// All rules, in the order in which they are checked.
ArrayRef<LintRule> getLintRules();

/// A function as the rules see it, and what they found in it.
class LintSubject {
public:
  LintSubject(FunctionOpInterface function, ResidualStreamAnalysis &analysis,
              bool isReferred, std::vector<LintFinding> &findings);

  /// Where something is in the function.
  struct Place {
    std::optional<unsigned> stream;
    std::string sublayer;
    /// What a message calls it: "the input norm of layers.0.ffn".
    std::string description;
  };

  ResidualStreamAnalysis &analysis;
  /// Whether something in the module refers to the function.
  const bool isReferred;
  /// Every norm that something reads, in order.
  llvm::MapVector<Operation *, Place> norms;

  Place getPlace(unsigned stream, const Sublayer &sublayer) const {
    return {stream, sublayer.name, sublayer.name};
  }
  /// Of the attention `index` of the analysis.
  Place getPlace(unsigned index, const AttentionSite &site) const;

  /// Adds a finding of the rule that is being checked.
  void report(const Place &place, Location loc, const Twine &message);
  void report(const Place &place, Location loc, const Twine &message,
              LintSeverity severity);

  /// The rule that is being checked.
  const LintRule *rule = nullptr;

private:
  FunctionOpInterface function;
  std::vector<LintFinding> &findings;
};

/// Writes `finding` as an object.
void writeFinding(llvm::json::OStream &json, const LintFinding &finding);

} // namespace mlir::norm

#endif // RENORM_LIB_ANALYSIS_LINTRULES_H
