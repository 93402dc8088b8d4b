// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/message_flow.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Analysis/CFG.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "flow/shape.hpp"
#include "host/cfg/functions.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/cfg/message_accesses.hpp"
#include "host/cfg/message_buffers.hpp"
#include "host/cfg/mpi_calls.hpp"
#include "host/cfg/steady_numbers.hpp"
#include "host/cfg/variables.hpp"
#include "host/facts/tree_walk.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

/// C functions after which a rank has several threads, or code that is not seen.
constexpr std::array thread_functions{"pthread_create", "thrd_create", "clone", "dlopen", "dlsym", "vfork"};
/// C++ classes and functions of namespace std with that effect.
constexpr std::array thread_classes{"thread", "jthread", "async", "packaged_task"};

bool is_one_of(const auto& names, llvm::StringRef name) {
  return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
}

/// Finds what forbids passing ownership in all of the unit, and counts the calls that send or receive.
class UnitWalk : public TreeWalk {
 public:
  using Note = std::function<void(clang::SourceRange, std::string)>;
  explicit UnitWalk(Note note) : note_(std::move(note)) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  /// Templates are nothing that runs: their instantiations are.
  bool TraverseDecl(clang::Decl* declaration) override {
    // A symbol would lead to the static array, and not to what has come in its place.
    if (declaration != nullptr &&
        (declaration->hasAttr<clang::AliasAttr>() || declaration->hasAttr<clang::WeakRefAttr>() ||
         llvm::isa<clang::FileScopeAsmDecl>(declaration)))
      note_(declaration->getSourceRange(), "the program refers to variables or functions by their symbols");
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    return (function != nullptr && function->isDependentContext()) || TreeWalk::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (is_mpi(function) && function->doesThisDeclarationHaveABody())
      note_(function->getBody()->getSourceRange(),
            "the program defines '" + function->getNameAsString() + "' itself");
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    called_.insert(call->getCallee()->IgnoreParenImpCasts());
    if (!ends_of(call).empty()) ++ends;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function == nullptr || function->getIdentifier() == nullptr) return true;
    const llvm::StringRef called = function->getName();
    if (is_mpi(function) && !called_.contains(name))
      note_(name->getSourceRange(), "'" + called.str() + "' is used without being called");
    if (function->isExternC() && called.starts_with("OPI_"))
      note_(name->getSourceRange(), "the program passes ownership itself ('" + called.str() + "')");
    if (is_mpi(function) && library::mpi_has(called, library::MpiTrait::cancels))
      note_(name->getSourceRange(), "'" + called.str() + "' may end a request without its message");
    if (is_mpi(function) && library::mpi_has(called, library::MpiTrait::returns_errors)) errors_return = true;
    if (is_one_of(thread_functions, called) ||
        (function->isInStdNamespace() && is_one_of(thread_classes, called)))
      note_(name->getSourceRange(), "'" + called.str() + "' may start threads, or code that is not seen");
    return true;
  }
  bool VisitExpr(clang::Expr* expression) override {
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
    const auto* record = made == nullptr ? nullptr : made->getConstructor()->getParent();
    if (record != nullptr && record->isInStdNamespace() && record->getIdentifier() != nullptr &&
        is_one_of(thread_classes, record->getName()))
      note_(made->getSourceRange(), "'std::" + record->getNameAsString() + "' starts threads");
    return true;
  }

  int ends = 0;
  bool errors_return = false;

 private:
  Note note_;
  std::set<const clang::Expr*> called_;
};

/// The functions that may run again while they run: what they leave in static variables is then not theirs
/// alone.
class Reentrant {
 public:
  Reentrant(const Functions& functions, bool whole_program) : functions_(functions) {
    std::set<int> callbacks;
    for (std::size_t at = 0; at < functions.all().size(); ++at) {
      const clang::FunctionDecl* function = functions.all()[at];
      edges_.emplace_back();
      walk(function->getBody(), nullptr, edges_.back(), callbacks);
      const bool is_elsewhere = !whole_program && function->isExternallyVisible() && !function->isMain();
      // Members may be called where no name of theirs stands.
      if (is_elsewhere || llvm::isa<clang::CXXMethodDecl>(function)) callbacks.insert(static_cast<int>(at));
    }
    for (const int one : callbacks) {
      found_.insert(one);
      reach(one, found_);
    }
  }
  bool has(int function) const {
    std::set<int> reached;
    reach(function, reached);
    return found_.contains(function) || reached.contains(function);
  }

