// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/form.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <stdexcept>
#include <string_view>

namespace kanor::plan {
namespace {

using sema::Operation;
using sema::Symbolic;

/// The number of names that the runtime has room for.
constexpr std::size_t most_names = 16;

struct Sign {
  std::string_view text;
  int precedence;
};

/// A precedence above that of `==` and `<`, as in C++.
constexpr int above_relations = 4;

Sign sign(Operation operation) {
  switch (operation) {
    case Operation::bit_or:
      return {"|", 1};
    case Operation::bit_xor:
      return {"^", 2};
    case Operation::bit_and:
      return {"&", 3};
    case Operation::shift_left:
      return {"<<", 4};
    case Operation::shift_right:
      return {">>", 4};
    case Operation::add:
      return {"+", 5};
    case Operation::subtract:
      return {"-", 5};
    case Operation::multiply:
      return {"*", 6};
    case Operation::divide:
      return {"/", 6};
    case Operation::remainder:
      return {"%", 6};
    case Operation::negate:
      return {"-", 7};
  }
  throw std::logic_error("unknown operation");
}

std::string_view sign(sema::Relation relation) {
  switch (relation) {
    case sema::Relation::equal:
      return "==";
    case sema::Relation::not_equal:
      return "!=";
    case sema::Relation::less:
      return "<";
    case sema::Relation::less_equal:
      return "<=";
    case sema::Relation::greater:
      return ">";
    case sema::Relation::greater_equal:
      return ">=";
  }
  throw std::logic_error("unknown relation");
}

/// Spells expressions; what names and leaves are called is the caller's affair.
class Speller {
 public:
  using Word = std::function<std::string(std::size_t index)>;
  Speller(Word name, Word leaf) : name_(std::move(name)), leaf_(std::move(leaf)) {}

  std::string spell(const Symbolic& expression, int least = 0) const {
    const auto index = static_cast<std::size_t>(expression.value);
    switch (expression.kind) {
      case Symbolic::Kind::integer:
        return expression.value < 0 && least > 0 ? '(' + std::to_string(expression.value) + ')'
                                                 : std::to_string(expression.value);
      case Symbolic::Kind::name:
        return name_(index);
      case Symbolic::Kind::leaf:
        return leaf_(index);
      case Symbolic::Kind::team_size:
        return "P";
      case Symbolic::Kind::operation:
        return spell_operation(expression, least);
      case Symbolic::Kind::grid_rank:
        return spell_call(expression, "(", ", ", ")");
      case Symbolic::Kind::grid_neighbor:
        return spell_call(expression, ".neighbor(", ", ", ")");
      case Symbolic::Kind::grid_coordinate:
        return spell_call(expression, ".coords(", ")[", "]");
      case Symbolic::Kind::opaque:
        return "?";
    }
    throw std::logic_error("unknown kind of expression");
  }

 private:
  std::string spell_operation(const Symbolic& expression, int least) const {
    const auto [text, precedence] = sign(expression.operation);
    std::string spelled;
    if (expression.operands.size() == 1) {
      spelled = std::string(text) + spell(expression.operands[0], precedence);
    } else {
      spelled = spell(expression.operands[0], precedence);
      spelled += ' ';
      spelled += text;
      spelled += ' ';
      spelled += spell(expression.operands[1], precedence + 1);
    }
    return precedence < least ? '(' + spelled + ')' : spelled;
  }

  /// Spells a call, operands from left to right, since leaves are numbered in that order.
  std::string spell_call(const Symbolic& expression, std::string_view open, std::string_view between,
                         std::string_view close) const {
    std::string call = spell(expression.operands[0]);
    for (std::size_t at = 1; at < expression.operands.size(); ++at) {
      call += at == 1 ? open : between;
      call += spell(expression.operands[at]);
    }
    call += close;
    return call;
  }

  Word name_, leaf_;
};

/// A name's spelling in the form: no word of the grammar, no letters beyond ASCII, not `taken`.
std::string form_name(const std::string& name, const std::set<std::string>& taken) {
  static const std::set<std::string> words{"to", "from", "if", "is", "neighbor", "coords"};
  std::string spelled;
  for (const char c : name) spelled += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  while (words.contains(spelled) || taken.contains(spelled)) spelled += '_';
  return spelled;
}

bool is_chain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == ':' || c == '.' || c >= 0x80;
  });
}

