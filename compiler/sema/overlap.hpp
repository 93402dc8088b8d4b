// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sema/facts.hpp"
#include "syntax/ast.hpp"

namespace kanor::sema {

/// The elements that one subscript of a place selects; equal texts select the same ones.
struct Subscript {
  std::string text;  ///< without blanks
  bool whole = false;
  std::optional<std::int64_t> first, count, stride;  ///< where they are constants; an index has count 1
};

/// A place as a variable and subscripts. Whether two of them have storage in common is asked for one rank and
/// one state of the program, so that equal text means equal storage.
struct PlaceShape {
  std::string root;  ///< without blanks
  std::vector<Subscript> subscripts;
  bool owns_elements = false;  ///< its elements are part of it, as in an array or a vector
};

/// Nothing if the place is what a call returns, which may be another one each time, or lists its elements,
/// which may be none.
std::optional<PlaceShape> shape_of(const text::Source& source, const syntax::Operand& place,
                                   const StatementFacts& facts);

/// Returns true if the places certainly have storage in common.
bool surely_overlap(const PlaceShape& a, const PlaceShape& b);

/// Returns true if the code has calls or assignments, so that two evaluations may differ.
bool may_vary(std::string_view code);

/// The code without blanks.
std::string without_blanks(std::string_view code);

}  // namespace kanor::sema
