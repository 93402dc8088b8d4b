// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/cfg.hpp"

#include <clang/Analysis/CFG.h>
#include <clang/Sema/Sema.h>

#include <algorithm>

#include "flow/shape.hpp"
#include "host/cfg/accesses.hpp"
#include "host/cfg/address_finder.hpp"
#include "host/cfg/blocks_flow.hpp"
#include "host/cfg/functions.hpp"
#include "host/cfg/values.hpp"
#include "host/cfg/variables.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

using flow::Node;

/// Collects the variables and members that have an initialiser outside of functions.
class GlobalFinder : public TreeWalk {
 public:
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->hasGlobalStorage() && !variable->isStaticLocal() && variable->hasInit() &&
        !variable->getDeclContext()->isDependentContext() && !variable->isTemplated())
      variables.push_back(variable);
    return true;
  }
  bool VisitFieldDecl(clang::FieldDecl* member) override {
    if (member->hasInClassInitializer() && member->getInClassInitializer() != nullptr &&
        !member->getDeclContext()->isDependentContext())
      members.push_back(member);
    return true;
  }
  std::vector<const clang::VarDecl*> variables;
  std::vector<const clang::FieldDecl*> members;
};

/// Returns true if code of the unit calls kanor::team::split(), which ranks call collectively, as they
/// execute blocks.
bool splits_teams(clang::ASTContext& context) {
  const auto named = [&](const clang::DeclContext* where, llvm::StringRef name) {
    return where->lookup(&context.Idents.get(name));
  };
  for (const auto* kanor : named(context.getTranslationUnitDecl(), "kanor"))
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(kanor))
      for (const auto* team : named(space, "team"))
        if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(team);
            record && record->hasDefinition())
          for (const auto* split : named(record->getDefinition(), "split"))
            if (split->isReferenced()) return true;
  return false;
}

class Builder {
 public:
  Builder(const ParsedUnit& unit, const FlowOptions& options)
      : unit_(unit),
        places_(unit),
        variables_(graph_, unit, places_, options.whole_program),
        functions_(graph_, variables_, places_),
        stored_(variables_),
        values_(unit.sema.Context, variables_, functions_, stored_, places_),
        blocks_(unit, values_),
        accesses_(unit, variables_, functions_, places_, blocks_, options) {}

  flow::FlowGraph build() {
    functions_.collect(unit_);
    find_addresses();
    for (std::size_t at = 0; at < functions_.all().size(); ++at) lower(static_cast<int>(at));
    lower_initialisers();
    mark_undefined();
    graph_.unshareable = accesses_.unshareable();
    return std::move(graph_);
  }

 private:
  void find_addresses() {
    AddressFinder finder(variables_, functions_, values_, stored_, places_);
    const GlobalFinder outside = outside_of_functions();
    for (bool again = true; again;) {
      again = false;
      for (const auto* variable : outside.variables) again |= finder.find(variable);
      for (const auto* member : outside.members) again |= finder.find(member);
      for (const auto* function : functions_.all()) again |= finder.find(function);
    }
  }

