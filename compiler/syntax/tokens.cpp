// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/tokens.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "KanorLexer.h"
#include "syntax/lexer_base.hpp"

namespace kanor::syntax {
namespace {

using grammar::KanorLexer;
using text::Kind;
using text::Span;

/// Clang's own limit (-fbracket-depth); the parser's recursion is bounded by it.
constexpr std::size_t deepest_nesting = 256;

bool opens(std::size_t type) {
  return type == KanorLexer::LPAREN || type == KanorLexer::LBRACKET || type == KanorLexer::LBRACE;
}

bool closes(std::size_t type) {
  return type == KanorLexer::RPAREN || type == KanorLexer::RBRACKET || type == KanorLexer::RBRACE;
}

std::size_t opener_of(std::size_t closer) {
  switch (closer) {
    case KanorLexer::RPAREN:
      return KanorLexer::LPAREN;
    case KanorLexer::RBRACKET:
      return KanorLexer::LBRACKET;
    default:
      return KanorLexer::LBRACE;
  }
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace

struct BlockReader::Lexer {
  explicit Lexer(const LogicalText& text) : stream(text), lexer(&stream) { lexer.removeErrorListeners(); }

  void start(std::uint32_t logical) {
    lexer.reset();
    stream.seek(logical);
  }
  Token next() {
    for (;;) {
      const auto token = lexer.nextToken();
      if (token->getType() == antlr4::Token::EOF)
        return {antlr4::Token::EOF,
                {static_cast<std::uint32_t>(stream.size()), static_cast<std::uint32_t>(stream.size())}};
      if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL)
        return {token->getType(),
                {static_cast<std::uint32_t>(token->getStartIndex()),
                 static_cast<std::uint32_t>(token->getStopIndex() + 1)}};
    }
  }

  grammar::LogicalStream stream;
  KanorLexer lexer;
};

namespace {

/// Pairs the brackets of one block as its tokens arrive. After the first mistake it goes on in silence,
/// to find where the block ends.
class Pairing {
 public:
  Pairing(const Reporter& reporter, BlockTokens& block, Span word)
      : reporter_(reporter), block_(block), word_(word) {}

  bool broken() const { return broken_; }
  bool inside() const { return !open_.empty(); }
  /// The offset where the file goes on, if a mistake shows that the block can't reach further.
  std::optional<std::uint32_t> cut_off() const { return cut_off_; }

  void add(const Token& token) {
    block_.tokens.push_back(token);
    if (opens(token.type)) {
      open_.push_back(block_.tokens.size() - 1);
      ++open_of_type_[token.type];
      if (open_.size() > deepest_nesting)
        report(Kind::block_syntax, token.span, "brackets are nested more than 256 deep",
               {Reporter::note("compute the inner part before the block")});
    } else if (closes(token.type)) {
      close(token);
    } else if (token.type == KanorLexer::UNTERMINATED) {
      unterminated(token.span);
    } else if (token.type == KanorLexer::DIRECTIVE) {
      directive(token.span);
    } else if (token.type == KanorLexer::IDENTIFIER) {
      next_block(token.span);
    }
  }

  void end_of_file() {
    std::vector<text::Note> notes;
    if (inside()) {
      const Span opener = block_.tokens[open_.back()].span;
      notes.push_back(reporter_.note_at(opener, quoted(reporter_.text(opener)) + " is not closed"));
    }
    report(Kind::block_unterminated, word_, "the file ends inside this block", std::move(notes));
  }

  void report(Kind kind, Span span, std::string message, std::vector<text::Note> notes = {}) {
    if (!broken_) reporter_.error(kind, span, std::move(message), std::move(notes));
    broken_ = true;
  }

 private:
  void close(const Token& closer) {
    const auto& tokens = block_.tokens;
    const auto opener = opener_of(closer.type);
    if (tokens[open_.back()].type != opener) {
      if (open_of_type_[opener] == 0) return unpaired(closer);
      not_closed(tokens[open_.back()].span, closer.span);
      while (tokens[open_.back()].type != opener) pop();
    }
    block_.tokens.back().partner = open_.back();
    block_.tokens[open_.back()].partner = tokens.size() - 1;
    pop();
  }

  void pop() {
    --open_of_type_[block_.tokens[open_.back()].type];
    open_.pop_back();
  }

  void not_closed(Span opener, Span closer) {
    report(Kind::block_unbalanced, opener,
           quoted(reporter_.text(opener)) + " is not closed before " + quoted(reporter_.text(closer)),
           {reporter_.note_at(closer, quoted(reporter_.text(closer)) + " is here")});
  }

  /// Handles an unpaired bracket. A brace in `KANOR_COMMUNICATE(` or in a modifier list closes the code
  /// around it.
  void unpaired(const Token& closer) {
    const bool closes_outside =
        closer.type == KanorLexer::RBRACE && block_.tokens[open_.front()].type == KanorLexer::LPAREN;
    if (closes_outside) {
      not_closed(block_.tokens[open_.back()].span, closer.span);
      cut_off_ = closer.span.begin;
      return;
    }
    if (open_.size() == 1)
      return report(Kind::block_unbalanced, closer.span,
                    quoted(reporter_.text(closer.span)) + " has no opening bracket in this block",
                    {reporter_.note_at(word_, "the block begins here")});
    const Span opener = block_.tokens[open_.back()].span;
    std::vector<text::Note> notes{
        reporter_.note_at(opener, quoted(reporter_.text(opener)) + " is opened here")};
    if (reporter_.text(block_.tokens[open_.back() - 1].span) == "in")
      notes.push_back(Reporter::note("an interval is written '{first ... last}', and includes both ends"));
    report(Kind::block_unbalanced, closer.span,
           quoted(reporter_.text(closer.span)) + " does not close " + quoted(reporter_.text(opener)),
           std::move(notes));
    pop();
  }

