//===- Accumulators.cpp - Where results of wgmma are used -----------------===//

#include "Instrument.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

static bool isMultiply(const llvm::Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  auto *assembly =
      call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly &&
         StringRef(assembly->getAsmString()).contains("wgmma.mma_async");
}

MapVector<llvm::Instruction *, SmallVector<CallInst *, 1>>
mlir::norm::emulator::findAccumulatorUses(Function &function) {
  MapVector<llvm::Instruction *, SmallVector<CallInst *, 1>> uses;
  for (llvm::Instruction &instruction : instructions(function)) {
    if (!isMultiply(instruction))
      continue;
    // What only passes a result on has it as well.
    SmallVector<llvm::Instruction *> work = {&instruction};
    SmallPtrSet<llvm::Instruction *, 16> seen;
    while (!work.empty()) {
      for (User *user : work.pop_back_val()->users()) {
        auto *next = cast<llvm::Instruction>(user);
        if (!seen.insert(next).second || isMultiply(*next))
          continue;
        if (isa<ExtractValueInst, InsertValueInst, PHINode, SelectInst,
                FreezeInst>(next))
          work.push_back(next);
        else
          uses[next].push_back(cast<CallInst>(&instruction));
      }
    }
  }
  return uses;
}
