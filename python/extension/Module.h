//===- Module.h - Modules and compiled functions in Python ------*- C++ -*-===//

#ifndef RENORM_PYTHON_MODULE_H
#define RENORM_PYTHON_MODULE_H

#include "Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <mutex>
#include <string_view>

namespace renorm::python {

/// A context, which one thread may use at a time: methods run without Python's
/// global lock.
struct Context {
  Context();

  mlir::MLIRContext context;
  std::mutex mutex;
};

class Module {
public:
  /// Parses text or bytecode; `name` is the file that diagnostics name.
  static Module parse(std::string_view source, const std::string &name);

  std::string str() const;
  Module clone() const;

  /// Runs passes and returns what they said. Where they fail, the module stays
  /// as it was.
  std::vector<Diagnostic> runPipeline(const std::string &pipeline);

  /// What the growth model says of each stream: tuples of the function's name,
  /// the stream's index in it, the names of its sublayers and its points, which
  /// are none if the stream is in a loop of unknown length.
  nanobind::list predictGrowth(const std::string &regime, double gain,
                               double initialVariance) const;

private:
  friend class Function;
  Module(std::shared_ptr<Context> context,
         mlir::OwningOpRef<mlir::ModuleOp> module)
      : context(std::move(context)), module(std::move(module)) {}

  std::shared_ptr<Context> context;
  // After the context, to be destroyed before it.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

void bindModule(nanobind::module_ &module);

} // namespace renorm::python

#endif // RENORM_PYTHON_MODULE_H
