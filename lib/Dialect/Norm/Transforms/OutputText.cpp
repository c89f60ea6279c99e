//===- OutputText.cpp - Where a pass writes what it has to say ------------===//

#include "OutputText.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

LogicalResult norm::writeText(StringRef path, Location loc, StringRef what,
                              llvm::function_ref<void(raw_ostream &)> print) {
  if (path.empty() || path == "-") {
    // The standard error has no buffer of its own.
    std::string text;
    llvm::raw_string_ostream stream(text);
    print(stream);
    llvm::errs() << text;
    return success();
  }
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return emitError(loc, "cannot write ") << what << ": " << message;
  print(file->os());
  file->os().flush();
  if (std::error_code error = file->os().error()) {
    // An error that nobody looked at ends the process.
    file->os().clear_error();
    return emitError(loc, "cannot write ")
           << what << ": cannot write to '" << path << "': " << error.message();
  }
  file->keep();
  return success();
}
