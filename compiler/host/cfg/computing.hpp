// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>

#include <optional>
#include <set>
#include <string>

#include "host/cfg/functions.hpp"

namespace kanor::host {

/// Finds what statements may do besides computing: communicate, wait for others, or leave the statement by a
/// jump or an exception. A statement computes only if each of its parts is known to do no more.
class Computing {
 public:
  explicit Computing(const Functions& functions) : functions_(functions) {}

  struct Effect {
    std::string what;
    const clang::Stmt* by;
  };
  /// The first other thing that the statement may do, the functions that it calls included; nothing if it
  /// only computes. Adds the numbers of these functions to `runs`.
  std::optional<Effect> effect_of(const clang::Stmt* statement, std::set<int>& runs) const {
    return Search{functions_, runs}.find(statement, {});
  }

 private:
  /// The jumps that stay within what is looked at.
  struct Jumps {
    bool breaks = false, continues = false, returns = false;
  };

  struct Search {
    const Functions& functions;
    /// The functions whose bodies have been looked at: one that did more would have ended the search.
    std::set<int>& seen;

    std::optional<Effect> find(const clang::Stmt* statement, Jumps jumps) const;
    std::optional<Effect> of_call(const clang::CallExpr* call) const;
  };

  const Functions& functions_;
};

}  // namespace kanor::host
