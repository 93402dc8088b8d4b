// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

// MPI's calls as the table host/library/mpi_functions.def describes them.
namespace kanor::host {

/// One end of messages in a call's arguments; null: the call does not say it.
struct MpiEnd {
  bool sends = false;
  const clang::Expr* buffer = nullptr;
  const clang::Expr* count = nullptr;
  const clang::Expr* type = nullptr;
  const clang::Expr* partner = nullptr;
  const clang::Expr* tag = nullptr;
  const clang::Expr* comm = nullptr;
};

/// Returns true if the function is MPI's own declaration of that name, or has another name of MPI's
/// (`PMPI_`).
bool is_mpi(const clang::FunctionDecl* function);

/// The ends of the call: one, two for one that sends and receives, and none for other calls.
std::vector<MpiEnd> ends_of(const clang::CallExpr* call);

/// The type of the elements of a std::vector of numbers; null for any other type.
clang::QualType number_of_vector(clang::QualType type);

/// The variable at whose first element an argument points, as `buf`, `&buf[0]`, `&buf` or `buf.data()` do;
/// null for any other argument. It is an array, a pointer or a vector of numbers.
const clang::DeclRefExpr* whole_buffer(const clang::Expr* argument, const clang::ASTContext& context);

/// The first variable that the expression names, for messages; null if there is none.
const clang::VarDecl* named_in(const clang::Expr* expression);

}  // namespace kanor::host
