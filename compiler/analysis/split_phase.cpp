// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/split_phase.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "analysis/calls.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {
namespace {

using flow::Access;
using flow::AccessKind;
using flow::Exchange;
using flow::Location;

std::string quoted_name(const flow::FlowGraph& graph, int variable) {
  return "'" + graph.variables[static_cast<std::size_t>(variable)].name + "'";
}

void stay_whole(SplitPhase& made, WhyNot why) {
  made.first = made.last = made.loop = -1;
  made.reason = std::move(why.reason);
  made.at = why.at;
}

/// From where to where another block is under way: from before a statement to after one (-1: from, or to,
/// where the block stands).
struct UnderWay {
  int function = -1, statement = -1, first = -1, last = -1;
};

class BlockSplit {
 public:
  /// `decided`: other blocks, of which none may be under way at the same time.
  BlockSplit(const flow::FlowGraph& graph, const Calls& calls, const Exchange& exchange,
             const std::vector<UnderWay>& decided, SplitPhase& made)
      : graph_(graph),
        calls_(calls),
        function_(graph.functions[static_cast<std::size_t>(made.function)]),
        exchange_(exchange),
        decided_(decided),
        made_(made) {}

  void decide() {
    auto no = obstacle();
    if (!no) no = find_statements();
    if (no) stay_whole(made_, std::move(*no));
  }

 private:
  const flow::Statement& statement(int number) const {
    return function_.statements[static_cast<std::size_t>(number)];
  }
  std::string name_of(int variable) const { return quoted_name(graph_, variable); }

  std::optional<WhyNot> obstacle() const {
    if (!exchange_.obstacle.empty()) return WhyNot{exchange_.obstacle, exchange_.obstacle_at};
    if (exchange_.statement < 0) return WhyNot{"nothing can be put beside it", {}};
    for (const auto* all : {&exchange_.places, &exchange_.indices})
      if (auto no = other_name(*all)) return no;
    return why_nothing_beside(function_, exchange_.statement);
  }

  /// How one of the variables may be used otherwise than by its name. A block may update its places.
  std::optional<WhyNot> other_name(const std::vector<int>& variables) const {
    for (const flow::Node& node : function_.nodes)
      for (const Access& access : node.accesses) {
        if (!contains(variables, access.variable)) continue;
        if (access.kind == AccessKind::escape &&
            (access.statement < 0 || !is_block(statement(access.statement))))
          return WhyNot{"of " + name_of(access.variable) + ", " + access.reason, access.at};
        if (access.kind == AccessKind::call && calls_.of(access).keeps)
          return WhyNot{"of " + name_of(access.variable) + ", " + calls_.of(access).reason, access.at};
      }
    return std::nullopt;
  }

  bool changes(const Access& access) const {
    if (access.kind == AccessKind::call) return calls_.of(access).writes;
    return access.kind != AccessKind::read && access.kind != AccessKind::send;
  }

  /// What keeps the block from being under way while the statement runs, or the part of it that `is_part`
  /// selects. `early`: the block starts before the statement instead of after it.
  template <class IsPart>
  std::optional<WhyNot> conflict(bool early, const IsPart& is_part) const {
    for (const flow::Node& node : function_.nodes)
      for (const Access& access : node.accesses) {
        if (access.statement < 0 || !is_part(access)) continue;  // it stands in none of the statements
        if (contains(exchange_.places, access.variable))
          return WhyNot{name_of(access.variable) + ", which it updates, is used here", access.at};
        const bool is_read = contains(exchange_.indices, access.variable) ||
                             (early && contains(exchange_.operands, access.variable));
        if (is_read && changes(access))
          return WhyNot{name_of(access.variable) + ", which it uses, may change here", access.at};
      }
    return std::nullopt;
  }

  std::optional<WhyNot> conflict(bool early, int number) const {
    const flow::Statement& one = statement(number);
    if (!one.effect.empty()) return WhyNot{one.effect, one.effect_at.source ? one.effect_at : one.at};
    return conflict(early,
                    [&](const Access& access) { return is_within(function_, access.statement, number); });
  }

  /// Returns true if the statement may take long: it has a loop, or calls a function with one.
  bool computes_long(int number) const {
    for (std::size_t at = 0; at < function_.statements.size(); ++at)
      if (function_.statements[at].is_loop && is_within(function_, static_cast<int>(at), number)) return true;
    const auto& runs = statement(number).runs;
    return std::any_of(runs.begin(), runs.end(), [&](int callee) {
      const auto& nodes = graph_.functions[static_cast<std::size_t>(callee)].nodes;
      return std::any_of(nodes.begin(), nodes.end(), [](const flow::Node& node) { return node.level > 0; });
    });
  }
  template <class Statements>
  bool any_computes_long(const Statements& all) const {
    return std::any_of(all.begin(), all.end(), [&](int one) { return computes_long(one); });
  }

