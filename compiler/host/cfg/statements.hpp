// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ParentMap.h>
#include <clang/AST/Stmt.h>
#include <clang/Analysis/CFG.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "flow/flow_graph.hpp"
#include "host/cfg/computing.hpp"
#include "host/cfg/variables.hpp"

namespace kanor::host {

/// A function's statements that others can be inserted before and after, and its loops: their descriptions in
/// the flow graph, by Clang's nodes.
class Statements {
 public:
  Statements(const ParsedUnit& unit, Variables& variables, const Places& places, flow::Function& function);

  /// Before find(): how the ends of counted loops are spelled that are no constants.
  void spell_ends(std::function<std::string(const clang::Expr*)> words) { words_ = std::move(words); }
  /// Before find(): how counted loops are written.
  void spell_loops() { spells_loops_ = true; }
  /// After find(): what statements do besides computing.
  void find_effects(const Computing& computing);

  /// `node_of` returns the flow graph's number of a block of Clang's graph.
  void find(const clang::Stmt* body, const clang::CFG& cfg,
            const std::function<int(const clang::CFGBlock*)>& node_of);

  /// Whether a pragma stands directly before the statement, which is then none that others can be inserted
  /// beside or in. `threads`: the pragma may make several threads execute the statement.
  enum class Pragma { none, for_speed, threads };
  Pragma before(const clang::Stmt* statement) const;

  /// The innermost of the function's statements that the node is part of; -1: none.
  int around(const clang::Stmt* node, const clang::ParentMap& parents) const;
  /// The statement that a communicate block of a file is; -1 if nothing can be inserted beside it.
  int of_block(const FileMap::Entry* file, int block) const;
  /// The element that a subscript selects, if it is an affine function of the loops around it.
  std::optional<flow::Affine> affine(const clang::Expr* subscript, const clang::ParentMap& parents) const;

 private:
  void add_children(const clang::CompoundStmt* compound, int parent);
  void add(const clang::Stmt* statement, int parent, bool needs_braces = false);
  void walk(const clang::Stmt* statement, int parent);
  void find_loops(const clang::Stmt* statement, int parent);
  void find_references(const clang::Stmt* at, const clang::Stmt* parent, bool is_direct);
  void count(const clang::ForStmt* loop, flow::Loop& made);
  std::optional<flow::Loop::Spelling> spelling(const clang::ForStmt* loop, const clang::VarDecl* counter,
                                               const clang::BinaryOperator* condition) const;
  bool may_wrap(const clang::BinaryOperator* arithmetic, const flow::Affine& operand) const;
  int loop_of(const clang::Expr* name, const clang::ParentMap& parents) const;
  bool lasts(const clang::Expr* limit, const clang::Stmt* body, int& length_of) const;
  bool is_steady(const clang::VarDecl* counter, const clang::Stmt* body) const;
  flow::Location whole(const clang::Stmt* statement) const;
  std::optional<long long> constant(const clang::Expr* expression) const;

  const ParsedUnit& unit_;
  Variables& variables_;
  const Places& places_;
  flow::Function& function_;
  std::map<const clang::Stmt*, int> index_;
  std::map<std::pair<const FileMap::Entry*, int>, int> blocks_;
  std::map<const clang::Stmt*, int> headers_;
  std::map<const clang::VarDecl*, std::map<const clang::Stmt*, int>> counters_;  ///< each one's loops
  std::set<const clang::ValueDecl*> referenced_;                                 ///< by more than their names
  std::function<std::string(const clang::Expr*)> words_;
  bool spells_loops_ = false;
};

}  // namespace kanor::host
