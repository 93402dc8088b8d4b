// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/statements.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <functional>
#include <set>

#include "flow/shape.hpp"

namespace kanor::host {
namespace {

const clang::Expr* bare(const clang::Expr* expression) { return expression->IgnoreParenImpCasts(); }

const clang::VarDecl* named(const clang::Expr* expression) {
  if (expression == nullptr) return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare(expression));
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

/// The cast from one integer type to another that the program writes; null for anything else.
const clang::ExplicitCastExpr* integer_cast(const clang::Expr* expression) {
  const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression);
  return cast != nullptr && cast->getType()->isIntegerType() && cast->getSubExpr()->getType()->isIntegerType()
             ? cast
             : nullptr;
}

bool is_loop(const clang::Stmt* statement) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
}

bool ends_block(const clang::Stmt* statement) {
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement))
    return llvm::isa<clang::CXXThrowExpr>(expression->IgnoreImplicit());
  return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(statement);
}

/// Returns true if the statement's last character is a semicolon, which may not be in Clang's range of it.
bool ends_with_semicolon(const clang::Stmt* statement) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
    return ends_with_semicolon(branch->getElse() != nullptr ? branch->getElse() : branch->getThen());
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement))
    return ends_with_semicolon(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement))
    return ends_with_semicolon(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement))
    return ends_with_semicolon(loop->getBody());
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement))
    return ends_with_semicolon(choice->getBody());
  if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(statement))
    return ends_with_semicolon(label->getSubStmt());
  if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(statement))
    return ends_with_semicolon(marked->getSubStmt());
  return !llvm::isa<clang::CompoundStmt, clang::CXXTryStmt>(statement);
}

/// Returns true if the line before a statement is a directive, such as an `#else`.
bool follows_directive(const flow::Location& at) {
  const std::string_view before = at.source->bytes().substr(0, at.span.begin);
  const auto last = before.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return false;
  const auto line = before.find_last_of('\n', last);
  const auto first = before.find_first_not_of(" \t", line == std::string_view::npos ? 0 : line + 1);
  return first != std::string_view::npos && before[first] == '#';
}

/// Adds `factor` times `more`.
void accumulate(flow::Affine& sum, const flow::Affine& more, long long factor) {
  sum.constant += factor * more.constant;
  for (const auto& [loop, coefficient] : more.terms) {
    const auto at = std::lower_bound(sum.terms.begin(), sum.terms.end(), loop,
                                     [](const auto& term, int wanted) { return term.first < wanted; });
    if (at != sum.terms.end() && at->first == loop) {
      at->second += factor * coefficient;
      if (at->second == 0) sum.terms.erase(at);
    } else if (factor * coefficient != 0) {
      sum.terms.insert(at, {loop, factor * coefficient});
    }
  }
}

/// The limit of numbers in subscripts, so that sums of them cannot overflow.
constexpr long long most = 1LL << 40;

bool is_small(const flow::Affine& value) {
  const auto fits = [](long long number) { return -most < number && number < most; };
  return fits(value.constant) && std::all_of(value.terms.begin(), value.terms.end(),
                                             [&](const auto& term) { return fits(term.second); });
}

}  // namespace

Statements::Statements(const ParsedUnit& unit, Variables& variables, const Places& places,
                       flow::Function& function)
    : unit_(unit), variables_(variables), places_(places), function_(function) {}

void Statements::find(const clang::Stmt* body, const clang::CFG& cfg,
                      const std::function<int(const clang::CFGBlock*)>& node_of) {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(body)) add_children(compound, -1);
  // `do … while (false)` goes around never.
  const auto reached = flow::reverse_postorder(flow::successors(function_), function_.entry);
  const std::set<int> is_reached(reached.begin(), reached.end());
  for (const clang::CFGBlock* block : cfg)
    if (block->getLoopTarget() != nullptr && block->succ_size() > 0 && is_reached.contains(node_of(block)))
      if (const clang::CFGBlock* header = block->succ_begin()->getReachableBlock(); header != nullptr)
        headers_[block->getLoopTarget()] = node_of(header);
  find_references(body, nullptr, false);
  find_loops(body, -1);
}

