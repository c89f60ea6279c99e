//===- Fiber.h - Stacks that take turns on one thread -----------*- C++ -*-===//

#ifndef RENORM_LIB_NVVMEMULATOR_FIBER_H
#define RENORM_LIB_NVVMEMULATOR_FIBER_H

#include <cstddef>

namespace mlir {
namespace norm {
namespace emulator {

/// Whether this processor's switch is written.
extern const bool hasFibers;

/// The addresses of a stack, for the address sanitizer.
struct StackRange {
  const void *low = nullptr;
  size_t bytes = 0;
};

/// Saves the state of the running fiber at `*saved`, and goes on where the one
/// of the state `resumed`, on the stack `target`, was left.
void switchFiber(void **saved, void *resumed, StackRange target);

/// What a fiber has to call first. Returns the stack it was resumed from.
StackRange beginFiber();

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
