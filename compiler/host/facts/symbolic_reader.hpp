// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/facts/pieces.hpp"
#include "host/facts/statement_symbols.hpp"
#include "host/facts/symbolic_bounds.hpp"
#include "host/facts/uniform_values.hpp"

namespace clang {
class BinaryOperator;
class CXXMemberCallExpr;
class CXXOperatorCallExpr;
class Sema;
}  // namespace clang

namespace kanor::host {

/// Translates Clang's expressions of one statement to symbolic form: names become numbers, lets are expanded,
/// parts without names become leaves.
class SymbolicReader {
 public:
  SymbolicReader(clang::Sema& sema, const FileMap& files, const StatementKey& key, UniformValues& values,
                 SymbolOptions options);

  /// Adds a generator's name, or a let's name with its value, by the offset of its declaration in the
  /// original.
  void add_name(Span declared, const Bounds& bounds);
  void add_let(Span declared, const clang::Expr* value, bool certain);

  /// Reads an expression; `certain`: it is evaluated whatever the clauses before it say.
  sema::Symbolic read(const clang::Expr* expression, bool certain);
  /// The size of a team.
  sema::Symbolic read_size(const clang::Expr* team);
  void read_filter(const clang::Expr* condition, bool holds, bool certain,
                   std::vector<sema::SymbolicFilter>& filters);
  /// The names in the expression, in ascending order and without repetition.
  std::vector<int> names_in(const clang::Expr* expression) const;
  bool mentions_let(const clang::Expr* expression) const;
  Bounds bounds(const sema::Symbolic& expression) const { return bounds_.of(expression); }
  sema::Symbolic opaque(sema::Obscurity why, const clang::Expr* expression) const;
  Span span_of(const clang::Expr* expression) const;
  std::vector<sema::Leaf> take_leaves() { return std::move(leaves_); }

 private:
  struct LetValue {
    const clang::Expr* value = nullptr;
    bool certain = false;
  };

  sema::Symbolic read_uniform(const clang::Expr* expression, bool certain);
  bool is_offset(const clang::Expr* expression) const;
  sema::Symbolic read_parts(const clang::Expr* expression, bool certain);
  sema::Symbolic read_cast(const clang::CastExpr* cast, bool certain);
  sema::Symbolic read_binary(const clang::BinaryOperator* expression, bool certain);
  sema::Symbolic read_variable(const clang::DeclRefExpr* name, bool certain);
  sema::Symbolic read_call(const clang::CXXMemberCallExpr* call, bool certain);
  sema::Symbolic read_operator(const clang::CXXOperatorCallExpr* call, bool certain);
  sema::Symbolic with_grid(sema::Symbolic::Kind kind, const clang::Expr* grid,
                           const std::vector<const clang::Expr*>& arguments, bool certain);
  /// The expression's tokens as they are written in one place; nothing if a macro mixes them from several.
  std::optional<std::string> text_of(const clang::Expr* expression) const;
  std::optional<std::string> text_in_macro(const clang::Expr* expression) const;
  std::optional<std::uint32_t> declared_at(const clang::ValueDecl* name) const;
  sema::Symbolic add_leaf(sema::Leaf leaf, const Bounds& bounds);

  clang::Sema& sema_;
  const FileMap& files_;
  StatementKey key_;
  UniformValues& values_;
  SymbolOptions options_;
  std::map<std::uint32_t, int> names_;
  std::map<std::uint32_t, LetValue> lets_;
  SymbolicBounds bounds_;
  std::vector<sema::Leaf> leaves_;
  int budget_ = 400;  ///< the number of parts that a statement's expressions may still have
};

}  // namespace kanor::host
