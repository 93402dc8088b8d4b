// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringRef.h>

#include <string_view>

#include "host/cfg/values.hpp"

namespace kanor::host {

/// Lowers calls: of functions whose bodies are seen, of known library functions, and of unknown functions,
/// which may do anything to what they can reach.
class Calls {
 public:
  explicit Calls(Values& values) : values_(values) {}

  Value lower(const clang::CallExpr* call);
  Value lower(const clang::CXXConstructExpr* construct);
  /// The uses that decide which object a call's result refers to.
  flow::Uses selector(const clang::CallExpr* call);
  std::vector<int> roots(const clang::CallExpr* call);

 private:
  struct Parts {
    const clang::FunctionDecl* callee = nullptr;
    const clang::Expr* object = nullptr;  ///< the object that a member function is called for, or a pointer
                                          ///< to it if it is called by `->`
    std::vector<const clang::Expr*> arguments;
    const clang::Expr* whole = nullptr;
    clang::QualType type;  ///< the result's type

    /// The type of the argument's parameter; the argument's own if it has none.
    clang::QualType type_of(std::size_t argument) const;
  };

  static Parts parts_of(const clang::CallExpr* call);
  Value lower(const Parts& parts);
  Value team_member(const Parts& parts);
  Value seen(const Parts& parts, int function);
  Value pure(const Parts& parts);
  Value observed(const Parts& parts, const clang::Expr* object, const flow::Uses& order);
  Value unseen(const Parts& parts);
  flow::Uses everything(const Parts& parts);
  void add_arguments(const clang::ParmVarDecl* parameter, const clang::Expr* argument, flow::Event& event);
  Value add_result(int function, bool with_length, flow::Event& event);
  void move_place_of_strtok(const Parts& parts, flow::Uses& all);
  void change_arguments(const Parts& parts, const flow::Uses& all, const flow::Uses& order);
  void change_container(const Parts& parts, const flow::Uses& all);
  flow::Uses change_of_length(const Parts& parts, llvm::StringRef name);
  flow::Uses called_by_library(const clang::FunctionDecl* function, const flow::Uses& all,
                               const std::vector<int>& reachable, flow::Location at);
  void call_back(const Parts& parts, const flow::Uses& all, Value& result);
  /// In the order in which they are found, the same in every run.
  using Classes = llvm::SetVector<const clang::CXXRecordDecl*>;
  Classes classes_in(clang::QualType type) const;
  Classes classes_made(const Parts& parts, std::string_view letters) const;
  /// The signature that the library's table has for the function; empty for none.
  static std::string_view letters_of(const Parts& parts);
  static bool is_place(const Parts& parts, std::size_t argument, std::string_view letters);
  void make_objects(const Parts& parts);
  void make_object(const clang::CXXRecordDecl* record, const flow::Uses& of, flow::Location at);
  std::vector<int> loaded(const Parts& parts);
  void give_what_is_kept(clang::QualType object, const flow::Uses& unknown, flow::Location at);
  void change_objects_of(const clang::Expr* argument);
  /// Emits a change of what the argument leads to, and perhaps of its length.
  void change(const clang::Expr* argument, const Value& value, flow::Location at, bool lengths);
  flow::Uses lengths_of_arguments(const Parts& parts);
  flow::Uses length_made(const Parts& parts, const flow::Uses& all);
  flow::Uses keys_of(const clang::Expr* given);
  flow::Uses keys_given(const Parts& parts, llvm::StringRef name);
  static bool exchanges(const clang::FunctionDecl* function);
  static bool searches_keys(const Parts& parts, const clang::Expr* object);
  flow::Uses passed(const clang::Expr* argument, clang::QualType parameter);

  Values& values_;
};

}  // namespace kanor::host
