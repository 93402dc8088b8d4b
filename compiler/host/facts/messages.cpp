// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/messages.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>

#include "host/facts/missing_headers.hpp"
#include "host/facts/ways_out.hpp"

namespace kanor::host {
namespace {

bool names_shadow(std::string_view text) { return text.find("kanor_") != std::string_view::npos; }

text::Diagnostic host_error(const text::Source* source, Span span, std::string message) {
  return {text::Kind::host_error, source, span, std::move(message), {}};
}

/// Replaces a message that would name something that is only in the shadow.
text::Diagnostic reworded(const Shadow& shadow, Piece piece) {
  const Span span = shadow.span_of(piece);
  const std::string quoted = "'" + std::string(shadow.source->text(span)) + "'";
  const bool lists = piece.kind == PieceKind::place_part || piece.kind == PieceKind::value_part;
  if (piece.kind == PieceKind::set || lists)
    return {text::Kind::set_not_range, shadow.source, span, quoted + " is not a range of integers", {}};
  if (piece.kind == PieceKind::callable || piece.kind == PieceKind::open_callable)
    return {text::Kind::operator_not_callable,
            shadow.source,
            span,
            quoted + " cannot be called with two values",
            {}};
  return host_error(shadow.source, span, quoted + " is not an expression that a block can use here");
}

/// The message that the type of the name that `async` declares is unknown to Clang.
text::Diagnostic missing_pending(const Shadow& shadow, Piece piece) {
  const Span span = shadow.span_of(piece);
  return {text::Kind::host_error,
          shadow.source,
          span,
          "'kanor::pending', the type of '" + std::string(shadow.source->text(span)) + "', is not declared",
          {{nullptr, {}, "include <kanor/kanor.hpp>"}}};
}

/// In the macro spelling, the modifier that the first statement's place begins with, as if it were a name of
/// the program's. Empty if there is none.
Span modifier_without_parentheses(const Shadow& shadow, Piece piece) {
  const auto& block = shadow.ast->blocks[static_cast<std::size_t>(piece.block)];
  if (block.spelling != syntax::Block::Spelling::macro || piece.kind != PieceKind::place ||
      piece.statement != 0)
    return {};
  const Span place = shadow.statement_of(piece).place.span;
  const std::string_view text = shadow.source->text(place);
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto length =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_letter) - text.begin());
  const auto next = text.find_first_not_of(" \t\r\n", length);
  if (next == std::string_view::npos) return {};
  const std::string_view word = text.substr(0, length);
  const bool is_alone = word == "copy" || word == "delta";
  const bool has_argument = word == "team" || word == "async" || word == "knows";
  const bool is_modifier = (is_alone && text[next] == ',') || (has_argument && text[next] == '=');
  return is_modifier ? Span{place.begin, place.begin + static_cast<std::uint32_t>(length)} : Span{};
}

text::Diagnostic missing_parentheses(const Shadow& shadow, Span modifier) {
  const std::string word(shadow.source->text(modifier));
  const bool is_alone = word == "copy" || word == "delta";
  return {text::Kind::block_syntax,
          shadow.source,
          modifier,
          "the modifiers of 'KANOR_COMMUNICATE' need parentheses of their own, but '" + word + "' has none",
          {{nullptr, {}, "write 'KANOR_COMMUNICATE((" + word + (is_alone ? "" : " = ...") + "), ...)'"}}};
}

/// Removes a suggestion of a name that is only in the shadow.
std::string without_hidden_suggestion(const std::string& text) {
  const auto suggestion = text.find("; did you mean");
  const bool is_hidden = suggestion != std::string::npos && names_shadow(text.substr(suggestion));
  return is_hidden ? text.substr(0, suggestion) : text;
}

class Reporter {
 public:
  Reporter(const Invocation& invocation, const FileMap& files, const std::vector<MissingWord>& missing_words,
           sema::Facts& facts)
      : invocation_(invocation), files_(files), missing_words_(missing_words), facts_(facts) {}

  void error(const ClangMessage& original) {
    open_ = false;
    notes_explain_ = true;
    ClangMessage message = original;
    message.text = without_hidden_suggestion(message.text);
    const std::string header = missing_header(message.text, invocation_);
    if (!header.empty()) message.text = message.text.substr(0, message.text.find(';'));
    const FileMap::Entry* entry = files_.find(message.place.file);
    if (entry == nullptr) {
      found_.push_back(host_error(nullptr, {}, message.text));
    } else if (entry->shadow == nullptr) {
      found_.push_back(host_error(entry->source, {message.place.begin, message.place.end}, message.text));
    } else if (const int block = entry->shadow->block_at(message.place.begin); block >= 0) {
      if (!in_block(message, *entry, block)) return;
    } else if (const syntax::Block* before = unended_block(*entry->shadow, message)) {
      found_.push_back({text::Kind::block_syntax,
                        entry->source,
                        {before->span.end - 1, before->span.end},
                        "expected ';' after the block",
                        {}});
    } else {
      found_.push_back(host_error(entry->source, original_span(*entry->shadow, message.place), message.text));
      found_.back().notes = ways_out(message, *entry->shadow);
    }
    open_ = true;
    if (header.empty()) return;
    notes_explain_ = false;  // they would be about another name
    found_.back().notes.push_back({nullptr, {}, "include " + header});
  }

  void note(const ClangMessage& message) {
    if (!open_ || !notes_explain_ || names_shadow(message.text)) return;
    const FileMap::Entry* entry = files_.find(message.place.file);
    if (entry == nullptr) return;
    Span span{message.place.begin, message.place.end};
    if (entry->shadow != nullptr) {
      const bool is_hidden =
          entry->shadow->block_at(message.place.begin) >= 0 && !entry->shadow->original(message.place.begin);
      if (is_hidden) return without_brackets();
      span = original_span(*entry->shadow, message.place);
    }
    found_.back().notes.push_back({entry->source, span, message.text});
  }

