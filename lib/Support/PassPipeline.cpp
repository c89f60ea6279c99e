//===- PassPipeline.cpp - Running passes named by text --------------------===//

#include "renorm/Support/PassPipeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

LogicalResult norm::runPassPipeline(ModuleOp module, StringRef pipeline) {
  // What has no anchor of its own runs on the module.
  StringRef anchor = ModuleOp::getOperationName();
  StringRef rest = pipeline.ltrim();
  bool isAnchored = rest.consume_front(anchor) && rest.ltrim().starts_with("(");
  std::string text =
      isAnchored ? pipeline.str() : (anchor + "(" + pipeline + ")").str();

  // The parser reports to a stream and not to the context.
  std::string message;
  llvm::raw_string_ostream stream(message);
  FailureOr<OpPassManager> passes = parsePassPipeline(text, stream);
  if (failed(passes)) {
    // "<parser>:line:column: error: reason", and below it the text again.
    StringRef reason = StringRef(message).trim().split('\n').first;
    if (size_t start = reason.find(" error: "); start != StringRef::npos)
      reason = reason.drop_front(start + StringRef(" error: ").size());
    return emitError(UnknownLoc::get(module.getContext()))
           << "expected a pass pipeline, but got '" << pipeline
           << "': " << reason;
  }
  PassManager manager(module.getContext(), anchor);
  static_cast<OpPassManager &>(manager) = std::move(*passes);

  bool sawError = false;
  DiagnosticEngine::HandlerID handler =
      module.getContext()->getDiagEngine().registerHandler(
          [&](Diagnostic &diagnostic) {
            sawError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
            return failure(); // for the next handler
          });
  LogicalResult result = manager.run(module);
  module.getContext()->getDiagEngine().eraseHandler(handler);
  if (failed(result) && !sawError)
    emitError(UnknownLoc::get(module.getContext()))
        << "expected the passes to succeed, but one of '" << pipeline
        << "' failed without saying why";
  return result;
}
