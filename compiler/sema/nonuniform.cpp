// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <utility>

#include "sema/uniformity.hpp"

namespace kanor::sema {
namespace {

using flow::FlowGraph;
using flow::Location;
using Level = Agreement::Level;

std::string text_of(const Location& at) {
  return at.source == nullptr ? std::string("?") : std::string(at.source->text(at.span));
}

std::string place_of(std::string_view role) {
  if (role == "set") return "a set";
  if (role == "filter") return "a filter";
  if (role == "let") return "a 'let'";
  return "a rank expression";
}

class Reporter {
 public:
  Reporter(const FlowGraph& graph, const Uniformity& uniformity, text::Diagnostics& diagnostics)
      : graph_(graph), uniformity_(uniformity), diagnostics_(diagnostics) {}

  void report(const BlockUniformity& block) {
    if (!block.has_team) report_reached(block);
    std::set<std::string> said;
    for (const ExpressionUniformity& expression : block.expressions)
      for (const NonuniformValue& value : expression.nonuniform)
        if (said.insert(text_of(value.at)).second) report(expression, value);
  }

 private:
  const Reason& reason(int index) const { return uniformity_.reasons[static_cast<std::size_t>(index)]; }
  std::string name(int variable) const {
    return variable < 0 ? "?" : graph_.variables[static_cast<std::size_t>(variable)].name;
  }
  Location declared(int variable) const {
    return variable < 0 ? Location{} : graph_.variables[static_cast<std::size_t>(variable)].declared;
  }

  Cause first_cause(int index) const {
    while (reason(index).because >= 0) index = reason(index).because;
    return reason(index).cause;
  }

  bool is_member(int variable) const {
    return variable >= 0 &&
           graph_.variables[static_cast<std::size_t>(variable)].kind == flow::VariableKind::member;
  }
  /// The first member that the chain of reasons passes, which is one variable for all objects of its class:
  /// what one of them holds is no evidence against another. Returns -1 if there is none.
  int first_member(int index) const {
    while (index >= 0 && !is_member(reason(index).variable)) index = reason(index).because;
    return index < 0 ? -1 : reason(index).variable;
  }
  /// Returns true for the rank, and for a variable that holds it.
  bool is_rank_itself(int index) const {
    if (reason(index).cause == Cause::rank) return true;
    const int next = reason(index).because;
    return next >= 0 && reason(next).cause == Cause::rank && reason(index).cause == Cause::assigned &&
           reason(index).at == reason(next).at;
  }
  /// Returns true for causes by which ranks may differ but need not: too weak for a member, which another
  /// object may hold.
  static bool is_guess(Cause cause) {
    return cause == Cause::call || cause == Cause::memory || cause == Cause::other_file ||
           cause == Cause::other_caller;
  }
  /// Returns true if the chain passes a member that a block makes the same on all ranks: for which objects,
  /// and how long, is not followed.
  bool goes_through_a_received_member(int index) const {
    const auto is_received_member = [&](int variable) {
      return is_member(variable) && uniformity_.received.contains(variable);
    };
    while (index >= 0 && !is_received_member(reason(index).variable)) index = reason(index).because;
    return index >= 0;
  }

  void report(const ExpressionUniformity& expression, const NonuniformValue& value) {
    const Location at = value.at.source != nullptr ? value.at : expression.at;
    if (at.source == nullptr) return;
    if (goes_through_a_received_member(value.agreement.reason)) return;
    const Cause cause = first_cause(value.agreement.reason);
    const int member = first_member(value.agreement.reason);
    const bool is_of_a_member = member >= 0;
    if (is_of_a_member && is_guess(cause)) return;
    const std::string text = text_of(at);
    std::string message = "'" + text + "' in " + place_of(expression.role);
    if (value.agreement.level == Level::team)
      message += " is the same only within the team '" + name(value.agreement.team) +
                 "', which is not this block's team";
    else if (cause == Cause::rank && !is_of_a_member)
      message += " depends on the rank, but must be the same on all ranks";
    else
      message += " may differ between ranks, but must be the same on all ranks";
    text::Diagnostic diagnostic{text::Kind::nonuniform, at.source, at.span, std::move(message), {}};
    explain(value.agreement.reason, at, diagnostic);
    if (value.agreement.level == Level::team) {
      const std::string team = name(value.agreement.team);
      way_out("execute the block in that team: '@communicate (team = " +
                  (text.ends_with(team) ? text : team) + ") { ... }'",
              diagnostic);
    }
    if (is_rank_itself(value.agreement.reason) &&
        (expression.role == "receiver" || expression.role == "sender"))
      way_out("for each rank itself, bind a name: '@i' and 'where i in world'", diagnostic);
    if (cause == Cause::rank)
      way_out("broadcast it first, or use 'knows = sender' if only the senders know it", diagnostic);
    else if (value.agreement.level == Level::none && !is_of_a_member)
      way_out("if it is the same on all ranks, declare it '[[kanor::uniform]]'", diagnostic);
    if (is_of_a_member) way_out(member_way_out(member), diagnostic);
    diagnostics_.report(std::move(diagnostic));
  }

