// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/static_locals.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kanor::host {
namespace {

namespace tok = clang::tok;

struct Token {
  tok::TokenKind kind = tok::eof;
  std::string_view text;  ///< a word's text
  clang::SourceLocation location;
};

using Tokens = std::vector<Token>;

bool has_word(const Tokens& statement, std::string_view word) {
  return std::any_of(statement.begin(), statement.end(),
                     [&](const Token& token) { return token.text == word; });
}

/// The position after the parenthesis or bracket that closes the one at `at`.
std::size_t behind_group(const Tokens& tokens, std::size_t at) {
  int open = 0;
  for (; at < tokens.size(); ++at) {
    const auto kind = tokens[at].kind;
    if (kind == tok::l_paren || kind == tok::l_square) ++open;
    if ((kind == tok::r_paren || kind == tok::r_square) && --open == 0) return at + 1;
  }
  return at;
}

/// Finds the variables that one declaration declares; a `{` stands for a group in braces.
class Declaration {
 public:
  Declaration(const Tokens& tokens, std::vector<StaticLocal>& found) : tokens_(tokens), found_(found) {}

  void read() {
    for (std::size_t at = 0; at < tokens_.size();) at = read(at);
    declare();
  }

 private:
  std::size_t read(std::size_t at) {
    const Token& token = tokens_[at];
    if (token.kind == tok::less) ++angles_;
    if (token.kind == tok::greater) --angles_;
    if (token.kind == tok::greatergreater) angles_ -= 2;
    if (token.kind == tok::l_paren || token.kind == tok::l_square) return read_group(at);
    if (token.kind == tok::comma && (initialises_ || angles_ == 0)) {
      declare();
      initialises_ = is_reference_ = false;
      angles_ = 0;
      is_const_ = all_are_const_;
      is_first_ = false;
    }
    if (angles_ != 0 || initialises_) return at + 1;
    if (token.kind == tok::equal || token.kind == tok::l_brace) {
      declare();
      initialises_ = true;
    }
    // What a pointer points to may be const, but not the pointer; a reference is another name.
    if (token.kind == tok::star) is_const_ = is_first_ = false;
    if (token.kind == tok::amp || token.kind == tok::ampamp) is_reference_ = true;
    if (token.kind == tok::raw_identifier) word(token);
    return at + 1;
  }

  /// Reads a group: parameters, an initialiser, an array's length, an attribute, or a pointer to a function.
  std::size_t read_group(std::size_t at) {
    const std::size_t end = behind_group(tokens_, at);
    const bool is_pointer = at + 1 < end && tokens_[at + 1].kind == tok::star;
    if (angles_ != 0 || initialises_) return end;
    if (is_pointer) {
      for (; at < end; ++at)
        if (tokens_[at].kind == tok::raw_identifier)
          found_.push_back({std::string(tokens_[at].text), tokens_[at].location});
      return end;
    }
    declare();
    // Behind anything else than an initialiser or parameters, such as a macro's arguments, the declarator
    // goes on.
    initialises_ =
        tokens_[at].kind == tok::l_paren && (end == tokens_.size() || tokens_[end].kind == tok::comma);
    return end;
  }

  void word(const Token& token) {
    constexpr std::array<std::string_view, 5> specifiers{"static", "alignas", "decltype", "__attribute__",
                                                         "volatile"};
    if (token.text == "const") {
      is_const_ = true;
      all_are_const_ |= is_first_;
    } else if (std::find(specifiers.begin(), specifiers.end(), token.text) == specifiers.end()) {
      name_ = token;
      has_name_ = true;
    }
  }

  /// Notes the last word read, if it is a declared variable.
  void declare() {
    if (has_name_ && angles_ == 0 && !initialises_ && !is_const_ && !is_reference_)
      found_.push_back({std::string(name_.text), name_.location});
    has_name_ = false;
  }

  const Tokens& tokens_;
  std::vector<StaticLocal>& found_;
  Token name_;
  int angles_ = 0;
  bool has_name_ = false, is_const_ = false, is_reference_ = false, initialises_ = false;
  bool all_are_const_ = false;  ///< true if a const before the declarators applies to all of them
  bool is_first_ = true;
};

class BodyReader {
 public:
  BodyReader(clang::SourceLocation begin, const clang::SourceManager& sources,
             const clang::LangOptions& options)
      : file_(sources.getBufferData(sources.getFileID(begin))),
        lexer_(sources.getLocForStartOfFile(sources.getFileID(begin)), options, file_.begin(),
               file_.begin() + sources.getFileOffset(begin), file_.end()) {}

  std::vector<StaticLocal> read() {
    // Ahead of the body may stand a constructor's initialisers, which may be in braces. What follows a body
    // is something else than a comma, a brace or a handler.
    bool after_block = false;
    int open = 0;
    for (Token token = next(); token.kind != tok::eof; token = next()) {
      if (token.kind == tok::l_paren) ++open;
      // A function that returns one by its address has more to close.
      if (token.kind == tok::r_paren && open > 0) --open;
      if (open > 0 || token.kind == tok::r_paren) continue;
      if (token.kind == tok::semi || token.kind == tok::r_brace) break;
      const bool is_block = token.kind == tok::l_brace;
      if (is_block) read_block();
      if (after_block && !is_block && token.kind != tok::comma && token.text != "catch") break;
      after_block = is_block;
    }
    return std::move(found_);
  }

 private:
  Token next() {
    clang::Token token;
    lexer_.LexFromRawLexer(token);
    const llvm::StringRef text = token.is(tok::raw_identifier) ? token.getRawIdentifier() : llvm::StringRef();
    return {token.getKind(), {text.data(), text.size()}, token.getLocation()};
  }

  /// Reads up to the brace that closes the block.
  void read_block() {
    Tokens statement;
    const auto end_statement = [&] {
      if (has_word(statement, "static") && !has_word(statement, "constexpr") &&
          !has_word(statement, "thread_local") && !has_word(statement, "__thread"))
        Declaration(statement, found_).read();
      statement.clear();
    };
    for (Token token = next(); token.kind != tok::eof && token.kind != tok::r_brace; token = next()) {
      if (token.kind == tok::semi) {
        end_statement();
      } else if (token.kind == tok::l_brace) {
        read_block();
        if (has_word(statement, "static"))
          statement.push_back(token);
        else
          statement.clear();
      } else {
        statement.push_back(token);
      }
    }
    end_statement();
  }

  llvm::StringRef file_;
  clang::Lexer lexer_;
  std::vector<StaticLocal> found_;
};

}  // namespace

std::vector<StaticLocal> static_locals(const clang::FunctionDecl* function,
                                       const clang::SourceManager& sources,
                                       const clang::LangOptions& options) {
  // Behind the parameters: the name may be a macro's argument where the body is the macro's own text.
  const clang::FunctionTypeLoc type = function->getFunctionTypeLoc();
  const clang::SourceLocation close = type.isNull() ? clang::SourceLocation() : type.getRParenLoc();
  if (close.isInvalid()) return {};
  return BodyReader(sources.getSpellingLoc(close).getLocWithOffset(1), sources, options).read();
}

}  // namespace kanor::host
