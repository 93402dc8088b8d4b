#include "host/cfg/cfg.hpp"

#include <clang/Analysis/CFG.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "flow/shape.hpp"
#include "host/cfg/accesses.hpp"
#include "host/cfg/blocks_flow.hpp"
#include "host/cfg/functions.hpp"
#include "host/cfg/values.hpp"
#include "host/cfg/variables.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

using flow::Node;

/// Notes what references, pointers and iterators of a function may refer to, before its statements are read
/// in their order.
class ReferentFinder : public TreeWalk {
 public:
  ReferentFinder(Variables& variables, Values& values) : variables_(variables), values_(values) {}

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr && is_handle(variable->getType())) add(variable, variable->getInit());
    return true;
  }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    for (auto* statement : {loop->getRangeStmt(), loop->getBeginStmt(), loop->getEndStmt()})
      if (statement != nullptr)
        for (auto* declaration : statement->decls()) VisitVarDecl(llvm::cast<clang::VarDecl>(declaration));
    VisitVarDecl(loop->getLoopVariable());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* assignment) override {
    if (assignment->getOpcode() != clang::BO_Assign || !is_handle(assignment->getLHS()->getType()))
      return true;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(assignment->getLHS()->IgnoreParens());
    if (const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
      add(variable, assignment->getRHS());
    return true;
  }

  bool changed = false;

 private:
  void add(const clang::VarDecl* variable, const clang::Expr* value) {
    const int which = variables_.of(variable);
    if (which < 0) return;
    const auto found = values_.roots(value);
    auto& referents = variables_.referents(which);
    for (const int one : found)
      if (one != which && std::find(referents.begin(), referents.end(), one) == referents.end()) {
        referents.push_back(one);
        changed = true;
      }
  }

  Variables& variables_;
  Values& values_;
};

class Builder {
 public:
  Builder(const ParsedUnit& unit, bool whole_program)
      : unit_(unit),
        places_(unit),
        variables_(graph_, unit, places_, whole_program),
        functions_(graph_, variables_, places_),
        values_(unit.sema.Context, variables_, functions_, places_),
        blocks_(unit, values_),
        accesses_(unit, variables_, functions_, places_, blocks_) {}

  flow::FlowGraph build() {
    functions_.collect(unit_);
    for (std::size_t at = 0; at < functions_.all().size(); ++at) lower(static_cast<int>(at));
    lower_initialisers();
    graph_.unshareable = accesses_.unshareable();
    return std::move(graph_);
  }

 private:
  void lower(int index) {
    const clang::FunctionDecl* function = functions_.all()[static_cast<std::size_t>(index)];
    values_.enter(index, function);
    ReferentFinder referents(variables_, values_);
    do {
      referents.changed = false;
      referents.TraverseStmt(function->getBody());
    } while (referents.changed);
    clang::CFG::BuildOptions options;
    options.AddInitializers = true;
    const auto cfg = clang::CFG::buildCFG(function, function->getBody(), &unit_.sema.Context, options);
    std::vector<Node> nodes(cfg ? cfg->getNumBlockIDs() : 1);
    if (!cfg) {
      unreadable(index, nodes.front());
    } else {
      const auto node_of = [&](const clang::CFGBlock* block) {
        return cfg->getNumBlockIDs() - 1 - block->getBlockID();
      };
      for (const clang::CFGBlock* block : *cfg) connect(*block, nodes[node_of(block)], node_of);
      functions_[index].entry = static_cast<int>(node_of(&cfg->getEntry()));
      functions_[index].exit = static_cast<int>(node_of(&cfg->getExit()));
      connect_handlers(*cfg, nodes, node_of);
      std::vector<const clang::CFGBlock*> by_node(nodes.size());
      for (const clang::CFGBlock* block : *cfg) by_node[node_of(block)] = block;
      flow::Edges edges(nodes.size());
      for (std::size_t at = 0; at < nodes.size(); ++at) edges[at] = nodes[at].successors;
      entered_.clear();
      for (const int at : flow::reverse_postorder(edges, functions_[index].entry))
        if (by_node[static_cast<std::size_t>(at)] != nullptr)
          fill(*by_node[static_cast<std::size_t>(at)], nodes[static_cast<std::size_t>(at)], function);
    }
    functions_[index].nodes = std::move(nodes);
    if (cfg)
      accesses_.add(index, function, *cfg, [&](const clang::CFGBlock* block) {
        return static_cast<int>(cfg->getNumBlockIDs() - 1 - block->getBlockID());
      });
    const auto levels = flow::loop_levels(functions_[index]);
    for (std::size_t at = 0; at < levels.size(); ++at) functions_[index].nodes[at].level = levels[at];
  }

  void unreadable(int index, Node& node) {
    for (const int result : functions_[index].results) {
      flow::Event event;
      event.variable = result;
      event.uses = {{-1, -1, flow::Unknown::memory, functions_[index].at}};
      event.at = functions_[index].at;
      node.events.push_back(std::move(event));
    }
  }

