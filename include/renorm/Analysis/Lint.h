//===- Lint.h - Known mistakes in where a module normalizes -----*- C++ -*-===//
//
// Rules about norms, residual streams and attentions that are known to go
// wrong. Each has a code, by which it is called in diagnostics and options, and
// reads the residual stream analysis; none changes the IR.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_LINT_H
#define RENORM_ANALYSIS_LINT_H

#include "renorm/Analysis/Report.h"
#include "renorm/Analysis/ResidualStreamAnalysis.h"
#include <string>
#include <vector>

namespace mlir::norm {

/// What a finding is taken for, from least to most.
enum class LintSeverity { Ignore, Remark, Warning, Error };

/// "ignore", "remark", "warning" or "error".
StringRef stringifyLintSeverity(LintSeverity severity);

/// Reads one of these names.
std::optional<LintSeverity> parseLintSeverity(StringRef name);

/// One place that breaks a rule.
struct LintFinding {
  /// The rule's code, such as "missing-final-norm".
  StringRef code;
  /// The rule's own severity; some rules lower it where what they find is known
  /// from models that work.
  LintSeverity severity;
  std::string message;
  Location loc;
  FunctionOpInterface function;
  /// Index of the stream in the function; none for what belongs to no stream.
  std::optional<unsigned> stream;
  /// Name of the sublayer; empty for what belongs to none.
  std::string sublayer;
};

/// The codes of all rules, in the order in which they are checked.
SmallVector<StringRef> getLintCodes();

/// Applies every rule to every function of `module` that has a body, in the
/// order of the module. A function that another operation of the module refers
/// to, as callers do, is part of a larger trunk: rules about its end are not
/// applied to it.
std::vector<LintFinding> lintModule(Operation *module, AnalysisSource analysis);

/// Writes the JSON that docs/lint-schema.json describes.
void printLintAsJSON(raw_ostream &os, ArrayRef<LintFinding> findings);

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_LINT_H
