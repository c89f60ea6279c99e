//===- Call.cpp - Calling a compiled function -----------------------------===//

#include "Call.h"
#include "DeviceTarget.h"
#include "mlir/IR/BuiltinTypes.h"

#include <csetjmp>
#include <cstring>

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// What compiled code calls
//===----------------------------------------------------------------------===//

namespace {
/// The call that runs on a thread.
struct ActiveCall {
  ActiveCall(ArrayRef<std::string> probeNames, std::vector<ProbeRecord> &probes,
             const DeviceTarget *device, const DeviceFaults &faults)
      : probeNames(probeNames), probes(probes), device(device), faults(faults) {
  }
  ActiveCall(const ActiveCall &) = delete;
  ~ActiveCall() {
    for (void *block : blocks)
      device->free(block);
  }

  ArrayRef<std::string> probeNames;
  std::vector<ProbeRecord> &probes;
  /// Null if the program has no kernels.
  const DeviceTarget *device;
  const DeviceFaults &faults;
  /// What the code has allocated of the device's memory.
  llvm::DenseSet<void *> blocks;
  /// Where to go on if the code gives up.
  std::jmp_buf stop = {};
  /// Why it gives up.
  std::string message;
};
} // namespace

static thread_local ActiveCall *activeCall = nullptr;

/// What the code of a `norm.probe` calls. `id` counts in `norm.probe_names`.
static void recordProbe(int64_t id, double mean, double variance, double maxAbs,
                        double kurtosis) {
  ArrayRef<std::string> names = activeCall->probeNames;
  std::string name = id >= 0 && static_cast<size_t>(id) < names.size()
                         ? names[id]
                         : "probe " + std::to_string(id);
  activeCall->probes.push_back(
      {std::move(name), mean, variance, maxAbs, kurtosis});
}

/// The code of a `cf.assert` that fails calls `puts` and `abort`. These keep
/// the process alive: a token that is not in the vocabulary is no reason to end
/// it.
static int keepMessage(const char *message) {
  activeCall->message = message;
  return 0;
}

[[noreturn]] static void stopCall() { std::longjmp(activeCall->stop, 1); }

/// `malloc` and `free` of memory that kernels see. Code does not expect that
/// there is none.
static void *allocateShared(size_t bytes) {
  void *block = activeCall->device->allocate(bytes);
  if (!block)
    stopCall();
  activeCall->blocks.insert(block);
  return block;
}

static void freeShared(void *block) {
  activeCall->blocks.erase(block);
  activeCall->device->free(block);
}

/// The last thing that code does for a launch, after it has waited for the
/// kernel. What follows may rely on what the kernel should have written.
static void endLaunch(void *stream) {
  activeCall->device->destroyStream(stream);
  if (!activeCall->faults.empty())
    stopCall();
}

/// Calls `entry`, and returns whether it came back. Nothing between this frame
/// and that of `stopCall` has a destructor: it is all compiled code.
static bool runToEnd(void (*entry)(void **), void **arguments,
                     ActiveCall &call) {
  if (setjmp(call.stop) != 0)
    return false;
  entry(arguments);
  return true;
}