  /// Warns of a block that not all ranks may reach: at the block, once, or at the calls of other files that
  /// lead there.
  void report_reached(const BlockUniformity& block) {
    for (const Agreement& reached : block.doubtful) {
      const Location call = call_from_another_file(block, reached.reason);
      const bool is_call = call.source != nullptr;
      const Location& at = is_call ? call : block.at;
      if (!is_worth_a_warning(reached.reason)) continue;
      if (told_places_.emplace(at.source, at.span.begin).second) report_reached(block, reached.reason, at);
    }
  }

  /// Returns false where the reason is in unseen callers or an exception, or too weak.
  bool is_worth_a_warning(int because) const {
    const Cause cause = first_cause(because);
    if (cause == Cause::other_caller || cause == Cause::exception) return false;
    if (goes_through_a_received_member(because)) return false;
    return first_member(because) < 0 || !is_guess(cause);
  }

  /// `at` is the block's place, or that of a call which leads to it.
  void report_reached(const BlockUniformity& block, int because, const Location& at) {
    const bool is_the_rank = first_cause(because) == Cause::rank;
    const int member = first_member(because);
    const bool is_of_a_member = member >= 0;
    const std::string block_or_split = block.is_split ? "split" : "block";
    const bool is_call = at.source != block.at.source;
    text::Diagnostic diagnostic{
        text::Kind::nonuniform,
        at.source,
        at.span,
        "some ranks may not reach this " + (is_call ? "call" : block_or_split) +
            (is_of_a_member || !is_the_rank ? ", but all must" : ": control flow depends on the rank"),
        {}};
    if (is_call) note(block.at, "it executes this " + block_or_split, diagnostic);
    explain(because, at, diagnostic);
    const auto is_there = [&](const auto& one) { return one.source == at.source && one.span == at.span; };
    std::erase_if(diagnostic.notes, is_there);
    if (is_of_a_member)
      way_out(member_way_out(member), diagnostic);
    else if (!is_the_rank)
      way_out(
          "if the condition is the same on all ranks, declare its variable or function '[[kanor::uniform]]'",
          diagnostic);
    else if (is_call)
      way_out("all ranks must make the call; for some ranks only, the block needs a team of them",
              diagnostic);
    else if (block.is_split)
      way_out("all members of a team must call 'split'; ranks that need no team can use another colour",
              diagnostic);
    else
      way_out(
          "all ranks must execute the block: choose the senders and receivers with sets and filters, or use "
          "'team ='",
          diagnostic);
    diagnostics_.report(std::move(diagnostic));
  }

  /// The call through which the ranks come to a block of another file, such as the library's: what is wrong
  /// is where the ranks part. Without source if the block's own file calls it.
  Location call_from_another_file(const BlockUniformity& block, int because) const {
    Location call;
    for (int index = because; index >= 0; index = reason(index).because)
      if (reason(index).cause == Cause::called) call = reason(index).at;
    return call.source == block.at.source ? Location{} : call;
  }

  std::string member_way_out(int member) const {
    return "the member '" + name(member) +
           "' counts as one variable for all objects of its class; if it is the same on all ranks, declare "
           "it '[[kanor::uniform]]', or copy it to a variable that is";
  }

  static void way_out(std::string message, text::Diagnostic& diagnostic) {
    diagnostic.notes.push_back({nullptr, {}, std::move(message)});
  }

  static void note(const Location& at, std::string message, text::Diagnostic& diagnostic) {
    if (at.source == nullptr) return;
    for (const auto& other : diagnostic.notes)
      if (other.source == at.source && other.span == at.span && other.message == message) return;
    diagnostic.notes.push_back({at.source, at.span, std::move(message)});
  }

  /// Adds notes that lead from the value back to its origin.
  void explain(int index, const Location& shown, text::Diagnostic& diagnostic) const {
    constexpr std::size_t most_notes = 6;
    Location before = shown;
    for (; index >= 0 && diagnostic.notes.size() < most_notes; index = reason(index).because) {
      const Reason& here = reason(index);
      explain(here, before, diagnostic);
      before = here.at;
    }
  }

  void explain(const Reason& here, const Location& before, text::Diagnostic& diagnostic) const {
    if (here.cause == Cause::exception)
      return way_out("an exception may be thrown on some ranks only", diagnostic);
    const bool is_at_declaration = here.cause == Cause::other_file || here.cause == Cause::other_caller;
    const bool is_shown =
        here.at.source != nullptr && here.at.source == before.source && before.span.contains(here.at.span);
    std::string message = words_of(here, is_shown);
    if (!message.empty())
      note(is_at_declaration ? declared(here.variable) : here.at, std::move(message), diagnostic);
  }