void Statements::find_effects(const Computing& computing) {
  constexpr const char* another_block = "another block communicates";
  for (const auto& [statement, index] : index_) {
    flow::Statement& made = function_.statements[static_cast<std::size_t>(index)];
    std::set<int> runs;
    if (const auto effect = computing.effect_of(statement, runs)) {
      made.effect = places_.is_in_block(effect->by->getBeginLoc()) ? another_block : effect->what;
      made.effect_at = places_.of(effect->by->getSourceRange());
    }
    made.runs.assign(runs.begin(), runs.end());
  }
  for (const auto& [block, index] : blocks_)
    function_.statements[static_cast<std::size_t>(index)].effect = another_block;
}

/// Notes the variables that may be changed by other names than theirs: whose address is taken, say.
void Statements::find_references(const clang::Stmt* at, const clang::Stmt* parent, bool is_direct) {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(at)) {
    if (!is_direct) referenced_.insert(name->getDecl());
    return;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(at)) {
    for (const auto& capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() != clang::LCK_ByCopy)
        referenced_.insert(capture.getCapturedVar());
    return;
  }
  if (places_.is_in_block(at->getBeginLoc())) return;
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(at);
  const bool loads = (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) ||
                     (is_direct && llvm::isa<clang::ParenExpr>(at));
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(at);
  const bool changes = (unary != nullptr && unary->isIncrementDecrementOp()) ||
                       (binary != nullptr && binary->isAssignmentOp());
  // In C++ that may be another name of the variable: `&++i`.
  const auto* user = llvm::dyn_cast_or_null<clang::BinaryOperator>(parent);
  const bool is_name = changes && llvm::cast<clang::Expr>(at)->isGLValue() && !is_direct &&
                       llvm::isa_and_nonnull<clang::Expr, clang::DeclStmt, clang::ReturnStmt>(parent) &&
                       (user == nullptr || user->getOpcode() != clang::BO_Comma);
  for (const clang::Stmt* child : at->children())
    if (child != nullptr)
      find_references(child, at, loads || (changes && !is_name && child == *at->child_begin()));
}

/// The statement's place from its first character to its last, the semicolon included.
flow::Location Statements::whole(const clang::Stmt* statement) const {
  if (statement->getBeginLoc().isMacroID() || statement->getEndLoc().isMacroID()) return {};
  flow::Location at = places_.of(statement->getSourceRange());
  if (at.source == nullptr) return {};
  const std::string_view text = at.source->bytes();
  if (text[at.span.end - 1] == ';' || !ends_with_semicolon(statement)) return at;
  const auto token = clang::Lexer::findNextToken(statement->getEndLoc(), unit_.sema.getSourceManager(),
                                                 unit_.sema.getLangOpts());
  if (!token || token->isNot(clang::tok::semi)) return {};
  const auto end = places_.of(token->getLocation());
  if (end.source != at.source) return {};
  at.span.end = end.span.end;
  return at;
}

Statements::Pragma Statements::before(const clang::Stmt* statement) const {
  // Of the pragmas that Clang itself understands it makes attributes, which begin where the pragma does.
  if (const auto* marked = llvm::dyn_cast<clang::AttributedStmt>(statement))
    if (const Pragma inner = before(marked->getSubStmt()); inner != Pragma::none) return inner;
  const auto* pragmas = unit_.files.pragmas_before(places_.sources(), statement->getBeginLoc());
  if (pragmas == nullptr) return Pragma::none;
  return pragmas->is_for_speed ? Pragma::for_speed : Pragma::threads;
}

void Statements::add_children(const clang::CompoundStmt* compound, int parent) {
  for (const clang::Stmt* child : compound->body()) {
    while (const auto* labelled = llvm::dyn_cast<clang::SwitchCase>(child)) child = labelled->getSubStmt();
    if (before(child) != Pragma::none) continue;
    const FileMap::Entry* file = nullptr;
    const int block = places_.block_at(child->getBeginLoc(), file);
    if (block < 0) {
      add(child, parent);
    } else if (!blocks_.contains({file, block})) {
      const auto& syntax = file->shadow->ast->blocks[static_cast<std::size_t>(block)];
      auto end = syntax.span.end;
      const std::string_view text = file->source->bytes();
      if (const auto next = text.find_first_not_of(" \t\r\n", end);
          syntax.spelling != syntax::Block::Spelling::at_sign && next < text.size() && text[next] == ';')
        end = static_cast<std::uint32_t>(next + 1);
      blocks_[{file, block}] = static_cast<int>(function_.statements.size());
      function_.statements.push_back({{file->source, {syntax.span.begin, end}}, parent, false, false});
    }
  }
}

