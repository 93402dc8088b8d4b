// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "host/cfg/evaluation.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/cfg/usage.hpp"

namespace kanor::host {

/// The walk from an object's name outwards, through the expressions around it, that collects the usages.
class UsageWalk {
 public:
  UsageWalk(const clang::ParentMap& parents, bool is_pointer)
      : parents_(parents), names_pointer_(is_pointer) {}

  std::vector<Usage> from(const clang::DeclRefExpr* name);

 private:
  /// The kind of value that the expression reached so far has.
  enum class Form { object, element, pointer };

  void add(flow::AccessKind kind, const clang::Stmt* by) {
    Usage usage;
    usage.kind = kind;
    usage.by = by;
    if (kind != flow::AccessKind::overwrite) usage.subscripts = subscripts_;
    found_.push_back(std::move(usage));
  }
  void read(const clang::Stmt* by) {
    add(flow::AccessKind::read, by);
    done_ = true;
  }
  void change(const clang::Stmt* by) {
    add(flow::AccessKind::read, by);
    add(flow::AccessKind::write, by);
    done_ = true;
  }
  /// Adds an overwrite of the object; only a write if the object is not certain, or is named in the same
  /// expression again.
  void overwrite(const clang::Expr* by) {
    const bool is_all = form_ == Form::object && is_certain_ && subscripts_.empty() &&
                        count_names(full_expression(by, parents_), object_) == 1;
    add(is_all ? flow::AccessKind::overwrite : flow::AccessKind::write, by);
  }
  void escape(const clang::Stmt* by, std::string reason) {
    add(flow::AccessKind::escape, by);
    found_.back().reason = std::move(reason);
    done_ = true;
  }
  void escape(const clang::Stmt* by) { escape(by, "kanorc does not understand how it is used"); }
  void select(const clang::Expr* subscript) {
    subscripts_.push_back(subscript);
    form_ = Form::element;
  }
  /// Notes that the elements meant are no longer known.
  void lose_track() { subscripts_.assign(1, nullptr); }

  void step();
  /// Selects an element; unknown behind a pointer that does not point to the first one.
  void select_from_here(const clang::Expr* subscript);
  void through(const clang::CastExpr* cast);
  void through(const clang::UnaryOperator* unary);
  void through(const clang::BinaryOperator* binary, const clang::Stmt* child);
  void through(const clang::MemberExpr* member);
  /// Goes on with the result of an assignment, which is the object again, unless it is discarded.
  void assigned(const clang::Expr* assignment);
  /// Handles the range variable of a loop over the object or a part that subscripts select: the loop variable
  /// is followed.
  void initialises(const clang::DeclStmt* statement);

  void through(const clang::CXXOperatorCallExpr* operation, const clang::Stmt* child);
  void through_assignment(const clang::CXXOperatorCallExpr* operation, const clang::CXXMethodDecl* method,
                          bool is_first);
  void through_complex(const clang::CXXOperatorCallExpr* operation, bool is_changed);
  void called_for(const clang::CXXMemberCallExpr* call, const clang::CXXMethodDecl* method);
  void by_method(const clang::CXXMemberCallExpr* call, const clang::CXXMethodDecl* method);
  void given_to(const clang::CallExpr* call, const clang::Stmt* child);
  void given_to(const LibraryCall& known_call, const clang::CallExpr* call, unsigned argument);
  void given_to(const clang::CXXConstructExpr* made);
  void hand_to(const clang::FunctionDecl* callee, unsigned parameter, const clang::CallExpr* call);
  bool handed_to(const clang::Expr* callable, const clang::CallExpr* call);
  bool handed_to(const clang::FunctionDecl* function, const clang::CallExpr* call);
  void copied_by(const clang::CXXMethodDecl* method, const clang::CallExpr* call, unsigned parameter);
  bool takes_number_of(const clang::FunctionDecl* callee) const;
  bool clears_all(const clang::CallExpr* call, unsigned argument) const;

  const clang::ParentMap& parents_;
  bool names_pointer_;
  const clang::ValueDecl* object_ = nullptr;
  const clang::Stmt* at_ = nullptr;
  Form form_ = Form::object;
  bool is_certain_ = true;  ///< false if it may not be evaluated, or another object may be meant
  bool is_moved_ = false;   ///< the pointer may not be to the first element, or counts in other units
  bool is_offset_ = false;  ///< the pointer has been added to
  bool is_given_ = false;   ///< std::move, or a cast to an rvalue reference, has been applied
  bool done_ = false;
  std::vector<const clang::Expr*> subscripts_;
  std::vector<Usage> found_;
};

}  // namespace kanor::host
