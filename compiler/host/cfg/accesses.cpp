// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/accesses.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <set>
#include <utility>

#include "flow/shape.hpp"
#include "host/cfg/access_list.hpp"
#include "host/cfg/block_accesses.hpp"
#include "host/cfg/copy_loops.hpp"
#include "host/cfg/exchanges.hpp"
#include "host/cfg/lambda_runs.hpp"
#include "host/cfg/statements.hpp"
#include "host/cfg/usage.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

using flow::Access;
using flow::AccessKind;
using flow::Mention;

/// Returns true for a call of `setjmp` or the like, after which code may run a second time.
bool returns_twice(const clang::Stmt* statement) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  return callee != nullptr && callee->hasAttr<clang::ReturnsTwiceAttr>();
}

/// The accesses of one function, in the order of Clang's graph.
class FunctionAccesses {
 public:
  FunctionAccesses(const ParsedUnit& unit, Variables& variables, Functions& functions, const Places& places,
                   BlocksFlow& blocks_flow, const Candidates& candidates, const FlowOptions& options,
                   int index, const clang::FunctionDecl* declaration)
      : unit_(unit),
        variables_(variables),
        functions_(functions),
        places_(places),
        blocks_flow_(blocks_flow),
        candidates_(candidates),
        options_(options),
        declaration_(declaration),
        parents_(declaration->getBody()),
        statements_(unit, variables, places, functions[index]),
        list_(functions, index) {}

  /// `is_needed`: also if no loop beside a block copies a buffer.
  void find(bool is_needed, const clang::CFG& cfg,
            const std::function<int(const clang::CFGBlock*)>& node_of) {
    std::optional<CopyLoopFinder> copy_loops;
    if (options_.replaces_loops && has_blocks(declaration_)) {
      copy_loops.emplace(unit_, variables_, places_, blocks_flow_, declaration_);
      copy_loops->find(list_);
    }
    if (!is_needed && list_.function().copy_loops.empty()) return;
    for (auto& [variable, candidate] : candidates_.of(declaration_)) {
      if (candidate.variable < 0) continue;
      list_.add_candidate(variable, std::move(candidate));
    }
    for (const auto* parameter : declaration_->parameters()) {
      const auto type = parameter->getType();
      const bool refers =
          (type->isPointerType() && !type->isFunctionPointerType()) || type->isReferenceType();
      if (const int variable = refers ? variables_.of(parameter) : -1; variable >= 0)
        list_.add_object(parameter, {variable, type->isPointerType()});
    }
    ExchangeFinder exchanges(unit_, variables_, places_, declaration_);
    if (options_.pipelines_blocks) exchanges.find(list_);
    if (!list_.has_objects()) return;
    if (has_blocks_to_pipeline() || !list_.function().exchanges.empty()) statements_.spell_loops();
    statements_.find(declaration_->getBody(), cfg, node_of);
    exchanges.place(statements_, list_.function());
    if (copy_loops) copy_loops->place(statements_, parents_, list_.function());
    if (!list_.function().exchanges.empty()) statements_.find_effects(Computing(functions_));
    points_.emplace(places_, cfg, node_of);
    walk(declaration_->getBody());
    BlockAccesses blocks(unit_, places_, blocks_flow_, *points_, statements_, parents_, list_,
                         options_.pipelines_blocks);
    for (const auto& [key, pieces] : unit_.pieces.all())
      if (key.function != nullptr && key.function->getCanonicalDecl() == declaration_->getCanonicalDecl())
        blocks.add(key, pieces);
    blocks.check_moved();
    check_range_loops();
    check_unvisited();
    list_.finish();
    flow::complete_loops(list_.function());
  }

