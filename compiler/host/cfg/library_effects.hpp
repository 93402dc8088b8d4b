// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>

#include <optional>
#include <string_view>

// What functions of the C and C++ libraries do with what they are given: the table of those that keep no
// reference to it. A function that has no row may do anything.
namespace kanor::host {

/// What a call does with one of its arguments.
enum class Effect {
  unknown,  ///< anything
  reads,    ///< looks at it, and keeps no reference to it
  changes   ///< looks at it and changes it, and keeps no reference to it
};

/// A call of a function that has a row: one that a header of the system declares, with as many parameters as
/// the row has.
class LibraryCall {
 public:
  /// Nothing for other calls.
  static std::optional<LibraryCall> of(const clang::CallExpr* call);

  /// Of an argument that points to elements, or of one that is an object; `is_given`: by std::move.
  Effect on_elements(unsigned argument) const;
  Effect on_object(unsigned argument, bool is_given) const;
  /// Whether it calls this argument with references to elements.
  bool calls(unsigned argument) const { return letter(argument) == 'f'; }

 private:
  LibraryCall(const clang::CallExpr* call, std::string_view letters, unsigned skipped)
      : call_(call), letters_(letters), skipped_(skipped) {}
  char letter(unsigned argument) const;
  bool runs_no_function() const;

  const clang::CallExpr* call_;
  std::string_view letters_;  ///< one for each argument behind the policy
  unsigned skipped_;          ///< an execution policy
};

/// A header of the system declares it.
bool is_of_system(const clang::Decl* declaration);
/// In namespace std itself, and declared by a header of the system.
bool is_standard_function(const clang::FunctionDecl* function);
/// Numbers, and what the standard library makes of them: to copy or compare one runs no function of the
/// program's.
bool is_plain_value(clang::QualType type);
/// A value of this type refers to nothing.
bool refers_to_nothing(clang::QualType type);
/// A function object of <functional> that takes its arguments' values: std::plus, std::less.
bool is_plain_functor(const clang::CXXRecordDecl* record);

}  // namespace kanor::host
