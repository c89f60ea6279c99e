//===- CompiledFunction.h - Running a function ------------------*- C++ -*-===//
//
// Compiles one function of a module for the machine at hand and calls it with
// tensors in memory.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_EXECUTIONENGINE_COMPILEDFUNCTION_H
#define RENORM_EXECUTIONENGINE_COMPILEDFUNCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "renorm/ExecutionEngine/Tensor.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;

namespace norm {

/// The type of an argument or result, without a context to keep alive.
struct TensorSignature {
  /// The whole type and its element type as they are printed.
  std::string type, elementType;
  /// Bytes of an element in memory; an `i1` takes one.
  unsigned elementBytes;
  /// Extents, `ShapedType::kDynamic` where they are not known.
  SmallVector<int64_t> shape;
};

struct ArgumentSignature : TensorSignature {
  /// `norm.param` of the argument, or "arg<number>".
  std::string name;
  /// Whether `name` is that of a parameter of the model, `norm.param`.
  bool isParameter;
  /// `norm.init`: the value that all elements of a new parameter start from.
  std::optional<double> init;
  /// `norm.init_gain`: the factor on a parameter's initialization; 1 without.
  double initGain = 1.0;
};

/// What one execution of a `norm.probe` saw.
struct ProbeRecord {
  std::string name;
  double mean, variance, maxAbs, kurtosis;
};

struct CompileOptions {
  ExecutionTarget target = ExecutionTarget::CPU;
  /// The function to call. If empty, the only public one with a body.
  std::string entry;
  /// The passes from the module, on tensors, to the LLVM dialect and the
  /// interface that `renorm-to-llvm` gives to public functions. Without it,
  /// that pipeline with `check-shapes` and the `vector-bits` of this processor;
  /// for the emulator, `renorm-to-nvvm` with `format=llvm`; for a GPU, that
  /// with `format=isa` and the latest `chip` that is not later than the GPU.
  std::optional<std::string> pipeline;
  /// Other options of `renorm-to-nvvm`, where that is the pipeline, such as
  /// "f32-precision=tf32 toolkit=/usr/local/cuda".
  std::string kernelOptions;
};

/// Code for the processor at hand. Of `exp`, `erf` and `tanh` it calls the
/// vector forms where the C library has them (glibc's libmvec), which are exact
/// to 4 units in the last place.
class CompiledFunction {
public:
  /// Compiles a function of `module`, which stays as it is. The function must
  /// take and return ranked tensors of f16, bf16, f32, f64, i1, i8, i16, i32 or
  /// i64 and nothing else. On failure, an error has been emitted.
  static FailureOr<std::unique_ptr<CompiledFunction>>
  compile(ModuleOp module, const CompileOptions &options = {});

  ~CompiledFunction();

  StringRef getName() const { return name; }
  ArrayRef<ArgumentSignature> getArguments() const { return arguments; }
  ArrayRef<TensorSignature> getResults() const { return results; }

  /// Calls the function; several threads may do so at the same time. Fails
  /// unless number, ranks and static extents of `inputs` are those of the
  /// arguments, and if an assertion of the program does, such as those of
  /// `check-shapes`; what memory a program without kernels had then is lost.
  /// Fails with a `DeviceError` if memory runs out on the device of the target
  /// or a kernel fails: the host's code then does not go on. Appends to
  /// `probes` in the order of execution.
  ///
  /// Inputs in the memory of the function's target are used as they are, and
  /// not copied to where kernels see them. Results lie in the host's memory, or
  /// with `keepResults` in that of the target.
  llvm::Error run(ArrayRef<TensorView> inputs,
                  SmallVectorImpl<OwnedTensor> &outputs,
                  std::vector<ProbeRecord> &probes,
                  bool keepResults = false) const;

private:
  CompiledFunction();

  ExecutionTarget target = ExecutionTarget::CPU;
  std::string name;
  SmallVector<ArgumentSignature> arguments;
  SmallVector<TensorSignature> results;
  std::vector<std::string> probeNames;
  std::unique_ptr<ExecutionEngine> engine;
  /// Takes pointers to the arguments of the function's C interface.
  void (*packedEntry)(void **) = nullptr;
};

} // namespace norm
} // namespace mlir

#endif // RENORM_EXECUTIONENGINE_COMPILEDFUNCTION_H