  /// Handles the word of another block. In the braces of a lambda, the parser finds it. Anywhere else it is
  /// the next block, and a bracket of this one was forgotten.
  void next_block(Span name) {
    const auto& tokens = block_.tokens;
    Span word = name;
    if (reporter_.text(name) == "communicate" && tokens[tokens.size() - 2].type == KanorLexer::AT)
      word.begin = tokens[tokens.size() - 2].span.begin;
    else if (reporter_.text(name) != "KANOR_COMMUNICATE")
      return;
    if (open_.size() > 1 && tokens[open_.back()].type == KanorLexer::LBRACE) return;
    const Span opener = tokens[open_.back()].span;
    report(Kind::block_unbalanced, opener,
           quoted(reporter_.text(opener)) + " is not closed before the next block",
           {reporter_.note_at(word, "the next block begins here")});
    cut_off_ = word.begin;
  }

  void unterminated(Span span) {
    const auto text = reporter_.text(span);
    if (text.starts_with("/*"))
      return report(Kind::block_unterminated, {span.begin, span.begin + 2}, "this comment is not closed");
    const auto quote = text.find_first_of("\"'");
    const bool raw = quote != 0 && text[quote - 1] == 'R';
    report(Kind::block_syntax,
           {span.begin, raw ? span.begin + static_cast<std::uint32_t>(quote) + 1 : span.end},
           raw ? "this raw string has no end" : "this literal is not closed on its line");
    cut_off_ = span.end;  // its line may hold the brackets that close the block
  }

  void directive(Span span) {
    const auto text = reporter_.text(span);
    const auto length = text.find_last_not_of(" \t\r") + 1;
    report(Kind::directive_in_block, {span.begin, span.begin + static_cast<std::uint32_t>(length)},
           "a preprocessor directive inside a block",
           {reporter_.note_at(word_, "the block begins here"),
            Reporter::note("put the directives around whole blocks, or use a variable that they define")});
  }

  const Reporter& reporter_;
  BlockTokens& block_;
  Span word_;
  std::vector<std::size_t> open_;
  std::map<std::size_t, std::size_t> open_of_type_;  ///< so that a stray bracket needs no search
  bool broken_ = false;
  std::optional<std::uint32_t> cut_off_;
};

const char* block_form(bool is_macro) {
  return is_macro ? "a block is written 'KANOR_COMMUNICATE(statements)', or with modifiers "
                    "'KANOR_COMMUNICATE((modifiers), statements)'"
                  : "a block is written '@communicate { statements }', or with modifiers '@communicate "
                    "(modifiers) "
                    "{ statements }'";
}

}  // namespace

BlockReader::BlockReader(const Reporter& reporter)
    : reporter_(reporter), lexer_(std::make_unique<Lexer>(reporter.logical)) {}
BlockReader::~BlockReader() = default;

BlockTokens BlockReader::read(const Candidate& candidate) {
  BlockTokens block;
  block.is_macro = candidate.form == Candidate::Form::macro;
  block.end = candidate.word.end;
  lexer_->start(candidate.word.begin);
  block.tokens.push_back(lexer_->next());
  if (!block.is_macro) block.tokens.push_back(lexer_->next());
  block.tokens.back().type = block.is_macro ? KanorLexer::MACRO : KanorLexer::COMMUNICATE;

  Pairing pairing(reporter_, block, candidate.word);
  const auto body = block.is_macro ? KanorLexer::LPAREN : KanorLexer::LBRACE;
  for (bool body_seen = false;;) {
    const Token token = lexer_->next();
    if (!pairing.inside()) {
      const bool modifiers_may_follow = !block.is_macro && block.tokens.size() == 2;
      body_seen = token.type == body;
      if (!body_seen && !(modifiers_may_follow && token.type == KanorLexer::LPAREN)) {
        const bool after_modifiers = !block.is_macro && block.tokens.size() > 2;
        const std::string before =
            after_modifiers ? "the modifier list" : quoted(reporter_.text(candidate.word));
        pairing.report(Kind::block_syntax, token.type == antlr4::Token::EOF ? candidate.word : token.span,
                       std::string("expected ") + (block.is_macro ? "'('" : "'{'") + " after " + before,
                       {Reporter::note(block_form(block.is_macro))});
        return block;
      }
      if (body_seen) block.body_open = block.tokens.size();
    }
    if (token.type == antlr4::Token::EOF) {
      pairing.end_of_file();
      block.end = token.span.end;
      return block;
    }
    pairing.add(token);
    block.end = pairing.cut_off().value_or(token.span.end);
    if (pairing.cut_off()) return block;
    if (body_seen && !pairing.inside()) break;
  }
  block.whole = !pairing.broken();
  return block;
}

}  // namespace kanor::syntax
