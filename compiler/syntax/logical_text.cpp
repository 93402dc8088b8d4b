// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/logical_text.hpp"

#include <algorithm>
#include <cstddef>

namespace kanor::syntax {
namespace {

/// Length of the splice at `at`, 0 if there is none. Blanks before the line end count, as in g++ and Clang.
std::size_t splice_length(std::string_view bytes, std::size_t at) {
  if (bytes[at] != '\\') return 0;
  const auto end = bytes.find_first_not_of(" \t\v\f\r", at + 1);
  return end != std::string_view::npos && bytes[end] == '\n' ? end + 1 - at : 0;
}

}  // namespace

LogicalText::LogicalText(std::string_view bytes) : bytes_(bytes), text_(bytes) {
  std::size_t copied = 0;
  for (auto at = bytes.find('\\'); at != std::string_view::npos; at = bytes.find('\\', at)) {
    const auto length = splice_length(bytes, at);
    if (length == 0) {
      ++at;
      continue;
    }
    joined_.append(bytes, copied, at - copied);
    at += length;
    copied = at;
    const auto logical = static_cast<std::uint32_t>(joined_.size());
    splices_.push_back({logical, static_cast<std::uint32_t>(at) - logical});
  }
  if (splices_.empty()) return;
  joined_.append(bytes, copied);
  text_ = joined_;
}

std::uint32_t LogicalText::original(std::uint32_t logical) const {
  const auto next =
      std::upper_bound(splices_.begin(), splices_.end(), logical,
                       [](std::uint32_t offset, const Splice& s) { return offset < s.logical; });
  return next == splices_.begin() ? logical : logical + std::prev(next)->removed;
}

text::Span LogicalText::original(text::Span logical) const {
  const auto begin = original(logical.begin);
  return {begin, logical.empty() ? begin : original(logical.end - 1) + 1};
}

std::uint32_t LogicalText::logical(std::uint32_t original) const {
  const auto next =
      std::upper_bound(splices_.begin(), splices_.end(), original,
                       [](std::uint32_t offset, const Splice& s) { return offset < s.logical + s.removed; });
  const auto shifted = next == splices_.begin() ? original : original - std::prev(next)->removed;
  // An offset within a splice stands for the character after it.
  return next == splices_.end() ? std::min(shifted, size()) : std::min(shifted, next->logical);
}

RawStringEnd raw_string_end(const LogicalText& text, std::uint32_t quote) {
  const auto bytes = text.original_bytes();
  const std::size_t begin = text.original(quote) + 1;
  constexpr std::size_t longest_delimiter = 16;
  const auto stop = bytes.find_first_of("( )\\\t\v\f\r\n\"", begin);
  if (stop == std::string_view::npos || bytes[stop] != '(' || stop - begin > longest_delimiter)
    return {quote + 1, false};
  std::string closing = ")";
  closing.append(bytes, begin, stop - begin).append("\"");
  const auto end = bytes.find(closing, stop + 1);
  if (end == std::string_view::npos) return {text.size(), false};
  return {text.logical(static_cast<std::uint32_t>(end + closing.size())), true};
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

bool is_identifier_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || is_digit(byte) || byte == '_' ||
         byte == '$' || static_cast<unsigned char>(byte) >= 0x80;
}

}  // namespace kanor::syntax
