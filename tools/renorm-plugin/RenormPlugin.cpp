//===- RenormPlugin.cpp - Dialect and pass plugin for mlir-opt ------------===//
//
// mlir-opt --load-dialect-plugin=RenormPlugin.so
// --load-pass-plugin=RenormPlugin.so
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "renorm/InitAll.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Renorm", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            mlir::norm::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Renorm", LLVM_VERSION_STRING,
          [] { mlir::norm::registerAllPasses(); }};
}
