//===- ReportText.h - Numbers and tables as text ----------------*- C++ -*-===//

#ifndef RENORM_LIB_ANALYSIS_REPORTTEXT_H
#define RENORM_LIB_ANALYSIS_REPORTTEXT_H

#include "mlir/IR/Location.h"
#include <string>
#include <vector>

namespace mlir::norm {

/// The shortest decimal that reads back as `value`, which is finite.
std::string shortestDecimal(double value);

/// The same of a number that a person wrote: of the `float` that `value` is, if
/// it is one (1e-06 and not 9.999999974752427e-07).
std::string shortestFloatDecimal(double value);

/// Six significant digits of `value`, for a person.
std::string shortDecimal(double value);

/// "file:line:column", or empty.
std::string describeLocation(Location loc);

/// A table of text with aligned columns.
class TextTable {
public:
  /// Columns named in `optional` are left out if every cell is "-".
  TextTable(std::vector<std::string> header, std::vector<std::string> optional)
      : optional(std::move(optional)), rows({std::move(header)}) {}

  /// Adds a row of as many cells as the header has.
  void addRow(std::vector<std::string> row) { rows.push_back(std::move(row)); }

  void print(raw_ostream &os) const;

private:
  std::vector<std::string> optional;
  std::vector<std::vector<std::string>> rows;
};

} // namespace mlir::norm

#endif // RENORM_LIB_ANALYSIS_REPORTTEXT_H
