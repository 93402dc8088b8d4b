// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/message_buffers.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <functional>
#include <set>

#include "host/cfg/library_effects.hpp"
#include "host/cfg/mpi_calls.hpp"
#include "host/facts/tree_walk.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using Kind = flow::BufferMemory::Kind;

/// The most bytes of alignment that a buffer of Kanor's has.
constexpr long long most_alignment = 64;

/// Calls functions for the names of variables and the calls in the unit's code, in types too.
class CodeWalk : public TreeWalk {
 public:
  CodeWalk(std::function<void(const clang::DeclRefExpr*)> name,
           std::function<void(const clang::CallExpr*)> call)
      : name_(std::move(name)), call_(std::move(call)) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    name_(name);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    call_(call);
    return true;
  }

 private:
  std::function<void(const clang::DeclRefExpr*)> name_;
  std::function<void(const clang::CallExpr*)> call_;
};

/// Returns true if the bytes of such an element are all there is to it.
bool is_plain(clang::QualType type, const clang::ASTContext& context) {
  if (type.isVolatileQualified() || type.isConstQualified() || type->isAtomicType() || type->isPointerType())
    return false;
  if (type->isArithmeticType() || type->isEnumeralType() || type->isAnyComplexType()) return true;
  if (!type->isRecordType() || type->isIncompleteType() || !type.isTriviallyCopyableType(context))
    return false;
  const auto* record = type->getAsCXXRecordDecl();
  return record == nullptr || (record->hasTrivialDefaultConstructor() && record->hasTrivialDestructor());
}

/// Returns true for `{0}`, `{}` and the like.
bool is_all_zero(const clang::Expr* value, const clang::ASTContext& context) {
  value = value->IgnoreParenImpCasts();
  if (llvm::isa<clang::ImplicitValueInitExpr>(value)) return true;
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(value)) {
    const auto* filler = list->getArrayFiller();
    return (filler == nullptr || is_all_zero(filler, context)) &&
           std::all_of(list->inits().begin(), list->inits().end(),
                       [&](const clang::Expr* one) { return is_all_zero(one, context); });
  }
  clang::Expr::EvalResult result;
  if (value->isValueDependent() || !value->EvaluateAsRValue(result, context)) return false;
  if (result.Val.isInt()) return result.Val.getInt() == 0;
  return result.Val.isFloat() && result.Val.getFloat().isPosZero();
}

}  // namespace

clang::QualType element_of_buffer(clang::QualType type, const clang::ASTContext& context) {
  if (type->isPointerType()) return type->getPointeeType();
  if (const clang::QualType element = number_of_vector(type); !element.isNull()) return element;
  while (const auto* array = context.getAsArrayType(type)) type = array->getElementType();
  return type;
}

MessageBuffers::MessageBuffers(const ParsedUnit& unit, Variables& variables, const Functions& functions,
                               const Places& places, bool whole_program)
    : unit_(unit), variables_(variables), places_(places), whole_program_(whole_program) {
  const auto& context = unit.sema.Context;
  CodeWalk messages([](const clang::DeclRefExpr*) {},
                    [&](const clang::CallExpr* call) {
                      const auto* callee = call->getDirectCallee();
                      if (callee == nullptr || !is_mpi(callee) ||
                          !library::mpi_has(callee->getName(), library::MpiTrait::passes))
                        return;
                      for (const MpiEnd& end : ends_of(call)) {
                        if (end.buffer == nullptr) continue;
                        const auto* name = whole_buffer(end.buffer, context);
                        const auto* variable =
                            name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
                        if (variable == nullptr || llvm::isa<clang::ParmVarDecl>(variable)) continue;
                        if (used_in_.try_emplace(variable->getCanonicalDecl()).second)
                          order_.push_back(variable->getCanonicalDecl());
                      }
                    });
  walk_user_files(messages, unit.files, unit.sema.Context);
  // Every name of the unit, and how often functions' statements have it; what is left over is elsewhere.
  std::map<const clang::VarDecl*, int> all, in_functions;
  CodeWalk names(
      [&](const clang::DeclRefExpr* name) {
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
            variable != nullptr && has(variable))
          ++all[variable->getCanonicalDecl()];
      },
      [](const clang::CallExpr*) {});
  walk_user_files(names, unit.files, unit.sema.Context);
  for (const clang::FunctionDecl* function : functions.all()) {
    const std::function<void(const clang::Stmt*)> walk = [&](const clang::Stmt* statement) {
      if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
            variable != nullptr && has(variable)) {
          auto& users = used_in_[variable->getCanonicalDecl()].functions;
          ++in_functions[variable->getCanonicalDecl()];
          if (std::find(users.begin(), users.end(), function) == users.end()) users.push_back(function);
        }
      if (llvm::isa<clang::LambdaExpr>(statement)) return;
      for (const clang::Stmt* child : statement->children())
        if (child != nullptr) walk(child);
    };
    walk(function->getBody());
  }
  for (auto& [variable, use] : used_in_)
    if (all[variable] != in_functions[variable]) use.functions.push_back(nullptr);
}

