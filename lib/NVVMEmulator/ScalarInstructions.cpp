//===- ScalarInstructions.cpp - Arithmetic of one thread ------------------===//
//
// Approximate instructions give the rounded exact result.
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"
#include "llvm/ADT/StringSwitch.h"

#include <cfenv>
#include <cmath>
#include <cstring>

using namespace mlir::norm::emulator;

//===----------------------------------------------------------------------===//
// Number formats
//===----------------------------------------------------------------------===//

float mlir::norm::emulator::fromBF16(uint16_t bits) {
  return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

uint16_t mlir::norm::emulator::toBF16(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return 0x7FFF;
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

float mlir::norm::emulator::fromF16(uint16_t bits) {
  // The fields of a float, whose exponent counts from 127 and not from 15.
  auto magnitude =
      llvm::bit_cast<float>(static_cast<uint32_t>(bits & 0x7FFF) << 13);
  magnitude *= 0x1p112f;
  if ((bits & 0x7C00) == 0x7C00)
    magnitude = bits & 0x3FF ? NAN : INFINITY;
  return bits >> 15 ? -magnitude : magnitude;
}

uint16_t mlir::norm::emulator::toF16(float value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return 0x7FFF;
  float magnitude = std::fabs(value);
  if (magnitude >= 65520.0f)
    return sign | 0x7C00;
  int exponent;
  std::frexp(magnitude, &exponent);
  // The place of the last bit; numbers below 2^-14 are subnormal.
  int last = std::max(exponent - 11, -24);
  auto units =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -last)));
  // A mantissa that rounds up to 2048 carries into the exponent.
  return sign | static_cast<uint16_t>((static_cast<uint32_t>(last + 24) << 10) +
                                      units);
}

//===----------------------------------------------------------------------===//
// Floating-point instructions
//===----------------------------------------------------------------------===//

/// The modifiers in the name of an instruction, "fma.rn.ftz.sat.f".
namespace {
struct FloatName {
  std::string operation;
  bool flushes = false, saturates = false, isDouble = false;
  int rounding = FE_TONEAREST;
};
} // namespace

static std::optional<FloatName> parseFloatName(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> parts;
  name.split(parts, '.');
  FloatName result;
  llvm::StringRef type = parts.pop_back_val();
  if (type == "d" || type == "f64")
    result.isDouble = true;
  else if (type != "f" && type != "f32")
    return std::nullopt;
  for (llvm::StringRef part : parts) {
    if (part == "ftz")
      result.flushes = true;
    else if (part == "sat")
      result.saturates = true;
    else if (part == "rz")
      result.rounding = FE_TOWARDZERO;
    else if (part == "rm")
      result.rounding = FE_DOWNWARD;
    else if (part == "rp")
      result.rounding = FE_UPWARD;
    else if (part != "rn")
      result.operation += (result.operation.empty() ? "" : ".") + part.str();
  }
  return result;
}

template <typename T>
using Function1 = T (*)(T);
template <typename T>
using Function2 = T (*)(T, T);

template <typename T>
static Function1<T> findUnary(llvm::StringRef operation) {
  return llvm::StringSwitch<Function1<T>>(operation)
      .Case("ex2.approx", [](T x) { return std::exp2(x); })
      .Case("lg2.approx", [](T x) { return std::log2(x); })
      .Cases({"rcp", "rcp.approx"}, [](T x) { return 1 / x; })
      .Case("rsqrt.approx",
            [](T x) { return static_cast<T>(1 / std::sqrt(double(x))); })
      .Cases({"sqrt", "sqrt.approx"}, [](T x) { return std::sqrt(x); })
      .Case("sin.approx", [](T x) { return std::sin(x); })
      .Case("cos.approx", [](T x) { return std::cos(x); })
      .Case("tanh.approx", [](T x) { return std::tanh(x); })
      .Cases({"fabs", "abs"}, [](T x) { return std::fabs(x); })
      // A NaN becomes 0.
      .Case("saturate", [](T x) { return x > 0 ? std::min(x, T(1)) : T(0); })
      .Default(nullptr);
}

template <typename T>
static Function2<T> findBinary(llvm::StringRef operation) {
  return llvm::StringSwitch<Function2<T>>(operation)
      .Case("add", [](T x, T y) { return x + y; })
      .Case("mul", [](T x, T y) { return x * y; })
      .Cases({"div", "div.approx", "div.full"}, [](T x, T y) { return x / y; })
      .Cases({"fmax", "max"}, [](T x, T y) { return std::fmax(x, y); })
      .Cases({"fmin", "min"}, [](T x, T y) { return std::fmin(x, y); })
      .Cases(
          {"fmax.nan", "max.NaN"},
          [](T x, T y) { return std::isnan(x + y) ? T(NAN) : std::fmax(x, y); })
      .Cases(
          {"fmin.nan", "min.NaN"},
          [](T x, T y) { return std::isnan(x + y) ? T(NAN) : std::fmin(x, y); })
      .Default(nullptr);
}

