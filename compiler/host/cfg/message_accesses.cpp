// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/message_accesses.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ParentMap.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "flow/shape.hpp"
#include "host/cfg/access_list.hpp"
#include "host/cfg/divided_calls.hpp"
#include "host/cfg/evaluation.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/cfg/mpi_calls.hpp"
#include "host/cfg/program_points.hpp"
#include "host/cfg/statements.hpp"
#include "host/cfg/usage.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using flow::Access;
using flow::AccessKind;
using Kind = flow::BufferMemory::Kind;

/// Numbers of kanor/mpi/handles.h.
constexpr long long any_rank = -1, no_rank = -2;
constexpr long long type_kind = 3 << 24, uneven_type = 1 << 16;

/// The bytes of an element of a predefined datatype without gaps; 0 for any other.
int bytes_of_type(std::optional<long long> type) {
  const bool is_even = type && (*type & ~0xffffLL) == type_kind && (*type & uneven_type) == 0;
  return is_even ? static_cast<int>(*type & 0xff) : 0;
}

/// The name of the C library's function that is called; empty for any other call.
llvm::StringRef c_function(const clang::CallExpr* call) {
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr || !callee->isExternC() || callee->hasBody())
    return {};
  if (callee->getBuiltinID() == 0 && !is_of_system(callee)) return {};
  const llvm::StringRef name = callee->getName();
  return name.starts_with("__builtin_") ? name.drop_front(10) : name;
}

/// Returns true if a `switch` around the statement may jump into it.
bool has_case_of_outer_switch(const clang::Stmt* statement) {
  return std::any_of(statement->child_begin(), statement->child_end(), [](const clang::Stmt* child) {
    return child != nullptr && !llvm::isa<clang::SwitchStmt>(child) &&
           (llvm::isa<clang::SwitchCase>(child) || has_case_of_outer_switch(child));
  });
}

class FunctionMessages {
 public:
  FunctionMessages(const MessageContext& context, int index, const clang::FunctionDecl* declaration,
                   const clang::CFG& cfg, const std::function<int(const clang::CFGBlock*)>& node_of)
      : context_(context),
        places_(context.places),
        clang_(context.unit.sema.Context),
        declaration_(declaration),
        parents_(declaration->getBody()),
        points_(context.places, cfg, node_of),
        numbers_(clang_, declaration, parents_, points_),
        statements_(context.unit, context.variables, context.places, context.functions[index]),
        list_(context.functions, index) {}

  void find(const clang::CFG& cfg, const std::function<int(const clang::CFGBlock*)>& node_of) {
    for (auto& [variable, candidate] : context_.buffers.of(declaration_)) {
      candidate.memory.ends_with_main = declaration_->isMain();
      if (candidate.memory.kind == Kind::allocated) pointers_.insert(variable);
      list_.add_candidate(variable, std::move(candidate));
      if (pointers_.contains(variable))
        list_.add_object(variable, {list_.candidate_of(variable)->variable, true});
    }
    for (const auto* parameter : declaration_->parameters()) {
      const auto type = parameter->getType();
      const bool refers =
          (type->isPointerType() && !type->isFunctionPointerType()) || type->isReferenceType();
      if (const int variable = refers ? context_.variables.of(parameter) : -1; variable >= 0)
        list_.add_object(parameter, {variable, type->isPointerType()});
    }
    numbers_.connect(list_.function());
    find_allocations(declaration_->getBody());
    statements_.spell_ends([this](const clang::Expr* end) { return numbers_.quantity(end).words; });
    if (context_.divides_calls) statements_.spell_loops();
    statements_.find(declaration_->getBody(), cfg, node_of);
    measure_allocations();
    walk(declaration_->getBody());
    if (context_.divides_calls && !list_.function().messages.empty())
      statements_.find_effects(Computing(context_.functions));
    list_.finish();
    flow::complete_loops(list_.function());
  }

 private:
  /// What is known of a name before its usage is looked at.
  struct Claim {
    AccessKind kind = AccessKind::read;
    const clang::Stmt* by = nullptr;
    int message = -1;
    bool is_nothing = false;  ///< the content is not used
    Access::Pointer pointer = Access::Pointer::stays;
  };

  flow::Location at(const clang::Stmt* statement) const { return places_.of(statement->getSourceRange()); }

  const clang::VarDecl* candidate_in(const clang::Expr* expression) const {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable != nullptr && list_.candidate_number(variable->getCanonicalDecl()) >= 0
               ? variable->getCanonicalDecl()
               : nullptr;
  }

