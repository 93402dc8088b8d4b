// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A globalised variable `A` becomes a handle `kanor_shared_A`, and the name a pointer to what the handle
// holds: a plain local variable, which inner loops keep in a register.
#include "emit/globalisation.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "emit/spelling.hpp"

namespace kanor::emit {
namespace {

using flow::Candidate;
using flow::Mention;
using text::Span;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

class Speller {
 public:
  Speller(const flow::FlowGraph& graph, const text::Source& source, const std::vector<Span>& attributes)
      : graph_(graph), source_(source), attributes_(attributes) {}

  void add(const analysis::SharingDecision& decision) {
    const auto& function = graph_.functions[static_cast<std::size_t>(decision.function)];
    const auto& candidate = candidate_of(graph_, decision);
    if (candidate.declaration.source != &source_) return;
    const std::string& name = graph_.variables[static_cast<std::size_t>(candidate.variable)].name;
    const std::string handle = name_beside(Beside::shared, name);
    declared_[candidate.spelling.specifiers.begin].push_back(&candidate);
    name_of_[&candidate] = name;
    for (const Mention& mention : candidate.mentions) {
      std::string text = "(*" + name + ")";
      if (mention.what == Mention::What::capture) continue;
      if (mention.what != Mention::What::plain) {
        text = handle;
        handles_.insert(mention.at.span.begin);
      }
      const bool gives = std::any_of(decision.handovers.begin(), decision.handovers.end(),
                                     [&](const auto& handover) { return handover.at == mention.at; });
      if (mention.what == Mention::What::value && gives) text += ".give()";
      mentions_[mention.at.span.begin] = {mention.at.span, text, false};
    }
    const auto statement = [&](int index) -> const flow::Statement& {
      return function.statements[static_cast<std::size_t>(index)];
    };
    for (const auto& node : function.nodes)
      for (const auto& access : node.accesses)
        if (access.variable == candidate.variable && access.kind == flow::AccessKind::receive)
          refreshed_[access.block].insert(' ' + name + " = " + handle + ".get();");
    for (const auto& insertion : decision.insertions) {
      static constexpr std::string_view actions[] = {"acquire", "overwrite", "release"};
      const std::string text =
          name + " = " + handle + '.' + std::string(actions[static_cast<int>(insertion.action)]) + "();";
      put(statement(insertion.statement), insertion.after, text);
    }
  }

  /// Adds the moves out of a variable that is not shared.
  void add_moves(const analysis::SharingDecision& decision) {
    const auto& candidate = candidate_of(graph_, decision);
    const std::string& name = graph_.variables[static_cast<std::size_t>(candidate.variable)].name;
    for (const auto& handover : decision.handovers) {
      if (handover.at.source != &source_) continue;
      const Span span = handover.at.span;
      const auto name_end = static_cast<std::uint32_t>(span.begin + name.size());
      const bool is_whole = name_end == span.end;
      const std::string first = "::kanor::abi::moved(" + name;
      mentions_[span.begin] = {{span.begin, name_end}, is_whole ? first + ')' : first, false};
      if (!is_whole) mentions_[span.end - 1] = {{span.end - 1, span.end}, "])", false};
    }
  }

  Globalised take() {
    Globalised made;
    for (const auto& [block, words] : refreshed_)
      for (const auto& word : words) made.after_block[block] += word;
    made.edits = edits();
    made.handles = std::move(handles_);
    return made;
  }

 private:
  std::vector<SmallEdit> edits() {
    for (const auto& [begin, candidates] : declared_) declare(candidates);
    std::vector<SmallEdit> all;
    // Of statements that end at one place the inner ones come first, of those that begin there the outer
    // ones.
    for (auto at = around_.rbegin(); at != around_.rend(); ++at) at->second.add_behind(at->first.second, all);
    for (const auto& [place, around] : around_) around.add_in_front(place.first, all);
    for (const auto& [offset, edit] : mentions_)
      if (std::none_of(
              declarations_.begin(), declarations_.end(),
              [&, &mention = edit](const SmallEdit& head) { return head.span.contains(mention.span); }))
        all.push_back(edit);
    all.insert(all.end(), declarations_.begin(), declarations_.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const SmallEdit& a, const SmallEdit& b) { return a.span.begin < b.span.begin; });
    return all;
  }
  /// The insertions around one statement.
  struct Around {
    bool braces = false;
    std::vector<std::string> before, after;

    void add_in_front(std::uint32_t offset, std::vector<SmallEdit>& edits) const {
      if (braces) edits.push_back({{offset, offset}, "{ ", false});
      for (const auto& text : before) edits.push_back({{offset, offset}, text + ' ', false});
    }
    void add_behind(std::uint32_t offset, std::vector<SmallEdit>& edits) const {
      for (const auto& text : after) edits.push_back({{offset, offset}, ' ' + text, false});
      if (braces) edits.push_back({{offset, offset}, " }", false});
    }
  };
  struct OuterFirst {
    bool operator()(const std::pair<std::uint32_t, std::uint32_t>& a,
                    const std::pair<std::uint32_t, std::uint32_t>& b) const {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    }
  };

