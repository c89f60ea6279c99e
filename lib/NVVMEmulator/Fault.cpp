//===- Fault.cpp - What a kernel did wrong --------------------------------===//

#include "Block.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::norm::emulator;

char FaultError::ID = 0;

llvm::StringRef mlir::norm::emulator::describe(FaultKind kind) {
  switch (kind) {
  case FaultKind::Launch:
    return "invalid launch";
  case FaultKind::OutOfBounds:
    return "out-of-bounds access";
  case FaultKind::Misaligned:
    return "misaligned access";
  case FaultKind::Uninitialized:
    return "uninitialized read";
  case FaultKind::Race:
    return "data race";
  case FaultKind::AsyncCopy:
    return "unfinished asynchronous copy";
  case FaultKind::Divergence:
    return "divergence";
  case FaultKind::LaneLeft:
    return "missing lane";
  case FaultKind::Hang:
    return "hang";
  case FaultKind::Operand:
    return "invalid operand";
  case FaultKind::Trap:
    return "trap";
  }
  llvm_unreachable("unknown fault");
}

static void print(llvm::raw_ostream &os, const SourceLocation &location) {
  if (location.line)
    os << location.file << ":" << location.line << ":" << location.column
       << ": ";
}

std::string Fault::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, location);
  os << "error: " << describe(kind) << ": " << message << ", in kernel '"
     << kernel << "'";
  if (kind != FaultKind::Launch)
    os << ", block " << format(block) << ", thread " << format(thread);
  if (!instruction.empty())
    os << "\n  " << instruction;
  for (const Note &note : notes) {
    os << "\n";
    print(os, note.location);
    os << "note: " << note.message;
  }
  return text;
}

void FaultError::log(llvm::raw_ostream &os) const { os << fault.str(); }

std::error_code FaultError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}
