//===- Module.cpp - Modules in Python -------------------------------------===//

#include "Module.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "renorm/InitAll.h"
#include "renorm/Support/PassPipeline.h"
#include "llvm/Support/SourceMgr.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace renorm::python;

static const mlir::DialectRegistry &getRegistry() {
  static const mlir::DialectRegistry *registry = [] {
    auto *all = new mlir::DialectRegistry();
    mlir::registerAllDialects(*all);
    mlir::registerAllExtensions(*all);
    mlir::norm::registerAllDialects(*all);
    return all;
  }();
  return *registry;
}

// Models are one function, so that threads would have nothing to share out; and
// without them a process may fork.
Context::Context()
    : context(getRegistry(), mlir::MLIRContext::Threading::DISABLED) {
  // The location says where; a whole function in an exception helps nobody.
  context.printOpOnDiagnostic(false);
}

Module Module::parse(std::string_view source, const std::string &name) {
  auto context = std::make_shared<Context>();
  DiagnosticCollector collector(&context->context);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(source, name), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, &context->context);
  if (!module)
    collector.raise();
  return Module(std::move(context), std::move(module));
}

std::string Module::str() const {
  std::lock_guard<std::mutex> lock(context->mutex);
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::ModuleOp(*module).print(stream);
  return text;
}

Module Module::clone() const {
  std::lock_guard<std::mutex> lock(context->mutex);
  return Module(context, mlir::ModuleOp(*module).clone());
}

std::vector<Diagnostic> Module::runPipeline(const std::string &pipeline) {
  std::lock_guard<std::mutex> lock(context->mutex);
  DiagnosticCollector collector(&context->context);
  mlir::OwningOpRef<mlir::ModuleOp> result = mlir::ModuleOp(*module).clone();
  if (failed(mlir::norm::runPassPipeline(*result, pipeline)))
    collector.raise();
  module = std::move(result);
  return collector.take();
}

void renorm::python::bindModule(nb::module_ &module) {
  using ReleaseGIL = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Module>(module, "Module")
      .def_static(
          "parse",
          [](const nb::bytes &source, const std::string &name) {
            std::string_view view(source.c_str(), source.size());
            nb::gil_scoped_release release;
            return Module::parse(view, name);
          },
          nb::arg("source"), nb::arg("name"))
      .def("__str__", &Module::str, ReleaseGIL())
      .def("clone", &Module::clone, ReleaseGIL())
      .def("run_pipeline", &Module::runPipeline, nb::arg("pipeline"),
           ReleaseGIL())
      .def("predict_growth", &Module::predictGrowth, nb::arg("regime"),
           nb::arg("gain"), nb::arg("initial_variance"));
}