void Statements::add(const clang::Stmt* statement, int parent, bool needs_braces) {
  const flow::Location at = whole(statement);
  if (at.source == nullptr || llvm::isa<clang::LabelStmt, clang::NullStmt>(statement)) {
    walk(statement, parent);
    return;
  }
  const int index = static_cast<int>(function_.statements.size());
  index_[statement] = index;
  function_.statements.push_back({at, parent, is_loop(statement), ends_block(statement), needs_braces});
  walk(statement, index);
}

void Statements::walk(const clang::Stmt* statement, int parent) {
  if (llvm::isa<clang::Expr, clang::DeclStmt>(statement) || places_.is_in_block(statement->getBeginLoc()))
    return;
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return add_children(compound, parent);
  const auto is_body = [&](const clang::Stmt* child) {
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
      return child == branch->getThen() || child == branch->getElse();
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) return child == loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) return child == loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(statement)) return child == loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) return child == loop->getBody();
    return false;
  };
  for (const clang::Stmt* child : statement->children()) {
    if (child == nullptr) continue;
    const bool is_bare = is_body(child) && !llvm::isa<clang::CompoundStmt>(child) &&
                         !places_.is_in_block(child->getBeginLoc());
    if (before(child) != Pragma::none) continue;
    is_bare ? add(child, parent, true) : walk(child, parent);
  }
}

int Statements::around(const clang::Stmt* node, const clang::ParentMap& parents) const {
  for (; node != nullptr; node = parents.getParent(node))
    if (const auto found = index_.find(node); found != index_.end()) return found->second;
  return -1;
}

int Statements::of_block(const FileMap::Entry* file, int block) const {
  const auto found = blocks_.find({file, block});
  return found == blocks_.end() ? -1 : found->second;
}

void Statements::find_loops(const clang::Stmt* statement, int parent) {
  if (llvm::isa<clang::Expr>(statement)) return;
  if (is_loop(statement) && headers_.contains(statement)) {
    flow::Loop made;
    made.header = headers_.at(statement);
    made.parent = parent;
    if (const auto found = index_.find(statement); found != index_.end()) made.statement = found->second;
    parent = static_cast<int>(function_.loops.size());
    if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(statement)) count(counted, made);
    function_.loops.push_back(std::move(made));
  }
  for (const clang::Stmt* child : statement->children())
    if (child != nullptr) find_loops(child, parent);
}

std::optional<long long> Statements::constant(const clang::Expr* expression) const {
  clang::Expr::EvalResult result;
  if (expression == nullptr || expression->isValueDependent() || !expression->getType()->isIntegerType() ||
      !expression->EvaluateAsInt(result, unit_.sema.Context))
    return std::nullopt;
  const auto& value = result.Val.getInt();
  if (!value.isRepresentableByInt64() || value.getSignificantBits() > 40) return std::nullopt;
  return value.getExtValue();
}

