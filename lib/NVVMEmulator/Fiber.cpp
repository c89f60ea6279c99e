//===- Fiber.cpp - Stacks that take turns on one thread -------------------===//

#include "Fiber.h"
#include "llvm/Support/Compiler.h"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/common_interface_defs.h>
#endif

using namespace mlir::norm::emulator;

extern "C" void renorm_emulator_switch_fiber(void **saved, void *resumed);

#define STRINGIZE_(x) #x
#define STRINGIZE(x) STRINGIZE_(x)
#define SYMBOL STRINGIZE(__USER_LABEL_PREFIX__) "renorm_emulator_switch_fiber"

// A switch saves what a call preserves; `swapcontext` makes two system calls as
// well.
#if defined(__x86_64__)

const bool mlir::norm::emulator::hasFibers = true;

asm(".text\n"
    ".globl " SYMBOL "\n" SYMBOL ":\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n");

void *mlir::norm::emulator::prepareFiber(char *top, void (*entry)()) {
  auto *stack = reinterpret_cast<uint64_t *>(top) - 2;
  // The stack as a call leaves it: a return address at 8 modulo 16.
  *--stack = 0;
  *--stack = reinterpret_cast<uint64_t>(entry);
  for (int i = 0; i < 6; ++i)
    *--stack = 0;
  return stack;
}

#elif defined(__aarch64__)

const bool mlir::norm::emulator::hasFibers = true;

asm(".text\n"
    ".globl " SYMBOL "\n" SYMBOL ":\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp, #0]\n"
    "  stp x21, x22, [sp, #16]\n"
    "  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n"
    "  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n"
    "  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n"
    "  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n"
    "  str x9, [x0]\n"
    "  mov sp, x1\n"
    "  ldp x19, x20, [sp, #0]\n"
    "  ldp x21, x22, [sp, #16]\n"
    "  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n"
    "  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n"
    "  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n"
    "  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n"
    "  ret\n");

void *mlir::norm::emulator::prepareFiber(char *top, void (*entry)()) {
  auto *stack = reinterpret_cast<uint64_t *>(top) - 20;
  for (int i = 0; i < 20; ++i)
    stack[i] = 0;
  stack[11] = reinterpret_cast<uint64_t>(entry);
  return stack;
}

#else

const bool mlir::norm::emulator::hasFibers = false;

extern "C" void mlir::norm::emulator::renorm_emulator_switch_fiber(void **,
                                                                   void *) {
  std::abort();
}
void *mlir::norm::emulator::prepareFiber(char *, void (*)()) { std::abort(); }

#endif

void mlir::norm::emulator::switchFiber(void **saved, void *resumed,
                                       StackRange target) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  void *frames = nullptr;
  __sanitizer_start_switch_fiber(&frames, target.low, target.bytes);
#endif
  renorm_emulator_switch_fiber(saved, resumed);
#if LLVM_ADDRESS_SANITIZER_BUILD
  __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
#endif
}

StackRange mlir::norm::emulator::beginFiber() {
  StackRange from;
#if LLVM_ADDRESS_SANITIZER_BUILD
  __sanitizer_finish_switch_fiber(nullptr, &from.low, &from.bytes);
#endif
  return from;
}

FiberStacks::FiberStacks(size_t count, size_t bytes)
    : stride((bytes + 2 * guard - 1) / guard * guard), total(count * stride) {
  void *mapped = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return;
  pages = static_cast<char *>(mapped);
  for (size_t i = 0; i < count; ++i)
    mprotect(pages + i * stride, guard, PROT_NONE);
}

FiberStacks::~FiberStacks() {
  if (pages)
    munmap(pages, total);
}
