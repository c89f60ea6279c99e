//===- Diagnostics.cpp - MLIR's diagnostics as Python objects -------------===//

#include "Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace renorm::python;

std::string Diagnostic::str() const {
  std::string text;
  if (file) {
    text += *file + ":";
    if (line)
      text += std::to_string(*line) + ":" + std::to_string(*column) + ":";
    text += " ";
  }
  text += severity + ": " + message;
  for (const Diagnostic &note : notes)
    text += "\n" + note.str();
  return text;
}

static const char *printSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("unknown severity");
}

static Diagnostic convert(mlir::Diagnostic &diagnostic) {
  Diagnostic result;
  result.severity = printSeverity(diagnostic.getSeverity());
  result.message = diagnostic.str();
  mlir::Location location = diagnostic.getLocation();
  if (auto place = location->findInstanceOf<mlir::FileLineColLoc>()) {
    result.file = place.getFilename().str();
    // Line 0 is the whole file.
    if (place.getLine() != 0) {
      result.line = place.getLine();
      result.column = place.getColumn();
    }
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    result.notes.push_back(convert(note));
  return result;
}

MLIRError::MLIRError(std::vector<Diagnostic> list)
    : diagnostics(std::move(list)) {
  for (const Diagnostic &diagnostic : diagnostics)
    text += (text.empty() ? "" : "\n") + diagnostic.str();
}

DiagnosticCollector::DiagnosticCollector(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        diagnostics.push_back(convert(diagnostic));
      }) {}

void renorm::python::bindDiagnostics(nb::module_ &module) {
  nb::class_<Diagnostic>(module, "Diagnostic",
                         "An error, warning, remark or note of MLIR.")
      .def_ro("severity", &Diagnostic::severity,
              "'error', 'warning', 'remark' or 'note'.")
      .def_ro("message", &Diagnostic::message)
      .def_ro("file", &Diagnostic::file)
      .def_ro("line", &Diagnostic::line)
      .def_ro("column", &Diagnostic::column)
      .def_ro("notes", &Diagnostic::notes)
      .def("__str__", &Diagnostic::str)
      .def("__repr__", [](const Diagnostic &diagnostic) {
        return "<Diagnostic " + diagnostic.str() + ">";
      });

  // Made by hand, because nanobind's own exceptions carry a message only.
  nb::object error = nb::steal(PyErr_NewExceptionWithDoc(
      "renorm.MLIRError",
      "What MLIR has to say against a module or a pipeline.\n\n"
      "`diagnostics` is the list of what was emitted, errors and others, in "
      "order; the text shows them one a line with their locations.",
      PyExc_Exception, nullptr));
  error.attr("diagnostics") = nb::make_tuple();
  module.attr("MLIRError") = error;
  nb::register_exception_translator(
      [](const std::exception_ptr &pointer, void *type) {
        try {
          std::rethrow_exception(pointer);
        } catch (const MLIRError &failure) {
          nb::handle cls(static_cast<PyObject *>(type));
          nb::object exception = cls(failure.what());
          exception.attr("diagnostics") = nb::cast(failure.diagnostics);
          PyErr_SetObject(cls.ptr(), exception.ptr());
        }
      },
      error.ptr());
}
