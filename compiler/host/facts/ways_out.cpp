// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/ways_out.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "host/facts/listed_operands.hpp"

namespace kanor::host {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// The name that the message says is undeclared; empty if the message is about something else.
std::string_view undeclared_name(std::string_view text) {
  constexpr std::string_view undeclared = "use of undeclared identifier '";
  if (!text.starts_with(undeclared)) return {};
  return text.substr(undeclared.size(), text.find('\'', undeclared.size()) - undeclared.size());
}

bool is_call_of_team(std::string_view text) {
  return text.starts_with("type '") && text.ends_with("team' does not provide a call operator");
}

/// For one message about a piece.
class WaysOut {
 public:
  WaysOut(const ClangMessage& message, const Shadow& shadow, Piece piece)
      : message_(message.text), shadow_(shadow), piece_(piece), undeclared_(undeclared_name(message.text)) {}

  std::vector<text::Note> find(bool is_of_subscript) {
    const std::string name(undeclared_);
    const bool is_operator = piece_.kind == PieceKind::callable || piece_.kind == PieceKind::open_callable;
    const bool is_rank = piece_.kind == PieceKind::receiver || piece_.kind == PieceKind::sender;
    if (is_of_subscript)
      add("only a whole place or value can list elements by 'base[indices]', in its last brackets");
    if (may_lack_clause())
      add("bind '" + name + "' with a clause, such as 'where " + name + " in world', or declare it");
    if (const std::string_view given = given_to_name(); given.starts_with('{'))
      add("a generator is written '" + name + " in {...}'");
    else if (!given.empty())
      add("a clause that names a value begins with 'let': 'let " + name + " = ...'");
    if (is_of_own_set())
      add("a set cannot use the names that it binds; a condition is a clause of its own, behind a ','");
    if (is_operator && !undeclared_.empty())
      add("the operators are + * & | ^ && || min max, and any callable 'op(a, b)'");
    if (is_operator && message_.starts_with("use of class template"))
      add("an operator is a value, as '" + std::string(text()) + "<>{}' is");
    if (piece_.kind == PieceKind::filter && message_.starts_with("cannot assign to variable"))
      add("a condition compares with '=='");
    if (is_rank && message_.starts_with("subscripted value is not"))
      add("the subscript of a place or value precedes the '@': 'a[k]@0'");
    if (is_call_of_team(message_)) add("a team is an object: write its name without '()'");
    return std::move(notes_);
  }

 private:
  void add(std::string way_out) { notes_.push_back({nullptr, {}, std::move(way_out)}); }
  std::string_view text() const { return shadow_.source->text(shadow_.span_of(piece_)); }

  /// What follows the `=` of a clause `name = ...`, whose name is undeclared; empty for other pieces.
  std::string_view given_to_name() const {
    if (undeclared_.empty() || piece_.kind != PieceKind::filter) return {};
    std::string_view rest = text();
    const auto skip = [&](std::size_t count) {
      rest.remove_prefix(count);
      rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    };
    if (!rest.starts_with(undeclared_)) return {};
    skip(undeclared_.size());
    if (!rest.starts_with('=') || rest.starts_with("==")) return {};
    skip(1);
    return rest;
  }

  /// Returns true if a clause may have been meant to bind a name that nothing declares. In a place or value,
  /// that holds for names within subscripts only.
  bool may_lack_clause() const {
    if (undeclared_.empty()) return false;
    switch (piece_.kind) {
      case PieceKind::receiver:
      case PieceKind::sender:
        return true;
      case PieceKind::place:
      case PieceKind::value: {
        const auto whole = text();
        const auto at = whole.find(undeclared_);
        return at != std::string_view::npos && whole.rfind('[', at) != std::string_view::npos;
      }
      default:
        return false;
    }
  }

  /// Returns true if a generator's set uses a name that the generator binds: `i in world and i > 0`.
  bool is_of_own_set() const {
    if (undeclared_.empty() || piece_.kind != PieceKind::set) return false;
    const auto& clauses = shadow_.statement_of(piece_).clauses;
    const auto* const generator =
        std::get_if<syntax::Generator>(&clauses[static_cast<std::size_t>(piece_.index)]);
    return generator != nullptr && std::any_of(generator->names.begin(), generator->names.end(),
                                               [&](const auto& name) { return name.text == undeclared_; });
  }

  std::string_view message_;
  const Shadow& shadow_;
  Piece piece_;
  std::string_view undeclared_;
  std::vector<text::Note> notes_;
};

/// Returns true if this name of a modifier stands in parentheses behind a block.
bool is_behind_block(const Shadow& shadow, std::uint32_t at, std::string_view name) {
  constexpr std::array<std::string_view, 5> modifiers{"team", "async", "knows", "delta", "copy"};
  if (std::find(modifiers.begin(), modifiers.end(), name) == modifiers.end()) return false;
  const std::string_view before = std::string_view(shadow.source->bytes()).substr(0, at);
  const auto open = before.find_last_not_of(blanks);
  if (open == std::string_view::npos || before[open] != '(') return false;
  const auto end = before.find_last_not_of(blanks, open - 1);
  return std::any_of(shadow.ast->blocks.begin(), shadow.ast->blocks.end(),
                     [&](const syntax::Block& block) { return block.span.end == end + 1; });
}

}  // namespace

bool is_cut_off(const ClangMessage& message, Piece piece) {
  const bool ends_at_comma = piece.kind == PieceKind::filter || piece.kind == PieceKind::let ||
                             piece.kind == PieceKind::set || piece.kind == PieceKind::receiver ||
                             piece.kind == PieceKind::sender;
  return ends_at_comma && message.text == "expected '>'";
}

std::vector<text::Note> ways_out(const ClangMessage& message, const Shadow& shadow, Piece piece,
                                 const std::vector<MissingWord>& missing_words) {
  auto notes = WaysOut(message, shadow, piece).find(is_of_subscript(message));
  if (is_cut_off(message, piece))
    notes.push_back({nullptr, {}, "parenthesise template arguments with commas"});
  if (std::any_of(missing_words.begin(), missing_words.end(), [&](const MissingWord& word) {
        return word.shadow == &shadow && word.offset == message.place.begin;
      }))
    notes.push_back({nullptr, {}, "kanor's own is declared in <kanor/kanor.hpp>"});
  return notes;
}

std::vector<text::Note> ways_out(const ClangMessage& message, const Shadow& shadow) {
  if (is_call_of_team(message.text))
    return {{nullptr, {}, "a team is an object: write its name without '()'"}};
  const auto at = shadow.original(message.place.begin);
  if (!at || shadow.ast == nullptr || !is_behind_block(shadow, *at, undeclared_name(message.text))) return {};
  return {{nullptr, {}, "a block's modifiers stand before its '{': '@communicate (modifiers) { ... }'"}};
}

}  // namespace kanor::host