  /// Finds the statements that run while the block is under way; a reason if there are none worth it.
  std::optional<WhyNot> find_statements() {
    const LoopSearch search(graph_, function_, exchange_.statement);
    std::vector<int> after, before;
    auto no = pass(search.neighbours(false), false, after);
    std::erase_if(after, [&](int one) {
      return any_beside([&](const UnderWay& other) {
        return stands_before(exchange_.statement, other.statement) && begins_until(other, one);
      });
    });
    if (!after.empty()) made_.last = after.back();
    if (!no) no = go_around(search, after);
    const std::vector<int> all = search.neighbours(true);
    auto early = any_computes_long(all) ? why_not_early() : std::nullopt;
    if (!early) {
      early = pass(all, true, before);
      std::erase_if(before, [&](int one) {
        return !lasts_from(search, one) || !are_declared_before(search, one, exchange_.operands) ||
               touches_another(statement(one)) || (made_.loop >= 0 && !stands_before(made_.last, one)) ||
               any_beside([&](const UnderWay& other) {
                 return stands_before(other.statement, exchange_.statement) && other.last >= 0 &&
                        !stands_before(other.last, one);
               });
      });
    }
    if (any_computes_long(before)) {
      made_.first = before.back();
      return std::nullopt;
    }
    if (made_.loop >= 0 || any_computes_long(after)) return std::nullopt;
    return no ? no : early ? early : WhyNot{"nothing beside it computes for long", {}};
  }

  /// Adds the statements beside the block up to the first that it cannot be under way in. Returns the reason
  /// if one that may take long is not added.
  std::optional<WhyNot> pass(const std::vector<int>& beside, bool early, std::vector<int>& passed) const {
    std::optional<WhyNot> first;
    for (const int number : beside) {
      if (!first) first = conflict(early, number);
      if (!first)
        passed.push_back(number);
      else if (computes_long(number))
        return first;
    }
    return std::nullopt;
  }

  std::optional<WhyNot> why_not_early() const {
    if (!exchange_.late.empty()) return WhyNot{exchange_.late, exchange_.late_at};
    return other_name(exchange_.operands);
  }

  /// Returns true if the predicate holds for another block in the same compound statement.
  template <class Predicate>
  bool any_beside(const Predicate& predicate) const {
    return std::any_of(decided_.begin(), decided_.end(), [&](const UnderWay& other) {
      return other.function == made_.function &&
             statement(other.statement).parent == statement(exchange_.statement).parent && predicate(other);
    });
  }

  /// Returns true if the other block starts before the statement, or before one ahead of it.
  bool begins_until(const UnderWay& other, int statement) const {
    return other.first >= 0 && !stands_before(statement, other.first);
  }

  bool stands_before(int one, int other) const {
    return statement(one).at.span.begin < statement(other).at.span.begin;
  }

  /// Returns true if what the block uses until it is complete is declared before the statement.
  bool lasts_from(const LoopSearch& search, int number) const {
    return are_declared_before(search, number, exchange_.places) &&
           are_declared_before(search, number, exchange_.indices);
  }
  bool are_declared_before(const LoopSearch& search, int number, const std::vector<int>& variables) const {
    return std::all_of(variables.begin(), variables.end(), [&](int variable) {
      return search.is_declared_before(variable, statement(number).at);
    });
  }

  /// Has the block complete in the next iteration of the loop whose body ends with the statements after it,
  /// if that lets more of them run. The first statements of the body then run while it is under way.
  std::optional<WhyNot> go_around(const LoopSearch& search, const std::vector<int>& after) {
    const int number = statement(exchange_.statement).parent;
    if (number < 0 || why_nothing_beside(function_, number)) return std::nullopt;
    const auto loop =
        std::find_if(function_.loops.begin(), function_.loops.end(),
                     [&](const flow::Loop& one) { return one.statement == number && one.spelling; });
    if (loop == function_.loops.end() || statement(number).needs_braces) return std::nullopt;
    const std::vector<int> all = from_beginning_of(number);
    const int last = after.empty() ? exchange_.statement : after.back();
    if (all.empty() || !is_body(*loop, number, all.front(), last)) return std::nullopt;
    if (!lasts_from(search, number)) return std::nullopt;
    const auto is_in_head = [&](const Access& access) {
      return access.statement == number && (access.at.source != statement(number).at.source ||
                                            access.at.span.begin < loop->spelling->step.span.end);
    };
    if (auto no = conflict(false, is_in_head)) return no;
    std::vector<int> passed;
    auto no = pass(all, false, passed);
    std::erase_if(passed, [&](int one) {
      return any_beside([&](const UnderWay& other) { return begins_until(other, one); });
    });
    if (!any_computes_long(passed)) return no;
    made_.loop = number;
    made_.last = passed.back();
    return std::nullopt;
  }

