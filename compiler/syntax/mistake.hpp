// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "syntax/reporter.hpp"
#include "syntax/tokens.hpp"

namespace kanor::syntax {

/// The point at which the parser could not go on.
struct Mistake {
  struct Rule {
    std::size_t index;  ///< of grammar/KanorParser.g4
    std::size_t begin;  ///< its first token
  };
  std::size_t token = 0;             ///< the token that does not fit
  std::vector<Rule> rules;           ///< the rules it stands in, innermost first
  std::size_t previous_rule = npos;  ///< the innermost rule's last complete part, if that is a rule

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// Reports the mistake: one message, at the place where the mistake was made rather than where it was
/// noticed.
void report(const Mistake& mistake, const BlockTokens& block, const Reporter& reporter);

}  // namespace kanor::syntax
