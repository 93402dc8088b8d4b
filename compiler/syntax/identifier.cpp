// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/identifier.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace kanor::syntax {
namespace {

void append_utf8(std::uint32_t character, std::string& out) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((character >> shift) & 0x3F)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xC0 | (character >> 6));
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xE0 | (character >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (character >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Reads one universal-character name at the backslash; returns its length, 0 if it is kept as it is spelled.
std::size_t append_universal(std::string_view at, std::string& out) {
  std::size_t begin = 2, digits = at[1] == 'U' ? 8 : 4, end = begin + digits;
  if (at.substr(1, 2) == "u{") {
    begin = 3;
    digits = at.find('}') - begin;
    end = begin + digits + 1;
  } else if (at[1] != 'u' && at[1] != 'U') {
    return 0;
  }
  std::uint32_t character = 0;
  const auto read = std::from_chars(at.data() + begin, at.data() + begin + digits, character, 16);
  constexpr std::uint32_t last_character = 0x10FFFF;
  if (read.ec != std::errc{} || character > last_character) return 0;
  append_utf8(character, out);
  return end;
}

}  // namespace

std::string identifier_name(std::string_view spelling) {
  std::string name;
  for (std::size_t at = 0; at < spelling.size();) {
    const std::size_t length = spelling[at] == '\\' ? append_universal(spelling.substr(at), name) : 0;
    if (length == 0) name += spelling[at];
    at += length == 0 ? 1 : length;
  }
  return name;
}

}  // namespace kanor::syntax
