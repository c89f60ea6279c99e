//===- Function.h - Compiled functions in Python ----------------*- C++ -*-===//

#ifndef RENORM_PYTHON_FUNCTION_H
#define RENORM_PYTHON_FUNCTION_H

#include "Module.h"
#include "Tensor.h"
#include "renorm/ExecutionEngine/CompiledFunction.h"

namespace renorm::python {

class Function {
public:
  static Function compile(const Module &module, const std::string &target,
                          const std::optional<std::string> &entry,
                          const std::optional<std::string> &pipeline,
                          const std::string &kernelOptions);

  /// Returns (results, probes). `arguments` are arrays or `Tensor`s; results
  /// are `Tensor`s with `keepResults`, else arrays. Those of bf16 are of uint16
  /// here.
  nanobind::tuple call(nanobind::list arguments, bool keepResults) const;

  const mlir::norm::CompiledFunction &get() const { return *compiled; }

private:
  explicit Function(std::unique_ptr<mlir::norm::CompiledFunction> compiled)
      : compiled(std::move(compiled)) {}

  std::unique_ptr<mlir::norm::CompiledFunction> compiled;
};

void bindFunction(nanobind::module_ &module);

} // namespace renorm::python

#endif // RENORM_PYTHON_FUNCTION_H
