//===- ReportText.cpp - Numbers and tables as text ------------------------===//

#include "ReportText.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::norm;

template <typename T>
static std::string shortest(T value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, std::end(buffer), value).ptr};
}

std::string norm::shortestDecimal(double value) { return shortest(value); }

std::string norm::shortestFloatDecimal(double value) {
  bool isFloat = std::abs(value) <= std::numeric_limits<float>::max() &&
                 static_cast<float>(value) == value;
  return isFloat ? shortest(static_cast<float>(value)) : shortest(value);
}

std::string norm::shortDecimal(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return text;
}

std::string norm::describeLocation(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

void TextTable::print(raw_ostream &os) const {
  // A column's width; 0 for one that is left out.
  std::vector<size_t> widths;
  for (size_t column = 0; column < rows.front().size(); ++column) {
    bool isEmpty = llvm::all_of(llvm::drop_begin(rows), [&](const auto &row) {
      return row[column] == "-";
    });
    size_t width = 0;
    if (!isEmpty || !llvm::is_contained(optional, rows.front()[column]))
      for (const auto &row : rows)
        width = std::max(width, row[column].size());
    widths.push_back(width);
  }
  for (const auto &row : rows) {
    std::string line;
    for (auto [cell, width] : llvm::zip_equal(row, widths))
      if (width > 0)
        line += "  " + cell + std::string(width - cell.size(), ' ');
    os << StringRef(line).rtrim() << '\n';
  }
}