  void put(const flow::Statement& statement, bool after, const std::string& text) {
    Around& around = around_[{statement.at.span.begin, statement.at.span.end}];
    around.braces = statement.needs_braces;
    auto& there = after ? around.after : around.before;
    if (std::find(there.begin(), there.end(), text) == there.end()) there.push_back(text);
  }

  /// The text as it is emitted, on one line: candidates may be named in an array's bounds.
  std::string edited(Span span) const {
    std::string text;
    for (std::uint32_t at = span.begin; at < span.end;) {
      if (const auto mention = mentions_.find(at); mention != mentions_.end()) {
        text += mention->second.replacement;
        at = mention->second.span.end;
      } else if (const auto attribute = std::find_if(attributes_.begin(), attributes_.end(),
                                                     [&](Span one) { return one.begin == at; });
                 attribute != attributes_.end()) {
        at = attribute->end;
      } else {
        text += source_.bytes()[at++];
      }
    }
    return one_line(trimmed(text));
  }

  void replace(Span span, std::string text) { declarations_.push_back({span, std::move(text), false}); }

  void declare(const std::vector<const Candidate*>& candidates) {
    const flow::Declaration& spelling = candidates.front()->spelling;
    const std::string specifiers = edited(spelling.specifiers);
    for (std::size_t at = 0; at < spelling.declarators.size(); ++at) {
      const auto& declarator = spelling.declarators[at];
      const auto own = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate* candidate) {
        return candidate->declarator == static_cast<int>(at);
      });
      std::uint32_t begin = spelling.specifiers.begin;
      if (at > 0) {
        const auto before = spelling.declarators[at - 1].all.end;
        begin = before + static_cast<std::uint32_t>(source_.text({before, declarator.all.begin}).find(','));
      }
      if (own != candidates.end())
        declare(**own, declarator, {begin, declarator.init.begin}, specifiers, at > 0);
      else if (at > 0)
        replace({begin, begin + 1}, "; " + specifiers + ' ');
    }
  }

  void declare(const Candidate& candidate, const flow::Declaration::Declarator& declarator, Span head,
               const std::string& specifiers, bool follows) {
    const std::string& name = name_of_.at(&candidate);
    const std::string type = specifiers + edited(declarator.suffix);
    const std::string handle = name_beside(Beside::shared, name);
    std::string text = std::string(follows ? "; " : "") + "::kanor::abi::globalised<" + type + "> " + handle;
    const std::string where = "{" + string_literal(source_.path()) + ", " +
                              std::to_string(source_.line(declarator.name.begin)) + ", " +
                              string_literal(name) + "}";
    const std::string rest =
        "; [[maybe_unused]] ::kanor::abi::pointer_to<" + type + "> " + name + " = " + handle + ".get()";
    if (trimmed(source_.text(declarator.init)).empty()) return replace(head, text + '(' + where + ')' + rest);
    text += '(' + where + ", [&](void* kanor_at) { ::new (kanor_at) " + type;
    // `= value` becomes `(value)`, `= {…}` the list alone.
    const std::string_view init = source_.text(declarator.init);
    const auto first = init.find_first_not_of(" \t\r\n");
    std::string closing;
    if (init[first] == '=') {
      head.end += static_cast<std::uint32_t>(first + 1);
      const bool is_list = trimmed(init.substr(first + 1)).starts_with('{');
      // An array's can only be a string literal, which wants braces.
      const bool is_array = !declarator.suffix.empty();
      if (!is_list) text += is_array ? '{' : '(', closing = is_array ? "}" : ")";
    }
    replace(head, text);
    replace({declarator.init.end, declarator.init.end}, closing + "; })" + rest);
  }

  const flow::FlowGraph& graph_;
  const text::Source& source_;
  const std::vector<Span>& attributes_;
  std::map<std::uint32_t, std::vector<const Candidate*>> declared_;  ///< by where their specifiers begin
  std::map<const Candidate*, std::string> name_of_;
  std::map<std::uint32_t, SmallEdit> mentions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Around, OuterFirst> around_;  ///< by begin and end
  std::map<int, std::set<std::string>> refreshed_;
  std::set<std::uint32_t> handles_;
  std::vector<SmallEdit> declarations_;
};

}  // namespace

Globalised spell_globalised(const flow::FlowGraph& graph, const analysis::SharingDecisions& decisions,
                            const text::Source& source, const std::vector<Span>& attributes) {
  Speller speller(graph, source, attributes);
  for (const auto& decision : decisions)
    decision.is_globalised ? speller.add(decision) : speller.add_moves(decision);
  return speller.take();
}

}  // namespace kanor::emit
