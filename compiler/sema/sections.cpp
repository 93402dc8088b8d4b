// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/sections.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "sema/statement_errors.hpp"

namespace kanor::sema {
namespace {

using text::Kind;

class SectionChecker : StatementErrors {
 public:
  SectionChecker(const text::Source& source, const syntax::Operand& operand,
                 const Instantiation& instantiation, text::Diagnostics& diagnostics)
      : StatementErrors(source, diagnostics, instantiation), operand_(operand) {}

  bool check(const SectionFacts& facts) {
    const bool has_shape = !facts.dimensions.empty() && facts.dimensions.front().row == RowKind::shape;
    if (has_shape && facts.dimensions.size() != operand_.dimensions.size()) {
      other_rank(facts);
      return false;
    }
    bool holds = true;
    for (std::size_t at = 0; at < facts.dimensions.size(); ++at) {
      const DimensionFacts& found = facts.dimensions[at];
      const syntax::Dimension& dimension = operand_.dimensions[at];
      if (found.row == RowKind::none) {
        no_sections(at, found);
        return false;
      }
      if (dimension.whole) {
        holds &= whole(at, found);
        continue;
      }
      if (dimension.indices) {
        holds &= indices(at, found);
        continue;
      }
      const bool integers = part("first element", dimension.first, found.first) &
                            part("count", dimension.count, found.count) &
                            part("stride", dimension.stride, found.stride);
      if (integers) bounds(at, found);
    }
    return holds;
  }

 private:
  /// The text that a dimension is applied to: `A`, and for the second dimension of `A[0 : 2][:]` `A[0 : 2]`.
  std::string row_name(std::size_t dimension) const {
    return quoted(dimension == 0 ? operand_.base
                                 : Span{operand_.span.begin, operand_.dimensions[dimension - 1].span.end});
  }

  void no_sections(std::size_t at, const DimensionFacts& facts) {
    const std::string what =
        at == 0 ? row_name(at) + " has type '" : "the elements of " + row_name(at) + " have type '";
    const Span span = at == 0 ? operand_.base : operand_.dimensions[at].span;
    error(Kind::section_base, span, what + facts.row_type + "', which cannot have sections",
          facts.row_type.find("Eigen::") == std::string::npos
              ? "use an array, std::array, std::vector, std::span or pointer"
              : "include <kanor/adapt/eigen.hpp>, with which Eigen's objects in memory have sections");
  }

  /// Reports a section with another number of dimensions than its base: `grid[0 : 1]` where grid has three.
  void other_rank(const SectionFacts& facts) {
    const auto dimensions = [](std::size_t number) {
      return std::to_string(number) + (number == 1 ? " dimension" : " dimensions");
    };
    const std::size_t rank = facts.dimensions.size();
    error(Kind::section_base, operand_.span,
          row_name(0) + " has " + dimensions(rank) + ", and this section has " +
              dimensions(operand_.dimensions.size()),
          operand_.dimensions.size() < rank
              ? "write '[:]' for all of a dimension, and '[k : 1]' for one index of it"
              : "a section has one pair of brackets for each dimension of its base");
  }

  bool whole(std::size_t at, const DimensionFacts& facts) {
    if (facts.row != RowKind::pointer) return true;
    const std::string name = row_name(at);
    const Span span = operand_.dimensions[at].span;
    error(Kind::section_base, span,
          (at == 0 ? name + " is a pointer, which does"
                   : "the elements of " + name + " are pointers, which do") +
              " not say how many elements '[:]' are",
          "give the first element and a count, as in '" +
              std::string(source_.text({operand_.span.begin, span.begin})) + "[0 : n]'");
    return false;
  }

  /// Checks what lists the elements of the last dimension. An integer lists none: it was to be one index.
  bool indices(std::size_t at, const DimensionFacts& facts) {
    if (!facts.indices || facts.indices->is_integer) return true;
    const Span span = operand_.dimensions[at].indices->span;
    const std::string type = " has type '" + facts.indices_type + "'";
    if (facts.indices->is_range)
      error(Kind::section_not_integer, span,
            "the indices of a section must be integers, but those of " + quoted(span) + " have type '" +
                facts.indices->element_type + "'");
    else if (at > 0)
      error(Kind::section_not_integer, span,
            "the last dimension of a section is listed by a range of integers, but " + quoted(span) + type,
            "write '[i : 1]' for a single index of a dimension");
    else if (facts.is_one_index)
      error(Kind::not_yet_supported, span,
            quoted(span) +
                " is an index in one instantiation of the template, and a list of indices in "
                "another, which is not yet supported",
            "tell them apart with 'if constexpr', in two blocks");
    else
      error(Kind::section_not_integer, span,
            quoted(span) + type + ", which is neither an index of " + row_name(at) +
                " nor a range of integers that lists its elements");
    return false;
  }

  bool part(const char* what, const std::optional<syntax::Expr>& part,
            const std::optional<SectionPartFacts>& facts) {
    if (!part || !facts || facts->is_integer) return true;
    error(Kind::section_not_integer, part->span,
          std::string("the ") + what + " of a section must be an integer, but " + quoted(part->span) +
              " has type '" + facts->type + "'");
    return false;
  }

  static std::optional<std::int64_t> constant(const std::optional<SectionPartFacts>& facts) {
    return facts ? facts->constant : std::nullopt;
  }

  void bounds(std::size_t at, const DimensionFacts& facts) {
    const syntax::Dimension& dimension = operand_.dimensions[at];
    const auto first = constant(facts.first), count = constant(facts.count);
    const auto stride = dimension.stride ? constant(facts.stride) : std::optional<std::int64_t>(1);
    if (count && *count < 0)
      return error(Kind::section_bounds, dimension.count->span,
                   "the count of a section cannot be negative, but this one is " + std::to_string(*count));
    if (stride && *stride < 1)
      return error(Kind::section_bounds, dimension.stride->span,
                   "the stride of a section must be at least 1, but this one is " + std::to_string(*stride),
                   *stride < 0 ? "a section runs upwards from its first element" : "");
    if (!count || *count == 0) return;
    if (first && *first < 0 && facts.row != RowKind::pointer)
      return error(Kind::section_bounds, dimension.first->span,
                   "the section begins at element " + std::to_string(*first) + ", before the first");
    if (!facts.length || !stride) return;
    const auto last = last_element(first.value_or(0), *count, *stride);
    if (last < *facts.length) return;
    const std::string has =
        (at == 0 ? row_name(at) + " has " : "the elements of " + row_name(at) + " have ") +
        std::to_string(*facts.length) + (*facts.length == 1 ? " element" : " elements");
    error(Kind::section_bounds, dimension.span,
          first ? "the section reaches element " + std::to_string(last) + ", but " + has + ", counted from 0"
                : "the section's elements span " + std::to_string(last + 1) + ", but " + has);
  }

  /// The index of the last element; the largest 64-bit number on overflow.
  static std::uint64_t last_element(std::int64_t first, std::int64_t count, std::int64_t stride) {
    std::int64_t distance = 0, last = 0;
    if (__builtin_mul_overflow(count - 1, stride, &distance) ||
        __builtin_add_overflow(first, distance, &last))
      last = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::uint64_t>(last);
  }

  const syntax::Operand& operand_;
};

}  // namespace

bool check_section(const text::Source& source, const syntax::Operand& operand, const SectionFacts& facts,
                   const Instantiation& instantiation, text::Diagnostics& diagnostics) {
  return SectionChecker(source, operand, instantiation, diagnostics).check(facts);
}

}  // namespace kanor::sema
