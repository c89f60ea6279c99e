//===- Growth.cpp - The growth model in Python ----------------------------===//

#include "Growth.h"
#include "Module.h"
#include "renorm/Analysis/DeepNorm.h"
#include "renorm/Analysis/GrowthModel.h"

#include <nanobind/stl/string.h>

#include <cmath>

namespace nb = nanobind;
using namespace renorm::python;
using mlir::norm::GrowthModel;
using mlir::norm::GrowthPoint;
using mlir::norm::GrowthRegime;
using mlir::norm::GrowthSublayer;
using mlir::norm::Placement;
using mlir::norm::ResidualStreamAnalysis;

[[noreturn]] static void raiseValueError(const std::string &message) {
  throw nb::value_error(message.c_str());
}

static GrowthModel makeModel(const std::string &regime, double gain,
                             double initialVariance) {
  GrowthModel model;
  if (regime == stringifyGrowthRegime(GrowthRegime::Initialization))
    model.regime = GrowthRegime::Initialization;
  else if (regime != stringifyGrowthRegime(GrowthRegime::Trained))
    raiseValueError("expected 'initialization' or 'trained' as regime, but "
                    "got '" +
                    regime + "'");
  if (!(std::isfinite(gain) && gain >= 0.0))
    raiseValueError(
        "expected a gain that is finite and not negative, but got " +
        std::to_string(gain));
  if (!(std::isfinite(initialVariance) && initialVariance > 0.0))
    raiseValueError("expected an initial variance that is finite and positive, "
                    "but got " +
                    std::to_string(initialVariance));
  model.gain = gain;
  model.initialVariance = initialVariance;
  return model;
}

/// (layer, sum, variance, jacobian); the layer is none before the first.
static nb::tuple describe(nb::object layer, const GrowthPoint &point) {
  return nb::make_tuple(layer, point.sum, point.variance, point.jacobian);
}

static nb::list describe(llvm::ArrayRef<GrowthSublayer> sublayers,
                         llvm::ArrayRef<GrowthPoint> points) {
  nb::list all;
  all.append(describe(nb::none(), points.front()));
  for (auto [sublayer, point] : llvm::zip_equal(sublayers, points.drop_front()))
    all.append(describe(nb::int_(sublayer.layer), point));
  return all;
}

static nb::list predictGrowth(const std::string &placement, unsigned layers,
                              unsigned sublayers, const std::string &regime,
                              double gain, double initialVariance,
                              double outputScale, double residualScale) {
  GrowthModel model = makeModel(regime, gain, initialVariance);
  bool isDeepNorm = placement == "deepnorm";
  std::optional<Placement> parsed =
      Placement::parse(isDeepNorm ? "post" : placement);
  if (!parsed)
    raiseValueError("expected a placement, but got '" + placement + "'");
  if (static_cast<uint64_t>(layers) * sublayers > 1000000)
    raiseValueError("expected at most 1000000 sublayers");
  GrowthSublayer sublayer;
  sublayer.placement = *parsed;
  sublayer.outputVariance = outputScale * outputScale;
  sublayer.residualScale = residualScale;
  llvm::SmallVector<GrowthSublayer> stack =
      repeatSublayer(sublayer, layers, sublayers);
  return describe(stack, model.predict(stack));
}

nb::list Module::predictGrowth(const std::string &regime, double gain,
                               double initialVariance) const {
  GrowthModel model = makeModel(regime, gain, initialVariance);
  std::lock_guard<std::mutex> lock(context->mutex);
  nb::list streams;
  mlir::ModuleOp(*module).walk([&](mlir::FunctionOpInterface function) {
    if (function.isExternal())
      return;
    ResidualStreamAnalysis analysis(function);
    for (auto [index, stream] : llvm::enumerate(analysis.getStreams())) {
      auto prediction = mlir::norm::predictGrowth(
          stream, model, mlir::Float32Type::get(&context->context));
      nb::list names;
      for (const mlir::norm::Sublayer &sublayer : stream.sublayers)
        names.append(sublayer.name);
      nb::object points = nb::none();
      if (prediction)
        points = describe(prediction->sublayers, prediction->points);
      streams.append(
          nb::make_tuple(function.getName().str(), index, names, points));
    }
  });
  return streams;
}

/// (alpha, beta) of the only stack of an architecture.
static nb::tuple getDeepNormConstants(unsigned layers) {
  if (layers == 0)
    raiseValueError("expected at least one layer");
  mlir::norm::DeepNormConstants constants =
      mlir::norm::getDeepNormConstants(mlir::norm::StackRole::Single, layers);
  return nb::make_tuple(constants.alpha, constants.beta);
}

void renorm::python::bindGrowth(nb::module_ &module) {
  module.def("predict_growth", &predictGrowth, nb::arg("placement"),
             nb::arg("layers"), nb::arg("sublayers"), nb::arg("regime"),
             nb::arg("gain"), nb::arg("initial_variance"),
             nb::arg("output_scale"), nb::arg("residual_scale"));
  module.def("deepnorm_constants", &getDeepNormConstants, nb::arg("layers"));
}
