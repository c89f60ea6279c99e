//===- Tensor.h - Tensors of a target in Python -----------------*- C++ -*-===//

#ifndef RENORM_PYTHON_TENSOR_H
#define RENORM_PYTHON_TENSOR_H

#include "renorm/ExecutionEngine/Tensor.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <exception>
#include <string>

namespace renorm::python {

using InputArray =
    nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

/// Becomes `renorm.DeviceError` in Python.
struct DeviceFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws `DeviceFailure` for a `DeviceError`, and `ValueError` for others.
[[noreturn]] void raise(llvm::Error error);

mlir::norm::ExecutionTarget getTarget(const std::string &name);

/// The array that owns the memory of a tensor of the host.
nanobind::object toArray(mlir::norm::OwnedTensor tensor,
                         nanobind::dlpack::dtype dtype);

/// A tensor in the memory of a target.
class Tensor {
public:
  Tensor(mlir::norm::OwnedTensor tensor, nanobind::dlpack::dtype dtype)
      : tensor(std::move(tensor)), dtype(dtype) {}

  static Tensor copy(const InputArray &array, const std::string &target);

  mlir::norm::TensorView getView() const { return tensor.getView(); }
  nanobind::dlpack::dtype getDtype() const { return dtype; }
  nanobind::tuple getShape() const;
  /// A copy in the memory of the host.
  nanobind::object toHost() const;

private:
  mlir::norm::OwnedTensor tensor;
  nanobind::dlpack::dtype dtype;
};

void bindTensor(nanobind::module_ &module);

} // namespace renorm::python

#endif // RENORM_PYTHON_TENSOR_H
