#include "host/cfg/accesses.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <set>
#include <utility>

#include "flow/shape.hpp"
#include "host/cfg/lambda_runs.hpp"
#include "host/cfg/moments.hpp"
#include "host/cfg/movable_values.hpp"
#include "host/cfg/statements.hpp"
#include "host/cfg/usage.hpp"
#include "host/facts/travel.hpp"

namespace kanor::host {
namespace {

using flow::Access;
using flow::AccessKind;
using flow::Mention;

/// The accesses of one function, in the order of Clang's graph.
class FunctionAccesses {
 public:
  FunctionAccesses(const ParsedUnit& unit, Variables& variables, Functions& functions, const Places& places,
                   BlocksFlow& blocks_flow, const Candidates& candidates, int index,
                   const clang::FunctionDecl* declaration)
      : unit_(unit),
        variables_(variables),
        functions_(functions),
        places_(places),
        blocks_flow_(blocks_flow),
        candidates_(candidates),
        index_(index),
        declaration_(declaration),
        parents_(declaration->getBody()),
        statements_(unit, variables, places, functions[index]) {}

  void find(const clang::CFG& cfg, const std::function<int(const clang::CFGBlock*)>& node_of) {
    for (auto& [variable, candidate] : candidates_.of(declaration_)) {
      if (candidate.variable < 0) continue;
      objects_[variable] = {candidate.variable, false};
      candidate_of_[variable] = static_cast<int>(function().candidates.size());
      function().candidates.push_back(std::move(candidate));
    }
    for (const auto* parameter : declaration_->parameters()) {
      const auto type = parameter->getType();
      const bool refers =
          (type->isPointerType() && !type->isFunctionPointerType()) || type->isReferenceType();
      if (const int variable = refers ? variables_.of(parameter) : -1; variable >= 0)
        objects_[parameter] = {variable, type->isPointerType()};
    }
    if (objects_.empty()) return;
    statements_.find(declaration_->getBody(), cfg, node_of);
    moments_.emplace(places_, cfg, node_of);
    walk(declaration_->getBody());
    for (const auto& [key, pieces] : unit_.pieces.all())
      if (key.function != nullptr && key.function->getCanonicalDecl() == declaration_->getCanonicalDecl())
        add_block(key, pieces);
    check_range_loops();
    check_unvisited();
    check_moved();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [moment, access] : found_)
      function().nodes[static_cast<std::size_t>(moment.node)].accesses.push_back(std::move(access));
    flow::complete_loops(function());
  }

 private:
  struct Object {
    int variable = -1;
    bool is_pointer = false;
  };

  /// A call that runs a lambda, and the statement that it stands in.
  struct Run {
    Moment moment;
    int statement = -1;
  };

  flow::Function& function() { return functions_[index_]; }

  const Object* object_of(const clang::DeclRefExpr* name) const {
    const auto found = objects_.find(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
    return found == objects_.end() ? nullptr : &found->second;
  }

  /// Null for what is none.
  flow::Candidate* candidate_of(const clang::ValueDecl* variable) {
    const auto found = candidate_of_.find(llvm::dyn_cast<clang::VarDecl>(variable));
    return found == candidate_of_.end() ? nullptr
                                        : &function().candidates[static_cast<std::size_t>(found->second)];
  }

  void obstacle(const clang::ValueDecl* variable, std::string reason, flow::Location at) {
    if (flow::Candidate* const candidate = candidate_of(variable))
      obstacle(*candidate, std::move(reason), at);
  }
  static void obstacle(flow::Candidate& candidate, std::string reason, flow::Location at) {
    auto& known = candidate.obstacles;
    if (std::none_of(known.begin(), known.end(), [&](const auto& one) { return one.first == reason; }))
      known.emplace_back(std::move(reason), at);
  }
  void obstacle_of_all(const std::string& reason, flow::Location at) {
    for (flow::Candidate& candidate : function().candidates) candidate.obstacles.emplace_back(reason, at);
  }

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
      obstacle_of_all("its function has a case label in a statement of its own",
                      places_.of(label->getBeginLoc()));
    if (llvm::isa<clang::CXXTryStmt>(statement)) enter_try(statement);
    if (llvm::isa<clang::LabelStmt, clang::IndirectGotoStmt, clang::AsmStmt, clang::CoroutineBodyStmt>(
            statement))
      obstacle_of_all("its function has labels, assembler or suspends", places_.of(statement->getBeginLoc()));
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr) walk(child);
    is_in_constant_ = was_in_constant;
  }