  /// What does not return has no way on, nor has what throws out of the function.
  template <typename NodeOf>
  static void connect(const clang::CFGBlock& block, Node& node, const NodeOf& node_of) {
    if (block.hasNoReturnElement()) return;
    const bool throws = std::any_of(block.begin(), block.end(), [](const clang::CFGElement& element) {
      const auto statement = element.getAs<clang::CFGStmt>();
      return statement && llvm::isa<clang::CXXThrowExpr>(statement->getStmt());
    });
    for (const auto& edge : block.succs()) {
      const clang::CFGBlock* next = edge.getReachableBlock();
      if (next == nullptr) continue;
      const bool is_handled = next->getTerminator().isValid() &&
                              llvm::isa_and_nonnull<clang::CXXTryStmt>(next->getTerminatorStmt());
      if (throws && !is_handled) continue;
      const int to = static_cast<int>(node_of(next));
      if (std::find(node.successors.begin(), node.successors.end(), to) == node.successors.end())
        node.successors.push_back(to);
    }
  }

  /// Clang's graph leads to a handler from `throw` alone. Any statement may throw, and who catches is back
  /// where the handler ends, if it ends: there meets what has been thrown with what has not.
  template <typename NodeOf>
  static void connect_handlers(const clang::CFG& cfg, std::vector<Node>& nodes, const NodeOf& node_of) {
    for (const clang::CFGBlock* block : cfg) {
      if (!llvm::isa_and_nonnull<clang::CXXTryStmt>(block->getTerminatorStmt())) continue;
      const int dispatch = static_cast<int>(node_of(block));
      flow::Edges edges(nodes.size());
      for (std::size_t at = 0; at < nodes.size(); ++at) edges[at] = nodes[at].successors;
      const auto reached = flow::reverse_postorder(edges, dispatch);
      for (std::size_t at = 0; at < nodes.size(); ++at) {
        const auto is_reached = [&](int node) {
          return std::find(reached.begin(), reached.end(), node) != reached.end();
        };
        if (is_reached(static_cast<int>(at)) || nodes[at].successors.size() != 1) continue;
        const int next = nodes[at].successors.front();
        if (next == static_cast<int>(node_of(&cfg.getExit())) || !is_reached(next)) continue;
        nodes[at].successors.push_back(dispatch);
        nodes[at].condition = {{-1, -1, flow::Unknown::exception, {}}};
      }
    }
  }

  void fill(const clang::CFGBlock& block, Node& node, const clang::FunctionDecl* function) {
    values_.write_to(node.events);
    for (const clang::CFGElement& element : block) {
      if (const auto initialiser = element.getAs<clang::CFGInitializer>()) {
        values_.initialise(initialiser->getInitializer());
        continue;
      }
      const auto statement = element.getAs<clang::CFGStmt>();
      if (!statement) continue;
      if (!enters_block(statement->getStmt()->getBeginLoc(), function, node))
        values_.lower(statement->getStmt());
    }
    if (node.successors.size() < 2 || !node.condition.empty()) return;
    const auto* condition = llvm::dyn_cast_or_null<clang::Expr>(block.getTerminatorCondition());
    if (condition == nullptr || enters_block(condition->getBeginLoc(), function, node)) return;
    node.condition = values_.value(condition);
    node.condition_at = values_.at(condition);
    if (node.condition_at.source == nullptr && block.getTerminatorStmt() != nullptr)
      if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(block.getTerminatorStmt()))
        node.condition_at = values_.at(loop->getRangeInit());
  }

  /// A block's shadow is many statements; its events stand where the first of them is met.
  bool enters_block(clang::SourceLocation location, const clang::FunctionDecl* function, Node& node) {
    const FileMap::Entry* file = nullptr;
    const int block = places_.block_at(location, file);
    if (block < 0) return false;
    if (entered_.insert({file, block}).second) blocks_.lower(file, block, function, node.events);
    return true;
  }

  /// What variables outside of functions, and members, are initialised with: as if a function did it that
  /// nobody calls.
  void lower_initialisers() {
    values_.enter(-1, nullptr);
    std::vector<Node> nodes(1);
    values_.write_to(nodes.front().events);
    for (const clang::VarDecl* variable : globals()) values_.initialise(variable);
    for (std::size_t at = 0; at < variables_.initialised_members().size(); ++at) {
      const auto [member, value] = variables_.initialised_members()[at];
      values_.initialise_member(member, value);
    }
    if (nodes.front().events.empty()) return;
    flow::Function& made = graph_.functions.emplace_back();
    made.name = "initialisers";
    made.nodes = std::move(nodes);
  }

  class GlobalFinder : public TreeWalk {
   public:
    bool VisitVarDecl(clang::VarDecl* variable) override {
      if (variable->hasGlobalStorage() && !variable->isStaticLocal() && variable->hasInit() &&
          !variable->getDeclContext()->isDependentContext() && !variable->isTemplated())
        found.push_back(variable);
      return true;
    }
    std::vector<const clang::VarDecl*> found;
  };

  std::vector<const clang::VarDecl*> globals() const {
    GlobalFinder finder;
    for (clang::Decl* declaration : unit_.sema.Context.getTranslationUnitDecl()->decls())
      if (places_.is_in_user_file(declaration->getLocation())) finder.TraverseDecl(declaration);
    return finder.found;
  }

  const ParsedUnit& unit_;
  flow::FlowGraph graph_;
  Places places_;
  Variables variables_;
  Functions functions_;
  Values values_;
  BlocksFlow blocks_;
  Accesses accesses_;
  std::set<std::pair<const FileMap::Entry*, int>> entered_;
};

}  // namespace

flow::FlowGraph build_flow_graph(const ParsedUnit& unit, bool whole_program) {
  if (unit.pieces.all().empty()) return {};
  return Builder(unit, whole_program).build();
}

}  // namespace kanor::host