  void finish(text::Diagnostics& diagnostics) {
    for (auto& diagnostic : found_) diagnostics.report(std::move(diagnostic));
  }

 private:
  /// The block that Clang expects the macro's semicolon after.
  static const syntax::Block* unended_block(const Shadow& shadow, const ClangMessage& message) {
    if (!message.text.starts_with("expected ';' after do/while")) return nullptr;
    for (std::size_t block = 0; block < shadow.blocks.size(); ++block)
      if (shadow.blocks[block].end == message.place.begin) return &shadow.ast->blocks[block];
    return nullptr;
  }

  /// Rewords the last message, which expects a bracket to match one of the shadow's own.
  void without_brackets() {
    text::Diagnostic& last = found_.back();
    if (last.source != nullptr && last.message.starts_with("expected '") && !last.span.empty())
      last.message = "unexpected '" + std::string(last.source->text(last.span)) + "' in this expression";
  }

  /// Handles a message about a block; returns false if it only follows from an earlier one.
  bool in_block(const ClangMessage& message, const FileMap::Entry& entry, int block) {
    const Shadow& shadow = *entry.shadow;
    const auto index = static_cast<std::size_t>(block);
    sema::BlockFacts& facts = facts_.files[static_cast<std::size_t>(entry.user_file)].blocks[index];
    const std::uint32_t at = message.place.begin;
    if (facts.outside_function) return false;
    facts.has_errors = true;
    facts.outside_function = at == shadow.blocks[index].begin;
    const Anchor* anchor = anchor_before(shadow, at, block);
    if (facts.outside_function) {
      found_.push_back({text::Kind::block_outside_function,
                        shadow.source,
                        syntax::keyword_of(shadow.ast->blocks[index], *shadow.source),
                        "a communicate block is only allowed as a statement in a function",
                        {}});
    } else if (anchor == nullptr) {
      found_.push_back(host_error(shadow.source, original_span(shadow, message.place), message.text));
    } else {
      const auto piece = std::tuple(&shadow, block, anchor->piece.statement, anchor->offset);
      const auto statement = std::tuple(&shadow, block, anchor->piece.statement);
      if (cut_off_.contains(statement) || !reported_.insert(piece).second) return false;
      if (is_cut_off(message, anchor->piece)) cut_off_.insert(statement);
      found_.push_back(in_piece(message, shadow, anchor->piece));
    }
    return true;
  }

  text::Diagnostic in_piece(const ClangMessage& message, const Shadow& shadow, Piece piece) {
    if (names_shadow(message.text)) return reworded(shadow, piece);
    const auto original = shadow.original(message.place.begin);
    const Span modifier = modifier_without_parentheses(shadow, piece);
    notes_explain_ = !original || modifier.empty() || *original != modifier.begin;
    if (!notes_explain_) return missing_parentheses(shadow, modifier);
    if (piece.kind == PieceKind::pending && !original) return missing_pending(shadow, piece);
    // What is missing is missing behind the piece.
    Span span = original ? original_span(shadow, message.place) : shadow.span_of(piece);
    if (!original && span.end > span.begin) span.begin = span.end - 1;
    const bool ends_let = piece.kind == PieceKind::let && message.text.starts_with("expected ';'");
    text::Diagnostic found = host_error(
        shadow.source, span, ends_let ? "expected ',' or ';' after this expression" : message.text);
    found.notes = ways_out(message, shadow, piece, missing_words_);
    return found;
  }

  static const Anchor* anchor_before(const Shadow& shadow, std::uint32_t at, int block) {
    auto next =
        std::upper_bound(shadow.anchors.begin(), shadow.anchors.end(), at,
                         [](std::uint32_t offset, const Anchor& anchor) { return offset < anchor.offset; });
    if (next == shadow.anchors.begin()) return nullptr;
    --next;
    return next->piece.block == block ? &*next : nullptr;
  }

  static Span original_span(const Shadow& shadow, const FilePlace& place) {
    if (const auto begin = shadow.original(place.begin)) return {*begin, *begin + (place.end - place.begin)};
    if (const int block = shadow.block_at(place.begin); block >= 0)
      return shadow.ast->blocks[static_cast<std::size_t>(block)].span;
    for (const Segment& segment : shadow.segments)
      if (segment.shadow >= place.begin) return {segment.original, segment.original + 1};
    const auto end = static_cast<std::uint32_t>(shadow.source->bytes().size());
    return {end, end};
  }

  const Invocation& invocation_;
  const FileMap& files_;
  const std::vector<MissingWord>& missing_words_;
  sema::Facts& facts_;
  std::vector<text::Diagnostic> found_;
  std::set<std::tuple<const Shadow*, int, int, std::uint32_t>> reported_;
  std::set<std::tuple<const Shadow*, int, int>> cut_off_;  ///< statements that are broken by a comma
  bool open_ = false;                                      ///< true if notes belong to the last diagnostic
  bool notes_explain_ = true;                              ///< true if notes explain its message
};

}  // namespace

void report_messages(const std::vector<ClangMessage>& messages, const Invocation& invocation,
                     const FileMap& files, const std::vector<MissingWord>& missing_words, sema::Facts& facts,
                     text::Diagnostics& diagnostics) {
  constexpr int most = 100;
  Reporter reporter(invocation, files, missing_words, facts);
  int errors = 0;
  for (const ClangMessage& message : messages) {
    if (message.is_error && ++errors > most) break;
    message.is_error ? reporter.error(message) : reporter.note(message);
  }
  reporter.finish(diagnostics);
}

}  // namespace kanor::host
