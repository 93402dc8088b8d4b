// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "sema/facts.hpp"
#include "syntax/ast.hpp"
#include "text/diagnostic.hpp"

namespace kanor::sema {

/// Reports what the block at `at` is certain to update although an exchange that earlier blocks of the file
/// have started is certain to update it too, and is pending. Expects blocks without errors.
void find_pending_conflicts(const text::Source& source, const std::vector<syntax::Block>& blocks,
                            const FileFacts& facts, std::size_t at, text::Diagnostics& diagnostics);

/// Reports what the code behind a block is certain to do to a place that its exchange updates, or to a value
/// that it sends, before the exchange has ended.
void report_touches(const text::Source& source, const syntax::Block& block, const BlockFacts& facts,
                    text::Diagnostics& diagnostics);

/// Reports exchanges that are certain to be waited for twice.
void report_second_waits(const FileFacts& facts, text::Diagnostics& diagnostics);

}  // namespace kanor::sema
