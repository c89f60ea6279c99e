//===- InitAll.h - The only registration list -------------------*- C++ -*-===//
//
// What Renorm adds to a compiler. Every tool, the plugin, the C API and Python
// call these two functions and register nothing by themselves.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_INITALL_H
#define RENORM_INITALL_H

namespace mlir {
class DialectRegistry;

namespace norm {

/// Adds the `norm` dialect, and the extensions of other dialects that its
/// passes need, to `registry`.
void registerAllDialects(DialectRegistry &registry);

/// Registers all passes and pipelines of Renorm. To be called once per process.
void registerAllPasses();

} // namespace norm
} // namespace mlir

#endif // RENORM_INITALL_H
