//===- Lint.cpp - Find known mistakes -------------------------------------===//

#include "renorm/Analysis/Lint.h"
#include "OutputText.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::norm {
#define GEN_PASS_DEF_NORMLINTPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
struct NormLintPass : public norm::impl::NormLintPassBase<NormLintPass> {
  using NormLintPassBase::NormLintPassBase;

  void runOnOperation() final;

private:
  /// Reads the option `severity`.
  FailureOr<llvm::StringMap<LintSeverity>> readSeverities();
};
} // namespace

FailureOr<llvm::StringMap<LintSeverity>> NormLintPass::readSeverities() {
  SmallVector<StringRef> codes = getLintCodes();
  llvm::StringMap<LintSeverity> severities;
  for (StringRef item : severity) {
    auto [code, name] = item.split('=');
    // One severity alone is that of all rules.
    bool isAll = name.empty() && !item.contains('=');
    std::optional<LintSeverity> level = parseLintSeverity(isAll ? code : name);
    if (!level)
      return emitError(getOperation().getLoc())
             << "expected 'severity' to be ignore, remark, warning or error, "
                "or one of them after the code of a rule and '=', but got '"
             << item << "'";
    if (!isAll && !llvm::is_contained(codes, code))
      return emitError(getOperation().getLoc())
             << "expected the code of a rule (" << llvm::join(codes, ", ")
             << "), but got '" << code << "'";
    for (StringRef each : isAll ? ArrayRef<StringRef>(codes) : code)
      severities[each] = *level;
  }
  return severities;
}

void NormLintPass::runOnOperation() {
  markAllAnalysesPreserved();
  auto severities = readSeverities();
  if (failed(severities))
    return signalPassFailure();
  std::vector<LintFinding> findings =
      lintModule(getOperation(),
                 [&](FunctionOpInterface function) -> ResidualStreamAnalysis & {
                   return getChildAnalysis<ResidualStreamAnalysis>(function);
                 });
  for (LintFinding &finding : findings)
    if (auto given = severities->find(finding.code); given != severities->end())
      finding.severity = given->second;
  llvm::erase_if(findings, [](const LintFinding &finding) {
    return finding.severity == LintSeverity::Ignore;
  });

  if (format == LintFormat::JSON) {
    auto print = [&](raw_ostream &os) { printLintAsJSON(os, findings); };
    if (failed(
            writeText(output, getOperation().getLoc(), "the findings", print)))
      signalPassFailure();
    return;
  }
  for (const LintFinding &finding : findings) {
    auto emit = [&] {
      switch (finding.severity) {
      case LintSeverity::Error:
        signalPassFailure();
        return emitError(finding.loc);
      case LintSeverity::Warning:
        return emitWarning(finding.loc);
      case LintSeverity::Remark:
      case LintSeverity::Ignore:
        return emitRemark(finding.loc);
      }
      llvm_unreachable("unknown severity");
    };
    emit() << finding.message << " [" << finding.code << "]";
  }
}
