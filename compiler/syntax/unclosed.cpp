// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/unclosed.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "KanorLexer.h"

namespace kanor::syntax {
namespace {

using grammar::KanorLexer;

bool is_first_on_line(std::string_view text, std::uint32_t at) {
  const auto before = text.substr(0, at).find_last_not_of(" \t");
  return before == std::string_view::npos || text[before] == '\n';
}

/// The blanks that begin the line.
std::string_view indentation(std::string_view text, std::uint32_t at) {
  const auto line = text.substr(text.substr(0, at).find_last_of('\n') + 1);
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

}  // namespace

std::optional<Unclosed> find_unclosed(const BlockTokens& block, const LogicalText& logical) {
  if (block.is_macro) return std::nullopt;  // a `}` does not close its `(`
  const std::string_view text = logical.text();
  const auto& tokens = block.tokens;

  // A statement on a line of its own that has no `@`.
  std::size_t begin = block.body_open + 1;
  bool has_at = false;
  for (std::size_t i = begin; i <= block.body_close(); i = std::max(i, tokens[i].partner) + 1) {
    has_at |= tokens[i].type == KanorLexer::AT;
    if (tokens[i].type != KanorLexer::SEMICOLON && i != block.body_close()) continue;
    if (i > begin && !has_at && is_first_on_line(text, tokens[begin].span.begin))
      return Unclosed{{tokens[begin].span.begin, tokens[i - 1].span.end},
                      "this is not a statement of a block"};
    begin = i + 1;
    has_at = false;
  }

  // A brace further to the left than the line that the block begins on.
  const std::uint32_t last = tokens[block.body_close()].span.begin;
  if (!is_first_on_line(text, last)) return std::nullopt;
  const auto outer = indentation(text, tokens.front().span.begin), inner = indentation(text, last);
  if (inner.size() < outer.size() && outer.starts_with(inner))
    return Unclosed{tokens[block.body_close()].span, "this brace would close it"};
  return std::nullopt;
}

}  // namespace kanor::syntax
