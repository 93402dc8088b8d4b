// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "sema/program.hpp"
#include "sema/symbolic.hpp"

namespace kanor::plan {

/// A statement's sets, filters and ranks as the runtime reads them (grammar: runtime/src/plan/form.hpp). An
/// opaque expression or filter is `?`.
struct Form {
  std::string text;                ///< empty where nothing is gained: no rank that counts is described
  std::vector<sema::Leaf> leaves;  ///< `$0`, `$1`, … in the text
};

/// Makes the statement's form. If one side knows, only its ranks look for their bindings: the other's rank is
/// `?`, and values that only that depends on are no leaves, so that no rank of the other side evaluates them.
Form make_form(const sema::SymbolicStatement& statement, sema::Knows knows);

/// An expression in the form's grammar, leaves as their text.
std::string in_words(const sema::Symbolic& expression, const sema::SymbolicStatement& statement);

/// The text of a leaf as C++.
std::string spelling(const sema::Leaf& leaf);

}  // namespace kanor::plan
