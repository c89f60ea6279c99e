//===- Function.cpp - Compiled functions in Python ------------------------===//

#include "Function.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace renorm::python;
using mlir::ShapedType;
using mlir::norm::ArgumentSignature;
using mlir::norm::CompiledFunction;
using mlir::norm::OwnedTensor;
using mlir::norm::ProbeRecord;
using mlir::norm::TensorSignature;
using mlir::norm::TensorView;

Function Function::compile(const Module &module, const std::string &target,
                           const std::optional<std::string> &entry,
                           const std::optional<std::string> &pipeline,
                           const std::string &kernelOptions) {
  std::lock_guard<std::mutex> lock(module.context->mutex);
  DiagnosticCollector collector(&module.context->context);
  mlir::norm::CompileOptions options;
  options.target = getTarget(target);
  // No fault of the module.
  if (llvm::Error error = mlir::norm::checkTarget(options.target))
    raise(std::move(error));
  if (entry)
    options.entry = *entry;
  options.pipeline = pipeline;
  options.kernelOptions = kernelOptions;
  auto compiled = CompiledFunction::compile(*module.module, options);
  if (failed(compiled))
    collector.raise();
  return Function(std::move(*compiled));
}

/// The type that arrays for `signature` have. No protocol that numpy speaks
/// knows bf16: it goes as the 16 bits it is.
static nb::dlpack::dtype getArrayType(const TensorSignature &signature) {
  llvm::StringRef element = signature.elementType;
  auto code = element == "i1"            ? nb::dlpack::dtype_code::Bool
              : element == "bf16"        ? nb::dlpack::dtype_code::UInt
              : element.starts_with("i") ? nb::dlpack::dtype_code::Int
                                         : nb::dlpack::dtype_code::Float;
  return {static_cast<uint8_t>(code),
          static_cast<uint8_t>(8 * signature.elementBytes), 1};
}

nb::tuple Function::call(nb::list arguments, bool keepResults) const {
  std::vector<InputArray> arrays;
  // Extents are 64 bits here and there.
  llvm::SmallVector<llvm::SmallVector<int64_t>> shapes;
  llvm::SmallVector<TensorView> inputs;
  shapes.reserve(arguments.size());
  for (nb::handle each : arguments) {
    size_t index = inputs.size();
    nb::dlpack::dtype dtype;
    if (nb::isinstance<Tensor>(each)) {
      const auto &tensor = nb::cast<const Tensor &>(each);
      inputs.push_back(tensor.getView());
      dtype = tensor.getDtype();
    } else {
      const auto &array = arrays.emplace_back(nb::cast<InputArray>(each));
      const auto &shape = shapes.emplace_back(array.shape_ptr(),
                                              array.shape_ptr() + array.ndim());
      inputs.push_back({array.data(), shape});
      dtype = array.dtype();
    }
    if (index < compiled->getArguments().size() &&
        dtype != getArrayType(compiled->getArguments()[index]))
      throw nb::type_error("array of another element type than the argument");
  }

  llvm::SmallVector<OwnedTensor> outputs;
  std::vector<ProbeRecord> records;
  {
    nb::gil_scoped_release release;
    if (llvm::Error error =
            compiled->run(inputs, outputs, records, keepResults))
      raise(std::move(error));
  }

  nb::list results, probes;
  for (auto [output, signature] : llvm::zip(outputs, compiled->getResults())) {
    nb::dlpack::dtype dtype = getArrayType(signature);
    results.append(keepResults ? nb::cast(Tensor(std::move(output), dtype))
                               : toArray(std::move(output), dtype));
  }
  for (const ProbeRecord &record : records)
    probes.append(nb::make_tuple(record.name, record.mean, record.variance,
                                 record.maxAbs, record.kurtosis));
  return nb::make_tuple(results, probes);
}

static nb::dict describe(const TensorSignature &signature) {
  nb::list shape;
  for (int64_t extent : signature.shape)
    shape.append(ShapedType::isDynamic(extent) ? nb::none()
                                               : nb::object(nb::int_(extent)));
  nb::dict fields;
  fields["type"] = signature.type;
  fields["element_type"] = signature.elementType;
  fields["shape"] = nb::tuple(shape);
  return fields;
}

static nb::dict describeArgument(const ArgumentSignature &argument) {
  nb::dict fields = describe(argument);
  fields["name"] = argument.name;
  fields["param"] = argument.isParameter ? nb::cast(argument.name) : nb::none();
  fields["init"] = nb::cast(argument.init);
  fields["init_gain"] = argument.initGain;
  return fields;
}

template <typename Range, typename Describe>
static nb::list describeAll(Range &&signatures, Describe describe) {
  nb::list all;
  for (const auto &signature : signatures)
    all.append(describe(signature));
  return all;
}

void renorm::python::bindFunction(nb::module_ &module) {
  nb::class_<Function>(module, "Function")
      .def_static("compile", &Function::compile, nb::arg("module"),
                  nb::arg("target"), nb::arg("entry").none(),
                  nb::arg("pipeline").none(), nb::arg("kernel_options"),
                  nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("name",
                   [](const Function &function) {
                     return function.get().getName().str();
                   })
      .def_prop_ro("inputs",
                   [](const Function &function) {
                     return describeAll(function.get().getArguments(),
                                        describeArgument);
                   })
      .def_prop_ro("outputs",
                   [](const Function &function) {
                     return describeAll(function.get().getResults(), describe);
                   })
      .def("__call__", &Function::call, nb::arg("arguments"),
           nb::arg("keep_results"));
}