  /// The first statements of a loop's body that are neighbours, up to the block.
  std::vector<int> from_beginning_of(int loop) const {
    int first = exchange_.statement;
    for (std::size_t at = 0; at < function_.statements.size(); ++at)
      if (function_.statements[at].parent == loop && stands_before(static_cast<int>(at), first))
        first = static_cast<int>(at);
    std::vector<int> all = LoopSearch(graph_, function_, first).neighbours(false);
    all.insert(all.begin(), first);
    all.erase(std::find(all.begin(), all.end(), exchange_.statement), all.end());
    return all;
  }

  /// Returns true if the loop's body is a compound statement from the first statement to the last.
  bool is_body(const flow::Loop& loop, int number, int first, int last) const {
    const Location& at = statement(number).at;
    const auto text = [&](std::uint32_t begin, std::uint32_t end) {
      return begin <= end ? at.source->text({begin, end}) : std::string_view("?");
    };
    std::string_view head = text(loop.spelling->step.span.end, statement(first).at.span.begin);
    for (const char expected : {')', '{'}) {
      const auto found = head.find(expected);
      if (found == std::string_view::npos || !is_gap(head.substr(0, found))) return false;
      head.remove_prefix(found + 1);
    }
    const std::string_view tail = text(statement(last).at.span.end, at.span.end);
    return is_gap(head) && !tail.empty() && tail.back() == '}' && is_gap(tail.substr(0, tail.size() - 1));
  }

  const flow::FlowGraph& graph_;
  const Calls& calls_;
  const flow::Function& function_;
  const Exchange& exchange_;
  const std::vector<UnderWay>& decided_;
  SplitPhase& made_;
};

/// Why the block is whole for another reason than its neighbours.
std::optional<WhyNot> other_reason(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                                   const Exchange& exchange, const SplitPhase& made) {
  for (const SharingDecision& decision : decisions) {
    if (decision.function != made.function) continue;
    const flow::Candidate& candidate = candidate_of(graph, decision);
    const bool is_named = contains(exchange.places, candidate.variable) ||
                          contains(exchange.indices, candidate.variable) ||
                          contains(exchange.operands, candidate.variable);
    if (decision.is_globalised && is_named)
      return WhyNot{quoted_name(graph, candidate.variable) + " is shared instead of copied",
                    candidate.declaration};
    for (const Handover& handover : decision.handovers)
      if (handover.block == made.block && handover.at.source == made.source)
        return WhyNot{quoted_name(graph, candidate.variable) + " changes hands", handover.at};
  }
  return std::nullopt;
}

}  // namespace

SplitPhases split_phases(const flow::FlowGraph& graph, const SharingDecisions& decisions,
                         const Pipelines& pipelines, const IsPairwise& is_pairwise) {
  SplitPhases all;
  const bool has_any = std::any_of(graph.functions.begin(), graph.functions.end(),
                                   [](const flow::Function& one) { return !one.exchanges.empty(); });
  if (!has_any) return all;
  const Calls calls(graph);
  std::vector<UnderWay> decided;
  for (const Pipeline& one : pipelines)
    if (one.is_pipelined())
      decided.push_back({one.function, one.statement, one.producer.loop < 0 ? -1 : one.producer.around,
                         one.consumer.loop < 0 ? -1 : one.consumer.around});
  for (std::size_t function = 0; function < graph.functions.size(); ++function)
    for (const Exchange& exchange : graph.functions[function].exchanges) {
      const text::Source& source = *exchange.at.source;
      if (SplitPhase* const before = find(all, source, exchange.block)) {
        if (before->is_split())
          stay_whole(*before, {"its function is a template with several instances", {}});
        continue;
      }
      const Pipeline* const pipeline = find(pipelines, source, exchange.block);
      if (pipeline != nullptr && pipeline->is_pipelined()) continue;
      SplitPhase& made = all.emplace_back();
      made.source = &source;
      made.block = exchange.block;
      made.keyword = exchange.at.span;
      made.function = static_cast<int>(function);
      auto no = other_reason(graph, decisions, exchange, made);
      if (!no && !is_pairwise(source, exchange.block))
        no = WhyNot{"its ranks take part in a collective operation together", {}};
      if (no)
        stay_whole(made, std::move(*no));
      else
        BlockSplit(graph, calls, exchange, decided, made).decide();
      if (made.is_split()) decided.push_back({made.function, exchange.statement, made.first, made.last});
    }
  return all;
}

}  // namespace kanor::analysis
