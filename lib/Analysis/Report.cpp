//===- Report.cpp - Where a module normalizes, to be read -----------------===//

#include "renorm/Analysis/Report.h"
#include "LintRules.h"
#include "ReportText.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir;
using namespace mlir::norm;

//===----------------------------------------------------------------------===//
// What is reported together
//===----------------------------------------------------------------------===//

namespace {
/// One stream of a function, or a function without one.
struct Entry {
  const ReportOptions *options = nullptr;
  FunctionOpInterface function;
  ResidualStream *stream = nullptr;
  unsigned streamIndex = 0, numStreams = 0;
  /// With their indices in the function. What belongs to no stream is reported
  /// with the function's first entry.
  SmallVector<std::pair<unsigned, const AttentionSite *>> attentions;
  SmallVector<NormalizationOpInterface> otherNorms;

  bool holds(const LintFinding &finding) const {
    return finding.function == function &&
           finding.stream.value_or(0) == streamIndex;
  }
  Sublayer *getSublayer(const AttentionSite &site) const {
    return site.sublayer ? &stream->sublayers[site.sublayer->second] : nullptr;
  }

  /// The type that the trunk's overflow is predicted for.
  FloatType getTrunkType() const {
    if (options->trunkType)
      return options->trunkType;
    return cast<FloatType>(getElementTypeOrSelf(stream->source.getType()));
  }
  /// Whether to speak of overflow to a person.
  bool isOverflowOfInterest() const {
    return options->trunkType || getTrunkType().isF16();
  }
  std::optional<GrowthPrediction> predictGrowth() const {
    return norm::predictGrowth(*stream, options->growth, getTrunkType());
  }
};
} // namespace

/// The norms of `function` that are neither on a stream nor in a branch's slots
/// nor a QK-Norm.
static SmallVector<NormalizationOpInterface>
collectOtherNorms(FunctionOpInterface function,
                  ResidualStreamAnalysis &analysis) {
  llvm::DenseSet<Operation *> placed;
  auto place = [&](ArrayRef<NormalizationOpInterface> norms) {
    placed.insert(norms.begin(), norms.end());
  };
  for (ResidualStream &stream : analysis.getStreams()) {
    place({stream.embeddingNorm, stream.finalNorm});
    for (Sublayer &sublayer : stream.sublayers) {
      place(sublayer.inputNorms);
      place({sublayer.outputNorm, sublayer.postNorm});
    }
  }
  for (const AttentionSite &site : analysis.getAttentions())
    if (site.qkNorm)
      place({site.qkNorm->query, site.qkNorm->key});

  SmallVector<NormalizationOpInterface> others;
  function->walk([&](NormalizationOpInterface norm) {
    if (!placed.contains(norm))
      others.push_back(norm);
  });
  return others;
}

/// The functions around those with a `norm.prepare`: their callers, and what
/// computes their weights.
static llvm::DenseSet<Operation *> findPreparations(Operation *module) {
  llvm::DenseSet<Operation *> around;
  SymbolTableCollection symbols;
  module->walk([&](Operation *op) {
    if (auto call = dyn_cast<CallOpInterface>(op)) {
      Operation *callee = call.resolveCallableInTable(&symbols);
      if (callee && callee->hasAttr(kPrepareAttrName))
        around.insert(op->getParentOfType<FunctionOpInterface>());
    } else if (auto prepare =
                   op->getAttrOfType<FlatSymbolRefAttr>(kPrepareAttrName)) {
      around.insert(symbols.lookupNearestSymbolFrom(op, prepare));
    }
  });
  return around;
}