  /// Which part of a statement an exception leaves undone is not followed. What is declared inside is gone by
  /// the time one is caught.
  void enter_try(const clang::Stmt* statement) {
    for (const auto& [candidate, scope] : scope_of_) {
      const clang::Stmt* around = statement;
      while (around != nullptr && around != scope) around = parents_.getParent(around);
      if (around == nullptr) continue;
      obstacle(function().candidates[static_cast<std::size_t>(candidate)],
               "exceptions are caught where it goes on to live", places_.of(statement->getBeginLoc()));
    }
  }

  /// Whether the label is a child of its switch's compound statement: others lead past what is put in front
  /// of the statement that they stand in.
  bool stands_in_switch(const clang::Stmt* label) const {
    const clang::Stmt* parent = parents_.getParent(label);
    while (llvm::isa_and_nonnull<clang::SwitchCase>(parent)) parent = parents_.getParent(parent);
    return llvm::isa_and_nonnull<clang::CompoundStmt>(parent) &&
           llvm::isa_and_nonnull<clang::SwitchStmt>(parents_.getParent(parent));
  }

  void declare(const clang::DeclStmt* statement) {
    for (const clang::Decl* one : statement->decls()) {
      const auto found = candidate_of_.find(llvm::dyn_cast<clang::VarDecl>(one));
      if (found == candidate_of_.end()) continue;
      scope_of_[found->second] = parents_.getParent(statement);
      flow::Candidate& candidate = function().candidates[static_cast<std::size_t>(found->second)];
      if (!candidate.moves_only && !candidates_.spell(statement, found->first, candidate)) continue;
      candidate.statement = statements_.around(statement, parents_);
      const auto at = candidate.statement < 0
                          ? flow::Location{}
                          : function().statements[static_cast<std::size_t>(candidate.statement)].at;
      const clang::Stmt* around = parents_.getParent(statement);
      if (llvm::isa_and_nonnull<clang::SwitchStmt>(around == nullptr ? nullptr : parents_.getParent(around)))
        candidate.obstacles.emplace_back("a case label may lead past its declaration", candidate.declaration);
      if (!llvm::isa_and_nonnull<clang::CompoundStmt>(around) || at.source == nullptr)
        candidate.obstacles.emplace_back("it is declared where no other statement can stand",
                                         candidate.declaration);
      const auto moment = moments_->of(statement, parents_);
      // Without an initialiser there is nothing that would have to be kept.
      if (moment) {
        Access access;
        access.kind = AccessKind::overwrite;
        access.variable = candidate.variable;
        access.at = candidate.declaration;
        access.statement = candidate.statement;
        found_.emplace_back(Moment{moment->node, moment->element, 1}, std::move(access));
      }
    }
  }

  /// The variable of a loop over an object stands for its elements.
  void follow(const clang::CXXForRangeStmt* loop) {
    const auto* range = llvm::dyn_cast<clang::VarDecl>(loop->getRangeStmt()->getSingleDecl());
    const auto* name = range == nullptr || range->getInit() == nullptr
                           ? nullptr
                           : llvm::dyn_cast<clang::DeclRefExpr>(range->getInit()->IgnoreParenImpCasts());
    const Object* object = name == nullptr ? nullptr : object_of(name);
    if (object == nullptr) return;
    if (!runs_) range_loops_.push_back({loop, object->variable, name});
    if (loop->getLoopVariable()->getType()->isReferenceType())
      objects_[loop->getLoopVariable()] = {object->variable, false};
  }

