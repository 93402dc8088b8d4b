// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/pipelining.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/calls.hpp"
#include "analysis/steps.hpp"
#include "flow/dependence.hpp"

namespace kanor::analysis {
namespace {

using flow::Access;
using flow::AccessKind;
using flow::Function;
using flow::Location;

/// Why something cannot be, and where.
struct No {
  std::string reason;
  Location at;
};

/// Returns true if nothing but blanks, comments and semicolons stands between two statements: then they are
/// neighbours in one compound statement.
bool is_gap(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      at = text.find("*/", at);
      if (at == std::string_view::npos) return false;
      ++at;
    } else if (std::string_view(" \t\r\n;").find(text[at]) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

/// A place in a variable by loops' counters: factor times that of one loop, and the least and the greatest
/// that the rest can be.
struct Reach {
  long long factor = 0;
  std::optional<long long> least, greatest;
};

class BlockPipeline {
 public:
  BlockPipeline(const flow::FlowGraph& graph, const Calls& calls, Pipeline& made)
      : graph_(graph),
        calls_(calls),
        function_(graph.functions[static_cast<std::size_t>(made.function)]),
        loops_(flow::loops_around(function_)),
        made_(made) {}

  void decide() {
    if (const auto no = obstacle()) {
      made_.reason = no->reason;
      made_.at = no->at;
      return;
    }
    settle(made_.producer, find_producer());
    settle(made_.consumer, find_consumer());
    if (made_.wanted == flow::Pipelining::with_both) keep_if_it_pays();
  }

 private:
  /// An access, and the loops around it, the outermost first.
  struct Found {
    const Access* access;
    const std::vector<int>* loops;
  };

  static void settle(Strips& strips, const std::optional<No>& no) {
    if (!no) return;
    strips = {};
    strips.reason = no->reason;
    strips.at = no->at;
  }

  /// Takes back what nobody has asked for unless there are both loops, and some ranks may be in only one of
  /// them: where all ranks compute at the same time, and then all use, there is nothing to gain.
  void keep_if_it_pays() {
    Strips &producer = made_.producer, &consumer = made_.consumer;
    if (producer.loop >= 0 && consumer.loop >= 0) {
      if (statement_of(producer.loop) != producer.around || statement_of(consumer.loop) != consumer.around)
        return;
      settle(producer, No{"all ranks execute this loop at the same time", statement(producer.around).at});
    }
    producer.loop = consumer.loop = -1;
  }

  const flow::Candidate& candidate(int number) const {
    return function_.candidates[static_cast<std::size_t>(number)];
  }
  const flow::Statement& statement(int number) const {
    return function_.statements[static_cast<std::size_t>(number)];
  }
  std::uint32_t begin_of(int statement) const { return this->statement(statement).at.span.begin; }

  /// Why neither loop can be.
  std::optional<No> obstacle() const {
    const flow::Candidate &value = candidate(made_.value), &place = candidate(made_.place);
    if (made_.value == made_.place) return No{"its place is also its value", value.declaration};
    if (value.is_vector != place.is_vector || value.extents != place.extents ||
        value.element != place.element)
      return No{"its place has another type than its value", place.declaration};
    if (made_.wanted == flow::Pipelining::with_both)
      if (const auto no = why_not_unasked(value, place)) return no;
    for (const flow::Candidate* one : {&value, &place}) {
      const std::string name = name_of(one->variable);
      if (one->moves_only) return No{name + " is moved out of", one->declaration};
      if (!one->obstacles.empty()) {
        const auto& [why, at] = one->obstacles.front();
        return No{"of " + name + ", " + why, at.source ? at : one->declaration};
      }
      const Steps steps(function_, *one, calls_);
      for (const Access* escape : steps.escapes)
        return No{"of " + name + ", " + (escape->reason.empty() ? "a function may keep it" : escape->reason),
                  escape->at};
    }
    if (made_.statement < 0 || !is_the_block(made_.statement)) return No{"nothing can be put beside it", {}};
    // A jump to a later label would pass the declaration that is put there.
    if (const int around = statement(made_.statement).parent;
        around >= 0 && statement(around).at.source->text(statement(around).at.span).starts_with("switch"))
      return No{"it stands in a switch", {}};
    return std::nullopt;
  }

  /// The same for a block that does not ask to be pipelined.
  std::optional<No> why_not_unasked(const flow::Candidate& value, const flow::Candidate& place) const {
    if (value.bytes >= 0 && value.bytes < least_pipelined_bytes)
      return No{"the " + std::to_string(value.bytes) + " bytes of " + name_of(value.variable) +
                    " travel faster at once",
                value.declaration};
    for (const flow::Candidate* one : {&value, &place})
      if (one->asked == flow::Candidate::Asked::globalize)
        return No{name_of(one->variable) + " is to be shared ([[kanor::globalize]])", one->declaration};
    return std::nullopt;
  }

  bool is_the_block(int number) const {
    const Location& at = statement(number).at;
    return at.source == made_.source && (at.source->text(at.span).starts_with("@") ||
                                         at.source->text(at.span).starts_with("KANOR_COMMUNICATE"));
  }

  /// The statements beside the block's in the text's order, as far as they are its neighbours: all before it,
  /// the nearest first, or all after it.
  std::vector<int> neighbours(bool before) const {
    std::vector<int> all;
    for (std::size_t at = 0; at < function_.statements.size(); ++at)
      if (function_.statements[at].parent == statement(made_.statement).parent &&
          function_.statements[at].at.source == made_.source)
        all.push_back(static_cast<int>(at));
    std::sort(all.begin(), all.end(), [&](int a, int b) { return begin_of(a) < begin_of(b); });
    const auto block = std::find(all.begin(), all.end(), made_.statement);
    std::vector<int> found;
    if (before)
      found.assign(std::make_reverse_iterator(block), all.rend());
    else
      found.assign(block + 1, all.end());
    int last = made_.statement;
    for (std::size_t at = 0; at < found.size(); ++at) {
      const auto &first = statement(before ? found[at] : last),
                 &second = statement(before ? last : found[at]);
      const text::Span between{first.at.span.end, second.at.span.begin};
      if (between.begin > between.end || !is_gap(made_.source->text(between))) {
        found.resize(at);
        break;
      }
      last = found[at];
    }
    return found;
  }

  std::vector<Found> accesses(int variable, int within) const {
    std::vector<Found> found;
    for (std::size_t node = 0; node < function_.nodes.size(); ++node)
      for (const Access& access : function_.nodes[node].accesses)
        if (access.variable == variable && access.statement >= 0 && !access.only_length &&
            is_within(function_, access.statement, within))
          found.push_back({&access, &loops_[node]});
    return found;
  }

  std::string name_of(int variable) const {
    return "'" + graph_.variables[static_cast<std::size_t>(variable)].name + "'";
  }

  /// The outermost loop of the statement that all accesses are in; a reason if there is none that can be cut.
  std::optional<No> find_loop(const std::vector<Found>& accesses, int variable, Strips& strips) const {
    for (const Found& found : accesses) {
      const auto outermost = std::find_if(found.loops->begin(), found.loops->end(), [&](int loop) {
        const int at = function_.loops[static_cast<std::size_t>(loop)].statement;
        return at >= 0 && is_within(function_, at, strips.around);
      });
      if (outermost == found.loops->end())
        return No{name_of(variable) + " is used here, outside of a loop", found.access->at};
      if (strips.loop >= 0 && strips.loop != *outermost)
        return No{name_of(variable) + " is also used in another loop, here", found.access->at};
      strips.loop = *outermost;
    }
    const flow::Loop& loop = function_.loops[static_cast<std::size_t>(strips.loop)];
    const Location& at = statement(loop.statement).at;
    if (!loop.is_counted) return No{"kanorc does not know what this loop counts", at};
    if (!loop.spelling) return No{"this loop cannot be cut into strips", at};
    if (loop.spelling->length_of >= 0 && loop.spelling->length_of != variable)
      return No{"this loop may change its own end", at};
    return std::nullopt;
  }

  /// Which elements of the first dimension the access may be to, in the loop's iterations; nothing if that is
  /// not known.
  std::optional<Reach> reach(const Access& access, int loop) const {
    if (access.subscripts.empty() || !access.subscripts.front()) return std::nullopt;
    const flow::Affine& index = *access.subscripts.front();
    Reach found{0, index.constant, index.constant};
    const auto add = [](std::optional<long long>& sum, long long coefficient,
                        const std::optional<long long>& counter) {
      sum = sum && counter ? std::optional(*sum + coefficient * *counter) : std::nullopt;
    };
    for (const auto& [of, coefficient] : index.terms) {
      if (of == loop) {
        found.factor = coefficient;
        continue;
      }
      const flow::Loop& inner = function_.loops[static_cast<std::size_t>(of)];
      if (inner.statement < 0 || !is_within(function_, inner.statement, statement_of(loop)))
        return std::nullopt;
      add(found.least, coefficient, coefficient > 0 ? inner.first : inner.last);
      add(found.greatest, coefficient, coefficient > 0 ? inner.last : inner.first);
    }
    return found;
  }
  int statement_of(int loop) const { return function_.loops[static_cast<std::size_t>(loop)].statement; }

  std::optional<No> find_producer() {
    Strips& strips = made_.producer;
    const int variable = candidate(made_.value).variable;
    std::vector<Found> found;
    for (const int before : neighbours(true)) {
      found = accesses(variable, before);
      const bool only_reads = std::all_of(
          found.begin(), found.end(), [](const Found& one) { return one.access->kind == AccessKind::read; });
      if (only_reads) continue;
      strips.around = before;
      break;
    }
    if (strips.around < 0) return No{"no loop before it computes " + name_of(variable), {}};
    if (const auto no = find_loop(found, variable, strips)) return no;
    bool is_first = true;
    for (const Found& one : found) {
      if (one.access->kind == AccessKind::read) continue;
      if (one.access->kind != AccessKind::write)
        return No{"kanorc does not know which elements are written here", one.access->at};
      const auto at = reach(*one.access, strips.loop);
      if (!at || at->factor <= 0 || !at->least)
        return No{"kanorc does not know which elements are written here", one.access->at};
      if (!is_first && at->factor != strips.factor)
        return No{"elements are written here in another order", one.access->at};
      strips.factor = at->factor;
      strips.rest = is_first ? *at->least : std::min(strips.rest, *at->least);
      is_first = false;
    }
    return starts_early(strips.around);
  }

  std::optional<No> find_consumer() {
    Strips& strips = made_.consumer;
    const int variable = candidate(made_.place).variable;
    std::vector<Found> found;
    for (const int after : neighbours(false)) {
      found = accesses(variable, after);
      if (found.empty()) continue;
      strips.around = after;
      break;
    }
    if (strips.around < 0) return No{"no loop after it uses " + name_of(variable), {}};
    if (const auto no = find_loop(found, variable, strips)) return no;
    strips.factor = 0;
    for (const Found& one : found) {
      if (one.access->kind != AccessKind::read && one.access->kind != AccessKind::write)
        return No{"kanorc does not know which elements are used here", one.access->at};
      const auto at = reach(*one.access, strips.loop);
      if (!at || at->factor < 0 || !at->greatest)
        return No{"kanorc does not know which elements are used here", one.access->at};
      if (at->factor == 0) {
        strips.least = std::max(strips.least, *at->greatest + 1);
      } else if (strips.factor == 0) {
        strips.factor = at->factor;
        strips.rest = *at->greatest + 1;
      } else if (strips.factor != at->factor) {
        return No{"elements are used here in another order", one.access->at};
      } else {
        strips.rest = std::max(strips.rest, *at->greatest + 1);
      }
    }
    if (strips.factor == 0)
      return No{"each iteration of this loop uses the same elements", found[0].access->at};
    return std::nullopt;
  }

  /// Why the block's ranks and sets cannot be evaluated before the statement instead of after it.
  std::optional<No> starts_early(int around) const {
    const Location& begin = statement(around).at;
    for (const int number : {made_.value, made_.place})
      if (!is_declared_before(candidate(number).variable, begin))
        return No{"it is declared after the loop", candidate(number).declaration};
    const flow::Event* const block = event();
    if (block == nullptr) return No{"kanorc does not know what its ranks depend on", {}};
    std::set<int> used;
    for (const flow::Judged& judged : block->judged)
      for (const flow::Use& use : judged.uses) {
        using enum flow::Unknown;
        if (use.unknown != no && use.unknown != rank && use.unknown != team_size)
          return No{"a loop before it might change its ranks or sets", judged.at};
        if (use.unknown == no)
          for (const int variable : {use.variable, use.also})
            if (variable >= 0) used.insert(variable);
      }
    for (const int variable : used)
      if (!is_declared_before(variable, begin))
        return No{"its ranks or sets use what is declared after the loop", begin};
    return changes(used, begin);
  }

  bool is_declared_before(int variable, const Location& begin) const {
    const flow::Variable& one = graph_.variables[static_cast<std::size_t>(variable)];
    return one.kind != flow::VariableKind::local || one.declared.source == nullptr ||
           one.declared.source != begin.source || one.declared.span.begin < begin.span.begin;
  }

  const flow::Event* event() const {
    for (const flow::Node& node : function_.nodes)
      for (const flow::Event& event : node.events)
        if (event.kind == flow::EventKind::block && event.block == made_.block &&
            (event.at.source == nullptr || event.at.source == made_.source))
          return &event;
    return nullptr;
  }

  /// An event from `begin` up to the block that may change one of the variables.
  std::optional<No> changes(const std::set<int>& variables, const Location& begin) const {
    const std::uint32_t end = begin_of(made_.statement);
    const bool others_may_write = std::any_of(variables.begin(), variables.end(), [&](int number) {
      const flow::Variable& one = graph_.variables[static_cast<std::size_t>(number)];
      return one.escapes || one.other_files ||
             (one.kind != flow::VariableKind::local && one.kind != flow::VariableKind::parameter);
    });
    for (const flow::Node& node : function_.nodes)
      for (const flow::Event& event : node.events) {
        const bool is_elsewhere = event.at.source == begin.source &&
                                  (event.at.span.begin < begin.span.begin || event.at.span.begin >= end);
        if (is_elsewhere) continue;
        bool does = event.kind == flow::EventKind::call && others_may_write;
        flow::for_each_changed(event, [&](int variable) { does = does || variables.contains(variable); });
        for (const flow::Argument& argument : event.arguments)
          for (const int variable : argument.variables) does = does || variables.contains(variable);
        if (does) return No{"this may change its ranks or sets", event.at};
      }
    return std::nullopt;
  }

  const flow::FlowGraph& graph_;
  const Calls& calls_;
  const Function& function_;
  const std::vector<std::vector<int>> loops_;
  Pipeline& made_;
};

/// The function's candidate that the variable is; -1: none.
int candidate_of(const Function& function, int variable) {
  for (std::size_t at = 0; at < function.candidates.size(); ++at)
    if (function.candidates[at].variable == variable) return static_cast<int>(at);
  return -1;
}

/// Notes the ends of the function's blocks that are to be pipelined.
void collect(const Function& function, int number, Pipelines& all) {
  for (const flow::Node& node : function.nodes)
    for (const Access& access : node.accesses) {
      if (access.pipelining == flow::Pipelining::no) continue;
      auto made = std::find_if(all.begin(), all.end(), [&](const Pipeline& one) {
        return one.source == access.at.source && one.block == access.block;
      });
      if (made == all.end()) {
        made = all.emplace(all.end());
        made->source = access.at.source;
        made->block = access.block;
        made->function = number;
      }
      if (made->function != number) {
        made->reason = "its function is a template";
        continue;
      }
      made->statement = access.statement;
      made->wanted = access.pipelining;
      (access.kind == AccessKind::send ? made->value : made->place) = candidate_of(function, access.variable);
    }
}

}  // namespace

Pipelines decide_pipelines(const flow::FlowGraph& graph) {
  Pipelines all;
  for (std::size_t at = 0; at < graph.functions.size(); ++at)
    collect(graph.functions[at], static_cast<int>(at), all);
  std::erase_if(all, [](const Pipeline& one) { return one.value < 0 || one.place < 0; });
  const Calls calls(graph);
  for (Pipeline& one : all)
    if (one.reason.empty()) BlockPipeline(graph, calls, one).decide();
  return all;
}

const Pipeline* find(const Pipelines& all, const text::Source& source, int block) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Pipeline& one) {
    return one.source == &source && one.block == block;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace kanor::analysis