SmallVector<std::pair<StringRef, void *>>
norm::getRuntimeSymbols(const DeviceTarget *device) {
  SmallVector<std::pair<StringRef, void *>> symbols = {
      {"renorm_record_probe", reinterpret_cast<void *>(&recordProbe)},
      {"puts", reinterpret_cast<void *>(&keepMessage)},
      {"abort", reinterpret_cast<void *>(&stopCall)}};
  if (!device)
    return symbols;
  for (auto symbol : device->getSymbols())
    if (symbol.first != "mgpuStreamDestroy")
      symbols.push_back(symbol);
  symbols.push_back(
      {"mgpuStreamDestroy", reinterpret_cast<void *>(&endLaunch)});
  symbols.push_back({"malloc", reinterpret_cast<void *>(&allocateShared)});
  symbols.push_back({"free", reinterpret_cast<void *>(&freeShared)});
  return symbols;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A memref descriptor is words of 64 bits: allocated pointer, aligned pointer,
/// offset, sizes, strides.
static size_t getDescriptorWords(size_t rank) { return 3 + 2 * rank; }

namespace {
/// View of a memref descriptor that compiled code has written.
struct MemRefDescriptor {
  MemRefDescriptor(const int64_t *words, size_t rank)
      : allocated(toPointer(words[0])), elements(toPointer(words[1])),
        offset(words[2]), sizes(words + 3, rank),
        strides(words + 3 + rank, rank) {}

  static char *toPointer(int64_t word) { return llvm::bit_cast<char *>(word); }

  bool isContiguous() const {
    int64_t expected = 1;
    for (size_t i = sizes.size(); i-- > 0; expected *= sizes[i])
      if (sizes[i] != 1 && strides[i] != expected)
        return false;
    return true;
  }

  /// Copies the elements, of `elementBytes` each, in row-major order.
  void copyTo(char *target, unsigned elementBytes) const {
    copyTo(target, elements + offset * elementBytes, elementBytes, 0);
  }

  char *allocated, *elements;
  int64_t offset;
  ArrayRef<int64_t> sizes, strides;

private:
  char *copyTo(char *target, const char *source, unsigned elementBytes,
               size_t dimension) const {
    if (dimension == sizes.size()) {
      std::memcpy(target, source, elementBytes);
      return target + elementBytes;
    }
    for (int64_t i = 0; i < sizes[dimension]; ++i)
      target = copyTo(target, source + i * strides[dimension] * elementBytes,
                      elementBytes, dimension + 1);
    return target;
  }
};
} // namespace

static size_t countBytes(ArrayRef<int64_t> shape, unsigned elementBytes) {
  return ShapedType::getNumElements(shape) * elementBytes;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "[";
  llvm::interleaveComma(shape, stream, [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      stream << "?";
    else
      stream << extent;
  });
  stream << "]";
  return text;
}

static llvm::Error checkInputs(ArrayRef<ArgumentSignature> arguments,
                               ArrayRef<TensorView> inputs) {
  if (inputs.size() != arguments.size())
    return llvm::createStringError("expected %zu arguments, but got %zu",
                                   arguments.size(), inputs.size());
  for (auto [index, argument, input] : llvm::enumerate(arguments, inputs)) {
    bool fits = argument.shape.size() == input.shape.size();
    for (size_t i = 0; fits && i < input.shape.size(); ++i)
      fits = ShapedType::isDynamic(argument.shape[i]) ||
             argument.shape[i] == input.shape[i];
    if (!fits)
      return llvm::createStringError(
          "expected shape " + printShape(argument.shape) + " for argument " +
          Twine(index) +
          (argument.isParameter ? " ('" + argument.name + "')" : "") +
          ", but got " + printShape(input.shape));
  }
  return llvm::Error::success();
}

/// The inputs where kernels see them: copies, which `copies` gets, of those
/// that lie elsewhere.
static llvm::Expected<SmallVector<TensorView>>
copyInputs(ArrayRef<TensorView> inputs, ArrayRef<ArgumentSignature> arguments,
           ExecutionTarget target, SmallVectorImpl<OwnedTensor> &copies) {
  SmallVector<TensorView> views;
  for (auto [input, argument] : llvm::zip(inputs, arguments)) {
    if (input.memory == target) {
      views.push_back(input);
      continue;
    }
    auto copy = copyTensor(
        input, countBytes(input.shape, argument.elementBytes), target);
    if (!copy)
      return copy.takeError();
    copies.push_back(std::move(*copy));
    views.push_back({copies.back().data, input.shape, target});
  }
  return views;
}

llvm::Error CompiledFunction::run(ArrayRef<TensorView> inputs,
                                  SmallVectorImpl<OwnedTensor> &outputs,
                                  std::vector<ProbeRecord> &probes,
                                  bool keepResults) const {
  if (llvm::Error error = checkInputs(arguments, inputs))
    return error;

  const DeviceTarget *device = DeviceTarget::get(target);
  std::unique_lock<std::recursive_mutex> turn;
  if (device)
    turn = device->takeTurn();
  SmallVector<OwnedTensor> copies;
  SmallVector<TensorView> viewStorage;
  // The host reads all memory, kernels only that of their device.
  if (device) {
    auto views = copyInputs(inputs, arguments, target, copies);
    if (!views)
      return views.takeError();
    viewStorage = std::move(*views);
    inputs = viewStorage;
  }

  size_t resultWords = 0;
  for (const TensorSignature &result : results)
    resultWords += getDescriptorWords(result.shape.size());
  SmallVector<int64_t> resultStorage(resultWords);

  SmallVector<SmallVector<int64_t>> descriptors;
  for (const TensorView &input : inputs) {
    int64_t address = reinterpret_cast<intptr_t>(input.data);
    SmallVector<int64_t> &words =
        descriptors.emplace_back(SmallVector<int64_t>{address, address, 0});
    llvm::append_range(words, input.shape);
    words.resize(getDescriptorWords(input.shape.size()));
    int64_t stride = 1;
    for (size_t i = input.shape.size(); i-- > 0; stride *= input.shape[i])
      words[3 + input.shape.size() + i] = stride;
  }

  // The C interface takes a pointer to each descriptor, first to those of the
  // results; the packed one a pointer to each such pointer.
  SmallVector<void *> pointers;
  if (!results.empty())
    pointers.push_back(resultStorage.data());
  for (SmallVector<int64_t> &words : descriptors)
    pointers.push_back(words.data());
  SmallVector<void *> packed;
  for (void *&pointer : pointers)
    packed.push_back(static_cast<void *>(&pointer));

  DeviceFaults faults(device);
  ActiveCall call(probeNames, probes, device, faults);
  ActiveCall *outer = std::exchange(activeCall, &call);
  bool isDone = runToEnd(packedEntry, packed.data(), call);
  activeCall = outer;
  if (llvm::Error error = faults.getError())
    return error;
  if (!isDone)
    return llvm::createStringError("the program stopped: " + call.message);

  // Compiled code hands its results over, unless they lie in an input or in a
  // constant: those, and what is no plain array, are copied, as is what the
  // host is to get of a device. Results may share a block.
  auto isOwned = [&](const MemRefDescriptor &result) {
    if (device)
      return call.blocks.contains(result.allocated);
    // MLIR's mark for memory that is not from the heap.
    if (reinterpret_cast<uintptr_t>(result.allocated) == 0xdeadbeef)
      return false;
    return llvm::none_of(llvm::zip(inputs, arguments), [&](auto pair) {
      auto [input, argument] = pair;
      const auto *begin = static_cast<const char *>(input.data);
      size_t bytes = countBytes(input.shape, argument.elementBytes);
      return result.allocated >= begin &&
             result.allocated < begin + std::max<size_t>(bytes, 1);
    });
  };
  ExecutionTarget memory = keepResults ? target : ExecutionTarget::CPU;
  SmallVector<MemRefDescriptor> descriptions;
  llvm::SmallDenseMap<char *, OwnedTensor::Block> blocks;
  const int64_t *words = resultStorage.data();
  for (const TensorSignature &signature : results) {
    auto &result = descriptions.emplace_back(words, signature.shape.size());
    words += getDescriptorWords(signature.shape.size());
    if (isOwned(result))
      blocks.try_emplace(result.allocated, result.allocated,
                         OwnedTensor::Free{target});
  }
  for (auto &[allocated, block] : blocks)
    call.blocks.erase(allocated);
  for (auto [result, signature] : llvm::zip(descriptions, results)) {
    auto found = blocks.find(result.allocated);
    if (found != blocks.end() && found->second && result.isContiguous() &&
        memory == target) {
      outputs.push_back(
          {std::move(found->second),
           result.elements + result.offset * signature.elementBytes,
           SmallVector<int64_t>(result.sizes)});
      continue;
    }
    auto copy = allocateTensor(
        result.sizes, countBytes(result.sizes, signature.elementBytes), memory);
    if (!copy)
      return copy.takeError();
    result.copyTo(static_cast<char *>(copy->data), signature.elementBytes);
    outputs.push_back(std::move(*copy));
  }
  return llvm::Error::success();
}