  /// What a lambda does with the variables that it refers to is done where it runs.
  void follow(const clang::LambdaExpr* lambda) {
    const auto in_block = [&](const clang::Stmt* one) { return places_.is_in_block(one->getBeginLoc()); };
    std::optional<std::vector<const clang::CallExpr*>> calls;
    if (!runs_ && !has_blocks(lambda)) calls = runs_of(lambda, declaration_->getBody(), parents_, in_block);
    std::vector<Run> runs;
    for (const clang::CallExpr* call : calls.value_or(std::vector<const clang::CallExpr*>{})) {
      const auto moment = moments_->of(call, parents_);
      if (!moment) calls.reset();
      if (!calls) break;
      runs.push_back({*moment, statements_.around(call, parents_)});
    }
    auto init = lambda->capture_init_begin();
    for (const clang::LambdaCapture& capture : lambda->captures())
      capture_in(lambda, capture, *init++, !!calls);
    if (!calls) return;
    runs_ = std::move(runs);
    walk(lambda->getBody());
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
      obstacle(capture.getCapturedVar(), "a lambda captures it", places_.of(capture.getLocation()));
    walk(value);
  }
  /// What is emitted captures the pointer of that name.
  void capture_by_name(const clang::DeclRefExpr* name) {
    const auto at = places_.of(name->getLocation());
    visited_.insert(at.span.begin);
    if (flow::Candidate* const candidate = candidate_of(name->getDecl()))
      for (Mention& mention : candidate->mentions)
        if (mention.at == at) mention.what = Mention::What::capture;
  }
  bool has_blocks(const clang::LambdaExpr* lambda) const {
    return std::any_of(unit_.pieces.all().begin(), unit_.pieces.all().end(), [&](const auto& one) {
      return one.first.function != nullptr &&
             one.first.function->getCanonicalDecl() == lambda->getCallOperator()->getCanonicalDecl();
    });
  }

  void mention(const clang::DeclRefExpr* name) {
    const Object* object = object_of(name);
    if (object == nullptr) return;
    const auto at = places_.of(name->getLocation());
    visited_.insert(at.span.begin);
    const auto usages = usages_of(name, parents_, object->is_pointer);
    if (is_in_constant_ && !usages.empty()) obstacle(name->getDecl(), "a constant expression uses it", at);
    for (const Usage& usage : usages) add(usage, name, *object);
  }

  /// What the walk through statements does not meet stands in types: array bounds, template arguments. Of
  /// templates it may be in branches that this instantiation does not have.
  void check_unvisited() {
    if (declaration_->isTemplateInstantiation() || declaration_->getTemplateInstantiationPattern() != nullptr)
      return;
    for (flow::Candidate& candidate : function().candidates)
      for (const Mention& mention : candidate.mentions)
        if (!visited_.contains(mention.at.span.begin) && !is_in_a_block(mention.at) &&
            std::none_of(candidate.obstacles.begin(), candidate.obstacles.end(),
                         [&](const auto& one) { return one.second == mention.at; }))
          candidate.obstacles.emplace_back("it is named where statements do not show it", mention.at);
  }
  bool is_in_a_block(const flow::Location& at) const {
    for (const auto& [key, pieces] : unit_.pieces.all())
      if (key.file->source == at.source && key.file->shadow != nullptr)
        for (const auto& block : key.file->shadow->ast->blocks)
          if (block.span.contains(at.span)) return true;
    return false;
  }

