//===- Libdevice.cpp - CUDA's mathematical functions ----------------------===//

#include "Instrument.h"

#include <cmath>

using namespace mlir::norm::emulator;

namespace {
template <typename T>
using Unary = T (*)(T);
template <typename T>
using Binary = T (*)(T, T);
template <typename T>
using Ternary = T (*)(T, T, T);
} // namespace

/// `name` is that of the double's function, which a float's extends by "f".
template <typename T>
static void *findFunction(llvm::StringRef name) {
  auto unary = [](Unary<T> function) {
    return reinterpret_cast<void *>(function);
  };
  auto binary = [](Binary<T> function) {
    return reinterpret_cast<void *>(function);
  };
  auto ternary = [](Ternary<T> function) {
    return reinterpret_cast<void *>(function);
  };
  static const llvm::StringMap<void *> functions = {
      {"acos", unary([](T x) { return std::acos(x); })},
      {"acosh", unary([](T x) { return std::acosh(x); })},
      {"asin", unary([](T x) { return std::asin(x); })},
      {"asinh", unary([](T x) { return std::asinh(x); })},
      {"atan", unary([](T x) { return std::atan(x); })},
      {"atan2", binary([](T x, T y) { return std::atan2(x, y); })},
      {"atanh", unary([](T x) { return std::atanh(x); })},
      {"cbrt", unary([](T x) { return std::cbrt(x); })},
      {"ceil", unary([](T x) { return std::ceil(x); })},
      {"copysign", binary([](T x, T y) { return std::copysign(x, y); })},
      {"cos", unary([](T x) { return std::cos(x); })},
      {"cosh", unary([](T x) { return std::cosh(x); })},
      {"erf", unary([](T x) { return std::erf(x); })},
      {"erfc", unary([](T x) { return std::erfc(x); })},
      {"exp", unary([](T x) { return std::exp(x); })},
      {"exp10", unary([](T x) { return std::pow(T(10), x); })},
      {"exp2", unary([](T x) { return std::exp2(x); })},
      {"expm1", unary([](T x) { return std::expm1(x); })},
      {"fabs", unary([](T x) { return std::fabs(x); })},
      {"floor", unary([](T x) { return std::floor(x); })},
      {"fma", ternary([](T x, T y, T z) { return std::fma(x, y, z); })},
      {"fmax", binary([](T x, T y) { return std::fmax(x, y); })},
      {"fmin", binary([](T x, T y) { return std::fmin(x, y); })},
      {"fmod", binary([](T x, T y) { return std::fmod(x, y); })},
      {"log", unary([](T x) { return std::log(x); })},
      {"log10", unary([](T x) { return std::log10(x); })},
      {"log1p", unary([](T x) { return std::log1p(x); })},
      {"log2", unary([](T x) { return std::log2(x); })},
      {"pow", binary([](T x, T y) { return std::pow(x, y); })},
      {"rint", unary([](T x) { return std::rint(x); })},
      {"round", unary([](T x) { return std::round(x); })},
      {"rsqrt", unary([](T x) {
         return static_cast<T>(1 / std::sqrt(static_cast<double>(x)));
       })},
      {"sin", unary([](T x) { return std::sin(x); })},
      {"sinh", unary([](T x) { return std::sinh(x); })},
      {"sqrt", unary([](T x) { return std::sqrt(x); })},
      {"tan", unary([](T x) { return std::tan(x); })},
      {"tanh", unary([](T x) { return std::tanh(x); })},
      {"trunc", unary([](T x) { return std::trunc(x); })},
  };
  return functions.lookup(name);
}

void *mlir::norm::emulator::findLibdeviceFunction(llvm::StringRef name) {
  if (!name.consume_front("__nv_"))
    return nullptr;
  if (void *function = findFunction<double>(name))
    return function;
  if (!name.consume_back("f"))
    return nullptr;
  // The fast variants are approximations of the same.
  name.consume_front("fast_");
  return findFunction<float>(name);
}