/// Describes `for (int i = FIRST; i < LAST; i += STEP)` with a positive step and a counter that nothing else
/// changes.
void Statements::count(const clang::ForStmt* loop, flow::Loop& made) {
  const clang::VarDecl* counter = nullptr;
  const clang::Expr* first = nullptr;
  if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
      declared != nullptr && declared->isSingleDecl()) {
    counter = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    first = counter == nullptr ? nullptr : counter->getInit();
  } else if (const auto* assigned = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInit());
             assigned != nullptr && assigned->getOpcode() == clang::BO_Assign) {
    counter = named(assigned->getLHS());
    first = assigned->getRHS();
  }
  if (counter == nullptr || !counter->hasLocalStorage() || !counter->getType()->isIntegerType() ||
      counter->getType().isVolatileQualified() || referenced_.contains(counter) ||
      unit_.sema.Context.getTypeSize(counter->getType()) < 32 || loop->getCond() == nullptr ||
      loop->getInc() == nullptr || !is_steady(counter, loop->getBody()))
    return;
  long long step = 0;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare(loop->getInc()))) {
    if (unary->isIncrementOp() && named(unary->getSubExpr()) == counter) step = 1;
  } else if (const auto* moved = llvm::dyn_cast<clang::BinaryOperator>(bare(loop->getInc()))) {
    if (moved->getOpcode() == clang::BO_AddAssign && named(moved->getLHS()) == counter)
      step = constant(moved->getRHS()).value_or(0);
  }
  const auto* condition = llvm::dyn_cast<clang::BinaryOperator>(bare(loop->getCond()));
  if (step <= 0 || condition == nullptr || named(condition->getLHS()) != counter) return;
  const auto bound = constant(condition->getRHS());
  made.first = constant(first);
  // A counter that begins above its limit reaches it by wrapping around.
  const bool wraps = condition->getOpcode() == clang::BO_NE && counter->getType()->isUnsignedIntegerType() &&
                     !(made.first && *made.first <= bound.value_or(0));
  if (wraps) return;
  if (condition->getOpcode() == clang::BO_LE)
    made.last = bound;
  else if (condition->getOpcode() == clang::BO_LT || (condition->getOpcode() == clang::BO_NE && step == 1))
    made.last = bound ? std::optional(*bound - 1) : std::nullopt;
  else
    return;
  if (!bound && words_ && condition->getOpcode() == clang::BO_LT) made.end = words_(condition->getRHS());
  made.is_counted = true;
  made.step = step;
  if (spells_loops_) made.spelling = spelling(loop, counter, condition);
  counters_[counter].emplace(loop, static_cast<int>(function_.loops.size()));
}

std::optional<flow::Loop::Spelling> Statements::spelling(const clang::ForStmt* loop,
                                                         const clang::VarDecl* counter,
                                                         const clang::BinaryOperator* condition) const {
  const clang::Expr* limit = condition->getRHS();
  const auto is_macro = [](const clang::Expr* part) {
    return part->getBeginLoc().isMacroID() || part->getEndLoc().isMacroID();
  };
  const flow::Location all = whole(loop);
  flow::Loop::Spelling made;
  made.step = places_.of(loop->getInc()->getSourceRange());
  // The text may name macros, as long as all of an expansion is the limit's.
  const clang::CharSourceRange text =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(limit->getSourceRange()),
                                      unit_.sema.getSourceManager(), unit_.sema.getLangOpts());
  if (text.isInvalid()) return std::nullopt;
  flow::Location end = places_.of(text.getBegin());
  end.span.end =
      end.span.begin +
      static_cast<std::uint32_t>(
          clang::Lexer::getSourceText(text, unit_.sema.getSourceManager(), unit_.sema.getLangOpts()).size());
  if (all.source == nullptr || made.step.source != all.source || end.source != all.source ||
      is_macro(loop->getInc()) || follows_directive(all) || !lasts(limit, loop->getBody(), made.length_of))
    return std::nullopt;
  // Compared as an unsigned number, a negative limit is a great one; the one behind it is not.
  const bool may_wrap = limit->getType()->isUnsignedIntegerType() &&
                        bare(limit)->getType()->isSignedIntegerType() && !constant(limit);
  if (condition->getOpcode() == clang::BO_LE && may_wrap) return std::nullopt;
  made.counter = counter->getNameAsString();
  made.limit = std::string(end.source->text(end.span));
  if (condition->getOpcode() == clang::BO_LE) made.limit = "1L + (" + made.limit + ")";
  return made;
}

/// Returns true if the limit of a loop's counter consists of constants and local numbers that the body leaves
/// alone, or is the length of one variable.
bool Statements::lasts(const clang::Expr* limit, const clang::Stmt* body, int& length_of) const {
  if (constant(limit)) return true;
  limit = bare(limit);
  if (const auto* cast = integer_cast(limit)) return lasts(cast->getSubExpr(), body, length_of);
  if (const auto* variable = named(limit))
    return variable->hasLocalStorage() && variable->getType()->isIntegerType() &&
           !variable->getType().isVolatileQualified() && !referenced_.contains(variable) &&
           is_steady(variable, body);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(limit))
    return (binary->isAdditiveOp() || binary->isMultiplicativeOp()) &&
           lasts(binary->getLHS(), body, length_of) && lasts(binary->getRHS(), body, length_of);
  const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(limit);
  const auto* container = call == nullptr ? nullptr : named(call->getImplicitObjectArgument());
  if (container == nullptr || length_of >= 0 || call->getMethodDecl() == nullptr ||
      call->getMethodDecl()->getDeclName().getAsString() != "size")
    return false;
  length_of = variables_.of(container);
  return length_of >= 0;
}