class FormMaker {
 public:
  FormMaker(const sema::SymbolicStatement& statement, sema::Knows knows)
      : statement_(statement),
        knows_(knows),
        speller_([this](std::size_t at) { return names_.at(at); },
                 [this](std::size_t at) { return '$' + std::to_string(number_of(at)); }) {}

  Form make() {
    const bool to = knows_ != sema::Knows::sender && sema::is_described(statement_.receiver);
    const bool from = knows_ != sema::Knows::receiver && sema::is_described(statement_.sender);
    // A single binding, which one side knows, is looked at as it stands.
    const bool is_single = statement_.names.empty() && knows_ != sema::Knows::both;
    if ((!to && !from) || is_single || statement_.names.size() > most_names) return {};
    std::set<std::string> taken;
    for (const auto& name : statement_.names) {
      names_.push_back(form_name(name.text, taken));
      taken.insert(names_.back());
    }
    std::string text;
    for (std::size_t at = 0; at < names_.size(); ++at)
      text += names_[at] + ": " + set(statement_.names[at].set) + "; ";
    for (const auto& filter : statement_.filters) text += "if " + condition(filter) + "; ";
    text += "to " + (to ? speller_.spell(statement_.receiver) : "?") + "; ";
    text += "from " + (from ? speller_.spell(statement_.sender) : "?");
    form_.text = std::move(text);
    return std::move(form_);
  }

 private:
  std::string condition(const sema::SymbolicFilter& filter) const {
    if (!sema::is_described(filter.left)) return "?";
    std::string text = speller_.spell(filter.left, above_relations);
    text += ' ';
    text += sign(filter.relation);
    return text + ' ' + speller_.spell(filter.right, above_relations);
  }

  std::string set(const sema::SymbolicSet& set) const {
    switch (set.form) {
      case sema::SymbolicSet::Form::interval:
        return members(set, " .. ");
      case sema::SymbolicSet::Form::progression:
        return members(set, " until ", " by ");
      case sema::SymbolicSet::Form::list:
        return '{' + members(set, ", ", ", ") + '}';
      case sema::SymbolicSet::Form::unknown:
        return "?";
    }
    throw std::logic_error("unknown form of a set");
  }

  std::string members(const sema::SymbolicSet& set, std::string_view second,
                      std::string_view later = {}) const {
    std::string text;
    for (std::size_t at = 0; at < set.members.size(); ++at) {
      if (at != 0) text += at == 1 ? second : later;
      text += speller_.spell(set.members[at]);
    }
    return text;
  }

  /// The number of a leaf in the form: in order of occurrence, one for each text.
  std::size_t number_of(std::size_t leaf) {
    const sema::Leaf& wanted = statement_.leaves.at(leaf);
    const std::string text = spelling(wanted);
    for (std::size_t at = 0; at < form_.leaves.size(); ++at)
      if (spelling(form_.leaves[at]) == text) return at;
    form_.leaves.push_back(wanted);
    return form_.leaves.size() - 1;
  }

  const sema::SymbolicStatement& statement_;
  const sema::Knows knows_;
  Speller speller_;
  std::vector<std::string> names_;
  Form form_;
};

}  // namespace

std::string spelling(const sema::Leaf& leaf) {
  if (!leaf.size_of_range) return leaf.text;
  return (is_chain(leaf.text) ? leaf.text : '(' + leaf.text + ')') + ".size()";
}

std::string in_words(const Symbolic& expression, const sema::SymbolicStatement& statement) {
  const Speller speller([&](std::size_t at) { return statement.names.at(at).text; },
                        [&](std::size_t at) {
                          const std::string text = spelling(statement.leaves.at(at));
                          const bool call =
                              !text.empty() && text.back() == ')' && text.find(' ') == std::string::npos;
                          return is_chain(text) || call ? text : '(' + text + ')';
                        });
  return speller.spell(expression);
}

Form make_form(const sema::SymbolicStatement& statement, sema::Knows knows) {
  return FormMaker(statement, knows).make();
}

}  // namespace kanor::plan
