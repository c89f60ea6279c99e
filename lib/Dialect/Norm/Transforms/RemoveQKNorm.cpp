//===- RemoveQKNorm.cpp - Takes norms of queries and keys away ------------===//

#include "QKNormSites.h"
#include "renorm/Dialect/Norm/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace mlir::norm {
#define GEN_PASS_DEF_NORMREMOVEQKNORMPASS
#include "renorm/Dialect/Norm/Transforms/Passes.h.inc"
} // namespace mlir::norm

using namespace mlir;
using namespace mlir::norm;

/// Gives the attention, whose logits were made from unit vectors, the scale of
/// a scaled dot product; returns the parameter that goes, if there is one.
static Value restoreScale(const AttentionSite &site,
                          std::optional<double> given) {
  AttentionOp op = site.op;
  Value learned = op.getLearnedScale();
  if (learned)
    emitRemark(op.getLoc())
        << "dropped " << site.name << ".g with its parameter "
        << describeParameter(learned);
  op.getLearnedScaleMutable().clear();
  op.removeScaleAttr();
  if (given)
    op.setScaleAttr(Builder(op.getContext()).getF64FloatAttr(*given));
  else if (auto replaced = op->getAttrOfType<FloatAttr>(kReplacedScaleAttrName))
    op.setScaleAttr(replaced);
  op->removeAttr(kReplacedScaleAttrName);
  return learned;
}

namespace {
struct NormRemoveQKNormPass
    : public norm::impl::NormRemoveQKNormPassBase<NormRemoveQKNormPass> {
  using NormRemoveQKNormPassBase::NormRemoveQKNormPassBase;

  void runOnOperation() override;

private:
  void removeFrom(FunctionOpInterface function, const LayerSelection &selection,
                  std::optional<double> scale);
};
} // namespace

void NormRemoveQKNormPass::removeFrom(FunctionOpInterface function,
                                      const LayerSelection &selection,
                                      std::optional<double> scale) {
  auto &analysis = getChildAnalysis<ResidualStreamAnalysis>(function);
  // With the names of their places.
  llvm::MapVector<Operation *, std::string> norms;
  SmallVector<Value> dropped;
  for (const AttentionSite &site : analysis.getAttentions()) {
    if (!site.qkNorm || !isSelected(selection, site, analysis))
      continue;
    AttentionOp op = site.op;
    NormalizationOpInterface query = site.qkNorm->query, key = site.qkNorm->key;
    replaceOnWay(op.getQueryMutable(), query.getResult(), query.getInput());
    replaceOnWay(op.getKeyMutable(), key.getResult(), key.getInput());
    norms.try_emplace(query, site.name + ".q_norm");
    norms.try_emplace(key, site.name + ".k_norm");
    if (query.getNormKind() == NormKind::L2 ||
        key.getNormKind() == NormKind::L2)
      if (Value learned = restoreScale(site, scale))
        dropped.push_back(learned);
  }

  for (auto &[op, place] : norms) {
    auto norm = cast<NormalizationOpInterface>(op);
    if (!norm->use_empty()) {
      emitRemark(norm.getLoc())
          << place << " stays for what else reads its result";
      continue;
    }
    SmallVector<std::string, 2> names;
    for (Value parameter : {Value(norm.getScale()), Value(norm.getBias())})
      if (parameter) {
        names.push_back(describeParameter(parameter));
        dropped.push_back(parameter);
      }
    if (!names.empty())
      emitRemark(norm.getLoc())
          << "dropped " << place << " with its parameters "
          << llvm::join(names, " and ");
    norm->erase();
  }

  ParameterBuilder parameters(function, ParameterPolicy::Constant);
  llvm::SetVector<Value> initial;
  for (Value parameter : dropped)
    if (parameters.holdsItsInitial(parameter))
      initial.insert(parameter);
  parameters.eraseUnused(initial.getArrayRef());
}

void NormRemoveQKNormPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<std::string> ranges(layers.begin(), layers.end());
  FailureOr<LayerSelection> selection =
      LayerSelection::parse(module.getLoc(), ranges);
  if (failed(selection))
    return signalPassFailure();
  std::optional<double> scale;
  if (attentionScale.getNumOccurrences() > 0 || attentionScale != 0.0)
    scale = attentionScale;
  if (scale && !std::isfinite(*scale)) {
    emitError(module.getLoc())
        << "expected 'attention-scale' to be finite, but got " << *scale;
    return signalPassFailure();
  }
  module.walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      removeFrom(function, *selection, scale);
  });
}