/// Returns true if the loop's body only reads the counter.
bool Statements::is_steady(const clang::VarDecl* counter, const clang::Stmt* body) const {
  const std::function<bool(const clang::Stmt*, bool)> looks = [&](const clang::Stmt* at, bool is_loaded) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(at);
        name != nullptr && name->getDecl() == counter)
      return is_loaded;
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(at)) {
      for (const auto& capture : lambda->captures())
        if (capture.capturesVariable() && capture.getCapturedVar() == counter &&
            capture.getCaptureKind() != clang::LCK_ByCopy)
          return false;
      return true;
    }
    // A block's pieces are evaluated, and change nothing.
    if (places_.is_in_block(at->getBeginLoc())) return true;
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(at);
    const bool loads = (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue) ||
                       (is_loaded && llvm::isa<clang::ParenExpr>(at));
    for (const clang::Stmt* child : at->children())
      if (child != nullptr && !looks(child, loads)) return false;
    return true;
  };
  return looks(body, false);
}

/// The loop around the name, not its initialisation, whose counter it is; -1: none.
int Statements::loop_of(const clang::Expr* name, const clang::ParentMap& parents) const {
  const auto loops = counters_.find(named(name));
  if (loops == counters_.end()) return -1;
  const clang::Stmt* part = name;
  for (const clang::Stmt* at = parents.getParent(name); at != nullptr; part = at, at = parents.getParent(at))
    if (const auto found = loops->second.find(at); found != loops->second.end())
      return part == llvm::cast<clang::ForStmt>(at)->getInit() ? -1 : found->second;
  return -1;
}

/// Returns true if an operand of unsigned arithmetic may be so great that the result wraps around to an
/// element: not if it is a small number plus counters that begin with small ones, as these meet no element
/// before.
bool Statements::may_wrap(const clang::BinaryOperator* arithmetic, const flow::Affine& operand) const {
  constexpr long long small = 1LL << 31;
  if (!arithmetic->getType()->isUnsignedIntegerType()) return false;
  return operand.constant <= -small || operand.constant >= small ||
         std::any_of(operand.terms.begin(), operand.terms.end(), [&](const auto& term) {
           const auto& first = function_.loops[static_cast<std::size_t>(term.first)].first;
           return !first || *first < 0 || *first >= small;
         });
}

std::optional<flow::Affine> Statements::affine(const clang::Expr* subscript,
                                               const clang::ParentMap& parents) const {
  if (subscript == nullptr) return std::nullopt;
  if (const auto value = constant(subscript)) return flow::Affine{*value, {}};
  subscript = bare(subscript);
  if (const auto* cast = integer_cast(subscript)) {
    const auto& context = unit_.sema.Context;
    const bool fits =
        context.getTypeSize(cast->getType()) >= context.getTypeSize(cast->getSubExpr()->getType());
    return fits ? affine(cast->getSubExpr(), parents) : std::nullopt;
  }
  if (named(subscript) != nullptr) {
    const int loop = loop_of(subscript, parents);
    return loop < 0 ? std::nullopt : std::optional(flow::Affine{0, {{loop, 1}}});
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(subscript);
  if (binary == nullptr) return std::nullopt;
  const auto left = affine(binary->getLHS(), parents), right = affine(binary->getRHS(), parents);
  if (!left || !right) return std::nullopt;
  flow::Affine sum;
  if (may_wrap(binary, *left) || may_wrap(binary, *right)) return std::nullopt;
  switch (binary->getOpcode()) {
    case clang::BO_Add:
    case clang::BO_Sub:
      sum = *left;
      accumulate(sum, *right, binary->getOpcode() == clang::BO_Add ? 1 : -1);
      break;
    case clang::BO_Mul:
      if (!left->terms.empty() && !right->terms.empty()) return std::nullopt;
      accumulate(sum, left->terms.empty() ? *right : *left,
                 left->terms.empty() ? left->constant : right->constant);
      break;
    default:
      return std::nullopt;
  }
  if (!is_small(sum)) return std::nullopt;
  return sum;
}

}  // namespace kanor::host
