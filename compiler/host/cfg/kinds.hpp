// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

// What types and functions mean to the flow of values: the tables of what is known of C++'s and C's
// libraries.
namespace kanor::host {

/// `kanor::team`, by value or behind a reference or pointer.
bool is_team(clang::QualType type);

/// `kanor::grid`, by value or behind a reference: its team is a variable of its own.
bool is_grid(clang::QualType type);

/// A container of the standard library whose length is no constant.
bool has_length(clang::QualType type);

/// std::array
bool is_array_class(clang::QualType type);

/// Its values say which object is meant: pointers, references, iterators, spans, smart pointers.
bool is_handle(clang::QualType type);

/// Whether the handle is a variable: what it may refer to is known of itself.
bool is_followed(const clang::Expr* handle);

/// A class that the program itself defines: what its functions do is seen.
const clang::CXXRecordDecl* user_class(clang::QualType type, const clang::SourceManager& sources);

/// In a namespace of the standard library or of Kanor, where the language says what functions do.
bool is_in(const clang::Decl* declaration, llvm::StringRef top_namespace);

bool is_annotated_uniform(const clang::Decl* declaration);
/// Whether the object, or one that it is a member of, is declared [[kanor::uniform]].
bool is_asserted(const clang::Expr* object);

enum class Known {
  unknown,
  pure,      ///< the result depends on the arguments alone, only arguments are changed
  observer,  ///< says which part of its object is meant, or where it begins: changes nothing
  length     ///< how long its object is
};

/// A function that is not defined in the program.
Known known(const clang::FunctionDecl* function);
/// Whether what the function gives follows the order or the hashes of addresses: of a class of the standard
/// library's, a container or what hashes, or an iterator that is the first argument.
bool orders_by_address(const clang::FunctionDecl* function, clang::QualType of);

/// A library function that hands its first argument on.
bool is_transparent(const clang::FunctionDecl* function);

/// Whether a member function of a container changes how long it is, and what the length then depends on.
enum class Resize { no, to_argument, by_content, one_element };
Resize resizes(const clang::FunctionDecl* member);

/// A variable of a system header that is the same on all ranks (`optind`) or constant.
bool is_known_variable(const clang::VarDecl* variable);

}  // namespace kanor::host
