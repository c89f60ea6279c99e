//===- Assembly.cpp - Inline PTX ------------------------------------------===//

#include "Instruction.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir::norm::emulator;

/// Whether `operands` are "$0, $1, ..." in this order: outputs first, which is
/// how PTX writes them.
static bool areInOrder(llvm::StringRef operands) {
  llvm::SmallVector<llvm::StringRef> parts;
  operands.split(parts, ',');
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].trim() != "$" + std::to_string(i))
      return false;
  return true;
}

std::optional<Instruction>
mlir::norm::emulator::parseAssembly(llvm::StringRef text) {
  for (auto parse : {parseMemoryBarrierAssembly, parseMultiplyAssembly})
    if (auto found = parse(text))
      return found;
  llvm::StringRef statement = text.trim();
  statement.consume_back(";");
  if (statement.contains(';'))
    return std::nullopt;
  size_t end = statement.find_first_of(" \t");
  llvm::StringRef opcode = statement.take_front(end);
  if (end == llvm::StringRef::npos || !areInOrder(statement.substr(end)))
    return std::nullopt;
  std::optional<Instruction> found = findScalarInstruction(opcode);
  if (found)
    found->name = opcode.str();
  return found;
}
