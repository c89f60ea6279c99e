//===- Report.cpp - Report where a module normalizes ----------------------===//

#include "renorm/Analysis/Report.h"
#include "OutputText.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include <cmath>

namespace mlir::norm {
#define GEN_PASS_DEF_NORMREPORTPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

namespace {
struct NormReportPass : public norm::impl::NormReportPassBase<NormReportPass> {
  using NormReportPassBase::NormReportPassBase;

  void runOnOperation() final {
    markAllAnalysesPreserved();
    if (!(std::isfinite(gain) && gain >= 0.0)) {
      emitError(getOperation().getLoc())
          << "expected 'gain' to be finite and not negative, but got " << gain;
      return signalPassFailure();
    }
    ReportOptions options;
    options.growth.gain = gain;
    options.trunkType = getTrunkType();
    auto analysis =
        [&](FunctionOpInterface function) -> ResidualStreamAnalysis & {
      return getChildAnalysis<ResidualStreamAnalysis>(function);
    };
    if (format == ReportFormat::Remarks)
      return emitReportAsRemarks(getOperation(), analysis, options);
    auto print = [&](raw_ostream &os) {
      format == ReportFormat::JSON
          ? printReportAsJSON(os, getOperation(), analysis, options)
          : printReport(os, getOperation(), analysis, options);
    };
    if (failed(writeText(output, getOperation().getLoc(), "the report", print)))
      signalPassFailure();
  }

  /// Null for the trunks' own types.
  FloatType getTrunkType() {
    switch (dtype) {
    case TrunkType::Own:
      return {};
    case TrunkType::F16:
      return Float16Type::get(&getContext());
    case TrunkType::BF16:
      return BFloat16Type::get(&getContext());
    case TrunkType::F32:
      return Float32Type::get(&getContext());
    }
    llvm_unreachable("unknown type of a trunk");
  }
};
} // namespace
