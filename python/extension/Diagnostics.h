//===- Diagnostics.h - MLIR's diagnostics as Python objects -----*- C++ -*-===//

#ifndef RENORM_PYTHON_DIAGNOSTICS_H
#define RENORM_PYTHON_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace renorm::python {

/// A diagnostic, without a context to keep alive.
struct Diagnostic {
  std::string severity, message;
  /// As far as MLIR knows the place.
  std::optional<std::string> file;
  std::optional<unsigned> line, column;
  std::vector<Diagnostic> notes;

  /// `file:line:column: severity: message`, then the notes, a line each.
  std::string str() const;
};

/// Becomes `renorm.MLIRError` in Python.
struct MLIRError : std::exception {
  explicit MLIRError(std::vector<Diagnostic> diagnostics);
  const char *what() const noexcept override { return text.c_str(); }

  std::vector<Diagnostic> diagnostics;
  std::string text;
};

/// Collects what is said in `context` on this thread while it lives.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);

  /// Everything said so far.
  std::vector<Diagnostic> take() { return std::exchange(diagnostics, {}); }

  /// Throws what has been said.
  [[noreturn]] void raise() { throw MLIRError(take()); }

private:
  std::vector<Diagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

void bindDiagnostics(nanobind::module_ &module);

} // namespace renorm::python

#endif // RENORM_PYTHON_DIAGNOSTICS_H