  /// The call of malloc or calloc that the expression is; null for any other.
  static const clang::CallExpr* allocation(const clang::Expr* value) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts());
    const auto name = c_function(call);
    return name == "malloc" || name == "calloc" ? call : nullptr;
  }

  /// Calls `act` with each pointer that is assigned to, the value, and the statement.
  template <typename Act>
  void for_each_assignment(const clang::Stmt* statement, const Act& act) {
    if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
        assignment != nullptr && assignment->getOpcode() == clang::BO_Assign)
      if (const auto* variable = candidate_in(assignment->getLHS());
          variable != nullptr && pointers_.contains(variable))
        act(variable, assignment->getRHS(), assignment);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement))
      for (const clang::Decl* one : declared->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
            variable != nullptr && pointers_.contains(variable) && variable->hasInit())
          act(variable, variable->getInit(), declared);
  }

  void find_allocations(const clang::Stmt* statement) {
    for_each_assignment(statement,
                        [&](const clang::VarDecl* variable, const clang::Expr* value, const auto*) {
                          const auto* call = allocation(value);
                          if (call == nullptr) return;
                          allocations_.emplace_back(variable, call);
                          if (const auto point = points_.of(call, parents_)) numbers_.hold_from(*point);
                        });
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr) find_allocations(child);
  }

  /// Notes each allocated buffer's length, if all of its allocations have the same.
  void measure_allocations() {
    std::map<const clang::VarDecl*, flow::Quantity> lengths;
    for (const auto& [variable, call] : allocations_) {
      const auto* type = element_of_buffer(variable->getType(), clang_).getTypePtr();
      if (type->isIncompleteType() || type->isVoidType()) continue;
      const long long bytes = clang_.getTypeSizeInChars(type).getQuantity();
      flow::Quantity length;
      if (c_function(call) == "malloc") {
        length = numbers_.elements(call->getArg(0), bytes);
      } else if (constant_of(call->getArg(1), clang_) == bytes) {
        length = numbers_.quantity(call->getArg(0));
      } else if (constant_of(call->getArg(0), clang_) == bytes) {
        length = numbers_.quantity(call->getArg(1));
      }
      const auto [known, is_new] = lengths.emplace(variable, length);
      if (!is_new && !(known->second == length)) known->second = {};
    }
    for (const auto& [variable, length] : lengths) {
      flow::Candidate& candidate = *list_.candidate_of(variable);
      const auto* type = element_of_buffer(variable->getType(), clang_).getTypePtr();
      if (length.value) {
        candidate.extents = {*length.value};
        candidate.bytes = *length.value * clang_.getTypeSizeInChars(type).getQuantity();
      }
      candidate.memory.extent = length.words;
    }
  }

  void walk(const clang::Stmt* statement) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) return mention(name);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) enter(call);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) declare(declared);
    for_each_assignment(statement, [&](const auto* variable, const auto* value, const auto* by) {
      assign(variable, value, by);
    });
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) compare(binary);
    if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(statement)) measure(size);
    refuse_all(statement);
    if (llvm::isa<clang::LambdaExpr>(statement)) return;
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr) walk(child);
  }

  /// Notes what makes a function one whose buffers are left alone.
  void refuse_all(const clang::Stmt* statement) {
    const char* why = nullptr;
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
      const auto* callee = call->getDirectCallee();
      if (callee != nullptr && callee->hasAttr<clang::ReturnsTwiceAttr>())
        why = "its function calls one that returns twice";
    }
    if (llvm::isa<clang::LabelStmt, clang::IndirectGotoStmt>(statement)) why = "its function has labels";
    if (llvm::isa<clang::AsmStmt>(statement)) why = "its function has assembler";
    if (llvm::isa<clang::CoroutineBodyStmt>(statement)) why = "its function suspends";
    if (llvm::isa<clang::CXXTryStmt>(statement)) why = "its function catches exceptions";
    if (why != nullptr) list_.obstacle_of_all(why, at(statement));
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement))
      for (const auto& capture : lambda->captures())
        if (capture.capturesVariable())
          list_.obstacle(capture.getCapturedVar(), "a lambda captures it", at(lambda));
  }

  void enter(const clang::CallExpr* call) {
    for (const MpiEnd& end : ends_of(call)) add_message(call, end);
    const auto name = c_function(call);
    if (name == "free" && call->getNumArgs() == 1) {
      if (const auto* pointer = candidate_in(call->getArg(0)->IgnoreParenCasts());
          pointer != nullptr && pointers_.contains(pointer)) {
        claim(call->getArg(0), {AccessKind::overwrite, call, -1, false, Access::Pointer::is_freed});
        note_name(pointer, call);
      }
      return;
    }
    const bool fills = name == "memset" || name == "memcpy" || name == "memmove";
    if (fills && call->getNumArgs() == 3 && fills_all(call))
      claim(call->getArg(0), {AccessKind::overwrite, call});
  }

  /// Returns true for a call that writes all of a buffer, as memset does.
  bool fills_all(const clang::CallExpr* call) {
    const auto* name = whole_buffer(call->getArg(0), clang_);
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    flow::Candidate* const candidate =
        variable == nullptr ? nullptr : list_.candidate_of(variable->getCanonicalDecl());
    if (candidate == nullptr || !points_.is_known(call) || !is_discarded(call, parents_)) return false;
    const auto* type = element_of_buffer(variable->getType(), clang_).getTypePtr();
    if (type->isIncompleteType() || count_names(call->getArg(1), variable) > 0) return false;
    if (const auto bytes = constant_of(call->getArg(2), clang_)) return *bytes == candidate->bytes;
    const auto length = numbers_.elements(call->getArg(2), clang_.getTypeSizeInChars(type).getQuantity());
    return !length.words.empty() && length.words == candidate->memory.extent;
  }

  void claim(const clang::Expr* argument, Claim made) {
    const auto* name = whole_buffer(argument, clang_);
    if (name != nullptr) claims_[name] = made;
  }

  /// Returns true if the expression's text is the main file's, and no macro's.
  bool is_own_text(const clang::Expr* expression) const {
    return !expression->getBeginLoc().isMacroID() && !expression->getEndLoc().isMacroID() &&
           places_.is_in_main_file(expression->getBeginLoc());
  }

  /// Notes the place of a function's name in a call, which is to be another function's.
  void note_name(const clang::VarDecl* pointer, const clang::CallExpr* call) {
    const auto* callee = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (callee == nullptr || !is_own_text(callee) ||
        callee->getDecl()->getDeclName().getAsString() != c_function(call))
      return list_.obstacle(pointer, "it is allocated or freed by a macro or under another name", at(call));
    list_.candidate_of(pointer)->memory.calls.push_back(at(callee));
  }

  void assign(const clang::VarDecl* variable, const clang::Expr* value, const clang::Stmt* by) {
    const bool is_null = value->isNullPointerConstant(clang_, clang::Expr::NPC_ValueDependentIsNotNull) !=
                         clang::Expr::NPCK_NotNull;
    const auto* call = allocation(value);
    if (call != nullptr) note_name(variable, call);
    if (!is_null && call == nullptr) list_.obstacle(variable, "another pointer is assigned to it", at(by));
    if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(by)) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParenImpCasts());
      if (!is_discarded(assignment, parents_))
        list_.obstacle(variable, "the value of an assignment to it is used", at(by));
      if (name != nullptr) claims_[name] = {AccessKind::overwrite, by, -1, false, Access::Pointer::is_set};
    }
  }

  /// Comparing a pointer with null uses no content.
  void compare(const clang::BinaryOperator* binary) {
    if (!binary->isEqualityOp()) return;
    const auto look = [&](const clang::Expr* one, const clang::Expr* other) {
      const auto* variable = candidate_in(one);
      if (variable == nullptr || !pointers_.contains(variable)) return;
      if (other->isNullPointerConstant(clang_, clang::Expr::NPC_ValueDependentIsNotNull) !=
          clang::Expr::NPCK_NotNull)
        claims_[llvm::cast<clang::DeclRefExpr>(one->IgnoreParenImpCasts())].is_nothing = true;
    };
    look(binary->getLHS(), binary->getRHS());
    look(binary->getRHS(), binary->getLHS());
  }

  /// Notes `sizeof buffer`, which becomes a number.
  void measure(const clang::UnaryExprOrTypeTraitExpr* size) {
    if (size->getKind() != clang::UETT_SizeOf || size->isArgumentType()) return;
    const auto* variable = candidate_in(size->getArgumentExpr());
    if (variable == nullptr || !variable->getType()->isArrayType()) return;
    const auto place = at(size);
    if (size->getBeginLoc().isMacroID() || size->getEndLoc().isMacroID() || place.source == nullptr)
      return list_.obstacle(variable, "a macro takes its size", place);
    list_.candidate_of(variable)->memory.sizes.push_back(place);
    const auto* name = llvm::cast<clang::DeclRefExpr>(size->getArgumentExpr()->IgnoreParenImpCasts());
    claims_[name].is_nothing = true;
  }

  void declare(const clang::DeclStmt* statement) {
    for (const clang::Decl* one : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      flow::Candidate* const candidate =
          variable == nullptr ? nullptr : list_.candidate_of(variable->getCanonicalDecl());
      if (candidate == nullptr || !variable->hasLocalStorage()) continue;
      const clang::Stmt* around = parents_.getParent(statement);
      if (!llvm::isa_and_nonnull<clang::CompoundStmt>(around) || has_case_of_outer_switch(around))
        list_.obstacle(variable, "it is declared where a jump may pass its declaration",
                       candidate->declaration);
      if (around != declaration_->getBody()) candidate->memory.ends_with_main = false;
      candidate->statement = statements_.around(statement, parents_);
      const auto point = points_.of(statement, parents_);
      if (!point) {
        list_.obstacle(variable, "kanorc does not understand how it is used", candidate->declaration);
        continue;
      }
      Access access;
      access.kind = AccessKind::overwrite;
      access.pointer = Access::Pointer::is_set;
      access.variable = candidate->variable;
      access.at = candidate->declaration;
      access.statement = candidate->statement;
      list_.add({point->node, point->element, 1}, std::move(access));
    }
  }

  void mention(const clang::DeclRefExpr* name) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const AccessList::Object* object = list_.object_of(name);
    if (object == nullptr) return;
    const auto claimed = claims_.find(name);
    if (claimed != claims_.end() && claimed->second.is_nothing) return;
    if (claimed != claims_.end()) return add(claimed->second, *object, name);
    if (const auto* candidate = list_.candidate_of(variable); candidate != nullptr && !candidate->is_vector) {
      const auto* cast = llvm::dyn_cast_or_null<clang::CastExpr>(parents_.getParentIgnoreParens(name));
      const auto* test = cast == nullptr ? nullptr : parents_.getParentIgnoreParens(cast);
      const auto* as_bool = llvm::dyn_cast_or_null<clang::CastExpr>(test);
      if (object->is_pointer && as_bool != nullptr && as_bool->getCastKind() == clang::CK_PointerToBoolean)
        return;
      if (object->is_pointer && cast != nullptr && llvm::isa_and_nonnull<clang::UnaryOperator>(test) &&
          llvm::cast<clang::UnaryOperator>(test)->getOpcode() == clang::UO_LNot)
        return;
      const auto decays = object->is_pointer ? clang::CK_LValueToRValue : clang::CK_ArrayToPointerDecay;
      if (cast == nullptr || cast->getCastKind() != decays)
        list_.obstacle(variable,
                       object->is_pointer ? "the pointer itself is used" : "it is used as a whole array",
                       at(name));
      if (evaluation_of(name, parents_) == Evaluation::never) return;
    }
    for (const Usage& usage : usages_of(name, parents_, object->is_pointer)) add(usage, name, *object);
  }

  void add(const Claim& claim, const AccessList::Object& object, const clang::DeclRefExpr* name) {
    Access access;
    access.kind = claim.kind;
    access.variable = object.variable;
    access.at = at(claim.by);
    access.statement = statements_.around(claim.by, parents_);
    access.message = claim.message;
    access.pointer = claim.pointer;
    const auto point = points_.of(claim.by, parents_);
    if (!point) return list_.obstacle(name->getDecl(), "kanorc does not understand how it is used", at(name));
    list_.add({point->node, point->element, claim.kind == AccessKind::send ? 0 : 1}, std::move(access));
  }

  void add(const Usage& usage, const clang::DeclRefExpr* name, const AccessList::Object& object) {
    Access access;
    access.kind = usage.kind;
    access.variable = object.variable;
    access.at = at(usage.by);
    if (access.at.source == nullptr) access.at = at(name);
    access.statement = statements_.around(usage.by, parents_);
    access.reason = usage.reason;
    access.only_length = usage.only_length;
    if (list_.candidate_number(name->getDecl()) >= 0)
      for (const clang::Expr* subscript : usage.subscripts)
        access.subscripts.push_back(statements_.affine(subscript, parents_));
    if (usage.kind == AccessKind::call && is_replaceable(usage.callee)) {
      access.kind = AccessKind::escape;
      access.reason = "'" + usage.callee->getQualifiedNameAsString() +
                      "' gets it, and is weak: another file's function may stand in for it";
    } else if (usage.kind == AccessKind::call) {
      access.callee = context_.functions.index_of(usage.callee);
      access.parameter = access.callee < 0 ? -1 : parameter_of(usage.callee, usage.parameter);
      if (access.parameter < 0) {
        access.kind = AccessKind::escape;
        access.callee = -1;
        access.reason =
            "'" + usage.callee->getQualifiedNameAsString() + "' gets it, but its body is not visible";
      }
    }
    if (access.kind == AccessKind::overwrite && !points_.is_known(usage.by)) access.kind = AccessKind::write;
    const auto point = points_.of(usage.by, parents_);
    if (!point)
      return list_.obstacle(name->getDecl(), "kanorc does not understand how it is used", access.at);
    const bool writes = access.kind == AccessKind::write || access.kind == AccessKind::overwrite;
    list_.add({point->node, point->element, writes ? 1 : 0}, std::move(access));
  }

  int parameter_of(const clang::FunctionDecl* callee, unsigned parameter) {
    const int index = context_.functions.index_of(callee);
    const auto* body = context_.functions.all()[static_cast<std::size_t>(index)];
    if (parameter >= body->getNumParams()) return -1;
    const int variable = context_.variables.of(body->getParamDecl(parameter));
    const auto& all = context_.functions[index].parameters;
    const auto found = std::find(all.begin(), all.end(), variable);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }

  void add_message(const clang::CallExpr* call, const MpiEnd& end) {
    flow::Message made;
    const auto* callee = call->getDirectCallee();
    made.role = end.sends ? flow::Message::Role::send : flow::Message::Role::receive;
    made.call = callee->getNameAsString();
    made.at = at(call);
    made.count = numbers_.quantity(end.count);
    made.type = constant_of(end.type, clang_);
    made.type_bytes = bytes_of_type(made.type);
    made.tag = constant_of(end.tag, clang_);
    if (made.tag && *made.tag < 0) made.tag.reset();  // any
    made.comm = constant_of(end.comm, clang_);
    const auto partner = constant_of(end.partner, clang_);
    made.has_none = partner == no_rank;
    const auto least = end.partner == nullptr ? std::nullopt : context_.least.of(end.partner);
    made.has_partner = partner == any_rank || (least && *least >= 0);
    made.obstacle = why_not_passed(call, end, made);
    const int message = static_cast<int>(list_.function().messages.size());
    if (made.obstacle.empty()) {
      const auto* name = whole_buffer(end.buffer, clang_);
      const auto* variable = llvm::cast<clang::VarDecl>(name->getDecl())->getCanonicalDecl();
      made.candidate = list_.candidate_number(variable);
      claims_[name] = {end.sends ? AccessKind::send : AccessKind::receive, call, message};
      if (!made.count.is_known()) made.obstacle = "its number of elements may change";
    }
    if (context_.divides_calls)
      DividedCalls(declaration_, places_, parents_, numbers_, statements_)
          .describe(call, end, list_.function(), made);
    list_.function().messages.push_back(std::move(made));
  }

  /// Notes the places of the call's name and buffer; returns what forbids passing, apart from the buffer.
  std::string why_not_passed(const clang::CallExpr* call, const MpiEnd& end, flow::Message& made) {
    if (!library::mpi_has(made.call, library::MpiTrait::passes) || end.buffer == nullptr)
      return "'" + made.call + "' always copies";
    const auto* callee = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (callee == nullptr || !is_own_text(callee) || !is_own_text(end.buffer))
      return "the call stands in a macro or a header";
    if (declaration_->isTemplated() || declaration_->isTemplateInstantiation())
      return "its function is a template";
    made.name = at(callee);
    made.buffer = at(end.buffer);
    const auto* name = whole_buffer(end.buffer, clang_);
    const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr) {
      const auto* part_of = named_in(end.buffer);
      return part_of == nullptr ? "its buffer is not a variable"
                                : "its buffer is a part of '" + part_of->getNameAsString() +
                                      "', or not an array or allocated memory of this function's own";
    }
    if (llvm::isa<clang::ParmVarDecl>(variable)) return "its buffer is the caller's";
    if (list_.candidate_number(variable->getCanonicalDecl()) < 0) return "its buffer is not known";
    if (made.type_bytes == 0) return "its datatype is not a predefined one without gaps";
    return {};
  }

  const MessageContext& context_;
  const Places& places_;
  clang::ASTContext& clang_;
  const clang::FunctionDecl* declaration_;
  clang::ParentMap parents_;
  ProgramPoints points_;
  SteadyNumbers numbers_;
  Statements statements_;
  AccessList list_;
  std::set<const clang::VarDecl*> pointers_;  ///< candidates that are allocated
  std::vector<std::pair<const clang::VarDecl*, const clang::CallExpr*>> allocations_;
  std::map<const clang::DeclRefExpr*, Claim> claims_;
};

}  // namespace

void add_message_accesses(const MessageContext& context, int function, const clang::FunctionDecl* declaration,
                          const clang::CFG& cfg, const std::function<int(const clang::CFGBlock*)>& node_of) {
  FunctionMessages(context, function, declaration, cfg, node_of).find(cfg, node_of);
}

}  // namespace kanor::host