  /// A note's text; empty if there is nothing to add to what `is_shown`, or in any case.
  std::string words_of(const Reason& here, bool is_shown) const {
    const std::string text = "'" + text_of(here.at) + "'", variable = "'" + name(here.variable) + "'";
    switch (here.cause) {
      case Cause::rank:
        return is_shown ? "" : text + " is the rank itself";
      case Cause::team_size:
        return is_shown ? "" : "it comes from the team " + variable;
      case Cause::address:
        return text == "':'"
                   ? "the order of the elements is that of their addresses, which differs between ranks"
                   : text + " is an address, which differs between ranks";
      case Cause::call:
        return "the result of " + text + " may differ between ranks";
      case Cause::memory:
        return "the value that " + text + " reads may differ between ranks";
      case Cause::undefined:
        return text + " is never assigned a value";
      case Cause::assigned:
      case Cause::written:
        return words_of_change(here, text, variable);
      case Cause::branch:
        return (here.variable < 0 ? "whether a rank comes here depends on "
                                  : "the value of " + variable + " depends on ") +
               text;
      case Cause::argument:
        return "the parameter " + variable + " is " + text + " in this call";
      case Cause::called:
        return "it is called here";
      case Cause::other_file:
        return "other files may change " + variable;
      case Cause::other_caller:
        return words_of_other_callers(here.variable);
      case Cause::received:
      case Cause::returned:
      case Cause::exception:
        break;
    }
    return "";
  }

  std::string words_of_change(const Reason& here, const std::string& text,
                              const std::string& variable) const {
    const Cause next = here.because < 0 ? here.cause : reason(here.because).cause;
    if (next == Cause::received)
      return variable + " is received here, but not all ranks receive the same value";
    if (here.cause == Cause::written && next == Cause::call && reason(here.because).at == here.at)
      return variable + " may be changed by this call";
    if (here.variable >= 0 && is_function_result(here.variable))
      return variable + " returns " + text + " here";
    if (text == variable || is_loops_own(here.variable)) return "";
    return variable + (here.cause == Cause::assigned ? " was assigned " : " was changed with ") + text +
           " here";
  }

  std::string words_of_other_callers(int parameter) const {
    const int function = parameter < 0 ? -1 : graph_.variables[static_cast<std::size_t>(parameter)].function;
    const bool is_given =
        function >= 0 &&
        graph_.functions[static_cast<std::size_t>(function)].other_callers == flow::OtherCallers::given_it;
    if (name(parameter) == "this")
      return std::string(is_given ? "code that has this function's address" : "other files") +
             " may call this for different objects on different ranks";
    return "'" + name(parameter) + "' is a parameter of a function that " +
           (is_given ? "is called through its address, from unknown places" : "other files may call");
  }

  /// Returns true for the compiler's own variables of a range-for, whose names nobody has written.
  bool is_loops_own(int variable) const {
    const std::string own = name(variable);
    return own.starts_with("__range") || own.starts_with("__begin") || own.starts_with("__end");
  }

  bool is_function_result(int variable) const {
    return graph_.variables[static_cast<std::size_t>(variable)].kind == flow::VariableKind::result;
  }

  const FlowGraph& graph_;
  const Uniformity& uniformity_;
  text::Diagnostics& diagnostics_;
  std::set<std::pair<const text::Source*, std::uint32_t>> told_places_;
};

std::string_view word(const Agreement& agreement) {
  switch (agreement.level) {
    case Level::all:
      return "uniform";
    case Level::team:
      return "uniform in a team";
    case Level::none:
      break;
  }
  return "not uniform";
}

}  // namespace

void report_nonuniform(const FlowGraph& graph, const Uniformity& uniformity, text::Diagnostics& diagnostics) {
  Reporter reporter(graph, uniformity, diagnostics);
  for (const BlockUniformity& block : uniformity.blocks) reporter.report(block);
}

void print(const Uniformity& uniformity, std::ostream& out) {
  for (const BlockUniformity& block : uniformity.blocks) {
    if (block.at.source == nullptr) continue;
    out << (block.is_split ? "split line " : "block line ") << block.at.source->line(block.at.span.begin)
        << " reached: " << word(block.reached) << '\n';
    for (const ExpressionUniformity& expression : block.expressions) {
      out << "  " << expression.role << ' ' << text_of(expression.at) << ": ";
      if (expression.nonuniform.empty()) out << "uniform";
      std::string_view before;
      for (const NonuniformValue& value : expression.nonuniform) {
        out << before << text_of(value.at) << " is " << word(value.agreement);
        before = ", ";
      }
      out << '\n';
    }
  }
}

}  // namespace kanor::sema
