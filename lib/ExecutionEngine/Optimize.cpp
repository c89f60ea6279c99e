//===- Optimize.cpp - Optimization of a model's LLVM IR -------------------===//

#include "Optimize.h"
#include "VectorFunctions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/Utils/BreakCriticalEdges.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

static void outlineLoops(Function &function,
                         FunctionAnalysisManager &analyses) {
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  // One for all loops: LLVM's own loop-extract makes one, of the size of the
  // function, for each.
  CodeExtractorAnalysisCache cache(function);
  for (Loop *loop : loops.getTopLevelLoops()) {
    if (!loop->isLoopSimplifyForm())
      continue;
    CodeExtractor extractor(loop->getBlocks(), &dominators);
    // The inliner would put it back.
    if (Function *outlined = extractor.extractCodeRegion(cache))
      outlined->addFnAttr(Attribute::NoInline);
  }
}

namespace {
struct OutlineLoopsPass : public PassInfoMixin<OutlineLoopsPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    auto &functionAnalyses =
        analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
            .getManager();
    SmallVector<Function *> functions;
    for (Function &function : module)
      if (!function.isDeclaration())
        functions.push_back(&function);
    for (Function *function : functions)
      outlineLoops(*function, functionAnalyses);
    return PreservedAnalyses::none();
  }
};
} // namespace

void mlir::norm::optimizeModel(Module &module, TargetMachine *machine) {
  // The short inner loops of a model, unrolled as a whole before the vectorizer
  // sees them, would make long and slow scalar code.
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  PassBuilder builder(machine, tuning);
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager componentAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  TargetLibraryInfoImpl library(module.getTargetTriple());
  addVectorFunctions(library);
  functionAnalyses.registerPass([&] { return TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(componentAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses,
                               componentAnalyses, moduleAnalyses);

  FunctionPassManager simplify;
  simplify.addPass(BreakCriticalEdgesPass());
  simplify.addPass(LoopSimplifyPass());
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(simplify)));
  passes.addPass(OutlineLoopsPass());
  passes.addPass(MergeFunctionsPass());
  passes.addPass(builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  passes.run(module, moduleAnalyses);
}
