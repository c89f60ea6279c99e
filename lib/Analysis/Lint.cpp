//===- Lint.cpp - Known mistakes in where a module normalizes -------------===//

#include "renorm/Analysis/Lint.h"
#include "LintRules.h"
#include "ReportText.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::norm;

static constexpr std::pair<StringLiteral, LintSeverity> severityNames[] = {
    {"ignore", LintSeverity::Ignore},
    {"remark", LintSeverity::Remark},
    {"warning", LintSeverity::Warning},
    {"error", LintSeverity::Error}};

StringRef norm::stringifyLintSeverity(LintSeverity severity) {
  for (auto [name, value] : severityNames)
    if (value == severity)
      return name;
  llvm_unreachable("unknown severity");
}

std::optional<LintSeverity> norm::parseLintSeverity(StringRef text) {
  for (auto [name, value] : severityNames)
    if (name == text)
      return value;
  return std::nullopt;
}

SmallVector<StringRef> norm::getLintCodes() {
  return llvm::map_to_vector(getLintRules(), [](const LintRule &rule) {
    return StringRef(rule.code);
  });
}

//===----------------------------------------------------------------------===//
// LintSubject
//===----------------------------------------------------------------------===//

LintSubject::LintSubject(FunctionOpInterface function,
                         ResidualStreamAnalysis &analysis, bool isReferred,
                         std::vector<LintFinding> &findings)
    : analysis(analysis), isReferred(isReferred), function(function),
      findings(findings) {
  // A norm that a conversion dropped has no reader.
  function->walk([&](NormalizationOpInterface norm) {
    if (!norm->use_empty())
      norms[norm] = {std::nullopt, "",
                     stringifyNormKind(norm.getNormKind()).str() + " norm"};
  });
  auto place = [&](NormalizationOpInterface norm, const Twine &what,
                   std::optional<unsigned> stream, const Twine &sublayer) {
    if (auto *found = norm ? norms.find(norm) : norms.end();
        found != norms.end())
      found->second = {stream, sublayer.str(), ("the " + what).str()};
  };
  for (auto [index, stream] : llvm::enumerate(analysis.getStreams())) {
    place(stream.embeddingNorm, "embedding norm", index, "");
    place(stream.finalNorm, "final norm", index, "");
    for (const Sublayer &sublayer : stream.sublayers) {
      for (NormalizationOpInterface norm : sublayer.inputNorms)
        place(norm, "input norm of " + sublayer.name, index, sublayer.name);
      place(sublayer.outputNorm, "output norm of " + sublayer.name, index,
            sublayer.name);
      place(sublayer.postNorm, "post norm of " + sublayer.name, index,
            sublayer.name);
    }
  }
  for (auto [index, site] : llvm::enumerate(analysis.getAttentions())) {
    Place attention = getPlace(index, site);
    auto placeAt = [&](NormalizationOpInterface norm, const Twine &what) {
      place(norm, what + " norm of " + attention.description, attention.stream,
            attention.sublayer);
    };
    placeAt(site.valueNorm, "value");
    if (!site.qkNorm)
      continue;
    placeAt(site.qkNorm->query, "query");
    placeAt(site.qkNorm->key, "key");
  }
}

LintSubject::Place LintSubject::getPlace(unsigned index,
                                         const AttentionSite &site) const {
  if (!site.sublayer)
    return {std::nullopt, "", "attention " + std::to_string(index)};
  auto [stream, sublayer] = *site.sublayer;
  return getPlace(stream, analysis.getStreams()[stream].sublayers[sublayer]);
}

void LintSubject::report(const Place &place, Location loc,
                         const Twine &message) {
  report(place, loc, message, rule->severity);
}

void LintSubject::report(const Place &place, Location loc, const Twine &message,
                         LintSeverity severity) {
  findings.push_back({rule->code, severity, message.str(), loc, function,
                      place.stream, place.sublayer});
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::vector<LintFinding> norm::lintModule(Operation *module,
                                          AnalysisSource analysis) {
  llvm::DenseSet<StringAttr> referred;
  // A function whose weights are prepared is the body of the one that calls it.
  llvm::DenseMap<StringAttr, StringAttr> bodyOf;
  SymbolTable symbols(module);
  if (auto uses = SymbolTable::getSymbolUses(&module->getRegion(0)))
    for (SymbolTable::SymbolUse use : *uses) {
      StringAttr name = use.getSymbolRef().getLeafReference();
      Operation *function = symbols.lookup(name);
      auto caller = use.getUser()->getParentOfType<FunctionOpInterface>();
      bool isBody = function && function->hasAttr(kPrepareAttrName) && caller &&
                    bodyOf.try_emplace(name, caller.getNameAttr()).second;
      if (!isBody)
        referred.insert(name);
    }
  auto isReferred = [&](FunctionOpInterface function) {
    StringAttr name = function.getNameAttr();
    return referred.contains(name) || referred.contains(bodyOf.lookup(name));
  };

  std::vector<LintFinding> findings;
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    LintSubject subject(function, analysis(function), isReferred(function),
                        findings);
    for (const LintRule &rule : getLintRules()) {
      subject.rule = &rule;
      rule.check(subject);
    }
  });
  return findings;
}

void norm::writeFinding(llvm::json::OStream &json, const LintFinding &finding) {
  using llvm::json::fixUTF8;
  json.object([&] {
    json.attribute("code", finding.code);
    json.attribute("severity", stringifyLintSeverity(finding.severity));
    json.attribute("message", fixUTF8(finding.message));
    LintFinding copy = finding;
    json.attribute("function", fixUTF8(copy.function.getName()));
    if (finding.stream)
      json.attribute("stream", *finding.stream);
    else
      json.attribute("stream", nullptr);
    auto optional = [&](StringRef key, StringRef text) {
      text.empty() ? json.attribute(key, nullptr)
                   : json.attribute(key, fixUTF8(text));
    };
    optional("sublayer", finding.sublayer);
    optional("loc", describeLocation(finding.loc));
  });
}

void norm::printLintAsJSON(raw_ostream &os, ArrayRef<LintFinding> findings) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("findings", [&] {
      for (const LintFinding &finding : findings)
        writeFinding(json, finding);
    });
  });
  os << '\n';
}
