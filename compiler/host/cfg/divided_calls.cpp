// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/divided_calls.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "host/cfg/evaluation.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

/// Returns true if the expression is the null pointer, whatever it was converted from.
bool is_null(const clang::Expr* pointer, const clang::ASTContext& context) {
  return constant_of(pointer->IgnoreParenCasts(), context) == 0;
}

/// Returns true if the text can't be put in another line: it has comments, directives or continued lines.
bool has_more_than_code(std::string_view text) {
  return text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos ||
         text.find_first_of("#\\") != std::string_view::npos;
}

}  // namespace

void DividedCalls::describe(const clang::CallExpr* call, const MpiEnd& end, flow::Function& function,
                            flow::Message& message) const {
  message.undivided = why_undivided(call, end, function, message);
  if (!message.undivided.empty()) message.conflicts.clear();
}

std::string DividedCalls::why_undivided(const clang::CallExpr* call, const MpiEnd& end,
                                        flow::Function& function, flow::Message& message) const {
  if (!library::mpi_has(message.call, library::MpiTrait::divides)) return "it is no MPI_Send or MPI_Recv";
  if (message.candidate < 0) return message.obstacle;
  if (call->getRParenLoc().isMacroID() || message.at.source == nullptr)
    return "the call stands in a macro or a header";
  const std::string_view behind = message.at.source->bytes().substr(message.name.span.end);
  if (behind[std::min(behind.find_first_not_of(" \t\r\n"), behind.size() - 1)] != '(')
    return "its name is in parentheses";
  const int around = statements_.around(call, parents_);
  if (around < 0) return "nothing can be put beside it";
  const flow::Location& whole = function.statements[static_cast<std::size_t>(around)].at;
  const std::string_view text = message.at.source->bytes();
  const auto end_of_call = text.find_first_not_of(" \t\r\n;", message.at.span.end);
  if (whole.span.begin != message.at.span.begin || (end_of_call < whole.span.end))
    return "its result is used";
  message.statement = around;
  if (has_more_than_code(message.at.source->text(message.at.span)))
    return "there are comments or directives among its arguments";
  if (end.sends)
    if (const auto* unknown = add_changes(end, message)) {
      const flow::Location at = places_.of(unknown->getSourceRange());
      return "kanorc does not know what may change " +
             (at.source == nullptr ? "its arguments" : "'" + std::string(at.source->text(at.span)) + "'");
    }
  note_condition(call, end, message);
  if (end.sends) return {};
  const clang::Expr* status = call->getNumArgs() == 0 ? nullptr : call->getArg(call->getNumArgs() - 1);
  if (status == nullptr || !add_status_uses(status, message)) return "its status may be used at once";
  return {};
}

/// Notes where the arguments change that a send is to have before its place. Returns the one of which that is
/// not known; null: it is known.
const clang::Expr* DividedCalls::add_changes(const MpiEnd& end, flow::Message& message) const {
  for (const clang::Expr* argument : {end.partner, end.tag, end.comm})
    if (!add_changes(argument, message)) return argument;
  for (const clang::Expr* argument : {end.buffer, end.type})
    if (!add_names(argument, message)) return argument;
  // The length of the buffer itself changes where the buffer does.
  const auto* length = llvm::dyn_cast<clang::CXXMemberCallExpr>(end.count->IgnoreParenCasts());
  const auto* vector =
      length == nullptr
          ? nullptr
          : llvm::dyn_cast<clang::DeclRefExpr>(length->getImplicitObjectArgument()->IgnoreParenImpCasts());
  const bool is_length = vector != nullptr && length->getMethodDecl() != nullptr &&
                         length->getMethodDecl()->getDeclName().getAsString() == "size" &&
                         vector->getDecl() == whole_buffer(end.buffer, function_->getASTContext())->getDecl();
  return is_length || add_changes(end.count, message) ? nullptr : end.count;
}

bool DividedCalls::add_changes(const clang::Expr* expression, flow::Message& message) const {
  if (!add_names(expression, message)) return false;
  const auto changes = numbers_.changes_of(expression);
  if (!changes) return false;
  for (const clang::Stmt* change : *changes) {
    const flow::Location at = places_.of(change->getSourceRange());
    if (at.source == nullptr) return false;
    message.conflicts.push_back(at);
  }
  return true;
}

