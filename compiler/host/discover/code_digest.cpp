// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/discover/code_digest.hpp"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Support/xxhash.h>

#include <string>

namespace kanor::host {

std::uint64_t code_digest(std::string_view bytes) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus20 = true;
  const std::string text(bytes);  // the lexer wants a null character at the end
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
  std::string code;
  bool is_in_directive = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    const bool begins_directive = token.isAtStartOfLine() && token.is(clang::tok::hash);
    if (begins_directive || (is_in_directive && token.isAtStartOfLine())) code += '\n';
    if (token.isAtStartOfLine()) is_in_directive = begins_directive;
    code.append(lexer.getBufferLocation() - token.getLength(), token.getLength());
    code += ' ';
  }
  return llvm::xxh3_64bits(code);
}

}  // namespace kanor::host