template <typename T>
static T load(uint64_t bits);
template <>
float load<float>(uint64_t bits) {
  return asFloat(bits);
}
template <>
double load<double>(uint64_t bits) {
  return asDouble(bits);
}

template <typename T>
static T flush(T value, bool flushes) {
  return flushes && std::fpclassify(value) == FP_SUBNORMAL
             ? std::copysign(T(0), value)
             : value;
}

/// `compute` takes the operands, flushed and rounded as the name says.
template <typename T, typename Compute>
static Instruction floating(const FloatName &name, unsigned operands,
                            Compute compute) {
  return Instruction::thread(
      [name, operands, compute](Block &, Thread &, const uint64_t *arguments,
                                uint64_t *results) {
        T values[3] = {};
        for (unsigned i = 0; i < operands; ++i)
          values[i] = flush(load<T>(arguments[i]), name.flushes);
        int before = std::fegetround();
        if (name.rounding != before)
          std::fesetround(name.rounding);
        volatile T result = compute(values);
        if (name.rounding != before)
          std::fesetround(before);
        T value = flush<T>(result, name.flushes);
        if (name.saturates)
          value = value > 0 ? std::min(value, T(1)) : T(0);
        results[0] = asBits(value);
      });
}

template <typename T>
static std::optional<Instruction> findFloating(const FloatName &name) {
  // What a host's function rounds otherwise than to the nearest is not defined.
  bool isNearest = name.rounding == FE_TONEAREST;
  if (auto *function = findUnary<T>(name.operation))
    if (isNearest || name.operation == "rcp" || name.operation == "sqrt")
      return floating<T>(name, 1, [function](T *v) { return function(v[0]); });
  if (auto *function = findBinary<T>(name.operation))
    return floating<T>(name, 2,
                       [function](T *v) { return function(v[0], v[1]); });
  if (name.operation == "fma" && isNearest)
    return floating<T>(name, 3,
                       [](T *v) { return std::fma(v[0], v[1], v[2]); });
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Conversions and integers
//===----------------------------------------------------------------------===//

template <typename Compute>
static Instruction integer(Compute compute) {
  return Instruction::thread(
      [compute](Block &, Thread &, const uint64_t *arguments,
                uint64_t *results) { results[0] = compute(arguments); });
}

static uint64_t permuteBytes(const uint64_t *arguments) {
  uint64_t bytes = (arguments[0] & 0xFFFFFFFF) | arguments[1] << 32;
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned selector = arguments[2] >> 4 * i & 15;
    uint64_t byte = bytes >> 8 * (selector & 7) & 0xFF;
    // The high bit of a selector replicates the sign.
    if (selector & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << 8 * i;
  }
  return result;
}

static std::optional<Instruction> findConversion(llvm::StringRef name) {
  // The first operand goes into the high half.
  if (name == "ff2bf16x2.rn" || name == "cvt.rn.bf16x2.f32")
    return integer([](const uint64_t *a) {
      return uint64_t(toBF16(asFloat(a[0]))) << 16 | toBF16(asFloat(a[1]));
    });
  if (name == "ff2f16x2.rn" || name == "cvt.rn.f16x2.f32")
    return integer([](const uint64_t *a) {
      return uint64_t(toF16(asFloat(a[0]))) << 16 | toF16(asFloat(a[1]));
    });
  if (name == "f2bf16.rn" || name == "cvt.rn.bf16.f32")
    return integer(
        [](const uint64_t *a) { return uint64_t(toBF16(asFloat(a[0]))); });
  // Rounded to 10 bits of mantissa, ties away from zero.
  if (name == "f2tf32.rna" || name == "cvt.rna.tf32.f32")
    return integer([](const uint64_t *a) -> uint64_t {
      auto bits = static_cast<uint32_t>(a[0]);
      bool isFinite = (bits >> 23 & 0xFF) != 0xFF;
      return (isFinite ? bits + 0x1000 : bits) & 0xFFFFE000;
    });
  return std::nullopt;
}

static std::optional<Instruction> findInteger(llvm::StringRef name) {
  if (name == "prmt")
    return integer(permuteBytes);
  if (name == "mulhi.i")
    return integer([](const uint64_t *a) {
      return static_cast<uint64_t>(static_cast<uint32_t>(
          (int64_t(int32_t(a[0])) * int32_t(a[1])) >> 32));
    });
  if (name == "mulhi.ui")
    return integer(
        [](const uint64_t *a) { return (a[0] & 0xFFFFFFFF) * a[1] >> 32; });
  return std::nullopt;
}

std::optional<Instruction>
mlir::norm::emulator::findScalarInstruction(llvm::StringRef name) {
  if (auto found = findConversion(name))
    return found;
  if (auto found = findInteger(name))
    return found;
  std::optional<FloatName> parsed = parseFloatName(name);
  if (!parsed)
    return std::nullopt;
  return parsed->isDouble ? findFloating<double>(*parsed)
                          : findFloating<float>(*parsed);
}
