// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "syntax/ast.hpp"
#include "text/diagnostic.hpp"
#include "text/source.hpp"

namespace kanor::syntax {

/// Returns true if the file has one of the words that open a block. A search of bytes, so a comment that
/// mentions a block counts; if false, there is no block.
bool may_have_blocks(const text::Source& source);

/// Finds and parses the blocks of one file.
///
/// `inactive_groups` are spans that the preprocessor skips (in any order; from the `#if` line or its
/// condition to the next directive): nothing is looked for or reported there. Reported are blocks that
/// do not parse, one message a mistake, and blocks in the definition of a macro. A statement in which a
/// message was reported is left out of the Ast, and so is a block left without statements: where
/// `diagnostics` has no new error, every block of the file is in the Ast, whole.
///
/// Never throws on any bytes; time and memory are linear in the file's length.
Ast parse(const text::Source& source, const std::vector<text::Span>& inactive_groups,
          text::Diagnostics& diagnostics);

}  // namespace kanor::syntax
