// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sema/facts.hpp"
#include "syntax/ast.hpp"
#include "text/diagnostic.hpp"

namespace kanor::sema {

/// Reports updates of one place of one rank that certainly meet in one execution of the block. What depends
/// on filters, on ranks that are no constants, or on what calls return is left to the checked mode. Expects
/// a block without errors.
void find_conflicts(const text::Source& source, const syntax::Block& block, const BlockFacts& facts,
                    text::Diagnostics& diagnostics);

}  // namespace kanor::sema
