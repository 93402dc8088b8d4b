// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/overlap.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <limits>
#include <string_view>

namespace kanor::sema {
namespace {

/// Returns true if the type, by its spelling, has its elements as parts of itself.
bool owns_elements(std::string_view type) {
  const auto is = [&](std::string_view name) { return type.starts_with(name); };
  return type.ends_with(']') || is("std::vector<") || is("std::array<") || is("std::string");
}

std::optional<std::int64_t> literal(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  // A leading zero makes it another base's.
  return text.size() > 1 && text.front() == '0' ? std::nullopt : std::optional(value);
}

/// Splits `table[i][3]` into its variable and subscripts. Text that goes on behind a subscript makes it all
/// one variable.
void split(const std::string& text, PlaceShape& shape) {
  shape.root = text;
  std::vector<Subscript> subscripts;
  std::size_t at = text.find('[');
  const std::size_t root_end = at;
  while (at < text.size()) {
    if (text[at] != '[') return;
    std::size_t end = at + 1;
    for (int depth = 1; end < text.size() && depth > 0; ++end)
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
    Subscript subscript;
    subscript.text = text.substr(at, end - at);
    subscript.first = literal(std::string_view(text).substr(at + 1, end - at - 2));
    subscript.count = subscript.stride = 1;
    subscripts.push_back(std::move(subscript));
    at = end;
  }
  if (root_end == 0 || root_end == std::string::npos) return;
  shape.root = text.substr(0, root_end);
  shape.subscripts = std::move(subscripts);
}

std::optional<std::int64_t> constant(const std::optional<SectionPartFacts>& part) {
  return part ? part->constant : std::nullopt;
}

std::int64_t last(const Subscript& s) {
  std::int64_t distance = 0, sum = 0;
  if (__builtin_mul_overflow(*s.count - 1, *s.stride, &distance) ||
      __builtin_add_overflow(*s.first, distance, &sum))
    return std::numeric_limits<std::int64_t>::max();
  return sum;
}

bool is_known(const Subscript& s) { return s.first && s.count && s.stride && *s.count > 0 && *s.stride > 0; }

/// Returns true if the longer progression has one of the first 4096 elements of the shorter one.
bool meet(const Subscript& a, const Subscript& b) {
  constexpr std::int64_t most_looked_at = 4096;
  const Subscript& few = *a.count <= *b.count ? a : b;
  const Subscript& many = *a.count <= *b.count ? b : a;
  const std::int64_t end = last(many);
  for (std::int64_t i = 0; i < std::min(*few.count, most_looked_at); ++i) {
    std::int64_t distance = 0, element = 0;
    if (__builtin_mul_overflow(i, *few.stride, &distance) ||
        __builtin_add_overflow(*few.first, distance, &element))
      return false;
    if (element >= *many.first && element <= end && (element - *many.first) % *many.stride == 0) return true;
  }
  return false;
}

bool meet_surely(const Subscript& a, const Subscript& b) {
  const auto is_empty = [](const Subscript& s) { return !s.whole && s.count && *s.count < 1; };
  if (is_empty(a) || is_empty(b)) return false;
  if (a.text == b.text) return true;
  if (a.whole || b.whole) {
    const Subscript& other = a.whole ? b : a;
    return !other.whole && other.count && *other.count > 0;
  }
  return is_known(a) && is_known(b) && meet(a, b);
}

}  // namespace

bool may_vary(std::string_view text) {
  // The size of the world is what it is.
  constexpr std::string_view size = "world.size()";
  std::string code(text);
  for (auto at = code.find(size); at != code.npos; at = code.find(size, at))
    code.replace(at, size.size(), "n");
  if (code.find_first_of("\"'=@\\{") != code.npos || code.find("++") != code.npos ||
      code.find("--") != code.npos)
    return true;
  // A parenthesis behind an operator, or at the beginning, only groups.
  char before = '+';
  for (const char c : code) {
    if (c == '(' && (std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_' ||
                     before == ')' || before == ']' || before == '>'))
      return true;
    if (std::isspace(static_cast<unsigned char>(c)) == 0) before = c;
  }
  return false;
}

std::string without_blanks(std::string_view code) {
  std::string text;
  std::copy_if(code.begin(), code.end(), std::back_inserter(text),
               [](unsigned char c) { return std::isspace(c) == 0; });
  return text;
}

std::optional<PlaceShape> shape_of(const text::Source& source, const syntax::Operand& place,
                                   const StatementFacts& facts) {
  if (may_vary(source.text(place.span))) return std::nullopt;
  if (place.is_section() && place.dimensions.back().indices) return std::nullopt;
  PlaceShape shape;
  split(without_blanks(source.text(place.base)), shape);
  shape.owns_elements = owns_elements(facts.place.type);
  if (!facts.place.section) return shape;
  const std::size_t written = std::min(place.dimensions.size(), facts.place.section->dimensions.size());
  for (std::size_t at = 0; at < written; ++at) {
    const DimensionFacts& found = facts.place.section->dimensions[at];
    const syntax::Dimension& dimension = place.dimensions[at];
    Subscript subscript;
    subscript.text = without_blanks(source.text(dimension.span));
    subscript.whole = dimension.whole;
    subscript.first = constant(found.first);
    subscript.count = constant(found.count);
    subscript.stride = dimension.stride ? constant(found.stride) : std::optional<std::int64_t>(1);
    shape.subscripts.push_back(std::move(subscript));
  }
  return shape;
}

bool surely_overlap(const PlaceShape& a, const PlaceShape& b) {
  if (a.root != b.root) return false;
  const std::size_t common = std::min(a.subscripts.size(), b.subscripts.size());
  for (std::size_t at = 0; at < common; ++at)
    if (!meet_surely(a.subscripts[at], b.subscripts[at])) return false;
  if (a.subscripts.size() == b.subscripts.size()) return true;
  return a.subscripts.size() < b.subscripts.size() ? a.owns_elements : b.owns_elements;
}

}  // namespace kanor::sema