/// Notes where what the expression names is declared. Returns false if the expression means another thing in
/// another line, as __LINE__ does.
bool DividedCalls::add_names(const clang::Stmt* expression, flow::Message& message) const {
  const clang::SourceManager& sources = function_->getASTContext().getSourceManager();
  if (sources.isWrittenInScratchSpace(sources.getSpellingLoc(expression->getBeginLoc()))) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const flow::Location at = places_.of(name->getDecl()->getSourceRange());
    if (at.source != nullptr) message.conflicts.push_back(at);
  }
  return std::all_of(expression->child_begin(), expression->child_end(),
                     [&](const clang::Stmt* child) { return child == nullptr || add_names(child, message); });
}

/// Notes the condition of the `if` in which the call begins a branch, or ends it if it receives, unless it
/// has to be evaluated where it is.
void DividedCalls::note_condition(const clang::CallExpr* call, const MpiEnd& end,
                                  flow::Message& message) const {
  const clang::Stmt* branch = call;
  const clang::Stmt* around = parents_.getParent(call);
  if (const auto* compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(around)) {
    if ((end.sends ? compound->body_front() : compound->body_back()) != call) return;
    branch = compound;
    around = parents_.getParent(compound);
  }
  const auto* choice = llvm::dyn_cast_or_null<clang::IfStmt>(around);
  if (choice == nullptr || choice->getInit() != nullptr || choice->getConditionVariable() != nullptr ||
      choice->isConstexpr() || choice->isConsteval() || choice->getLParenLoc().isMacroID() ||
      choice->getRParenLoc().isMacroID() || (branch != choice->getThen() && branch != choice->getElse()))
    return;
  const flow::Location open = places_.of(choice->getLParenLoc()), close = places_.of(choice->getRParenLoc());
  if (open.source == nullptr || open.source != close.source) return;
  const flow::Location condition{open.source, {open.span.end, close.span.begin}};
  if (has_more_than_code(open.source->text(condition.span))) return;
  if (end.sends) {
    const std::size_t before = message.conflicts.size();
    if (!add_changes(choice->getCond(), message)) return message.conflicts.resize(before);
  }
  message.condition = condition;
  message.is_otherwise = branch == choice->getElse();
}

/// Notes where the status of a receive is named elsewhere. Returns false if it may be used where it is not
/// named.
bool DividedCalls::add_status_uses(const clang::Expr* status, flow::Message& message) const {
  const clang::ASTContext& context = function_->getASTContext();
  if (is_null(status, context)) return true;
  const auto* name = whole_buffer(status, context);
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(status->IgnoreParenCasts());
  if (address != nullptr && name == nullptr && address->getOpcode() == clang::UO_AddrOf)
    name = llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParens());
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  const bool is_own = variable != nullptr && variable->hasLocalStorage() &&
                      variable->getDeclContext() == function_ && !variable->getType()->isPointerType();
  if (!is_own) return false;
  const std::function<bool(const clang::Stmt*)> walk = [&](const clang::Stmt* statement) {
    if (llvm::isa<clang::LambdaExpr>(statement)) return count_names(statement, variable) == 0;
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(statement);
        use != nullptr && use->getDecl() == variable) {
      const flow::Location at = places_.of(use->getSourceRange());
      const bool is_this = at.source == message.at.source && message.at.span.begin <= at.span.begin &&
                           at.span.begin < message.at.span.end;
      if (at.source == nullptr || (!is_this && !is_forgotten(use))) return false;
      if (!is_this) message.conflicts.push_back(at);
      return true;
    }
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr && !walk(child)) return false;
    return true;
  };
  return walk(function_->getBody());
}

/// Returns true if whoever uses the status does so at once: it reads a member, or is one of MPI's functions.
bool DividedCalls::is_forgotten(const clang::DeclRefExpr* status) const {
  const clang::Stmt* parent = parents_.getParentIgnoreParens(status);
  if (llvm::isa_and_nonnull<clang::MemberExpr>(parent)) {
    const auto* cast = llvm::dyn_cast_or_null<clang::CastExpr>(parents_.getParentIgnoreParens(parent));
    return cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue;
  }
  const auto* address = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return false;
  const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(parents_.getParentIgnoreParenCasts(address));
  return call != nullptr && call->getDirectCallee() != nullptr && is_mpi(call->getDirectCallee());
}

}  // namespace kanor::host
