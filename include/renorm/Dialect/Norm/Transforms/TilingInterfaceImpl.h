//===- TilingInterfaceImpl.h - Tiling of the norm dialect -------*- C++ -*-===//
//
// The loops of an operation are the dimensions of its result; a tile of the
// result is the same operation on slices of the operands. What cannot be
// computed like that is refused, with a remark that says why:
// - a norm is not tiled along its normalized axes;
// - attention is tiled along the heads by tiles that hold whole groups of a
//   key/value head, or lie within one;
// - attention is tiled along the queries where no position counts (neither
//   `causal` nor `window`), or with `causal` if there are at least as many keys
//   as queries. A tile then reads the keys up to the one that is aligned with
//   its last query.
//
//===----------------------------------------------------------------------===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_TILINGINTERFACEIMPL_H
#define RENORM_DIALECT_NORM_TRANSFORMS_TILINGINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace norm {
/// Adds `TilingInterface` to the norms, `residual_add` and `attention`.
void registerTilingInterfaceExternalModels(DialectRegistry &registry);
} // namespace norm
} // namespace mlir

#endif // RENORM_DIALECT_NORM_TRANSFORMS_TILINGINTERFACEIMPL_H
