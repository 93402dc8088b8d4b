// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/remarks.hpp"

#include "plan/wording.hpp"
#include "report/copy_loops.hpp"
#include "report/pipelining.hpp"
#include "report/sharing.hpp"
#include "report/split_phase.hpp"
#include "report/volume.hpp"

namespace kanor::report {
namespace {

using plan::Inversion;
using plan::Pattern;

std::string without_parentheses(const std::string& formula) {
  const bool whole = formula.starts_with('(') && formula.find(')') == formula.size() - 1;
  return whole ? formula.substr(1, formula.size() - 2) : formula;
}

Remark pattern(const plan::StatementPlan& statement) {
  const auto& found = statement.recognition;
  Remark remark{Remark::Kind::passed, "Pattern", statement.statement->syntax->span, {}};
  if (found.pattern != Pattern::general) {
    remark.parts = {words("recognised as "), {"Pattern", std::string(plan::word(found.pattern))}};
    return remark;
  }
  remark.kind = Remark::Kind::missed;
  if (!found.span.empty()) remark.span = found.span;
  remark.parts = {words("no pattern")};
  if (found.obstacle != plan::Obstacle::none)
    remark.parts.insert(remark.parts.end(),
                        {words(": "), {"Reason", std::string(plan::why(found.obstacle))}});
  return remark;
}

Remark side(const plan::StatementPlan& statement, bool receives, const text::Source& source) {
  const auto& syntax = *statement.statement->syntax;
  const Inversion inversion = receives ? statement.receiver : statement.sender;
  const std::string role = receives ? "receiver" : "sender";
  const text::Span span = receives ? syntax.receiver.span : syntax.sender.span;
  Remark remark{Remark::Kind::passed, receives ? "Receiver" : "Sender", span, {}};
  const Remark::Part rank{"Rank", std::string(source.text(span))};
  if (inversion == Inversion::told) {
    remark.parts = {words("no rank searches for the bindings in which it is the " + role +
                          ": it learns them from the messages of their " +
                          (receives ? "senders" : "receivers"))};
  } else if (inversion == Inversion::one_rank && is_one_sided(statement)) {
    remark.parts = {words("a rank visits the bindings as " + role + " if its own '"), rank,
                    words("' is its number")};
  } else if (inversion == Inversion::one_rank) {
    remark.parts = {words("only rank '"), rank, words("' visits the bindings as " + role)};
  } else if (inversion == Inversion::solved) {
    remark.parts = {words("each rank finds the bindings in which it is the " + role + " from '"), rank,
                    words("'")};
  } else {
    remark.kind = Remark::Kind::missed;
    remark.parts = {words("every rank visits all bindings to find those in which it is the " + role)};
    const auto* symbols = statement.statement->symbols;
    const auto* culprit =
        symbols == nullptr ? nullptr : sema::find_opaque(receives ? symbols->receiver : symbols->sender);
    if (culprit != nullptr) {
      if (!culprit->span.empty()) remark.span = culprit->span;
      remark.parts.insert(remark.parts.end(), {words(": '"),
                                               {"Rank", std::string(source.text(remark.span))},
                                               words("' "),
                                               {"Reason", std::string(plan::why(culprit->obscurity))}});
    }
  }
  return remark;
}

Remark elements(const plan::ElementGenerator& elements) {
  return {Remark::Kind::passed,
          "Elements",
          elements.generator->span,
          {words("the elements that '"),
           {"Name", elements.generator->names.back().text},
           words("' enumerates are sent as sections of the place and the value")}};
}

Remark cost(const plan::StatementPlan& statement) {
  const Volume found = volume(statement);
  Remark remark{Remark::Kind::analysis, "Volume", statement.statement->syntax->span, {}};
  const bool asks = statement.sender == Inversion::told;
  if (found.is_bound) remark.parts.push_back(words("at most "));
  remark.parts.push_back({"Messages", without_parentheses(found.messages)});
  const bool is_one = found.messages == "1";
  const std::string what = asks ? (is_one ? " request and a reply" : " requests and as many replies")
                                : (is_one ? " message" : " messages");
  remark.parts.push_back(words(what + " in a team of P ranks, at most "));
  remark.parts.push_back({"MessagesPerRank", without_parentheses(found.per_rank)});
  remark.parts.push_back(words(" to or from one rank"));
  if (is_one_sided(statement))
    remark.parts.push_back(words(", and about log2(P) signals from each at the block's end"));
  remark.parts.push_back(words("; "));
  if (const auto bytes = found.bytes(); !bytes.empty()) {
    remark.parts.push_back({"Bytes", without_parentheses(bytes)});
    remark.parts.push_back(words(" bytes"));
  } else {
    remark.parts.push_back(words(found.values.empty()
                                     ? "the number of values is known only at run time"
                                     : "the length of the values is known only at run time"));
  }
  return remark;
}

}  // namespace

std::string Remark::message() const {
  std::string text;
  for (const auto& part : parts) text += part.value;
  return text;
}

std::vector<std::string> Remark::lines() const {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_another = i > 0 && parts[i].key == "Reason" && parts[i - 1].value == "; ";
    if (is_another) {
      lines.back().resize(lines.back().size() - parts[i - 1].value.size());
      lines.emplace_back();
    }
    lines.back() += parts[i].value;
  }
  return lines;
}

std::vector<Remark> remarks(const plan::BlockPlan& block, const plan::StatementPlan& statement,
                            const text::Source& source, const analysis::Sharing& sharing) {
  std::vector<Remark> found{pattern(statement), side(statement, true, source),
                            side(statement, false, source)};
  if (const auto* symbols = statement.statement->symbols)
    for (const auto& filter : symbols->filters)
      if (const auto* culprit = sema::find_opaque(filter.left))
        found.push_back({Remark::Kind::missed,
                         "Filter",
                         filter.span,
                         {words("the filter '"),
                          {"Filter", std::string(source.text(filter.span))},
                          words("' does not narrow the search: it "),
                          {"Reason", std::string(plan::why(culprit->obscurity))}}});
  if (statement.elements) found.push_back(elements(*statement.elements));
  found.push_back(cost(statement));
  if (&statement == &block.statements.front()) {
    add_pipelining(*block.block->syntax, source, sharing, found);
    add_split(*block.block->syntax, source, sharing, found);
  }
  add_sharing(*block.block->syntax, *statement.statement->syntax, source, sharing, found);
  add_copy_loops(*statement.statement->syntax, source, sharing, found);
  return found;
}

}  // namespace kanor::report
