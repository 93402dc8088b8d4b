// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flow/flow_graph.hpp"

namespace kanor::analysis {

/// A value of fewer bytes is not pipelined unless the program asks for it.
inline constexpr long long least_pipelined_bytes = 8192;

/// A loop that is cut into strips. When its counter is k, elements of the variable below factor * k + rest
/// are final (of the producer) or have to be there before the iteration (of the consumer, which also needs
/// those below `least`). Elements are those of the first dimension.
struct Strips {
  int loop = -1;    ///< of the function; -1: there is none
  int around = -1;  ///< the statement beside the exchange that the loop is, or is part of
  long long factor = 1, rest = 0, least = 0;
  std::string reason;  ///< why there is none
  flow::Location at;   ///< what the reason is about
};

/// Why something cannot be, and where.
struct WhyNot {
  std::string reason;
  flow::Location at;
};

/// Returns true if nothing but blanks, comments and semicolons stands between two statements: then they are
/// neighbours in one compound statement.
bool is_gap(std::string_view text);

/// Returns true if the statement is a communicate block.
bool is_block(const flow::Statement& statement);

/// Returns true if the statement begins where another one ends: what is put between belongs to that one.
bool touches_another(const flow::Statement& statement);

/// Why no declaration can be put beside a statement of the function.
std::optional<WhyNot> why_nothing_beside(const flow::Function& function, int statement);

/// Finds the loops beside a statement that exchanges elements of a variable: the one before it that computes
/// them, and the one after it that uses them. What is not proved makes a loop none.
class LoopSearch {
 public:
  /// `statement`: of the function, with a source.
  LoopSearch(const flow::FlowGraph& graph, const flow::Function& function, int statement);

  /// Finds the loop, or returns why there is none.
  std::optional<WhyNot> find_producer(int variable, Strips& strips) const;
  std::optional<WhyNot> find_consumer(int variable, Strips& strips) const;

  /// The statements beside it in the text's order, as far as they are its neighbours: all before it, the
  /// nearest first, or all after it.
  std::vector<int> neighbours(bool before) const;
  /// Returns true if the variable is known where `begin` begins.
  bool is_declared_before(int variable, const flow::Location& begin) const;

 private:
  /// An access, and the loops around it, the outermost first.
  struct Found {
    const flow::Access* access;
    const std::vector<int>* loops;
  };
  /// A place in a variable by loops' counters: factor times that of one loop, and the least and the greatest
  /// that the rest can be.
  struct Reach {
    long long factor = 0;
    std::optional<long long> least, greatest;
  };

  const flow::Statement& statement(int number) const {
    return function_.statements[static_cast<std::size_t>(number)];
  }
  std::uint32_t begin_of(int statement) const { return this->statement(statement).at.span.begin; }
  std::string name_of(int variable) const {
    return "'" + graph_.variables[static_cast<std::size_t>(variable)].name + "'";
  }
  int statement_of(int loop) const { return function_.loops[static_cast<std::size_t>(loop)].statement; }

  std::vector<Found> accesses(int variable, int within) const;
  std::optional<WhyNot> find_loop(const std::vector<Found>& accesses, int variable, Strips& strips) const;
  std::optional<Reach> reach(const flow::Access& access, int loop) const;

  const flow::FlowGraph& graph_;
  const flow::Function& function_;
  const int statement_;
  const std::vector<std::vector<int>> loops_;
};

}  // namespace kanor::analysis
