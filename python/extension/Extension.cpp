//===- Extension.cpp - The extension module `_renorm` ---------------------===//
//
// What the Python files of the package are built on; they add the checks and
// the conversions that are easier said in Python.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Function.h"
#include "Growth.h"
#include "Module.h"
#include "Tensor.h"
#include "mlir/InitAllPasses.h"
#include "renorm/InitAll.h"

NB_MODULE(_renorm, module) {
  mlir::registerAllPasses();
  mlir::norm::registerAllPasses();
  renorm::python::bindDiagnostics(module);
  renorm::python::bindModule(module);
  renorm::python::bindTensor(module);
  renorm::python::bindFunction(module);
  renorm::python::bindGrowth(module);
}
