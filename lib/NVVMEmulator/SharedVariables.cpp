//===- SharedVariables.cpp - Where variables in shared memory are ---------===//

#include "Instrument.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace mlir::norm::emulator;

Error mlir::norm::emulator::placeSharedVariables(Module &module,
                                                 const DataLayout &layout,
                                                 InstrumentedModule &result) {
  SmallVector<GlobalVariable *> variables, dynamic;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == SharedSpace)
      (layout.getTypeAllocSize(variable.getValueType()) ? variables : dynamic)
          .push_back(&variable);
  // All that have no size begin at the same place, aligned for each of them.
  llvm::sort(dynamic, [](GlobalVariable *a, GlobalVariable *b) {
    return a->getAlign().valueOrOne() > b->getAlign().valueOrOne();
  });
  llvm::append_range(variables, dynamic);
  if (variables.empty())
    return Error::success();
  SmallPtrSet<Constant *, 8> constants(variables.begin(), variables.end());
  removeFromUsedLists(module,
                      [&](Constant *used) { return constants.contains(used); });
  SmallVector<Constant *> all(variables.begin(), variables.end());
  convertUsersOfConstantsToInstructions(all);

  FunctionCallee base = module.getOrInsertFunction(
      runtime::sharedBase, PointerType::get(module.getContext(), 0));
  uint64_t offset = 0;
  for (GlobalVariable *variable : variables) {
    uint64_t bytes = layout.getTypeAllocSize(variable->getValueType());
    uint64_t align =
        variable->getAlign()
            .value_or(layout.getABITypeAlign(variable->getValueType()))
            .value();
    bool isDynamic = bytes == 0;
    // An odd multiple of the alignment is no better aligned than declared. What
    // runs over the end of a variable finds no other behind it.
    if (!isDynamic || !result.hasDynamicShared) {
      offset = alignTo(offset + 64, align);
      if (offset % (2 * align) == 0)
        offset += align;
      result.sharedVariables.push_back(
          {variable->getName().str(), offset, bytes, align});
      result.hasDynamicShared |= isDynamic;
    }
    std::map<Function *, Value *> addresses;
    for (Use &use : make_early_inc_range(variable->uses())) {
      auto *user = dyn_cast<llvm::Instruction>(use.getUser());
      if (!user)
        return createStringError(
            "the emulator has no addresses of shared memory in constants, as "
            "of '" +
            variable->getName() + "'");
      Value *&address = addresses[user->getFunction()];
      if (!address) {
        IRBuilder<> builder(
            &*user->getFunction()->getEntryBlock().getFirstInsertionPt());
        address = builder.CreateAddrSpaceCast(
            builder.CreatePtrAdd(builder.CreateCall(base),
                                 builder.getInt64(offset)),
            variable->getType());
      }
      use.set(address);
    }
    offset += bytes;
  }
  for (GlobalVariable *variable : variables)
    variable->eraseFromParent();
  return Error::success();
}