  void add(const Usage& usage, const clang::DeclRefExpr* name, const Object& object) {
    Access access;
    access.kind = usage.kind;
    access.variable = object.variable;
    access.at = places_.of(usage.by->getSourceRange());
    if (access.at.source == nullptr) access.at = places_.of(name->getSourceRange());
    access.statement = statements_.around(usage.by, parents_);
    access.reason = usage.reason;
    const bool is_element = candidate_of_.contains(llvm::cast<clang::VarDecl>(name->getDecl()));
    if (is_element)
      for (const clang::Expr* subscript : usage.subscripts)
        access.subscripts.push_back(statements_.affine(subscript));
    if (usage.kind == AccessKind::call) {
      access.callee = functions_.index_of(usage.callee);
      access.parameter = access.callee < 0 ? -1 : parameter_of(usage.callee, usage.parameter);
      if (access.parameter < 0) {
        access.kind = AccessKind::escape;
        access.callee = -1;
        access.reason =
            "'" + usage.callee->getQualifiedNameAsString() + "' gets it, and its body is not seen";
      }
    }
    // Through a reference to an element a whole overwriting is one of that element.
    if (access.kind == AccessKind::overwrite && !is_element &&
        !llvm::isa<clang::ParmVarDecl>(name->getDecl()))
      access.kind = AccessKind::write;
    if (runs_) return add_at_runs(std::move(access));
    const auto moment = moments_->of(usage.by, parents_);
    if (!moment) {
      obstacle(name->getDecl(), "it is used in a way that is not followed", access.at);
      return;
    }
    const bool writes = access.kind == AccessKind::write || access.kind == AccessKind::overwrite;
    found_.emplace_back(Moment{moment->node, moment->element, writes ? 1 : 0}, std::move(access));
  }

  /// In a lambda, which may do it several times or not at all whenever it runs.
  void add_at_runs(Access access) {
    for (auto& subscript : access.subscripts) subscript.reset();
    if (access.kind == AccessKind::overwrite) access.kind = AccessKind::write;
    for (const Run& run : *runs_) {
      access.statement = run.statement;
      found_.emplace_back(
          Moment{run.moment.node, run.moment.element, access.kind == AccessKind::write ? 1 : 0}, access);
    }
  }

  int parameter_of(const clang::FunctionDecl* callee, unsigned parameter) {
    const int index = functions_.index_of(callee);
    const auto* body = functions_.all()[static_cast<std::size_t>(index)];
    const int variable = variables_.of(body->getParamDecl(parameter));
    const auto& all = functions_[index].parameters;
    const auto found = std::find(all.begin(), all.end(), variable);
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }

