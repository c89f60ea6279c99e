//===- Passes.td - Passes on the norm dialect --------------*- tablegen -*-===//

#ifndef RENORM_DIALECT_NORM_TRANSFORMS_PASSES
#define RENORM_DIALECT_NORM_TRANSFORMS_PASSES

include "renorm/Dialect/Norm/Transforms/CenterPasses.td"
include "renorm/Dialect/Norm/Transforms/FoldPasses.td"
include "renorm/Dialect/Norm/Transforms/FusionPasses.td"
include "renorm/Dialect/Norm/Transforms/KindPasses.td"
include "renorm/Dialect/Norm/Transforms/LintPasses.td"
include "renorm/Dialect/Norm/Transforms/PlacementPasses.td"
include "renorm/Dialect/Norm/Transforms/QKNormPasses.td"
include "renorm/Dialect/Norm/Transforms/ReportPasses.td"
include "renorm/Dialect/Norm/Transforms/SimplifyPasses.td"
include "renorm/Dialect/Norm/Transforms/WeightPasses.td"

#endif // RENORM_DIALECT_NORM_TRANSFORMS_PASSES
