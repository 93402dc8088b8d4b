// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace kanor::rt {
namespace {

/// The number of characters that must be inserted, removed or replaced to make one word of the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

std::optional<std::size_t> parse_bytes(std::string_view text) {
  int shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K':
        shift = 10;
        break;
      case 'm':
      case 'M':
        shift = 20;
        break;
      case 'g':
      case 'G':
        shift = 30;
        break;
      case 't':
      case 'T':
        shift = 40;
        break;
      default:
        break;
    }
    if (shift) text.remove_suffix(1);
  }
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value > (std::numeric_limits<std::int64_t>::max() >> shift))
    return std::nullopt;
  return static_cast<std::size_t>(*value) << shift;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  const auto found = std::min_element(
      known.begin(), known.end(),
      [&](std::string_view a, std::string_view b) { return distance(word, a) < distance(word, b); });
  if (found == known.end()) return {};
  const bool is_near = distance(word, *found) <= std::max<std::size_t>(1, found->size() / 3);
  return is_near ? *found : std::string_view();
}

Line& Line::text(std::string_view piece) {
  const std::size_t count = std::min(piece.size(), capacity - length_);
  for (std::size_t i = 0; i < count; ++i)
    data_[length_++] = piece[i] == '\n' || piece[i] == '\r' ? ' ' : piece[i];
  return *this;
}

Line& Line::number(std::int64_t value) {
  char digits[20];
  std::size_t used = 0;
  std::uint64_t rest = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  do {
    digits[used++] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0) text("-");
  while (used) text({&digits[--used], 1});
  return *this;
}

void Line::write_to(int descriptor) {
  const int saved_errno = errno;
  data_[length_] = '\n';
  const char* from = data_;
  std::size_t left = length_ + 1;
  while (left) {
    const ssize_t written = ::write(descriptor, from, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    from += written;
    left -= static_cast<std::size_t>(written);
  }
  errno = saved_errno;
}

}  // namespace kanor::rt
