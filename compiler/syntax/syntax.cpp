// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/syntax.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "syntax/block_parser.hpp"
#include "syntax/finder.hpp"
#include "syntax/logical_text.hpp"
#include "syntax/reporter.hpp"
#include "syntax/tokens.hpp"
#include "syntax/unclosed.hpp"
#include "syntax/words.hpp"

namespace kanor::syntax {
namespace {

bool mentions_blocks(std::string_view text) {
  return text.find("communicate") != std::string_view::npos ||
         text.find("KANOR_COMMUNICATE") != std::string_view::npos || mentions_misspelt_block(text);
}

/// Returns true if the whole file, blocks included, has more opening braces than closing ones.
bool has_unclosed_brace(const LogicalText& logical, const std::vector<text::Span>& inactive_groups) {
  Finder finder(logical, inactive_groups);
  while (finder.next()) {
  }
  return finder.open_braces() > 0;
}

}  // namespace

bool may_have_blocks(const text::Source& source) {
  return mentions_blocks(source.bytes()) || mentions_blocks(LogicalText(source.bytes()).text());
}

Ast parse(const text::Source& source, const std::vector<text::Span>& inactive_groups,
          text::Diagnostics& diagnostics) {
  Ast ast;
  ast.source = &source;
  const LogicalText logical(source.bytes());
  if (!mentions_blocks(logical.text())) return ast;
  const Reporter reporter{source, logical, diagnostics};
  Finder finder(logical, inactive_groups);
  BlockReader reader(reporter);
  std::optional<bool> braces_are_open;  // known once a block asks
  while (const auto candidate = finder.next()) {
    if (candidate->form == Candidate::Form::in_macro_definition) {
      reporter.error(
          text::Kind::block_in_macro, candidate->word, "a block in the definition of a macro",
          {Reporter::note("kanorc does not expand macros to find blocks: put the block into a function, "
                          "a template or a lambda")});
      continue;
    }
    if (candidate->form == Candidate::Form::misspelt) {
      reporter.error(
          text::Kind::block_syntax, candidate->word,
          "unknown word '" + std::string(reporter.text(candidate->word)) + "'; did you mean '@communicate'?");
      continue;
    }
    if (candidate->form == Candidate::Form::without_at_sign) {
      reporter.error(text::Kind::block_syntax, candidate->word, "a block begins with '@'",
                     {Reporter::note("write '@communicate'")});
      continue;
    }
    auto tokens = reader.read(*candidate);
    finder.resume(tokens.end);
    if (!tokens.whole) continue;
    const auto unclosed = find_unclosed(tokens, logical);
    if (unclosed && !braces_are_open) braces_are_open = has_unclosed_brace(logical, inactive_groups);
    if (unclosed && *braces_are_open) {
      const text::Span opener = tokens.tokens[tokens.body_open].span;
      reporter.error(text::Kind::block_unterminated, {candidate->word.begin, opener.end},
                     "this block is not closed",
                     {reporter.note_at(unclosed->at, std::string(unclosed->means))});
      continue;
    }
    mark_words(tokens, logical);
    auto block = parse_block(tokens, reporter);
    if (!block.statements.empty()) ast.blocks.push_back(std::move(block));
  }
  return ast;
}

}  // namespace kanor::syntax
