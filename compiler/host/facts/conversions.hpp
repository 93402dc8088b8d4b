// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>
#include <clang/Sema/Sema.h>

#include "sema/facts.hpp"
#include "syntax/ast.hpp"

namespace kanor::host {

/// A place or a value, for conversions: its type, or its elements' type if it is a section.
struct Side {
  clang::QualType type;
  bool is_section = false;
  std::optional<std::uint64_t> count;  ///< the number of a section's elements, if known
};

/// Asks Clang's semantic analysis whether expressions that stand nowhere would be well-formed, without any
/// message.
class Conversions {
 public:
  explicit Conversions(clang::Sema& sema) : sema_(sema) {}

  struct FitResult {
    sema::Fit fit = sema::Fit::fits;
    std::uint64_t place_length = 0, value_length = 0;
  };

  /// Returns how a value of this type, with its own storage, can be assigned to the place; lists element by
  /// element.
  FitResult fit(clang::Expr* place, clang::QualType value);
  /// The same if one of the two is a section, or both are.
  FitResult fit_elements(const Side& place, const Side& value);
  /// The reason why an object of the type cannot be assigned one of the same type; none if it can, or if that
  /// is unknown.
  sema::AssignmentObstacle obstacle(clang::QualType type);
  bool is_condition(clang::Expr* expression);
  struct FoldResult {
    sema::Fold fold = sema::Fold::none;
    clang::QualType culprit = {};  ///< the type that cannot be combined, if nothing folds the value
    std::optional<int> list_levels = std::nullopt;  ///< as in sema::StatementFacts
  };

  /// Returns how two values of this type are combined by `a op b`. `callable` is null for the listed
  /// operators.
  FoldResult fold(syntax::Operator op, clang::Expr* callable, clang::QualType type);

 private:
  FitResult fit(clang::QualType place, clang::ExprValueKind kind, clang::QualType value);
  FitResult fit_list(clang::QualType list, clang::QualType element, bool list_is_place,
                     std::optional<std::uint64_t>& count);
  bool assigns(clang::QualType place, clang::ExprValueKind kind, clang::QualType value);
  bool folds_whole(syntax::Operator op, clang::Expr* callable, clang::QualType type);
  bool folds_quietly(syntax::Operator op, clang::Expr* callable, clang::QualType type);
  void compile_bodies(const clang::ExprResult& result, clang::Sema::GlobalEagerInstantiationScope& pending);
  bool combines(syntax::Operator op, clang::Expr* callable, clang::QualType type, clang::Expr* a,
                clang::Expr* b);
  clang::Expr* standing_for(clang::QualType type, clang::ExprValueKind kind);

  clang::Sema& sema_;
};

}  // namespace kanor::host