std::vector<std::pair<const clang::VarDecl*, flow::Candidate>> MessageBuffers::of(
    const clang::FunctionDecl* function) const {
  std::vector<std::pair<const clang::VarDecl*, flow::Candidate>> found;
  for (const clang::VarDecl* variable : order_) {
    const auto& users = used_in_.at(variable).functions;
    if (std::find(users.begin(), users.end(), function) != users.end())
      found.emplace_back(variable, make(variable));
  }
  return found;
}

flow::Candidate MessageBuffers::make(const clang::VarDecl* variable) const {
  flow::Candidate made;
  made.variable = variables_.of(variable);
  made.declaration = places_.of(clang::SourceRange(variable->getLocation()));
  made.extents = {-1};
  made.is_vector = !number_of_vector(variable->getType()).isNull();
  const auto& context = unit_.sema.Context;
  const auto refuse = [&](std::string why) { made.obstacles.emplace_back(std::move(why), made.declaration); };
  const clang::QualType type = variable->getType();
  if (context.getAsConstantArrayType(type) != nullptr)
    made.memory.kind = variable->hasLocalStorage() ? Kind::automatic : Kind::lasting;
  else if (type->isPointerType() && variable->hasLocalStorage())
    made.memory.kind = Kind::allocated;
  else if (!number_of_vector(type).isNull())
    made.text_obstacles.emplace_back("it is a vector", made.declaration);
  else
    refuse(type->isPointerType() ? "it is a pointer that is not local to its function"
           : type->isArrayType() ? "its length is not constant"
                                 : "it is neither an array nor a pointer");
  if (type.isVolatileQualified() || type.isConstQualified()) refuse("it is constant or volatile");
  const clang::QualType element = element_of_buffer(type, context);
  if (!is_plain(element, context)) {
    refuse("its elements are not plain numbers or structures of such");
  } else {
    made.element = element.getAsString();
    made.memory.element_bytes = context.getTypeSizeInChars(element).getQuantity();
    if (context.getTypeAlignInChars(element).getQuantity() > most_alignment)
      made.text_obstacles.emplace_back("its type asks for more than 64 bytes of alignment", made.declaration);
  }
  if (const auto why = refused(variable)) refuse(*why);
  if (const auto why = not_rewritten(variable)) made.text_obstacles.emplace_back(*why, made.declaration);
  if (type->isArrayType()) describe_array(variable, made);
  return made;
}

/// Returns why nobody can know all uses of the variable, if that does not depend on how it is used.
std::optional<std::string> MessageBuffers::refused(const clang::VarDecl* variable) const {
  const auto& users = used_in_.at(variable).functions;
  if (std::find(users.begin(), users.end(), nullptr) != users.end())
    return "it is used outside of functions' statements";
  for (const clang::FunctionDecl* user : users)
    if (user->isTemplated() || user->isTemplateInstantiation()) return "its function is a template";
  if (variable->isInline()) return "its declaration cannot be written otherwise";
  if (variable->isLocalVarDecl() && variable->getDeclContext() != users.front())
    return "it belongs to a function around the one that uses it";
  if (variable->hasExternalStorage()) return "it is defined elsewhere";
  if (variable->isLocalVarDecl()) return std::nullopt;
  if (!llvm::isa<clang::TranslationUnitDecl, clang::NamespaceDecl>(variable->getDeclContext()))
    return "it is a data member";
  if (!whole_program_ && variable->isExternallyVisible()) return "other files may use it";
  return std::nullopt;
}

