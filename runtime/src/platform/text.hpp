// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and names that users write, and lines written where almost nothing is allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kanor::rt {

/// A whole decimal number, nothing else around it; nothing if it is not one or does not fit.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// A number of bytes: a whole number, with an optional suffix K, M, G or T (powers of 1024, either case).
std::optional<std::size_t> parse_bytes(std::string_view text);

/// The known word nearest to this one, which misspells it; empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// One line of text in a fixed buffer. Every function is async-signal-safe and allocates nothing; what does
/// not fit is cut off. Line ends inside are replaced by spaces, so that a line stays one.
class Line {
 public:
  Line& text(std::string_view piece);
  Line& number(std::int64_t value);
  std::string_view view() const { return {data_, length_}; }
  /// Writes the line and a line end to a file descriptor with one call of write(2), so that lines of several
  /// threads and processes do not mix.
  void write_to(int descriptor);

 private:
  static constexpr std::size_t capacity = 1000;
  char data_[capacity + 1];
  std::size_t length_ = 0;
};

}  // namespace kanor::rt
