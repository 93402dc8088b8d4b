// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "sema/program.hpp"
#include "sema/symbolic.hpp"

namespace kanor::plan {

/// A statement's sets, filters and ranks as the runtime reads them. The grammar stands in
/// runtime/src/plan/form.hpp; what is opaque is `?`, or left out if it is a filter.
struct Form {
  std::string text;                ///< empty where nothing is gained: no rank that counts is described
  std::vector<sema::Leaf> leaves;  ///< what the text calls `$0`, `$1`, …
};

/// Where one side knows, its ranks alone look for their bindings: the other's rank is `?`, and what only that
/// depends on is no leaf, so that nothing but who knows need evaluate it.
Form make_form(const sema::SymbolicStatement& statement, sema::Knows knows);

/// An expression in the form's grammar, leaves as their text.
std::string in_words(const sema::Symbolic& expression, const sema::SymbolicStatement& statement);

/// The text of a leaf as C++.
std::string spelling(const sema::Leaf& leaf);

}  // namespace kanor::plan
