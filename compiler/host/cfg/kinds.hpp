// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Type.h>

#include <functional>
#include <vector>

// What types and functions mean to the flow of values: the tables of what is known of C++'s and C's
// libraries.
namespace kanor::host {

/// The declaration's name; empty for none, and for an operator and the like.
llvm::StringRef name_of(const clang::NamedDecl* declaration);

/// The class's call operators: functions, and instances of templates.
std::vector<const clang::FunctionDecl*> call_operators(const clang::CXXRecordDecl* record);

/// Returns true for `kanor::team`, by value or behind a reference or pointer.
bool is_team(clang::QualType type);

/// Returns true for `kanor::grid`, by value or behind a reference: its team is a variable of its own.
bool is_grid(clang::QualType type);

/// Returns true for a container of the standard library whose length is not constant.
bool has_length(clang::QualType type);
/// Returns true if the predicate holds for the type of what an array or a standard container has in it, on
/// any level.
bool has_elements(clang::QualType type, const std::function<bool(clang::QualType)>& asks);
/// Returns true for an array or container with containers in it.
bool holds_containers(clang::QualType type);
/// Returns true for a map or set of the standard library.
bool is_keyed(clang::QualType type);

/// Returns true for std::array.
bool is_array_class(clang::QualType type);

/// Returns true for std::unique_ptr and std::shared_ptr.
bool is_smart_pointer(clang::QualType type);
/// Returns true if the type's values designate objects: pointers, references, iterators, spans, smart
/// pointers.
bool is_handle(clang::QualType type);

/// Returns true for a handle that is no reference and no pointer: an iterator, a span, a smart pointer.
bool is_handle_object(clang::QualType type);

bool can_be_written_through(clang::QualType parameter);

/// The type that a reference or pointer leads to; else the type itself.
clang::QualType pointee(clang::QualType type);

/// The class of an argument whose call operators the callee may call; null if it is no object.
const clang::CXXRecordDecl* callable_class(const clang::Expr* argument);

/// Returns true if the handle is a variable (no reference), whose referents are tracked by themselves.
bool is_followed(const clang::Expr* handle);

/// The class, if the program itself defines it, so that its functions' bodies are seen; else null.
const clang::CXXRecordDecl* user_class(clang::QualType type, const clang::SourceManager& sources);

/// Returns true if the declaration's outermost namespace is this one.
bool is_in(const clang::Decl* declaration, llvm::StringRef top_namespace);

bool is_annotated_uniform(const clang::Decl* declaration);
/// Returns true if the object, or one that it is a member of, is declared [[kanor::uniform]]. A local
/// reference to it, and a const local copy of it, count as declared like it.
bool is_asserted(const clang::Expr* object);
bool is_asserted(const clang::ValueDecl* declaration);

/// Strips what makes an object of the same value, and calls that return their argument.
const clang::Expr* without_copies(const clang::Expr* expression);

enum class Known {
  unknown,
  pure,      ///< the result depends on the arguments alone, and only arguments are changed
  observer,  ///< designates a part of its object or the place where it begins, changes nothing
  length     ///< the length of its object
};

/// Classifies a function that is not defined in the program.
Known known(const clang::FunctionDecl* function);
/// Returns true for a library function that changes nothing of the program except what it is given, and calls
/// none of its functions, although its result is not known.
bool changes_only_arguments(const clang::FunctionDecl* function);

/// Returns true for a library function that returns its only argument.
bool is_transparent(const clang::FunctionDecl* function);

/// How a member function of a container changes the length, and what the new length depends on.
enum class Resize { no, to_argument, by_content, one_element };
Resize resizes(const clang::FunctionDecl* member);

/// Returns true for a variable of a system header that is the same on all ranks (`optind`) or constant.
bool is_known_variable(const clang::VarDecl* variable);

}  // namespace kanor::host