static void forEachEntry(Operation *module, AnalysisSource analysisOf,
                         const ReportOptions &options,
                         llvm::function_ref<void(Entry &)> visit) {
  llvm::DenseSet<Operation *> preparations = findPreparations(module);
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    ResidualStreamAnalysis &analysis = analysisOf(function);
    MutableArrayRef<ResidualStream> streams = analysis.getStreams();
    SmallVector<Entry, 1> entries(std::max<size_t>(streams.size(), 1));
    for (auto [index, entry] : llvm::enumerate(entries)) {
      entry.options = &options;
      entry.function = function;
      entry.stream = streams.empty() ? nullptr : &streams[index];
      entry.streamIndex = index;
      entry.numStreams = streams.size();
    }
    for (auto [index, site] : llvm::enumerate(analysis.getAttentions()))
      entries[site.sublayer ? site.sublayer->first : 0].attentions.emplace_back(
          index, &site);
    entries.front().otherNorms = collectOtherNorms(function, analysis);
    // The prepared form has all there is to tell.
    if (preparations.contains(function) && streams.empty() &&
        analysis.getAttentions().empty() && entries.front().otherNorms.empty())
      return;
    llvm::for_each(entries, visit);
  });
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Where a stream comes from: "argument 0", "linalg.generic", ...
static std::string describeSource(ResidualStream &stream) {
  Value source = stream.source;
  if (auto loop = dyn_cast_if_present<LoopLikeOpInterface>(stream.loop))
    source = loop.getTiedLoopInit(cast<BlockArgument>(source))->get();
  if (Operation *op = source.getDefiningOp())
    return op->getName().getStringRef().str();
  auto argument = cast<BlockArgument>(source);
  std::string text = ("argument " + Twine(argument.getArgNumber())).str();
  Operation *parent = argument.getOwner()->getParentOp();
  if (!argument.getOwner()->isEntryBlock())
    text = "block " + text;
  else if (!isa<FunctionOpInterface>(parent))
    text += (" of " + parent->getName().getStringRef()).str();
  return text;
}

/// What is predicted of the largest |x| on the trunk: "max|x| 9.5 of 65504 in
/// f16 (model: trained, gain 0.5)", ...
static std::string describePrediction(const Entry &entry) {
  std::optional<GrowthPrediction> prediction = entry.predictGrowth();
  if (!prediction)
    return "unknown: the number of iterations of the loop is dynamic";
  FloatType type = entry.getTrunkType();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "max|x| " << shortDecimal(prediction->maximum);
  double limit =
      APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  if (std::optional<unsigned> layer = prediction->overflowLayer)
    os << ", passes " << shortDecimal(limit) << " (" << type << ") in layer "
       << *layer;
  else
    os << " of " << shortDecimal(limit) << " (" << type << ")";
  os << ", a model: " << stringifyGrowthRegime(entry.options->growth.regime)
     << ", gain " << shortDecimal(entry.options->growth.gain);
  return text;
}

static StringRef stringify(QKNorm::Scope scope) {
  return scope == QKNorm::Scope::Head ? "head" : "hidden";
}

static StringRef stringify(QKNorm::Position position) {
  switch (position) {
  case QKNorm::Position::BeforeRope:
    return "before-rope";
  case QKNorm::Position::AfterRope:
    return "after-rope";
  case QKNorm::Position::NoRope:
    return "no-rope";
  }
  llvm_unreachable("unknown position");
}

static StringRef describePlacement(Sublayer &sublayer) {
  return sublayer.isDeepNorm() ? "deepnorm" : sublayer.getPlacement().getName();
}

static NormalizationOpInterface inputNormOf(const Sublayer &sublayer) {
  // All are equal.
  return sublayer.inputNorms.empty() ? nullptr : sublayer.inputNorms.front();
}

/// "layer 1e-05", and what is unusual about it.
static std::string describeNorm(NormalizationOpInterface norm) {
  if (!norm)
    return "-";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << stringifyNormKind(norm.getNormKind()) << ' '
     << shortestFloatDecimal(norm.getEpsilon().convertToDouble());
  if (norm.getEpsilonMode() != EpsilonMode::Inside)
    os << ' ' << stringifyEpsilonMode(norm.getEpsilonMode());
  if (norm.getUnitOffset())
    os << " 1+scale";
  if (!norm.getScale())
    os << " unscaled";
  bool isLayer = norm.getNormKind() == NormKind::Layer;
  if (isLayer && norm.getScale() && !norm.getBias())
    os << " unbiased";
  if (!isLayer && norm.getBias())
    os << " biased";
  if (norm.getComputeType() && norm.getStatisticsType().getWidth() < 32)
    os << " in " << norm.getStatisticsType();
  if (norm.getAxes() && norm.getNormalizedAxes() !=
                            ArrayRef{norm.getInput().getType().getRank() - 1})
    os << " axes " << llvm::interleaved(norm.getNormalizedAxes(), ",");
  return text;
}

