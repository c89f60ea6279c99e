//===- Report.cpp - Report where a module normalizes ----------------------===//

#include "renorm/Analysis/Report.h"
#include "mlir/Support/FileUtilities.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/Support/ToolOutputFile.h"
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
    if (output.empty() || output == "-") {
      // The standard error has no buffer of its own.
      std::string text;
      llvm::raw_string_ostream stream(text);
      print(stream);
      llvm::errs() << text;
      return;
    }
    if (failed(printToFile(print)))
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

  LogicalResult printToFile(llvm::function_ref<void(raw_ostream &)> print) {
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file =
        openOutputFile(output, &message);
    if (!file)
      return emitError(getOperation().getLoc(), "cannot write the report: ")
             << message;
    print(file->os());
    file->os().flush();
    if (std::error_code error = file->os().error()) {
      // An error that nobody looked at ends the process.
      file->os().clear_error();
      return emitError(getOperation().getLoc(), "cannot write the report: ")
             << "cannot write to '" << output << "': " << error.message();
    }
    file->keep();
    return success();
  }
};
} // namespace
