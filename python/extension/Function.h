//===- Function.h - Compiled functions in Python ----------------*- C++ -*-===//

#ifndef RENORM_PYTHON_FUNCTION_H
#define RENORM_PYTHON_FUNCTION_H

#include "Module.h"
#include "renorm/ExecutionEngine/CompiledFunction.h"

#include <nanobind/ndarray.h>

namespace renorm::python {

class Function {
public:
  using InputArray = nanobind::ndarray<nanobind::ro, nanobind::c_contig,
                                       nanobind::device::cpu>;

  static Function compile(const Module &module, const std::string &target,
                          const std::optional<std::string> &entry,
                          const std::optional<std::string> &pipeline);

  /// Returns (results, probes). Arrays of bf16 are arrays of uint16 here.
  nanobind::tuple call(const std::vector<InputArray> &arrays) const;

  const mlir::norm::CompiledFunction &get() const { return *compiled; }

private:
  explicit Function(std::unique_ptr<mlir::norm::CompiledFunction> compiled)
      : compiled(std::move(compiled)) {}

  std::unique_ptr<mlir::norm::CompiledFunction> compiled;
};

void bindFunction(nanobind::module_ &module);

} // namespace renorm::python

#endif // RENORM_PYTHON_FUNCTION_H
