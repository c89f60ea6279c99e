//===- Fiber.h - Stacks that take turns on one thread -----------*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_FIBER_H
#define RENORM_LIB_NVVMEMULATOR_FIBER_H

#include <cstddef>

namespace mlir {
namespace norm {
namespace emulator {

/// Whether this processor's switch is written.
extern const bool hasFibers;

/// Saves the state of the running fiber at `*saved`, and goes on where the one
/// of the state `resumed` was left.
extern "C" void renorm_emulator_switch_fiber(void **saved, void *resumed);

/// The state of a fiber that calls `entry`, which must not return, on a stack
/// that ends at `top`.
void *prepareFiber(char *top, void (*entry)());

/// Stacks for fibers, each of at least `bytes`, with a page below that faults.
class FiberStacks {
public:
  FiberStacks(size_t count, size_t bytes);
  ~FiberStacks();
  FiberStacks(const FiberStacks &) = delete;
  FiberStacks &operator=(const FiberStacks &) = delete;

  explicit operator bool() const { return pages != nullptr; }
  char *getLow(size_t index) const { return pages + index * stride + guard; }
  char *getTop(size_t index) const { return pages + (index + 1) * stride; }

private:
  static constexpr size_t guard = 4096;
  char *pages = nullptr;
  size_t stride, total;
};

} // namespace emulator
} // namespace norm
} // namespace mlir

#endif // RENORM_LIB_NVVMEMULATOR_FIBER_H