 private:
  bool has_blocks_to_pipeline() const {
    const auto& all = unit_.pieces.all();
    return std::any_of(all.begin(), all.end(), [&](const auto& one) {
      const StatementKey& key = one.first;
      return key.function != nullptr && key.file->shadow != nullptr &&
             key.function->getCanonicalDecl() == declaration_->getCanonicalDecl() &&
             pipelining_of(key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)],
                           options_.pipelines_blocks) != flow::Pipelining::no;
    });
  }

  /// A call that runs a lambda, and the statement that it stands in.
  struct Run {
    ProgramPoint point;
    int statement = -1;
    flow::Location at;
  };

  void walk(const clang::Stmt* statement) {
    if (places_.is_in_block(statement->getBeginLoc())) return;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) return mention(name);
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) return follow(lambda);
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (declared != nullptr) declare(declared);
    const auto* only = declared == nullptr || !declared->isSingleDecl()
                           ? nullptr
                           : llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    const bool is_constant =
        llvm::isa<clang::ConstantExpr>(statement) || (only != nullptr && only->isConstexpr());
    const bool was_in_constant = std::exchange(is_in_constant_, is_in_constant_ || is_constant);
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) follow(loop);
    if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(statement);
        label != nullptr && !stands_in_switch(label))
      list_.obstacle_of_all("its function has a case label in a statement of its own",
                            places_.of(label->getBeginLoc()));
    if (statements_.before(statement) == Statements::Pragma::threads) return keep_apart(statement);
    if (llvm::isa<clang::CXXTryStmt>(statement)) enter_try(statement);
    if (returns_twice(statement))
      list_.obstacle_of_all("its function calls one that returns twice",
                            places_.of(statement->getBeginLoc()));
    if (llvm::isa<clang::LabelStmt, clang::IndirectGotoStmt, clang::AsmStmt, clang::CoroutineBodyStmt>(
            statement))
      list_.obstacle_of_all("its function has labels, assembler or suspends",
                            places_.of(statement->getBeginLoc()));
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr) walk(child);
    is_in_constant_ = was_in_constant;
  }

  /// Makes candidates declared outside of a try block unshareable, since it is not known which part of a
  /// statement an exception leaves undone. Variables declared inside no longer exist when it is caught.
  void enter_try(const clang::Stmt* statement) {
    for (const auto& [candidate, scope] : scope_of_) {
      const clang::Stmt* around = statement;
      while (around != nullptr && around != scope) around = parents_.getParent(around);
      if (around == nullptr) continue;
      list_.obstacle(list_.function().candidates[static_cast<std::size_t>(candidate)],
                     "exceptions are caught inside its scope", places_.of(statement->getBeginLoc()));
    }
  }

  /// Returns true if the label is a child of its switch's compound statement: a jump to any other label
  /// bypasses what is inserted in front of the statement that contains it.
  bool stands_in_switch(const clang::Stmt* label) const {
    const clang::Stmt* parent = parents_.getParent(label);
    while (llvm::isa_and_nonnull<clang::SwitchCase>(parent)) parent = parents_.getParent(parent);
    return llvm::isa_and_nonnull<clang::CompoundStmt>(parent) &&
           llvm::isa_and_nonnull<clang::SwitchStmt>(parents_.getParent(parent));
  }

  void declare(const clang::DeclStmt* statement) {
    for (const clang::Decl* one : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      const int number = variable == nullptr ? -1 : list_.candidate_number(variable);
      if (number < 0) continue;
      scope_of_[number] = parents_.getParent(statement);
      flow::Candidate& candidate = *list_.candidate_of(variable);
      if (!candidate.moves_only && !candidates_.spell(statement, variable, candidate)) continue;
      candidate.statement = statements_.around(statement, parents_);
      const auto at = candidate.statement < 0
                          ? flow::Location{}
                          : list_.function().statements[static_cast<std::size_t>(candidate.statement)].at;
      const clang::Stmt* around = parents_.getParent(statement);
      if (llvm::isa_and_nonnull<clang::SwitchStmt>(around == nullptr ? nullptr : parents_.getParent(around)))
        candidate.obstacles.emplace_back("a case label may lead past its declaration", candidate.declaration);
      if (!llvm::isa_and_nonnull<clang::CompoundStmt>(around) || at.source == nullptr)
        candidate.obstacles.emplace_back("it is declared where no other statement can stand",
                                         candidate.declaration);
      const auto point = points_->of(statement, parents_);
      // Without an initialiser there is nothing that would have to be kept.
      if (point) {
        Access access;
        access.kind = AccessKind::overwrite;
        access.variable = candidate.variable;
        access.at = candidate.declaration;
        access.statement = candidate.statement;
        list_.add(ProgramPoint{point->node, point->element, 1}, std::move(access));
      }
    }
  }

  /// Treats the variable of a range-for over an object as a name of the object's elements.
  void follow(const clang::CXXForRangeStmt* loop) {
    const auto* name = looped_over(loop);
    const AccessList::Object* object = name == nullptr ? nullptr : list_.object_of(name);
    if (object == nullptr) return;
    if (!runs_) range_loops_.push_back({loop, object->variable, name});
    if (loop->getLoopVariable()->getType()->isReferenceType())
      list_.add_object(loop->getLoopVariable(), {object->variable, false});
  }

  /// Adds the lambda's accesses to the variables that it captures at the calls that run it.
  void follow(const clang::LambdaExpr* lambda) {
    const auto in_block = [&](const clang::Stmt* one) { return places_.is_in_block(one->getBeginLoc()); };
    std::optional<std::vector<const clang::CallExpr*>> calls;
    if (!runs_ && !has_blocks(lambda->getCallOperator()))
      calls = runs_of(lambda, declaration_->getBody(), parents_, in_block);
    std::vector<Run> runs;
    for (const clang::CallExpr* call : calls.value_or(std::vector<const clang::CallExpr*>{})) {
      const auto point = points_->of(call, parents_);
      if (!point) calls.reset();
      if (!calls) break;
      runs.push_back({*point, statements_.around(call, parents_), places_.of(call->getSourceRange())});
    }
    auto init = lambda->capture_init_begin();
    for (const clang::LambdaCapture& capture : lambda->captures())
      capture_in(lambda, capture, *init++, !!calls);
    if (!calls) return;
    runs_ = std::move(runs);
    if (auto* const pattern = lambda->getDependentCallOperator()) {
      for (const clang::FunctionDecl* instance : pattern->specializations()) {
        if (instance->getBody() == nullptr) continue;
        parents_.addStmt(instance->getBody());
        walk(instance->getBody());
      }
    } else {
      walk(lambda->getBody());
    }
    runs_.reset();
  }
  void capture_in(const clang::LambdaExpr* lambda, const clang::LambdaCapture& capture,
                  const clang::Expr* value, bool is_followed) {
    if (value == nullptr) return;
    const bool is_plain = capture.capturesVariable() && !lambda->isInitCapture(&capture);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value);
    if (is_followed && is_plain && capture.getCaptureKind() == clang::LCK_ByRef && name != nullptr) {
      if (capture.isExplicit()) capture_by_name(name);
      return;
    }
    if (is_plain && capture.getCaptureKind() == clang::LCK_ByCopy)
      list_.obstacle(capture.getCapturedVar(), "a lambda captures it", places_.of(capture.getLocation()));
    walk(value);
  }
  /// Marks the name as a capture: the emitted lambda captures the pointer of that name.
  void capture_by_name(const clang::DeclRefExpr* name) {
    const auto at = places_.of(name->getLocation());
    visited_.insert(at.span.begin);
    if (flow::Candidate* const candidate = list_.candidate_of(name->getDecl()))
      for (Mention& mention : candidate->mentions)
        if (mention.at == at) mention.what = Mention::What::capture;
  }
  bool has_blocks(const clang::FunctionDecl* function) const {
    return std::any_of(unit_.pieces.all().begin(), unit_.pieces.all().end(), [&](const auto& one) {
      return one.first.function != nullptr &&
             one.first.function->getCanonicalDecl() == function->getCanonicalDecl();
    });
  }

  void mention(const clang::DeclRefExpr* name) {
    const AccessList::Object* object = list_.object_of(name);
    if (object == nullptr) return;
    const auto at = places_.of(name->getLocation());
    visited_.insert(at.span.begin);
    const auto usages = usages_of(name, parents_, object->is_pointer);
    if (is_in_constant_ && !usages.empty())
      list_.obstacle(name->getDecl(), "a constant expression uses it", at);
    for (const Usage& usage : usages) add(usage, name, *object);
  }

  /// Adds an escape for each object named in a statement that OpenMP may make a function of, which is not
  /// followed, or that several threads may execute.
  void keep_apart(const clang::Stmt* region) {
    const std::string why = "a pragma may give it to several threads";
    for_each_name(region, [&](const clang::DeclRefExpr* name) {
      const AccessList::Object* object = list_.object_of(name);
      if (object == nullptr) return;
      const auto at = places_.of(name->getLocation());
      if (list_.candidate_number(name->getDecl()) >= 0) return list_.obstacle(name->getDecl(), why, at);
      Access access;
      access.kind = AccessKind::escape;
      access.variable = object->variable;
      access.at = at;
      access.reason = why;
      list_.add({list_.function().entry, 0, 0}, std::move(access));
    });
  }

  /// Adds an obstacle for names that the walk through statements did not meet: they are in types (array
  /// bounds, template arguments). In templates they may be in branches that this instantiation discards, so
  /// these are skipped.
  void check_unvisited() {
    const auto has = [](const auto& obstacles, const flow::Location& at) {
      return std::any_of(obstacles.begin(), obstacles.end(),
                         [&](const auto& one) { return one.second == at; });
    };
    if (declaration_->isTemplateInstantiation() || declaration_->getTemplateInstantiationPattern() != nullptr)
      return;
    for (flow::Candidate& candidate : list_.function().candidates)
      for (const Mention& mention : candidate.mentions)
        if (!visited_.contains(mention.at.span.begin) && !is_in_a_block(mention.at) &&
            !has(candidate.obstacles, mention.at) && !has(candidate.text_obstacles, mention.at))
          candidate.obstacles.emplace_back("it is used outside of statements", mention.at);
  }
  bool is_in_a_block(const flow::Location& at) const {
    for (const auto& [key, pieces] : unit_.pieces.all())
      if (key.file->source == at.source && key.file->shadow != nullptr)
        for (const auto& block : key.file->shadow->ast->blocks)
          if (block.span.contains(at.span)) return true;
    return false;
  }

  void add(const Usage& usage, const clang::DeclRefExpr* name, const AccessList::Object& object) {
    Access access;
    access.kind = usage.kind;
    access.variable = object.variable;
    access.at = places_.of(usage.by->getSourceRange());
    if (access.at.source == nullptr) access.at = places_.of(name->getSourceRange());
    access.statement = statements_.around(usage.by, parents_);
    access.reason = usage.reason;
    access.only_length = usage.only_length;
    const bool is_element = list_.candidate_number(name->getDecl()) >= 0;
    if (is_element)
      for (const clang::Expr* subscript : usage.subscripts)
        access.subscripts.push_back(statements_.affine(subscript, parents_));
    if (usage.kind == AccessKind::call) {
      access.callee = functions_.index_of(usage.callee);
      access.parameter = access.callee < 0 ? -1 : parameter_of(usage.callee, usage.parameter);
      const bool suspends = access.callee >= 0 && is_coroutine(access.callee);
      if (access.parameter < 0 || suspends) {
        access.kind = AccessKind::escape;
        access.callee = -1;
        access.reason = "'" + usage.callee->getQualifiedNameAsString() + "' gets it, " +
                        (suspends ? "and may suspend" : "but its body is not visible");
      }
    }
    // Through a reference to an element a whole overwriting is one of that element.
    if (access.kind == AccessKind::overwrite && !is_element &&
        !llvm::isa<clang::ParmVarDecl>(name->getDecl()))
      access.kind = AccessKind::write;
    if (runs_) return add_at_runs(std::move(access));
    if (access.kind == AccessKind::overwrite && !points_->is_known(usage.by)) access.kind = AccessKind::write;
    const auto point = points_->of(usage.by, parents_);
    if (!point) {
      list_.obstacle(name->getDecl(), "kanorc does not understand how it is used", access.at);
      return;
    }
    const bool writes = access.kind == AccessKind::write || access.kind == AccessKind::overwrite;
    list_.add(ProgramPoint{point->node, point->element, writes ? 1 : 0}, std::move(access));
  }

  /// Adds an access inside a lambda at each call that runs it, any number of times or not at all.
  void add_at_runs(Access access) {
    for (auto& subscript : access.subscripts) subscript.reset();
    if (access.kind == AccessKind::overwrite) access.kind = AccessKind::write;
    for (const Run& run : *runs_) {
      access.statement = run.statement;
      if (run.at.source != nullptr) access.at = run.at;
      list_.add(ProgramPoint{run.point.node, run.point.element, access.kind == AccessKind::write ? 1 : 0},
                access);
    }
  }

  bool is_coroutine(int callee) const {
    const auto* body = functions_.all()[static_cast<std::size_t>(callee)]->getBody();
    return llvm::isa_and_nonnull<clang::CoroutineBodyStmt>(body);
  }

  int parameter_of(const clang::FunctionDecl* callee, unsigned parameter) {
    const int index = functions_.index_of(callee);
    const auto* body = functions_.all()[static_cast<std::size_t>(index)];
    const int variable = variables_.of(body->getParamDecl(parameter));
    const auto& all = functions_[index].parameters;
    const auto found = std::find(all.begin(), all.end(), variable);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }

  /// Checks loops over an object, which refer to it throughout: what the body changes must be the rank's own
  /// before the loop, and must not move.
  void check_range_loops() {
    for (const RangeLoop& range : range_loops_) {
      const auto at = places_.of(range.loop->getSourceRange());
      std::optional<Access> written;
      for (const auto& [point, access] : list_.all()) {
        if (access.variable != range.variable || at.source != access.at.source ||
            !at.span.contains(access.at.span))
          continue;
        if (access.kind == AccessKind::send || access.kind == AccessKind::receive)
          list_.obstacle(range.name->getDecl(), "a block in a loop over it communicates it", access.at);
        if (access.kind == AccessKind::write || access.kind == AccessKind::overwrite ||
            access.kind == AccessKind::call)
          written = access;
      }
      // Each turn reads the next element.
      const auto turn = points_->of(range.loop->getLoopVarStmt(), parents_);
      const auto point = points_->of(range.loop->getRangeStmt(), parents_);
      if (!turn || !point) {
        list_.obstacle(range.name->getDecl(), "kanorc does not understand how it is used", at);
        continue;
      }
      Access next;
      next.variable = range.variable;
      next.at = places_.of(range.name->getSourceRange());
      next.statement = statements_.around(range.loop, parents_);
      list_.add(*turn, std::move(next));
      if (!written) continue;
      Access whole;
      whole.kind = AccessKind::write;
      whole.variable = range.variable;
      whole.at = places_.of(range.name->getSourceRange());
      whole.statement = statements_.around(range.loop, parents_);
      list_.add(ProgramPoint{point->node, point->element, 1}, std::move(whole));
    }
  }

  struct RangeLoop {
    const clang::CXXForRangeStmt* loop;
    int variable;
    const clang::DeclRefExpr* name;
  };

  const ParsedUnit& unit_;
  Variables& variables_;
  Functions& functions_;
  const Places& places_;
  BlocksFlow& blocks_flow_;
  const Candidates& candidates_;
  const FlowOptions& options_;
  const clang::FunctionDecl* declaration_;
  clang::ParentMap parents_;
  Statements statements_;
  AccessList list_;
  std::map<int, const clang::Stmt*> scope_of_;  ///< by visited candidate: the statement around it
  std::optional<ProgramPoints> points_;
  std::vector<RangeLoop> range_loops_;
  std::set<std::uint32_t> visited_;       ///< offsets of the names visited
  std::optional<std::vector<Run>> runs_;  ///< the calls that run the lambda being visited
  bool is_in_constant_ = false;
};

}  // namespace

void Accesses::add(int function, const clang::FunctionDecl* declaration, const clang::CFG& cfg,
                   const std::function<int(const clang::CFGBlock*)>& node_of) {
  const bool is_needed = are_needed() || options_.pipelines_blocks;
  if (!is_needed && !options_.replaces_loops) return;
  FunctionAccesses(unit_, variables_, functions_, places_, blocks_, candidates_, options_, function,
                   declaration)
      .find(is_needed, cfg, node_of);
}

}  // namespace kanor::host
