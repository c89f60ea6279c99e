//===- Translate.cpp - From gpu.module to a program -----------------------===//

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "renorm/NVVMEmulator/Emulator.h"

using namespace mlir;
using namespace mlir::norm::emulator;

llvm::Expected<std::unique_ptr<Program>>
Program::translate(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  registerBuiltinDialectTranslation(*context);
  registerLLVMDialectTranslation(*context);
  registerGPUDialectTranslation(*context);
  registerNVVMDialectTranslation(*context);

  std::string messages;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream os(messages);
    if (!messages.empty())
      os << "\n";
    os << diagnostic.getLocation() << ": " << diagnostic;
    return success();
  });
  // A module of its own, whose functions get the scopes that locations need.
  OwningOpRef<ModuleOp> host = ModuleOp::create(module.getLoc());
  OpBuilder builder(host->getBodyRegion());
  for (Operation &operation : *module.getBody())
    builder.clone(operation);
  PassManager passes(context);
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
  if (failed(passes.run(*host)))
    return llvm::createStringError(messages);

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(*host, *llvmContext, module.getName());
  if (!llvmModule)
    return llvm::createStringError("cannot translate gpu.module @" +
                                   module.getName() + ": " + messages);
  return create(llvm::orc::ThreadSafeModule(std::move(llvmModule),
                                            std::move(llvmContext)));
}