static std::string describeExtent(int64_t extent) {
  return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
}

static std::string describeScale(AttentionOp op) {
  if (op.getLearnedScale())
    return "learned";
  std::optional<double> scale = op.getLogitScale();
  return scale ? shortDecimal(*scale) : "1/sqrt(head_dim)";
}

/// What hides logits: "causal window 128 tensor", ...
static std::string describeMask(AttentionOp op) {
  SmallVector<std::string> words;
  if (op.getCausal())
    words.push_back("causal");
  if (op.getWindow())
    words.push_back("window " + std::to_string(*op.getWindow()));
  if (op.getMask())
    words.push_back("tensor");
  return words.empty() ? "-" : llvm::join(words, " ");
}

static std::string describeSoftcap(AttentionOp op) {
  return op.getSoftcap() ? shortDecimal(op.getSoftcap()->convertToDouble())
                         : "-";
}

static std::string describeQKNorm(const std::optional<QKNorm> &qkNorm) {
  if (!qkNorm)
    return "-";
  return (describeNorm(qkNorm->query) + " " + stringify(qkNorm->scope) + " " +
          stringify(qkNorm->position))
      .str();
}

static std::string describeBound(const AttentionSite &site) {
  if (!site.logitBound || !std::isfinite(*site.logitBound))
    return "unbounded";
  return "<= " + shortDecimal(*site.logitBound);
}

