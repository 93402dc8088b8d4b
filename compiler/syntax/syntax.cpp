#include "syntax/syntax.hpp"

#include <string_view>

#include "syntax/block_parser.hpp"
#include "syntax/finder.hpp"
#include "syntax/logical_text.hpp"
#include "syntax/reporter.hpp"
#include "syntax/tokens.hpp"
#include "syntax/words.hpp"

namespace kanor::syntax {
namespace {

bool mentions_blocks(std::string_view text) {
  return text.find("communicate") != std::string_view::npos ||
         text.find("KANOR_COMMUNICATE") != std::string_view::npos;
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
  while (const auto candidate = finder.next()) {
    if (candidate->form == Candidate::Form::in_macro_definition) {
      reporter.error(
          text::Kind::block_in_macro, candidate->word, "a block in the definition of a macro",
          {Reporter::note("kanorc does not expand macros to find blocks: put the block into a function, "
                          "a template or a lambda")});
      continue;
    }
    auto tokens = reader.read(*candidate);
    finder.resume(tokens.end);
    if (!tokens.whole) continue;
    mark_words(tokens, logical);
    auto block = parse_block(tokens, reporter);
    if (!block.statements.empty()) ast.blocks.push_back(std::move(block));
  }
  return ast;
}

}  // namespace kanor::syntax
