// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>

#include <optional>
#include <string_view>

// What functions of the C and C++ libraries do with what they are given: the table of those that keep no
// reference to it. A function that has no row may do anything.
namespace kanor::host {

/// The effect of a call on one of its arguments.
enum class Effect {
  unknown,  ///< may do anything
  reads,    ///< reads it, and keeps no reference to it
  changes   ///< reads and writes it, and keeps no reference to it
};

/// A call of a function that has a row in library.def: a system header declares it, and with as many
/// parameters as the row has.
class LibraryCall {
 public:
  /// Empty for other calls.
  static std::optional<LibraryCall> of(const clang::CallExpr* call);

  /// The effect on the elements that an argument points to, or on an argument that is an object; `is_given`:
  /// it is passed by std::move.
  Effect on_elements(unsigned argument) const;
  Effect on_object(unsigned argument, bool is_given) const;
  /// Returns true if the function calls this argument with references to elements.
  bool calls(unsigned argument) const { return letter(argument) == 'f'; }

 private:
  LibraryCall(const clang::CallExpr* call, std::string_view letters, unsigned skipped)
      : call_(call), letters_(letters), skipped_(skipped) {}
  char letter(unsigned argument) const;
  bool runs_no_function() const;

  const clang::CallExpr* call_;
  std::string_view letters_;  ///< one for each argument after the execution policy
  unsigned skipped_;          ///< 1 if the first argument is an execution policy, else 0
};

/// Returns true if a system header declares it.
bool is_of_system(const clang::Decl* declaration);
/// Returns true for a function that is in namespace std itself and declared in a system header.
bool is_standard_function(const clang::FunctionDecl* function);
/// Returns true for a container of the library that holds its elements itself: it is no view of another.
bool holds_elements(clang::QualType type);
/// Returns true for numbers and the standard library's classes of them: copying or comparing one runs no
/// function of the program.
bool is_plain_value(clang::QualType type);
/// Returns true if a value of this type refers to no other object.
bool refers_to_nothing(clang::QualType type);
/// Returns true for a function object of <functional> that takes its arguments' values: std::plus, std::less.
bool is_plain_functor(const clang::CXXRecordDecl* record);

}  // namespace kanor::host
