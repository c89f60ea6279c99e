//===- Growth.h - The growth model in Python --------------------*- C++ -*-===//

#ifndef RENORM_PYTHON_GROWTH_H
#define RENORM_PYTHON_GROWTH_H

#include <nanobind/nanobind.h>

namespace renorm::python {

void bindGrowth(nanobind::module_ &module);

} // namespace renorm::python

#endif // RENORM_PYTHON_GROWTH_H
