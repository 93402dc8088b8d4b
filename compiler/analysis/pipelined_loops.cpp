// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/pipelined_loops.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "analysis/steps.hpp"
#include "flow/dependence.hpp"

namespace kanor::analysis {
namespace {

using flow::Access;
using flow::AccessKind;
using flow::Location;

}  // namespace

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

bool is_block(const flow::Statement& statement) {
  const std::string_view text = statement.at.source->text(statement.at.span);
  return text.starts_with("@") || text.starts_with("KANOR_COMMUNICATE");
}

bool touches_another(const flow::Statement& statement) {
  const auto [source, span] = statement.at;
  if (span.begin == 0) return false;
  const char before = source->bytes()[span.begin - 1];
  return before == ';' || before == '}';
}

std::optional<WhyNot> why_nothing_beside(const flow::Function& function, int statement) {
  const int around = function.statements[static_cast<std::size_t>(statement)].parent;
  if (around < 0) return std::nullopt;
  // A jump to a later label would pass the declaration.
  const Location& at = function.statements[static_cast<std::size_t>(around)].at;
  if (at.source->text(at.span).starts_with("switch")) return WhyNot{"it stands in a switch", {}};
  return std::nullopt;
}

LoopSearch::LoopSearch(const flow::FlowGraph& graph, const flow::Function& function, int statement)
    : graph_(graph), function_(function), statement_(statement), loops_(flow::loops_around(function)) {}

std::vector<int> LoopSearch::neighbours(bool before) const {
  const text::Source* const source = statement(statement_).at.source;
  std::vector<int> all;
  for (std::size_t at = 0; at < function_.statements.size(); ++at)
    if (function_.statements[at].parent == statement(statement_).parent &&
        function_.statements[at].at.source == source)
      all.push_back(static_cast<int>(at));
  std::sort(all.begin(), all.end(), [&](int a, int b) { return begin_of(a) < begin_of(b); });
  const auto block = std::find(all.begin(), all.end(), statement_);
  std::vector<int> found;
  if (before)
    found.assign(std::make_reverse_iterator(block), all.rend());
  else
    found.assign(block + 1, all.end());
  int last = statement_;
  for (std::size_t at = 0; at < found.size(); ++at) {
    const auto &first = statement(before ? found[at] : last), &second = statement(before ? last : found[at]);
    const text::Span between{first.at.span.end, second.at.span.begin};
    if (between.begin > between.end || !is_gap(source->text(between))) {
      found.resize(at);
      break;
    }
    last = found[at];
  }
  return found;
}

std::vector<LoopSearch::Found> LoopSearch::accesses(int variable, int within) const {
  std::vector<Found> found;
  for (std::size_t node = 0; node < function_.nodes.size(); ++node)
    for (const Access& access : function_.nodes[node].accesses)
      if (access.variable == variable && access.statement >= 0 && !access.only_length &&
          is_within(function_, access.statement, within))
        found.push_back({&access, &loops_[node]});
  return found;
}

/// The outermost loop of the statement that all accesses are in; a reason if there is none that can be cut.
std::optional<WhyNot> LoopSearch::find_loop(const std::vector<Found>& accesses, int variable,
                                            Strips& strips) const {
  for (const Found& found : accesses) {
    const auto outermost = std::find_if(found.loops->begin(), found.loops->end(), [&](int loop) {
      const int at = function_.loops[static_cast<std::size_t>(loop)].statement;
      return at >= 0 && is_within(function_, at, strips.around);
    });
    if (outermost == found.loops->end())
      return WhyNot{name_of(variable) + " is used here, outside of a loop", found.access->at};
    if (strips.loop >= 0 && strips.loop != *outermost)
      return WhyNot{name_of(variable) + " is also used in another loop, here", found.access->at};
    strips.loop = *outermost;
  }
  const flow::Loop& loop = function_.loops[static_cast<std::size_t>(strips.loop)];
  const Location& at = statement(loop.statement).at;
  if (!loop.is_counted) return WhyNot{"kanorc does not know what this loop counts", at};
  if (!loop.spelling) return WhyNot{"this loop cannot be cut into strips", at};
  if (loop.spelling->length_of >= 0 && loop.spelling->length_of != variable)
    return WhyNot{"this loop may change its own end", at};
  return std::nullopt;
}

/// Which elements of the first dimension the access may be to, in the loop's iterations; nothing if that is
/// not known.
std::optional<LoopSearch::Reach> LoopSearch::reach(const Access& access, int loop) const {
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

std::optional<WhyNot> LoopSearch::find_producer(int variable, Strips& strips) const {
  std::vector<Found> found;
  for (const int before : neighbours(true)) {
    found = accesses(variable, before);
    const bool only_reads = std::all_of(
        found.begin(), found.end(), [](const Found& one) { return one.access->kind == AccessKind::read; });
    if (only_reads) continue;
    strips.around = before;
    break;
  }
  if (strips.around < 0) return WhyNot{"no loop before it computes " + name_of(variable), {}};
  if (const auto no = find_loop(found, variable, strips)) return no;
  bool is_first = true;
  for (const Found& one : found) {
    if (one.access->kind == AccessKind::read) continue;
    if (one.access->kind != AccessKind::write)
      return WhyNot{"kanorc does not know which elements are written here", one.access->at};
    const auto at = reach(*one.access, strips.loop);
    if (!at || at->factor <= 0 || !at->least)
      return WhyNot{"kanorc does not know which elements are written here", one.access->at};
    if (!is_first && at->factor != strips.factor)
      return WhyNot{"elements are written here in another order", one.access->at};
    strips.factor = at->factor;
    strips.rest = is_first ? *at->least : std::min(strips.rest, *at->least);
    is_first = false;
  }
  return std::nullopt;
}

std::optional<WhyNot> LoopSearch::find_consumer(int variable, Strips& strips) const {
  std::vector<Found> found;
  for (const int after : neighbours(false)) {
    found = accesses(variable, after);
    if (found.empty()) continue;
    strips.around = after;
    break;
  }
  if (strips.around < 0) return WhyNot{"no loop after it uses " + name_of(variable), {}};
  if (const auto no = find_loop(found, variable, strips)) return no;
  strips.factor = 0;
  for (const Found& one : found) {
    if (one.access->kind != AccessKind::read && one.access->kind != AccessKind::write)
      return WhyNot{"kanorc does not know which elements are used here", one.access->at};
    const auto at = reach(*one.access, strips.loop);
    if (!at || at->factor < 0 || !at->greatest)
      return WhyNot{"kanorc does not know which elements are used here", one.access->at};
    if (at->factor == 0) {
      strips.least = std::max(strips.least, *at->greatest + 1);
    } else if (strips.factor == 0) {
      strips.factor = at->factor;
      strips.rest = *at->greatest + 1;
    } else if (strips.factor != at->factor) {
      return WhyNot{"elements are used here in another order", one.access->at};
    } else {
      strips.rest = std::max(strips.rest, *at->greatest + 1);
    }
  }
  if (strips.factor == 0)
    return WhyNot{"each iteration of this loop uses the same elements", found[0].access->at};
  return std::nullopt;
}

bool LoopSearch::is_declared_before(int variable, const Location& begin) const {
  const flow::Variable& one = graph_.variables[static_cast<std::size_t>(variable)];
  return one.kind != flow::VariableKind::local || one.declared.source == nullptr ||
         one.declared.source != begin.source || one.declared.span.begin < begin.span.begin;
}

}  // namespace kanor::analysis