/// Returns why the variable can't be made a pointer to buffers, where it is known how it is used.
std::optional<std::string> MessageBuffers::not_rewritten(const clang::VarDecl* variable) const {
  if (used_in_.at(variable).functions.size() > 1) return "several functions use it";
  if (!places_.is_in_main_file(variable->getLocation()) || variable->getLocation().isMacroID())
    return "it is declared in a header or by a macro";
  if (variable->hasAttrs()) return "its declaration has attributes";
  if (variable->getTSCSpec() != clang::TSCS_unspecified) return "each thread has its own";
  if (variable->isConstexpr() || variable->getStorageClass() == clang::SC_Register)
    return "its declaration cannot be written otherwise";
  if (!variable->isLocalVarDecl() &&
      (variable->getPreviousDecl() != nullptr || variable->getMostRecentDecl() != variable))
    return "it is declared more than once";
  return std::nullopt;
}

void MessageBuffers::describe_array(const clang::VarDecl* variable, flow::Candidate& made) const {
  const auto& context = unit_.sema.Context;
  clang::QualType at = variable->getType();
  std::vector<long long> extents;
  while (const auto* array = context.getAsConstantArrayType(at)) {
    extents.push_back(static_cast<long long>(array->getSize().getZExtValue()));
    at = array->getElementType();
  }
  if (at->isArrayType() || extents.empty()) return;
  made.extents = extents;
  made.bytes = static_cast<long long>(context.getTypeSizeInChars(variable->getType()).getQuantity());
  describe_declaration(variable, made);
  describe_initialiser(variable, made);
}

/// Notes the pieces of the declarator: the name, the bounds behind the first, and the initialiser.
void MessageBuffers::describe_declaration(const clang::VarDecl* variable, flow::Candidate& made) const {
  const auto refuse = [&](const char* why) { made.text_obstacles.emplace_back(why, made.declaration); };
  const auto* written = variable->getTypeSourceInfo();
  const auto array =
      written == nullptr ? clang::ArrayTypeLoc() : written->getTypeLoc().getAs<clang::ArrayTypeLoc>();
  if (array.isNull() || written->getTypeLoc().getAs<clang::IncompleteArrayTypeLoc>())
    return refuse("its declaration does not spell its length");
  for (auto inner = written->getTypeLoc(); !inner.isNull(); inner = inner.getNextTypeLoc())
    if (inner.getAs<clang::ParenTypeLoc>()) return refuse("its declaration cannot be written otherwise");
  const auto place = [&](clang::SourceLocation at) { return places_.of(clang::SourceRange(at)); };
  const auto name = place(variable->getLocation()), open = place(array.getLBracketLoc());
  const auto close = place(array.getRBracketLoc()), end = places_.of(variable->getSourceRange());
  const bool is_text = !array.getLBracketLoc().isMacroID() && !array.getRBracketLoc().isMacroID() &&
                       !variable->getEndLoc().isMacroID() && name.source != nullptr &&
                       open.source == name.source && close.source == name.source && end.source == name.source;
  if (!is_text || open.span.begin < name.span.end || close.span.begin < open.span.begin ||
      end.span.end < close.span.end)
    return refuse("its declaration cannot be written otherwise");
  const std::string_view text = name.source->bytes();
  const auto blank = [&](std::uint32_t begin, std::uint32_t stop) {
    return text.substr(begin, stop - begin).find_first_not_of(" \t\r\n") == std::string_view::npos;
  };
  auto last = close.span.end;
  for (auto inner = array.getElementLoc().getAs<clang::ArrayTypeLoc>(); !inner.isNull();
       inner = inner.getElementLoc().getAs<clang::ArrayTypeLoc>()) {
    const auto stop = place(inner.getRBracketLoc());
    if (stop.source != name.source || inner.getRBracketLoc().isMacroID())
      return refuse("its declaration cannot be written otherwise");
    if (stop.span.end > last) last = stop.span.end;
  }
  if (!blank(name.span.end, open.span.begin)) return refuse("its declaration cannot be written otherwise");
  flow::Declaration::Declarator declarator;
  declarator.name = name.span;
  declarator.suffix = {close.span.end, last};  // the bounds behind the first
  declarator.init = {last, std::max(last, end.span.end)};
  declarator.all = {name.span.begin, declarator.init.end};
  made.spelling.declarators = {declarator};
}

void MessageBuffers::describe_initialiser(const clang::VarDecl* variable, flow::Candidate& made) const {
  const clang::Expr* value = variable->getInit();
  made.is_initialised = value != nullptr && !llvm::isa<clang::CXXConstructExpr>(value->IgnoreImplicit());
  if (!made.is_initialised || made.memory.kind == Kind::lasting) return;
  if (is_all_zero(value, unit_.sema.Context))
    made.memory.is_zeroed = true;
  else
    made.text_obstacles.emplace_back("its initialiser is not all zero", made.declaration);
}

}  // namespace kanor::host
