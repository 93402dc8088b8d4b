// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "host/facts/pieces.hpp"
#include "host/facts/uniform_values.hpp"
#include "sema/symbolic.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

struct SymbolOptions {
  /// Replaces named constants by their values, which may differ between a template's instantiations.
  bool folds_constants = true;
};

/// The symbolic form of one statement's expressions, in one function or instantiation, in a block of `team`
/// (null: the world). Nothing if a piece is missing or depends on a template's arguments.
std::optional<sema::SymbolicStatement> statement_symbols(clang::Sema& sema, const FileMap& files,
                                                         const StatementKey& key,
                                                         const StatementPieces& pieces,
                                                         const clang::Expr* team, SteadyVariables& variables,
                                                         SymbolOptions options);

}  // namespace kanor::host
