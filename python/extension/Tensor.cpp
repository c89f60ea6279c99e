//===- Tensor.cpp - Tensors of a target in Python -------------------------===//

#include "Tensor.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace renorm::python;
using mlir::norm::DeviceError;
using mlir::norm::ExecutionTarget;
using mlir::norm::OwnedTensor;

void renorm::python::raise(llvm::Error error) {
  bool isOfDevice = error.isA<DeviceError>();
  std::string message = llvm::toString(std::move(error));
  if (isOfDevice)
    throw DeviceFailure(message);
  throw nb::value_error(message.c_str());
}

ExecutionTarget renorm::python::getTarget(const std::string &name) {
  if (name == "emulator")
    return ExecutionTarget::Emulator;
  return name == "cuda" ? ExecutionTarget::CUDA : ExecutionTarget::CPU;
}

nb::object renorm::python::toArray(OwnedTensor tensor,
                                   nb::dlpack::dtype dtype) {
  llvm::SmallVector<size_t> shape(tensor.shape.begin(), tensor.shape.end());
  nb::capsule owner(tensor.block.release(),
                    [](void *block) noexcept { std::free(block); });
  return nb::cast(nb::ndarray<nb::numpy>(tensor.data, shape.size(),
                                         shape.data(), owner, nullptr, dtype));
}

static size_t countBytes(llvm::ArrayRef<int64_t> shape,
                         nb::dlpack::dtype dtype) {
  size_t bytes = dtype.bits / 8;
  for (int64_t extent : shape)
    bytes *= extent;
  return bytes;
}

Tensor Tensor::copy(const InputArray &array, const std::string &target) {
  llvm::SmallVector<int64_t> shape(array.shape_ptr(),
                                   array.shape_ptr() + array.ndim());
  nb::gil_scoped_release release;
  auto copied = copyTensor({array.data(), shape},
                           countBytes(shape, array.dtype()), getTarget(target));
  if (!copied)
    raise(copied.takeError());
  return Tensor(std::move(*copied), array.dtype());
}

nb::tuple Tensor::getShape() const {
  nb::list extents;
  for (int64_t extent : tensor.shape)
    extents.append(extent);
  return nb::tuple(extents);
}

nb::object Tensor::toHost() const {
  llvm::Expected<OwnedTensor> copied = [&] {
    nb::gil_scoped_release release;
    return copyTensor(getView(), countBytes(tensor.shape, dtype),
                      ExecutionTarget::CPU);
  }();
  if (!copied)
    raise(copied.takeError());
  return toArray(std::move(*copied), dtype);
}

void renorm::python::bindTensor(nb::module_ &module) {
  nb::exception<DeviceFailure>(module, "DeviceError", PyExc_RuntimeError);
  module.attr("DeviceError").attr("__doc__") =
      "That a target isn't there, or that something went wrong on it.";
  module.attr("DeviceError").attr("__module__") = "renorm";
  nb::class_<Tensor>(module, "Tensor")
      .def_static("copy", &Tensor::copy, nb::arg("array"), nb::arg("target"))
      .def_prop_ro("shape", &Tensor::getShape)
      .def("numpy", &Tensor::toHost);
}
