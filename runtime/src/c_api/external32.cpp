// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/external32.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <cstring>

#include "c_api/predefined_types.hpp"

namespace kanor::rt::c_api {
namespace {

static_assert(std::endian::native == std::endian::little, "bytes are reversed");

/// The bytes of a long double in "external32": IEEE's 128 bits, big endian.
constexpr std::size_t quad_bytes = 16;

/// The halves of a floating-point number of 128 bits: the sign, 15 bits of exponent, and 112 of fraction.
struct Quad {
  std::uint64_t high, low;
};

#if LDBL_MANT_DIG == 64
// An x87 number: the same exponent, and 64 bits of significand, of which the first is written out.
constexpr int fraction_shift = 48;
constexpr std::uint64_t leading_bit = std::uint64_t{1} << 63;

Quad quad_of(const std::byte* number) {
  std::uint64_t significand = 0;
  std::uint16_t head = 0;
  std::memcpy(&significand, number, sizeof significand);
  std::memcpy(&head, number + sizeof significand, sizeof head);
  const std::uint64_t fraction = significand & ~leading_bit;
  return {std::uint64_t{head} << fraction_shift | fraction >> 15, fraction << 49};
}

/// What does not fit is cut off.
void put_quad(std::byte* number, const Quad& quad) {
  const auto head = static_cast<std::uint16_t>(quad.high >> fraction_shift);
  constexpr std::uint64_t high_fraction = (std::uint64_t{1} << fraction_shift) - 1;
  const bool is_normal = (head & 0x7fff) != 0;
  const std::uint64_t significand =
      (quad.high & high_fraction) << 15 | quad.low >> 49 | (is_normal ? leading_bit : 0);
  std::memset(number, 0, sizeof(long double));
  std::memcpy(number, &significand, sizeof significand);
  std::memcpy(number + sizeof significand, &head, sizeof head);
}
#else
static_assert(LDBL_MANT_DIG == 113);
Quad quad_of(const std::byte* number) {
  Quad quad{};
  std::memcpy(&quad.low, number, sizeof quad.low);
  std::memcpy(&quad.high, number + sizeof quad.low, sizeof quad.high);
  return quad;
}

void put_quad(std::byte* number, const Quad& quad) {
  std::memcpy(number, &quad.low, sizeof quad.low);
  std::memcpy(number + sizeof quad.low, &quad.high, sizeof quad.high);
}
#endif

/// Numbers of one kind, and their lengths here and there.
struct Numbers {
  Basic basic;
  std::size_t bytes, external_bytes, count;

  bool are_long_double() const {
    return (basic == Basic::real || basic == Basic::complex) && external_bytes == quad_bytes;
  }
};

Numbers numbers_of(unsigned char kind, std::size_t count) {
  const PredefinedType& type = *find_predefined(unsigned{kind});
  if (type.basic == Basic::complex)
    return {type.basic, std::size_t{type.bytes} / 2, type.external_bytes, 2 * count};
  return {type.basic, type.bytes, type.external_bytes, count};
}

/// Copies an integer with its lowest byte first to one with its highest byte first, or the other way round;
/// what is longer is filled with the sign.
void to_big_endian(std::byte* to, std::size_t to_bytes, const std::byte* from, const Numbers& of) {
  const bool is_negative =
      of.basic == Basic::integer && (from[of.bytes - 1] & std::byte{0x80}) != std::byte{};
  for (std::size_t i = 0; i < to_bytes; ++i)
    to[to_bytes - 1 - i] = i < of.bytes ? from[i] : is_negative ? std::byte{0xff} : std::byte{};
}

void from_big_endian(std::byte* to, const std::byte* from, const Numbers& of) {
  const bool is_negative = of.basic == Basic::integer && (from[0] & std::byte{0x80}) != std::byte{};
  for (std::size_t i = 0; i < of.bytes; ++i)
    to[i] = i < of.external_bytes ? from[of.external_bytes - 1 - i]
            : is_negative         ? std::byte{0xff}
                                  : std::byte{};
}

void convert_out(std::byte*& to, const std::byte*& from, const Numbers& of) {
  for (std::size_t i = 0; i < of.count; ++i, from += of.bytes, to += of.external_bytes) {
    if (!of.are_long_double()) {
      to_big_endian(to, of.external_bytes, from, of);
      continue;
    }
    const Quad quad = quad_of(from);
    for (std::size_t byte = 0; byte < 8; ++byte) {
      to[byte] = static_cast<std::byte>(quad.high >> (56 - 8 * byte));
      to[8 + byte] = static_cast<std::byte>(quad.low >> (56 - 8 * byte));
    }
  }
}

void convert_in(std::byte*& to, const std::byte*& from, const Numbers& of) {
  for (std::size_t i = 0; i < of.count; ++i, to += of.bytes, from += of.external_bytes) {
    if (!of.are_long_double()) {
      from_big_endian(to, from, of);
      continue;
    }
    Quad quad{};
    for (std::size_t byte = 0; byte < 8; ++byte) {
      quad.high = quad.high << 8 | static_cast<std::uint64_t>(from[byte]);
      quad.low = quad.low << 8 | static_cast<std::uint64_t>(from[8 + byte]);
    }
    put_quad(to, quad);
  }
}

}  // namespace

std::size_t external_bytes(const Signature& signature) {
  std::size_t bytes = 0;
  auto add = [&](unsigned char kind, std::size_t, std::size_t count) {
    const Numbers numbers = numbers_of(kind, count);
    bytes += numbers.external_bytes * numbers.count;
  };
  signature.for_each(add);
  return bytes;
}

void to_external(std::byte* to, const std::byte* from, const Signature& signature, std::size_t count) {
  auto convert = [&](unsigned char kind, std::size_t, std::size_t numbers) {
    convert_out(to, from, numbers_of(kind, numbers));
  };
  for (std::size_t i = 0; i < count; ++i) signature.for_each(convert);
}

void from_external(std::byte* to, const std::byte* from, const Signature& signature, std::size_t count) {
  auto convert = [&](unsigned char kind, std::size_t, std::size_t numbers) {
    convert_in(to, from, numbers_of(kind, numbers));
  };
  for (std::size_t i = 0; i < count; ++i) signature.for_each(convert);
}

}  // namespace kanor::rt::c_api
