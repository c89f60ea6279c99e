//===- Report.h - Where a module normalizes, to be read ---------*- C++ -*-===//
//
// Renders the residual stream analysis of every function of a module: as text
// for a person, as JSON for a program, as remarks on the operations. Each
// renderer reports the functions with a body in the order of the module, and a
// function's streams one after the other; none changes the IR. Of a function
// whose weights are prepared (`norm.prepare`), only the prepared form is
// reported.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_ANALYSIS_REPORT_H
#define RENORM_ANALYSIS_REPORT_H

#include "renorm/Analysis/GrowthModel.h"

namespace mlir::norm {

/// Where a renderer gets the analysis of a function from. What it returns must
/// live until the next call.
using AnalysisSource =
    llvm::function_ref<ResidualStreamAnalysis &(FunctionOpInterface)>;

/// What the predicted growth of the trunks is computed with.
struct ReportOptions {
  /// Of trained networks, unless it says otherwise.
  GrowthModel growth;
  /// The element type that the trunks are taken to have, or null for their own.
  FloatType trunkType;
};

/// Writes a table of the sublayers and one of the attentions for each stream.
void printReport(raw_ostream &os, Operation *module, AnalysisSource analysis,
                 const ReportOptions &options = {});

/// Writes the JSON that docs/report-schema.json describes. Keys have a fixed
/// order, numbers are the shortest decimals of their value, and a number that
/// JSON cannot hold is null.
void printReportAsJSON(raw_ostream &os, Operation *module,
                       AnalysisSource analysis,
                       const ReportOptions &options = {});

/// Emits a remark for each stream at its function, each sublayer at its
/// residual add, and each attention.
void emitReportAsRemarks(Operation *module, AnalysisSource analysis,
                         const ReportOptions &options = {});

} // namespace mlir::norm

#endif // RENORM_ANALYSIS_REPORT_H