static std::string describeAttention(Entry &entry, unsigned index,
                                     const AttentionSite &site) {
  if (Sublayer *sublayer = entry.getSublayer(site))
    return sublayer->name;
  return "attention " + std::to_string(index);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printSublayers(raw_ostream &os, ResidualStream &stream) {
  TextTable table({"sublayer", "kind", "placement", "bits", "input", "output",
                   "post", "skip scale", "branch scale", "parallel", "shape"},
                  /*optional=*/{"skip scale", "branch scale", "parallel"});
  auto describeFactor = [](const APFloat &factor) {
    return factor.isExactlyValue(1.0) ? "-"
                                      : shortDecimal(factor.convertToDouble());
  };
  for (Sublayer &sublayer : stream.sublayers) {
    std::string shape;
    llvm::raw_string_ostream shapeStream(shape);
    RankedTensorType type = sublayer.add.getType();
    for (int64_t extent : type.getShape())
      shapeStream << describeExtent(extent) << 'x';
    shapeStream << type.getElementType();
    table.addRow(
        {sublayer.name, stringifySublayerKind(sublayer.kind).str(),
         describePlacement(sublayer).str(), sublayer.getPlacement().getBits(),
         describeNorm(inputNormOf(sublayer)), describeNorm(sublayer.outputNorm),
         describeNorm(sublayer.postNorm),
         describeFactor(sublayer.add.getResidualScale()),
         describeFactor(sublayer.add.getBranchScale()),
         sublayer.parallelGroup ? std::to_string(*sublayer.parallelGroup) : "-",
         shape});
  }
  table.print(os);
  for (const Sublayer &sublayer : stream.sublayers)
    if (!sublayer.irregularity.empty())
      os << "  irregular: " << sublayer.name << ": " << sublayer.irregularity
         << '\n';
}

static void printAttentions(raw_ostream &os, Entry &entry) {
  TextTable table({"attention", "heads", "kv heads", "head dim", "scale",
                   "mask", "soft cap", "QK-Norm", "logits"},
                  /*optional=*/{"mask", "soft cap"});
  for (auto [index, site] : entry.attentions) {
    AttentionOp op = site->op;
    table.addRow(
        {describeAttention(entry, index, *site), describeExtent(op.getHeads()),
         describeExtent(op.getKeyValueHeads()), describeExtent(op.getHeadDim()),
         describeScale(op), describeMask(op), describeSoftcap(op),
         describeQKNorm(site->qkNorm), describeBound(*site)});
  }
  table.print(os);
}

static void printEntry(raw_ostream &os, Entry &entry) {
  os << "function @" << entry.function.getName();
  if (entry.numStreams > 1)
    os << ", stream " << entry.streamIndex << " of " << entry.numStreams;
  os << '\n';

  if (entry.stream) {
    ResidualStream &stream = *entry.stream;
    printSublayers(os, stream);
    os << '\n';
    os << "  trunk           " << stream.source.getType() << " from "
       << describeSource(stream);
    if (stream.loop)
      os << " through " << stream.loop->getName();
    os << ", growth " << stringifyGrowthLaw(getGrowthLaw(stream)) << '\n';
    if (entry.isOverflowOfInterest())
      os << "  predicted       " << describePrediction(entry) << '\n';
    os << "  embedding norm  " << describeNorm(stream.embeddingNorm) << '\n'
       << "  final norm      " << describeNorm(stream.finalNorm) << '\n';
  } else {
    os << "  no residual stream\n";
  }
  for (NormalizationOpInterface norm : entry.otherNorms) {
    os << "  other norm      " << describeNorm(norm);
    if (std::string place = describeLocation(norm.getLoc()); !place.empty())
      os << " at " << place;
    os << '\n';
  }
  if (!entry.attentions.empty()) {
    os << '\n';
    printAttentions(os, entry);
  }
}

void norm::printReport(raw_ostream &os, Operation *module,
                       AnalysisSource analysis, const ReportOptions &options) {
  bool first = true;
  forEachEntry(module, analysis, options, [&](Entry &entry) {
    if (!first)
      os << '\n';
    first = false;
    printEntry(os, entry);
  });
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

namespace {
/// Writes the parts of the report as JSON, keys in the order of the schema.
class JSONReport {
public:
  explicit JSONReport(raw_ostream &os) : json(os, /*IndentSize=*/2) {}

  void write(Operation *module, AnalysisSource analysis,
             const ReportOptions &options) {
    findings = lintModule(module, analysis);
    json.object([&] {
      json.attributeArray("functions", [&] {
        forEachEntry(module, analysis, options,
                     [&](Entry &entry) { write(entry); });
      });
    });
  }

private:
  void string(StringRef key, StringRef value) {
    json.attribute(key, llvm::json::fixUTF8(value));
  }
  /// Null if `value` is empty.
  void optionalString(StringRef key, StringRef value) {
    value.empty() ? json.attribute(key, nullptr) : string(key, value);
  }
  template <typename T>
  void integer(StringRef key, std::optional<T> value) {
    value ? json.attribute(key, static_cast<int64_t>(*value))
          : json.attribute(key, nullptr);
  }
  void extent(StringRef key, int64_t value) {
    integer(key,
            ShapedType::isDynamic(value) ? std::nullopt : std::optional(value));
  }
  void number(StringRef key, std::optional<double> value) {
    json.attributeBegin(key);
    if (value && std::isfinite(*value))
      json.rawValue(shortestDecimal(*value));
    else
      json.value(nullptr);
    json.attributeEnd();
  }
  void type(StringRef key, Type value) {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    string(key, text);
  }
  void location(Location loc) { optionalString("loc", describeLocation(loc)); }

  void norm(StringRef key, NormalizationOpInterface op) {
    json.attributeBegin(key);
    norm(op);
    json.attributeEnd();
  }
  void norm(NormalizationOpInterface op);
  void writePrediction(const Entry &entry);
  void write(unsigned index, Sublayer &sublayer);
  void write(unsigned index, const AttentionSite &site);
  void write(Entry &entry);

  llvm::json::OStream json;
  std::vector<LintFinding> findings;
};
} // namespace

void JSONReport::norm(NormalizationOpInterface op) {
  if (!op)
    return json.value(nullptr);
  json.object([&] {
    string("kind", stringifyNormKind(op.getNormKind()));
    number("epsilon", op.getEpsilon().convertToDouble());
    string("epsilon_mode", stringifyEpsilonMode(op.getEpsilonMode()));
    json.attributeBegin("axes");
    json.rawValue([&](raw_ostream &os) {
      os << llvm::interleaved_array(op.getNormalizedAxes());
    });
    json.attributeEnd();
    json.attribute("scale", op.getScale() != nullptr);
    json.attribute("bias", op.getBias() != nullptr);
    json.attribute("unit_offset", op.getUnitOffset());
    type("compute_type", op.getStatisticsType());
    location(op.getLoc());
  });
}

void JSONReport::writePrediction(const Entry &entry) {
  std::optional<GrowthPrediction> prediction = entry.predictGrowth();
  if (!prediction)
    return json.attribute("prediction", nullptr);
  json.attributeObject("prediction", [&] {
    string("regime", stringifyGrowthRegime(entry.options->growth.regime));
    number("gain", entry.options->growth.gain);
    number("variance", prediction->points.back().variance);
    number("jacobian", prediction->points.back().jacobian);
    number("maximum", prediction->maximum);
    type("type", entry.getTrunkType());
    integer("overflow_layer", prediction->overflowLayer);
  });
}

void JSONReport::write(unsigned index, Sublayer &sublayer) {
  json.object([&] {
    json.attribute("index", index);
    string("name", sublayer.name);
    json.attribute("layer", sublayer.layer);
    string("kind", stringifySublayerKind(sublayer.kind));
    string("placement", sublayer.getPlacement().getName());
    norm("input", inputNormOf(sublayer));
    norm("output", sublayer.outputNorm);
    norm("post", sublayer.postNorm);
    integer("parallel_group", sublayer.parallelGroup);
    number("residual_scale", sublayer.add.getResidualScale().convertToDouble());
    number("branch_scale", sublayer.add.getBranchScale().convertToDouble());
    optionalString("irregularity", sublayer.irregularity);
    location(sublayer.add.getLoc());
  });
}

void JSONReport::write(unsigned index, const AttentionSite &site) {
  AttentionOp op = site.op;
  json.object([&] {
    json.attribute("index", index);
    integer("sublayer", site.sublayer ? std::optional(site.sublayer->second)
                                      : std::nullopt);
    extent("heads", op.getHeads());
    extent("kv_heads", op.getKeyValueHeads());
    extent("head_dim", op.getHeadDim());
    number("scale", op.getLogitScale());
    json.attribute("causal", op.getCausal());
    integer("window", op.getWindow());
    json.attribute("mask", op.getMask() != nullptr);
    number("softcap", op.getSoftcap()
                          ? std::optional(op.getSoftcap()->convertToDouble())
                          : std::nullopt);
    if (const std::optional<QKNorm> &qkNorm = site.qkNorm)
      json.attributeObject("qk_norm", [&] {
        NormalizationOpInterface query = qkNorm->query;
        string("kind", stringifyNormKind(query.getNormKind()));
        string("scope", stringify(qkNorm->scope));
        string("position", stringify(qkNorm->position));
        norm("query", query);
        norm("key", qkNorm->key);
      });
    else
      json.attribute("qk_norm", nullptr);
    number("logit_bound", site.logitBound);
    location(op.getLoc());
  });
}

void JSONReport::write(Entry &entry) {
  ResidualStream *stream = entry.stream;
  json.object([&] {
    string("name", entry.function.getName());
    integer("stream", stream ? std::optional(entry.streamIndex) : std::nullopt);
    if (stream)
      json.attributeObject("trunk", [&] {
        type("type", stream->source.getType());
        string("source", describeSource(*stream));
        optionalString("loop", stream->loop
                                   ? stream->loop->getName().getStringRef()
                                   : StringRef());
        string("growth", stringifyGrowthLaw(getGrowthLaw(*stream)));
        writePrediction(entry);
      });
    else
      json.attribute("trunk", nullptr);
    norm("embedding_norm",
         stream ? stream->embeddingNorm : NormalizationOpInterface());
    norm("final_norm", stream ? stream->finalNorm : NormalizationOpInterface());
    json.attributeArray("sublayers", [&] {
      if (stream)
        for (auto [index, sublayer] : llvm::enumerate(stream->sublayers))
          write(index, sublayer);
    });
    json.attributeArray("attentions", [&] {
      for (auto [index, site] : entry.attentions)
        write(index, *site);
    });
    json.attributeArray("other_norms", [&] {
      for (NormalizationOpInterface op : entry.otherNorms)
        norm(op);
    });
    json.attributeArray("lint", [&] {
      for (const LintFinding &finding : findings)
        if (entry.holds(finding))
          writeFinding(json, finding);
    });
  });
}

void norm::printReportAsJSON(raw_ostream &os, Operation *module,
                             AnalysisSource analysis,
                             const ReportOptions &options) {
  JSONReport(os).write(module, analysis, options);
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static void emitRemarks(Entry &entry) {
  if (ResidualStream *stream = entry.stream) {
    {
      InFlightDiagnostic remark =
          mlir::emitRemark(entry.function.getLoc())
          << "stream " << entry.streamIndex << ": trunk "
          << stream->source.getType() << " from " << describeSource(*stream)
          << ", growth " << stringifyGrowthLaw(getGrowthLaw(*stream))
          << ", embedding norm " << describeNorm(stream->embeddingNorm)
          << ", final norm " << describeNorm(stream->finalNorm);
      if (entry.isOverflowOfInterest())
        remark << ", predicted " << describePrediction(entry);
    }
    for (Sublayer &sublayer : stream->sublayers) {
      InFlightDiagnostic remark =
          mlir::emitRemark(sublayer.add.getLoc())
          << sublayer.name << ": " << stringifySublayerKind(sublayer.kind)
          << ", placement " << describePlacement(sublayer);
      auto describeSlot = [&](StringRef slot, NormalizationOpInterface norm) {
        if (norm)
          remark << ", " << slot << " " << describeNorm(norm);
      };
      describeSlot("input", inputNormOf(sublayer));
      describeSlot("output", sublayer.outputNorm);
      describeSlot("post", sublayer.postNorm);
      auto describeFactor = [&](StringRef what, const APFloat &factor) {
        if (!factor.isExactlyValue(1.0))
          remark << ", " << what << " "
                 << shortDecimal(factor.convertToDouble());
      };
      describeFactor("skip scale", sublayer.add.getResidualScale());
      describeFactor("branch scale", sublayer.add.getBranchScale());
      if (sublayer.parallelGroup)
        remark << ", parallel group " << *sublayer.parallelGroup;
      if (!sublayer.irregularity.empty())
        remark << ", irregular: " << sublayer.irregularity;
    }
  }
  for (auto [index, site] : entry.attentions) {
    AttentionOp op = site->op;
    mlir::emitRemark(op.getLoc())
        << describeAttention(entry, index, *site) << ": "
        << describeExtent(op.getHeads()) << " heads, "
        << describeExtent(op.getKeyValueHeads()) << " kv heads, head dim "
        << describeExtent(op.getHeadDim()) << ", scale " << describeScale(op)
        << ", mask " << describeMask(op) << ", soft cap " << describeSoftcap(op)
        << ", QK-Norm " << describeQKNorm(site->qkNorm) << ", logits "
        << describeBound(*site);
  }
}

void norm::emitReportAsRemarks(Operation *module, AnalysisSource analysis,
                               const ReportOptions &options) {
  forEachEntry(module, analysis, options, emitRemarks);
}