 private:
  void walk(const clang::Stmt* statement, const clang::Expr* callee, std::vector<int>& edges,
            std::set<int>& callbacks) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl()))
        if (const int index = functions_.index_of(function); index >= 0) {
          edges.push_back(index);
          if (name != callee) callbacks.insert(index);
        }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
    if (call != nullptr) callee = call->getCallee()->IgnoreParenImpCasts();
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr) walk(child, callee, edges, callbacks);
  }
  void reach(int from, std::set<int>& reached) const {
    for (const int next : edges_[static_cast<std::size_t>(from)])
      if (reached.insert(next).second) reach(next, reached);
  }

  const Functions& functions_;
  std::vector<std::vector<int>> edges_;
  std::set<int> found_;
};

class Builder {
 public:
  Builder(const ParsedUnit& unit, bool whole_program)
      : unit_(unit),
        places_(unit),
        variables_(graph_, unit, places_, whole_program),
        functions_(graph_, variables_, places_),
        least_(unit.sema.Context, whole_program) {}

  flow::FlowGraph build(bool whole_program, bool divides_calls) {
    functions_.collect(unit_);
    for (const auto* function : functions_.all()) least_.look_at(function->getBody());
    const MessageBuffers buffers(unit_, variables_, functions_, places_, whole_program);
    UnitWalk walk([&](clang::SourceRange at, std::string why) {
      graph_.message_obstacles.emplace_back(places_.of(at), std::move(why));
    });
    walk_user_files(walk, unit_.files, unit_.sema.Context);
    graph_.errors_return = walk.errors_return;
    const Reentrant reentrant(functions_, whole_program);
    const MessageContext context{unit_, variables_, functions_, places_, buffers, least_, divides_calls};
    for (std::size_t at = 0; at < functions_.all().size(); ++at) lower(static_cast<int>(at), context);
    for (std::size_t at = 0; at < graph_.functions.size(); ++at)
      if (reentrant.has(static_cast<int>(at)))
        for (flow::Candidate& candidate : graph_.functions[at].candidates)
          if (candidate.memory.kind == flow::BufferMemory::Kind::lasting)
            candidate.text_obstacles.emplace_back("it is static, and its function may call itself",
                                                  candidate.declaration);
    if (walk.ends != calls_)
      graph_.message_obstacles.emplace_back(flow::Location{},
                                            "a message is sent or received outside of functions");
    return std::move(graph_);
  }

 private:
  void lower(int index, const MessageContext& context) {
    const clang::FunctionDecl* function = functions_.all()[static_cast<std::size_t>(index)];
    count_calls(function->getBody());
    clang::CFG::BuildOptions options;
    options.setAlwaysAdd(clang::Stmt::BinaryOperatorClass)
        .setAlwaysAdd(clang::Stmt::CompoundAssignOperatorClass)
        .setAlwaysAdd(clang::Stmt::UnaryOperatorClass)
        .setAlwaysAdd(clang::Stmt::LambdaExprClass);
    const auto cfg = clang::CFG::buildCFG(function, function->getBody(), &unit_.sema.Context, options);
    flow::Function& made = functions_[index];
    made.nodes.resize(cfg ? cfg->getNumBlockIDs() : 1);
    if (!cfg) {
      graph_.message_obstacles.emplace_back(made.at, "kanorc does not understand '" + made.name + "'");
      return;
    }
    const auto node_of = [&](const clang::CFGBlock* block) {
      return static_cast<int>(cfg->getNumBlockIDs() - 1 - block->getBlockID());
    };
    for (const clang::CFGBlock* block : *cfg) {
      auto& successors = made.nodes[static_cast<std::size_t>(node_of(block))].successors;
      if (block->hasNoReturnElement()) continue;
      for (const auto& edge : block->succs())
        if (const clang::CFGBlock* next = edge.getReachableBlock(); next != nullptr)
          if (std::find(successors.begin(), successors.end(), node_of(next)) == successors.end())
            successors.push_back(node_of(next));
    }
    made.entry = node_of(&cfg->getEntry());
    made.exit = node_of(&cfg->getExit());
    add_message_accesses(context, index, function, *cfg, node_of);
    const auto levels = flow::loop_levels(functions_[index]);
    for (std::size_t at = 0; at < levels.size(); ++at) functions_[index].nodes[at].level = levels[at];
  }

  void count_calls(const clang::Stmt* statement) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement);
        call != nullptr && !ends_of(call).empty())
      ++calls_;
    if (llvm::isa<clang::LambdaExpr>(statement)) return;
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr) count_calls(child);
  }

  const ParsedUnit& unit_;
  flow::FlowGraph graph_;
  Places places_;
  Variables variables_;
  Functions functions_;
  LeastValues least_;
  int calls_ = 0;
};

}  // namespace

flow::FlowGraph build_message_flow(const ParsedUnit& unit, bool whole_program, bool divides_calls) {
  return Builder(unit, whole_program).build(whole_program, divides_calls);
}

}  // namespace kanor::host