  void lower(int index) {
    const clang::FunctionDecl* function = functions_.all()[static_cast<std::size_t>(index)];
    values_.enter(index, function);
    clang::CFG::BuildOptions options;
    options.AddInitializers = true;
    options.AddImplicitDtors = true;
    // Otherwise only those that are statements: what an operand changes would be nobody's.
    options.setAlwaysAdd(clang::Stmt::BinaryOperatorClass)
        .setAlwaysAdd(clang::Stmt::CompoundAssignOperatorClass)
        .setAlwaysAdd(clang::Stmt::UnaryOperatorClass)
        .setAlwaysAdd(clang::Stmt::LambdaExprClass);
    const auto cfg = clang::CFG::buildCFG(function, function->getBody(), &unit_.sema.Context, options);
    std::vector<Node> nodes(cfg ? cfg->getNumBlockIDs() : 1);
    if (!cfg) {
      unreadable(index, nodes.front());
    } else {
      const auto node_of = [&](const clang::CFGBlock* block) {
        return cfg->getNumBlockIDs() - 1 - block->getBlockID();
      };
      for (const clang::CFGBlock* block : *cfg) connect(*cfg, *block, nodes[node_of(block)], node_of);
      functions_[index].entry = static_cast<int>(node_of(&cfg->getEntry()));
      functions_[index].exit = static_cast<int>(node_of(&cfg->getExit()));
      connect_handlers(*cfg, nodes, node_of);
      std::vector<const clang::CFGBlock*> by_node(nodes.size());  // null for what Clang does not have
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

  /// Adds the successors of a block. One that does not return, or that throws out of the function, has none.
  template <typename NodeOf>
  static void connect(const clang::CFG& cfg, const clang::CFGBlock& block, Node& node,
                      const NodeOf& node_of) {
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
      // What no handler takes is thrown out of the function.
      if (next == &cfg.getExit() && llvm::isa_and_nonnull<clang::CXXTryStmt>(block.getTerminatorStmt()))
        continue;
      const int to = static_cast<int>(node_of(next));
      if (std::find(node.successors.begin(), node.successors.end(), to) == node.successors.end())
        node.successors.push_back(to);
    }
  }

  /// Adds edges from all nodes of a try block to its handlers, since any statement may throw; Clang's graph
  /// has them from `throw` only. Control after a handler joins the normal flow where the try block ends. An
  /// exception that nothing catches ends the job.
  template <typename NodeOf>
  void connect_handlers(const clang::CFG& cfg, std::vector<Node>& nodes, const NodeOf& node_of) const {
    for (const clang::CFGBlock* dispatch : cfg) {
      const auto* attempt = llvm::dyn_cast_or_null<clang::CXXTryStmt>(dispatch->getTerminatorStmt());
      if (attempt == nullptr) continue;
      std::vector<int> handlers;
      for (const auto& edge : dispatch->succs())
        if (const auto* next = edge.getReachableBlock();
            next != nullptr && llvm::isa_and_nonnull<clang::CXXCatchStmt>(next->getLabel()))
          handlers.push_back(static_cast<int>(node_of(next)));
      std::vector<bool> is_tried(nodes.size());
      for (const clang::CFGBlock* block : cfg)
        is_tried[node_of(block)] = stands_in(*block, attempt->getTryBlock());
      // Where handlers lead to; a loop around leads back into what is tried.
      flow::Edges edges(nodes.size());
      for (std::size_t at = 0; at < nodes.size(); ++at)
        for (const int next : nodes[at].successors)
          if (!is_tried[static_cast<std::size_t>(next)]) edges[at].push_back(next);
      std::vector<bool> meets(nodes.size());
      for (const int handler : handlers)
        for (const int at : flow::reverse_postorder(edges, handler))
          meets[static_cast<std::size_t>(at)] = true;
      meets[node_of(&cfg.getExit())] = false;
      std::vector<int> tried;
      for (std::size_t at = 0; at < is_tried.size(); ++at)
        if (is_tried[at]) tried.push_back(static_cast<int>(at));
      for (const int at : tried)
        connect_handlers(handlers, meets, tried, static_cast<std::size_t>(at), nodes);
    }
  }

  /// Makes an edge that leads to where handlers lead as well a branch: to there, or by an exception to a
  /// handler.
  static void connect_handlers(const std::vector<int>& handlers, const std::vector<bool>& meets,
                               const std::vector<int>& tried, std::size_t at, std::vector<Node>& nodes) {
    for (std::size_t edge = 0; edge < nodes[at].successors.size(); ++edge) {
      const int next = nodes[at].successors[edge];
      if (!meets[static_cast<std::size_t>(next)]) continue;
      const bool is_decided = nodes[at].successors.size() > 1;  // then a node of its own follows
      const std::size_t thrower = is_decided ? nodes.size() : at;
      if (is_decided) {
        nodes.emplace_back().successors = {next};
        nodes[at].successors[edge] = static_cast<int>(thrower);
      }
      auto& successors = nodes[thrower].successors;
      successors.insert(successors.end(), handlers.begin(), handlers.end());
      nodes[thrower].condition = {{-1, -1, flow::Unknown::exception, {}}};
      nodes[thrower].interrupted = tried;
      if (!is_decided) return;
    }
  }

  /// Returns true if the block's last statement is within `where`.
  bool stands_in(const clang::CFGBlock& block, const clang::Stmt* where) const {
    const auto& sources = unit_.sema.getSourceManager();
    const auto contains = [&](clang::SourceLocation location) {
      const auto at = sources.getExpansionLoc(location);
      return !sources.isBeforeInTranslationUnit(at, sources.getExpansionLoc(where->getBeginLoc())) &&
             sources.isBeforeInTranslationUnit(at, sources.getExpansionLoc(where->getEndLoc()));
    };
    if (block.getTerminatorStmt() != nullptr) return contains(block.getTerminatorStmt()->getBeginLoc());
    for (auto element = block.rbegin(); element != block.rend(); ++element) {
      if (const auto statement = element->getAs<clang::CFGStmt>())
        return contains(statement->getStmt()->getBeginLoc());
      if (const auto ended = element->getAs<clang::CFGAutomaticObjDtor>())
        return contains(ended->getVarDecl()->getLocation());
    }
    return false;
  }

  void fill(const clang::CFGBlock& block, Node& node, const clang::FunctionDecl* function) {
    values_.write_to(node.events);
    if (const auto* handler = llvm::dyn_cast_or_null<clang::CXXCatchStmt>(block.getLabel());
        handler != nullptr && handler->getExceptionDecl() != nullptr)
      values_.catch_exception(handler->getExceptionDecl());
    for (const clang::CFGElement& element : block) {
      if (const auto initialiser = element.getAs<clang::CFGInitializer>()) {
        values_.initialise(initialiser->getInitializer());
        continue;
      }
      if (const auto ended = element.getAs<clang::CFGAutomaticObjDtor>()) {
        values_.end(ended->getVarDecl());
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
    const auto* choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(block.getTerminatorStmt());
    node.condition = choice != nullptr ? values_.choice(choice) : values_.value(condition);
    node.condition_at = values_.at(condition);
    if (node.condition_at.source == nullptr && block.getTerminatorStmt() != nullptr)
      if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(block.getTerminatorStmt()))
        node.condition_at = values_.at(loop->getRangeInit());
  }

  /// Lowers a communicate block at the first of its shadow's statements, of which there are many. Returns
  /// false for locations outside of blocks.
  bool enters_block(clang::SourceLocation location, const clang::FunctionDecl* function, Node& node) {
    const FileMap::Entry* file = nullptr;
    const int block = places_.block_at(location, file);
    if (block < 0) return false;
    if (entered_.insert({file, block}).second) blocks_.lower(file, block, function, node.events);
    return true;
  }

  /// Lowers the initialisers of variables outside of functions and of members, as a function that is never
  /// called.
  void lower_initialisers() {
    values_.enter(-1, nullptr);
    std::vector<Node> nodes(1);
    values_.write_to(nodes.front().events);
    for (const clang::VarDecl* variable : outside_of_functions().variables) values_.initialise(variable);
    for (std::size_t at = 0; at < variables_.initialised_members().size(); ++at) {
      const auto* member = variables_.initialised_members()[at];
      values_.initialise_member(member, member->getInClassInitializer());
    }
    if (nodes.front().events.empty()) return;
    flow::Function& made = graph_.functions.emplace_back();
    made.name = "initialisers";
    made.nodes = std::move(nodes);
  }

  /// Marks as undefined each local number that is declared without an initialiser and that nothing else
  /// writes.
  void mark_undefined() {
    std::map<int, int> writers;
    const auto each_event = [&](const auto& act) {
      for (flow::Function& function : graph_.functions)
        for (Node& node : function.nodes)
          for (flow::Event& event : node.events) act(event);
    };
    each_event([&](const flow::Event& event) {
      flow::for_each_changed(event, [&](int variable) { ++writers[variable]; });
      for (const auto& argument : event.arguments)
        for (const int target : argument.variables) ++writers[target];
    });
    each_event([&](flow::Event& event) {
      const auto kind = event.kind;
      if (kind != flow::EventKind::overwrite || !values_.is_bare(event.variable)) return;
      if (writers[event.variable] == 1) event.uses = {{-1, -1, flow::Unknown::undefined, event.at}};
    });
  }

  GlobalFinder outside_of_functions() const {
    GlobalFinder finder;
    walk_user_files(finder, unit_.files, unit_.sema.Context);
    return finder;
  }

  const ParsedUnit& unit_;
  flow::FlowGraph graph_;
  Places places_;
  Variables variables_;
  Functions functions_;
  StoredAddresses stored_;
  Values values_;
  BlocksFlow blocks_;
  Accesses accesses_;
  std::set<std::pair<const FileMap::Entry*, int>> entered_;
};

}  // namespace

flow::FlowGraph build_flow_graph(const ParsedUnit& unit, const FlowOptions& options) {
  if (unit.pieces.all().empty() && !splits_teams(unit.sema.Context)) return {};
  return Builder(unit, options).build();
}

}  // namespace kanor::host
