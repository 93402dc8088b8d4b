// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace kanor::host {

/// Clang's expressions for one statement in one function or instantiation; null where Clang could not make
/// one.
struct StatementPieces {
  clang::Expr* place = nullptr;
  clang::Expr* value = nullptr;
  clang::Expr* receiver = nullptr;
  clang::Expr* sender = nullptr;
  clang::Expr* callable = nullptr;  ///< the callable, possibly an overload set
  bool callable_is_type = false;
  std::map<int, clang::Expr*> place_parts, value_parts;  ///< of sections, by numbers (syntax::parts)
  clang::CallExpr *place_indices = nullptr,
                  *value_indices = nullptr;  ///< around a section's range of indices
  std::map<int, clang::CallExpr*> sets;      ///< by clause
  std::map<int, clang::Expr*> lets;
  std::map<int, clang::Expr*> filters;
};

struct StatementKey {
  const FileMap::Entry* file = nullptr;
  int block = 0;
  int statement = 0;
  const clang::FunctionDecl* function = nullptr;
};

/// The team that a block is given in one function or instantiation. Its key's statement is -1.
struct TeamPiece {
  StatementKey key;
  clang::Expr* team = nullptr;
};

/// In the order in which they stand; a function's key comes with all of its statements.
class PieceTable {
 public:
  StatementPieces& at(const StatementKey& key);
  const std::vector<std::pair<StatementKey, StatementPieces>>& all() const { return all_; }
  std::vector<TeamPiece> teams;
  /// The team of the key's block, in its function; null for the world.
  const clang::Expr* team_of(const StatementKey& key) const;

 private:
  std::vector<std::pair<StatementKey, StatementPieces>> all_;
  std::map<std::tuple<const FileMap::Entry*, int, int, const clang::FunctionDecl*>, std::size_t> index_;
};

/// Walks the functions of user files, including instantiations. Also notes side effects in pieces.
PieceTable collect_pieces(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
