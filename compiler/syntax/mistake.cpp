// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/mistake.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "KanorParser.h"
#include "syntax/words.hpp"

namespace kanor::syntax {
namespace {

using Parser = grammar::KanorParser;
using text::Kind;
using text::Span;

constexpr const char* statement_form =
    "a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'";
constexpr const char* section_form =
    "a section is written 'base[first : count]', 'base[first : count : stride]', 'base[:]' or "
    "'base[indices]'";
constexpr const char* set_form = "a set is an interval '{first ... last}', a list '{a, b, c}' or a C++ range";

bool is_compound_assignment(std::string_view text) {
  return text.size() == 2 && text[1] == '=' &&
         std::string_view("+-*/%&|^").find(text[0]) != std::string_view::npos;
}

/// Advice on what to write instead of this operator, which is in an arrow's place.
std::string arrow_instead_of(std::string_view text) {
  if (is_compound_assignment(text) && std::string_view("+*&|^").find(text[0]) != std::string_view::npos)
    return "a reduction is written '<< " + std::string(1, text[0]) +
           " <<', and leaves out the place's old value";
  return "an assignment is written 'place@receiver <<= value@sender'";
}

class Wording {
 public:
  Wording(const Mistake& mistake, const BlockTokens& block, const Reporter& reporter)
      : mistake_(mistake), block_(block), reporter_(reporter), at_(mistake.token) {
    begin_ = at_;
    while (begin_ > 0 && !begins_statement(begin_ - 1)) --begin_;
    end_ = at_;
    while (end_ < block_.body_close() && !ends_statement(end_)) ++end_;
  }

  void report() {
    if (of_statement_word() || of_this_token() || of_brackets() || of_modifiers()) return;
    if (of_place() || of_arrow() || of_value() || of_rank() || of_clauses()) return;
    of_end();
  }

 private:
  bool is(std::size_t i, std::size_t type) const { return block_.tokens[i].type == type; }
  bool is_word(std::size_t i, std::string_view word) const {
    return is(i, Parser::IDENTIFIER) && text(i) == word;
  }
  std::string_view text(std::size_t i) const { return reporter_.text(block_.tokens[i].span); }
  Span span(std::size_t i) const { return block_.tokens[i].span; }
  Span span(std::size_t first, std::size_t last) const { return {span(first).begin, span(last).end}; }
  std::size_t after(std::size_t i) const { return std::max(i, block_.tokens[i].partner) + 1; }

  bool ends_statement(std::size_t i) const {
    return is(i, Parser::SEPARATOR) || is(i, Parser::LAST_SEPARATOR) || is(i, Parser::BODY_CLOSE);
  }
  bool begins_statement(std::size_t i) const {
    return ends_statement(i) || is(i, Parser::BODY_OPEN) || is(i, Parser::MODIFIERS_COMMA);
  }
  const Mistake::Rule* rule(std::size_t index) const {
    const auto found =
        std::find_if(mistake_.rules.begin(), mistake_.rules.end(), [&](auto& r) { return r.index == index; });
    return found == mistake_.rules.end() ? nullptr : &*found;
  }
  /// Returns true if the parser was about to begin this part of a statement, or has just begun it.
  bool begins(std::size_t index) const { return rule(index) != nullptr && rule(index)->begin == at_; }
  bool innermost(std::size_t index) const { return mistake_.rules.front().index == index; }
  bool after_part(std::size_t index) const { return mistake_.previous_rule == index; }

  std::string quoted(std::size_t i) const {
    constexpr std::size_t longest = 40;
    const auto all = text(i);
    return "'" + std::string(all.substr(0, longest)) + (all.size() > longest ? "...'" : "'");
  }
  std::string found() const {
    if (is(at_, Parser::BODY_CLOSE)) return "the end of the block";
    return ends_statement(at_) ? "';'" : quoted(at_);
  }
  std::optional<std::size_t> first_on_top(std::size_t from, std::size_t to, auto&& wanted) const {
    for (std::size_t i = from; i < to; i = after(i))
      if (wanted(i)) return i;
    return std::nullopt;
  }
  /// The first token that can't go on with the expression before it: `b` in `a + 1 b`.
  std::optional<std::size_t> first_misfit(std::size_t from, std::size_t to) const {
    return first_on_top(from, to, [&](std::size_t i) {
      const bool begins_operand = is(i, Parser::IDENTIFIER) || is(i, Parser::NUMBER) || is(i, Parser::STRING);
      return i > from && begins_operand && ends_operand(block_.tokens[i - 1], text(i - 1));
    });
  }
  std::optional<std::size_t> last_at() const {
    for (std::size_t i = at_; i > begin_; --i)
      if (is(i - 1, Parser::AT)) return i - 1;
    return std::nullopt;
  }