  /// The names in a piece of a block are read, but for one that is all of the piece.
  void read_in_block(const clang::Stmt* piece, const Moment& moment, int statement) {
    if (piece == nullptr) return;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(piece)) {
      if (const Object* object = object_of(name))
        add_in_block(AccessKind::read, *object, name, moment, statement);
      return;
    }
    for (const clang::Stmt* child : piece->children()) read_in_block(child, moment, statement);
  }

  /// What it names is read, and cannot be shared for the reason given.
  void keep_from_sharing(const clang::Stmt* piece, const Moment& moment, int statement, const char* reason) {
    const std::size_t before = found_.size();
    read_in_block(piece, moment, statement);
    for (std::size_t at = before; at < found_.size(); ++at)
      for (flow::Candidate& candidate : function().candidates)
        if (candidate.variable == found_[at].second.variable)
          candidate.obstacles.emplace_back(reason, found_[at].second.at);
  }

  /// A rank or a clause is written down once more, as a value that the block is given.
  void ask_in_block(const clang::Stmt* piece, const Moment& moment, int statement) {
    keep_from_sharing(piece, moment, statement, "a block's rank or clause uses it");
  }

  Access& add_in_block(AccessKind kind, const Object& object, const clang::DeclRefExpr* name, Moment moment,
                       int statement) {
    Access access;
    access.kind = kind;
    access.variable = object.variable;
    access.at = places_.of(name->getSourceRange());
    access.statement = statement;
    moment.phase = kind == AccessKind::read ? 0 : kind == AccessKind::send ? 1 : 2;
    return found_.emplace_back(moment, std::move(access)).second;
  }

  /// A statement of a block, and where in the function the block stands.
  struct InBlock {
    const StatementKey& key;
    const StatementPieces& pieces;
    const syntax::Block& block;
    const syntax::Statement& syntax;
    Moment moment;
    int statement;
  };

  void add_block(const StatementKey& key, const StatementPieces& pieces) {
    const auto* const found = moments_->of_block(key.file, key.block);
    if (found == nullptr || key.file->shadow == nullptr) return;
    const auto& [stands_for_it, moment] = *found;
    const auto& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
    int statement = statements_.of_block(key.file, key.block);
    if (statement < 0) statement = statements_.around(stands_for_it, parents_);
    const InBlock here{key,    pieces,   block, block.statements[static_cast<std::size_t>(key.statement)],
                       moment, statement};
    if (const auto* name = named_whole(pieces.place, here.syntax.place))
      communicate(here, name, AccessKind::receive, Mention::What::place);
    else
      update_part(pieces.place, moment, statement);
    add_value(here);
    for (const clang::Expr* piece :
         {static_cast<const clang::Expr*>(pieces.receiver), static_cast<const clang::Expr*>(pieces.sender),
          static_cast<const clang::Expr*>(pieces.callable), unit_.pieces.team_of(key)})
      ask_in_block(piece, moment, statement);
    for (const auto* parts : {&pieces.place_parts, &pieces.value_parts, &pieces.lets, &pieces.filters})
      for (const auto& [at, piece] : *parts) ask_in_block(piece, moment, statement);
    for (const auto& [at, call] : pieces.sets) ask_in_block(call, moment, statement);
  }

  void add_value(const InBlock& here) {
    const clang::Expr* value = here.pieces.value;
    const auto movable = movable_value(here.key, here.pieces);
    const auto* name = named_whole(value, here.syntax.value);
    if (movable && moves_only(movable->variable)) {
      Access& access = communicate(here, movable->variable, AccessKind::send, Mention::What::value);
      access.at = places_.of(value->getSourceRange());
      access.is_replaced = movable->is_replaced;
      for (const clang::Expr* subscript : movable->subscripts)
        read_in_block(subscript, here.moment, here.statement);
    } else if (name != nullptr && !moves_only(name)) {
      communicate(here, name, AccessKind::send, Mention::What::value);
    } else if (value != nullptr && value->isXValue() && is_buffer(value->getType())) {
      keep_from_sharing(value, here.moment, here.statement, "a block gives its memory away");
    } else {
      read_in_block(value, here.moment, here.statement);
    }
  }

  const clang::DeclRefExpr* named_whole(const clang::Expr* piece, const syntax::Operand& operand) const {
    if (piece == nullptr || operand.is_section()) return nullptr;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(piece->IgnoreParenImpCasts());
    return name != nullptr && object_of(name) != nullptr ? name : nullptr;
  }

  bool moves_only(const clang::DeclRefExpr* name) {
    const flow::Candidate* const candidate = candidate_of(name->getDecl());
    return candidate != nullptr && candidate->moves_only;
  }

  Access& communicate(const InBlock& here, const clang::DeclRefExpr* name, AccessKind kind,
                      Mention::What what) {
    Access& access = add_in_block(kind, *object_of(name), name, here.moment, here.statement);
    access.block = here.key.block;
    access.block_statement = here.key.statement;
    access.by_all_ranks =
        kind == AccessKind::receive && blocks_flow_.everyone_receives(here.key, here.pieces);
    flow::Candidate* const candidate = candidate_of(name->getDecl());
    if (candidate == nullptr) return access;
    for (Mention& mention : candidate->mentions)
      if (mention.at.span.begin == access.at.span.begin && mention.at.source == access.at.source)
        mention.what = what;
    if (!here.block.modifiers.empty()) check_modifiers(here.block, name, access.at);
    return access;
  }

  /// Blocks that go on after their place in the text, or plainly copy.
  void check_modifiers(const syntax::Block& block, const clang::DeclRefExpr* name, flow::Location at) {
    for (const auto& modifier : block.modifiers)
      if (modifier.kind == syntax::ModifierKind::async)
        obstacle(name->getDecl(), "an async block communicates it", at);
  }

  /// A block that updates a part writes where its values may have been shared a moment ago.
  void update_part(const clang::Stmt* piece, const Moment& moment, int statement) {
    if (piece == nullptr) return;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(piece)) {
      const Object* object = object_of(name);
      if (object == nullptr) return;
      if (moves_only(name)) {
        add_in_block(AccessKind::write, *object, name, moment, statement);
        return;
      }
      Access& access = add_in_block(AccessKind::read, *object, name, moment, statement);
      obstacle(name->getDecl(), "a part of it is a block's place", access.at);
      if (!candidate_of_.contains(llvm::cast<clang::VarDecl>(name->getDecl()))) {
        access.kind = AccessKind::escape;
        access.reason = "a block updates it";
      }
      return;
    }
    for (const clang::Stmt* child : piece->children()) update_part(child, moment, statement);
  }

  /// What one statement of a block gives away, no other part of the block may need.
  void check_moved() {
    for (flow::Candidate& candidate : function().candidates) {
      if (!candidate.moves_only) continue;
      for (const auto& [moment, sent] : found_) {
        if (sent.variable != candidate.variable || sent.kind != AccessKind::send) continue;
        const auto uses = std::count_if(found_.begin(), found_.end(), [&, &at = moment](const auto& other) {
          return other.second.variable == candidate.variable && other.first.node == at.node &&
                 other.first.element == at.element;
        });
        if (uses > (sent.is_replaced ? 2 : 1)) obstacle(candidate, "the block uses it twice", sent.at);
      }
    }
  }

  /// A loop over an object refers to it from its beginning to its end: what the body changes must be the
  /// rank's own before, and must stay where it is.
  void check_range_loops() {
    for (const RangeLoop& range : range_loops_) {
      const auto at = places_.of(range.loop->getSourceRange());
      std::optional<Access> written;
      for (const auto& [moment, access] : found_) {
        if (access.variable != range.variable || at.source != access.at.source ||
            !at.span.contains(access.at.span))
          continue;
        if (access.kind == AccessKind::send || access.kind == AccessKind::receive)
          obstacle(range.name->getDecl(), "a block in a loop over it communicates it", access.at);
        if (access.kind == AccessKind::write || access.kind == AccessKind::overwrite ||
            access.kind == AccessKind::call)
          written = access;
      }
      const auto moment = moments_->of(range.loop->getRangeStmt(), parents_);
      if (!written || !moment) continue;
      Access whole;
      whole.kind = AccessKind::write;
      whole.variable = range.variable;
      whole.at = places_.of(range.name->getSourceRange());
      whole.statement = statements_.around(range.loop, parents_);
      found_.emplace_back(Moment{moment->node, moment->element, 1}, std::move(whole));
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
  int index_;
  const clang::FunctionDecl* declaration_;
  clang::ParentMap parents_;
  Statements statements_;
  std::map<const clang::VarDecl*, Object> objects_;
  std::map<const clang::VarDecl*, int> candidate_of_;
  std::map<int, const clang::Stmt*> scope_of_;  ///< of the candidates whose declarations the walk has met
  std::optional<Moments> moments_;
  std::vector<RangeLoop> range_loops_;
  std::set<std::uint32_t> visited_;       ///< where names stand that the walk has met
  std::optional<std::vector<Run>> runs_;  ///< of the lambda whose body the walk is in
  bool is_in_constant_ = false;
  std::vector<std::pair<Moment, Access>> found_;
};

}  // namespace

void Accesses::add(int function, const clang::FunctionDecl* declaration, const clang::CFG& cfg,
                   const std::function<int(const clang::CFGBlock*)>& node_of) {
  if (!are_needed()) return;
  FunctionAccesses(unit_, variables_, functions_, places_, blocks_, candidates_, function, declaration)
      .find(cfg, node_of);
}

}  // namespace kanor::host
