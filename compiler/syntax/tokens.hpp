// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "syntax/finder.hpp"
#include "syntax/reporter.hpp"
#include "text/source.hpp"

namespace kanor::syntax {

struct Token {
  std::size_t type = 0;     ///< of grammar/KanorLexer.g4
  text::Span span;          ///< logical
  std::size_t partner = 0;  ///< index of the bracket that a bracket belongs with, 0 for other tokens
};

/// One block's tokens, comments and blanks left out, brackets paired. Indices are into `tokens`.
struct BlockTokens {
  std::vector<Token> tokens;  ///< from `@` or the macro's name to the closing bracket
  std::size_t body_open = 0;
  bool is_macro = false;
  bool whole = false;     ///< false: something was reported, and the tokens are not to be parsed
  std::uint32_t end = 0;  ///< logical offset at which the file goes on after the block

  std::size_t body_close() const { return tokens[body_open].partner; }
};

/// Runs the lexer over the blocks of one file.
class BlockReader {
 public:
  explicit BlockReader(const Reporter& reporter);
  ~BlockReader();

  /// Reports, once a block: no bracket after the opening word, brackets that don't pair or are nested
  /// too deep, a literal or comment without an end, a directive, the end of the file.
  BlockTokens read(const Candidate& candidate);

 private:
  struct Lexer;
  const Reporter& reporter_;
  std::unique_ptr<Lexer> lexer_;
};

}  // namespace kanor::syntax