  void error(Span where, std::string message, std::vector<text::Note> notes = {}) const {
    reporter_.error(Kind::block_syntax, where, std::move(message), std::move(notes));
  }
  static std::vector<text::Note> note(std::string message) { return {Reporter::note(std::move(message))}; }

  bool of_statement_word();
  bool of_this_token();
  bool of_brackets();
  bool of_modifiers();
  bool of_place();
  bool of_arrow();
  bool of_value();
  bool of_rank();
  /// Returns true if `let`, or names of a generator, are what the parser did not expect.
  bool begins_clause() const;
  bool of_clauses();
  bool of_set();
  void of_end();
  void missing_arrow();

  const Mistake& mistake_;
  const BlockTokens& block_;
  const Reporter& reporter_;
  std::size_t at_;
  std::size_t begin_ = 0, end_ = 0;  ///< of the statement
};

/// Reports a statement that begins with a C++ keyword, as `for i in world { ... }`, whichever token did not
/// fit.
bool Wording::of_statement_word() {
  if (!is(begin_, Parser::IDENTIFIER) || !is_statement_word(text(begin_))) return false;
  error(span(begin_), quoted(begin_) + " cannot begin a place or value",
        note(instead_of_statement(text(begin_))));
  return true;
}

bool Wording::of_this_token() {
  const bool at_block = is(at_, Parser::AT) && is_word(at_ + 1, "communicate");
  if (at_block || is(at_, Parser::MACRO)) {
    const std::size_t word = block_.is_macro ? 0 : 1;
    error(at_block ? span(at_, at_ + 1) : span(at_), "a block inside a block",
          {reporter_.note_at(span(0, word), "the enclosing block is not closed before it")});
  } else if (is(at_, Parser::IN)) {
    const bool has_name =
        is(at_ - 1, Parser::IDENTIFIER) && ends_operand(block_.tokens[at_ - 2], text(at_ - 2));
    const std::size_t first = has_name ? at_ - 1 : at_;
    if (is_statement_word(text(first - 1)))
      error(span(first - 1), "expected 'where', found " + quoted(first - 1), note(statement_form));
    else
      error(span(first, at_),
            "expected 'where' before '" + std::string(text(first)) + (has_name ? " in'" : "'"),
            note(statement_form));
  } else if (is(at_, Parser::UNKNOWN) || is(at_, Parser::HASH)) {
    const auto byte = static_cast<unsigned char>(text(at_)[0]);
    constexpr std::string_view digits = "0123456789abcdef";
    const bool printable = byte > 0x20 && byte < 0x7F;
    error(span(at_),
          printable ? "stray " + quoted(at_) + " in a block"
                    : std::string("stray byte 0x") + digits[byte >> 4] + digits[byte & 15] + " in a block");
  } else if (is(at_, Parser::SCOPE_IN_SECTION)) {
    error(span(at_), "'::' is one token, not two ':' of a section", note(section_form));
  } else if (is(at_, Parser::SECTION_OPEN)) {
    const Span section = span(at_, block_.tokens[at_].partner);
    if (begins(Parser::RuleOperand))
      error(section, "a section needs a base before its '['", note(section_form));
    else
      error(section, "a section can only be a whole place or a whole value");
  } else {
    return false;
  }
  return true;
}

bool Wording::of_brackets() {
  if (rule(Parser::RuleGroup) != nullptr) {
    error(span(at_), "stray " + found() + " inside brackets",
          is(at_, Parser::AT) ? note("write the '@' of a place or value outside of brackets")
                              : std::vector<text::Note>{});
    return true;
  }
  // The last brackets may list indices.
  const bool is_listed = is(at_ - 1, Parser::RBRACKET);
  const std::size_t before = is_listed ? block_.tokens[at_ - 1].partner - 1 : at_ - 1;
  const bool after_section = innermost(Parser::RuleStatement) && is(before, Parser::SECTION_CLOSE);
  if (after_section && !ends_statement(at_)) {
    std::vector<text::Note> ways_out;
    if (is(at_, Parser::LBRACKET) || is(at_, Parser::RBRACKET))
      ways_out = note("write '[i : 1]' for a single index of a dimension");
    else if (found() == "'.'")
      ways_out = note(
          "a section's elements travel whole: for a member of each, bind an index, such as 'a[k].x' with "
          "'k in {0 ... 3}'");
    error(span(at_), "unexpected " + found() + " after a section's last ']'", std::move(ways_out));
    return true;
  }
  if (rule(Parser::RuleDimension) == nullptr) return false;
  if (is(at_, Parser::COMMA))
    error(span(at_),
          "a dimension of a section cannot contain ',': give each dimension its own brackets, and "
          "parenthesise other commas",
          note(section_form));
  else
    error(span(at_), "unexpected " + found() + " in a section", note(section_form));
  return true;
}

bool Wording::of_modifiers() {
  if (rule(Parser::RuleModifiers) == nullptr) return false;
  if (!begins(Parser::RuleModifier) && !begins(Parser::RuleExpression))
    error(span(at_), "expected ',' or ')' in the modifier list, found " + found(),
          is(at_, Parser::OPERATOR) ? note("parenthesise template arguments with commas")
                                    : std::vector<text::Note>{});
  else if (is(at_ - 1, Parser::MODIFIERS_OPEN) && is(at_, Parser::MODIFIERS_CLOSE))
    error(span(at_ - 1, at_), "the modifier list is empty", note("remove the parentheses"));
  else
    error(span(at_ - 1),
          "expected " + std::string(begins(Parser::RuleExpression) ? "an expression" : "a modifier") +
              " after " + quoted(at_ - 1),
          is(at_ - 1, Parser::COMMA) && !is(at_, Parser::MODIFIERS_CLOSE)
              ? note("parenthesise template arguments with commas")
              : std::vector<text::Note>{});
  return true;
}

bool Wording::of_place() {
  if (rule(Parser::RulePlace) != nullptr || innermost(Parser::RuleBlock)) {
    const bool no_statements = begin_ == end_ &&
                               (is(end_, Parser::BODY_CLOSE) || is(end_, Parser::LAST_SEPARATOR)) &&
                               !is(begin_ - 1, Parser::SEPARATOR);
    if (no_statements || innermost(Parser::RuleBlock))
      error(span(block_.body_open, block_.body_close()), "a block without statements", note(statement_form));
    else if (ends_statement(at_))
      error(span(at_), "an empty statement before " + found(), note("separate statements with one ';'"));
    else
      error(span(at_), "expected a place before " + found(), note(statement_form));
    return true;
  }
  if (!innermost(Parser::RuleStatement) || !after_part(Parser::RulePlace)) return false;
  error(span(begin_, at_ - 1), "expected '@' and the receiver's rank after this place", note(statement_form));
  return true;
}

bool Wording::of_arrow() {
  if (begins(Parser::RuleArrow)) {
    missing_arrow();
    return true;
  }
  if (rule(Parser::RuleArrow) == nullptr) return false;
  const std::size_t open = rule(Parser::RuleArrow)->begin;
  if (at_ == open + 1) {
    error(span(open, is(at_, Parser::FOLD) ? at_ : open), "expected an operator after '<<'",
          note("a reduction is written '<< + <<', an assignment '<<='"));
  } else if (first_on_top(open, at_, [&](std::size_t i) { return is(i, Parser::SHIFT_ASSIGN); })) {
    error(span(open), "'<<' in a rank needs parentheses", note("parenthesise the shift"));
  } else {
    error(span(open), "expected a second '<<' after the operator, found " + found(),
          note("a reduction is written '<< + <<', an assignment '<<='"));
  }
  return true;
}

/// Reports a receiver's rank without an arrow behind it; often something else is missing.
void Wording::missing_arrow() {
  const auto is_arrow = [&](std::size_t i) { return is(i, Parser::SHIFT_ASSIGN) || is(i, Parser::SHIFT); };
  const auto looks_like_arrow = [&](std::size_t i) {
    return is(i, Parser::EQUALS) || text(i) == "<=" || text(i) == "<-" || text(i) == ">>=" ||
           text(i) == "<" || text(i) == "->" || is_compound_assignment(text(i));
  };
  const std::size_t rank = *last_at() + 1;
  if (const auto arrow = first_on_top(begin_, rank - 1, is_arrow)) {
    error(span(*arrow), "expected '@' and the receiver's rank before " + quoted(*arrow),
          note(statement_form));
  } else if (is(at_, Parser::COMMA)) {
    const auto next =
        first_on_top(at_, end_, [&](std::size_t i) { return is(i, Parser::AT) || is_arrow(i); });
    const bool has_second_place = next && is(*next, Parser::AT);
    error(span(at_), "unexpected ',' in a rank",
          note(has_second_place ? "a statement has one place: write a statement for each"
                                : "parenthesise template arguments with commas"));
  } else if (is(at_, Parser::WHERE)) {
    error(span(at_), "expected '<<=' or '<< op <<' before 'where'",
          note("the clauses follow the sender's rank"));
  } else if (const auto arrow_like = first_on_top(rank, at_, looks_like_arrow)) {
    error(span(*arrow_like),
          "expected '<<=' or '<< op <<' after the receiver's rank, found " + quoted(*arrow_like),
          note(arrow_instead_of(text(*arrow_like))));
  } else if (const auto misfit = first_misfit(rank, at_)) {
    error(span(*misfit), "expected '<<=' or '<< op <<' before " + quoted(*misfit),
          is_statement_word(text(*misfit)) ? note(instead_of_statement(text(*misfit)))
                                           : std::vector<text::Note>{});
  } else {
    error(span(begin_, at_ - 1), "expected '<<=' or '<< op <<' after the receiver's rank, found " + found(),
          note(statement_form));
  }
}

bool Wording::of_value() {
  if (begins(Parser::RuleValue)) {
    error(span(at_ - 1), "expected a value after " + quoted(at_ - 1) + ", found " + found());
    return true;
  }
  if (!innermost(Parser::RuleStatement) || !after_part(Parser::RuleValue)) return false;
  const auto arrow = first_on_top(begin_, at_, [&](std::size_t i) { return is(i, Parser::ARROW); });
  std::size_t value = arrow ? *arrow + 1 : begin_;
  for (std::size_t i = begin_; i < at_; i = after(i))
    if (is(i, Parser::FOLD)) value = i + 1;
  const auto where = first_on_top(value, at_, [&](std::size_t i) {
    return i > value && is_word(i, "where") && ends_operand(block_.tokens[i - 1], text(i - 1));
  });
  error(span(value, where ? *where - 1 : at_ - 1), "expected '@' and the sender's rank after this value",
        note(statement_form));
  return true;
}

bool Wording::of_rank() {
  if (begins(Parser::RuleReceiver) || begins(Parser::RuleSender)) {
    error(span(at_ - 1), "expected a rank after '@', found " + found());
    return true;
  }
  const bool after_sender =
      innermost(Parser::RuleStatement) && is(at_ - 1, Parser::COMMA) && after_part(Mistake::npos);
  if (!after_sender) return false;
  error(span(at_ - 1), "expected 'where' after ','",
        note(begins_clause() ? "clauses follow 'where': write 'where' before the first one"
                             : "write ';' between statements, 'where' before clauses, and parentheses "
                               "around template arguments with commas"));
  return true;
}

bool Wording::begins_clause() const {
  std::size_t name = at_;
  while (name + 2 < end_ && is(name + 1, Parser::COMMA)) name += 2;
  return is_word(at_, "let") || (name + 1 < end_ && text(name + 1) == "in");
}

bool Wording::of_clauses() {
  if (of_set()) return true;
  if (begins(Parser::RuleLet) || rule(Parser::RuleLet) != nullptr) {
    error(span(at_ - 1), "expected an expression after " + quoted(at_ - 1));
  } else if (begins(Parser::RuleClause)) {
    error(span(at_ - 1), "expected a clause after " + quoted(at_ - 1) + ", found " + found(),
          note("a clause is 'i in set', 'let name = expression' or a condition"));
  } else {
    return false;
  }
  return true;
}

bool Wording::of_set() {
  if (rule(Parser::RuleSet) == nullptr) return false;
  const std::size_t set = rule(Parser::RuleSet)->begin;
  if (set == at_)
    error(span(at_ - 1), "expected a set after 'in', found " + found(), note(set_form));
  else if (is(at_ - 1, Parser::SET_OPEN) && is(at_, Parser::SET_CLOSE))
    error(span(at_ - 1, at_), "an empty set",
          note("a statement without bindings sends nothing: leave it out"));
  else if (begins(Parser::RuleExpression))
    error(span(at_), "expected an expression in the set before " + found(), note(set_form));
  else
    error(span(at_), "unexpected " + found() + " in a set", note(set_form));
  return true;
}

/// Reports a token after a whole statement that belongs neither to it nor to the next one.
void Wording::of_end() {
  if (is(at_, Parser::SHIFT))
    return error(span(at_), "'<<' in a rank needs parentheses", note("parenthesise the shift"));
  if (is(at_, Parser::SHIFT_ASSIGN))
    return error(span(at_), "a second '<<=' in one statement", note("';' separates two statements"));
  if (is(at_, Parser::WHERE))
    return error(span(at_), "a second 'where' in one statement", note("',' separates the clauses"));
  if (is(at_, Parser::AT)) {
    const auto last = last_at();
    if (const auto misfit = first_misfit(last ? *last + 1 : begin_, at_))
      return error(span(*misfit), "expected ';' before " + quoted(*misfit),
                   note("';' separates two statements"));
  }
  const bool after_set = is(at_ - 1, Parser::SET_CLOSE);
  if (after_set && !is(at_, Parser::IDENTIFIER))
    return error(span(at_), "unexpected " + found() + " after a set's '}'");
  error(span(at_), "expected " + std::string(after_set ? "',' or ';'" : "';'") + " before " + found(),
        note("';' separates two statements"));
}

}  // namespace

void report(const Mistake& mistake, const BlockTokens& block, const Reporter& reporter) {
  Wording(mistake, block, reporter).report();
}

}  // namespace kanor::syntax
