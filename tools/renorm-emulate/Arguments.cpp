//===- Arguments.cpp - Arguments of a kernel from the command line --------===//

#include "Arguments.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace mlir::norm::emulator;

const Argument::Type Argument::types[] = {
    {"i8", 1},  {"i16", 2},  {"i32", 4}, {"i64", 8},
    {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8},
};

/// Null for integers.
static const llvm::fltSemantics *getSemantics(llvm::StringRef type) {
  if (type == "f16")
    return &llvm::APFloat::IEEEhalf();
  if (type == "bf16")
    return &llvm::APFloat::BFloat();
  if (type == "f32")
    return &llvm::APFloat::IEEEsingle();
  if (type == "f64")
    return &llvm::APFloat::IEEEdouble();
  return nullptr;
}

/// Reads "4x8".
template <typename T>
static bool parseExtents(llvm::StringRef text,
                         llvm::SmallVectorImpl<T> &extents) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  for (llvm::StringRef part : parts) {
    T extent;
    if (part.getAsInteger(10, extent))
      return false;
    extents.push_back(extent);
  }
  return true;
}

llvm::Expected<Argument> Argument::parseMap(llvm::StringRef text) {
  auto [boxText, rest] = text.split(':');
  auto [swizzleText, arrayText] = rest.split(':');
  llvm::Expected<Argument> argument = parse(arrayText);
  if (!argument)
    return argument;
  if (!parseExtents(boxText, argument->box) || !argument->hasExtent ||
      swizzleText.getAsInteger(10, argument->swizzleBytes))
    return llvm::createStringError(
        "expected map:EXTENTS:SWIZZLE:ARRAY, but got 'map:" + text + "'");
  return argument;
}

llvm::Error Argument::encodeMap() {
  // The last dimension is the contiguous one, and a map's first.
  llvm::SmallVector<uint64_t> extents(llvm::reverse(this->extents)), strides;
  uint64_t stride = type->bytes;
  for (uint64_t extent : llvm::ArrayRef(extents).drop_back())
    strides.push_back(stride *= extent);
  llvm::SmallVector<uint32_t> reversed(llvm::reverse(box));
  auto encoded =
      encodeTensorMap(llvm::bit_cast<const void *>(word), type->bytes, extents,
                      strides, reversed, swizzleBytes);
  if (!encoded)
    return encoded.takeError();
  map = *encoded;
  return llvm::Error::success();
}

llvm::Expected<Argument> Argument::parse(llvm::StringRef text) {
  llvm::StringRef mapped = text;
  if (mapped.consume_front("map:"))
    return parseMap(mapped);
  auto fail = [&] {
    return llvm::createStringError(
        "expected TYPE:NUMBER, TYPE[EXTENTS], TYPE[EXTENTS]:NUMBER, "
        "TYPE[EXTENTS]:iota or TYPE[EXTENTS]@FILE, but got '" +
        text + "'");
  };
  Argument argument;
  size_t end = text.find_first_of("[:@");
  for (const Type &type : types)
    if (text.take_front(end) == type.name)
      argument.type = &type;
  if (!argument.type || end == llvm::StringRef::npos)
    return fail();
  llvm::StringRef rest = text.substr(end);
  if (rest.consume_front("[")) {
    argument.hasExtent = true;
    if (!rest.contains(']'))
      return fail();
    auto [extents, after] = rest.split(']');
    if (!parseExtents(extents, argument.extents))
      return fail();
    for (uint64_t extent : argument.extents)
      argument.count *= extent;
    rest = after;
  }
  argument.isFile = rest.consume_front("@");
  if (argument.isFile && !argument.hasExtent)
    return fail();
  if (!argument.isFile && !rest.consume_front(":") &&
      !(argument.hasExtent && rest.empty()))
    return fail();
  argument.contents = rest.str();
  if (!argument.hasExtent) {
    auto bits = argument.encode(rest);
    if (!bits)
      return bits.takeError();
    argument.word = *bits;
  }
  return argument;
}

llvm::Expected<uint64_t> Argument::encode(llvm::StringRef number) const {
  auto fail = [&] {
    return llvm::createStringError("expected a number of type " + type->name +
                                   ", but got '" + number + "'");
  };
  if (const llvm::fltSemantics *semantics = getSemantics(type->name)) {
    llvm::APFloat value(*semantics);
    auto status =
        value.convertFromString(number, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return fail();
    }
    return value.bitcastToAPInt().getZExtValue();
  }
  int64_t value;
  if (number.getAsInteger(0, value))
    return fail();
  return static_cast<uint64_t>(value);
}

std::string Argument::decode(uint64_t bits) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  unsigned width = 8 * type->bytes;
  llvm::APInt value(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (const llvm::fltSemantics *semantics = getSemantics(type->name)) {
    llvm::APFloat number(*semantics, value);
    bool loses;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &loses);
    os << llvm::format("%g", number.convertToDouble());
  } else {
    os << value.getSExtValue();
  }
  return text;
}

llvm::Error Argument::allocate(GlobalMemory &memory, llvm::StringRef name) {
  if (!hasExtent)
    return llvm::Error::success();
  uint64_t bytes = count * type->bytes;
  auto pointer = memory.allocate(bytes, name);
  if (!pointer)
    return pointer.takeError();
  word = reinterpret_cast<uint64_t>(*pointer);
  auto *target = static_cast<char *>(*pointer);
  if (isFile) {
    auto file = llvm::MemoryBuffer::getFile(contents, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    if (!file)
      return llvm::createStringError(file.getError(),
                                     "cannot read '" + contents + "'");
    if ((*file)->getBufferSize() != bytes)
      return llvm::createStringError("expected " + llvm::Twine(bytes) +
                                     " bytes in '" + contents + "', but got " +
                                     llvm::Twine((*file)->getBufferSize()));
    std::memcpy(target, (*file)->getBufferStart(), bytes);
  }
  for (uint64_t i = 0; !isFile && !contents.empty() && i < count; ++i) {
    auto bits = encode(contents == "iota" ? std::to_string(i) : contents);
    if (!bits)
      return bits.takeError();
    std::memcpy(target + i * type->bytes, &*bits, type->bytes);
  }
  return isMapped() ? encodeMap() : llvm::Error::success();
}

llvm::StringRef Argument::getBytes() const {
  return {reinterpret_cast<const char *>(word), count * type->bytes};
}

void Argument::print(llvm::raw_ostream &os) const {
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, getBytes().data() + i * type->bytes, type->bytes);
    os << (i ? " " : "") << decode(bits);
  }
  os << "\n";
}
