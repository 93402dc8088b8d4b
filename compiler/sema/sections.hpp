// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "sema/facts.hpp"
#include "syntax/ast.hpp"
#include "text/diagnostic.hpp"

namespace kanor::sema {

/// Reports what is wrong with a section by itself: bases without sections, parts that are no integers, and
/// what goes beyond a known length. Returns false if it has no elements to say more about. `instantiation` is
/// named in the messages.
bool check_section(const text::Source& source, const syntax::Operand& operand, const SectionFacts& facts,
                   const Instantiation& instantiation, text::Diagnostics& diagnostics);

}  // namespace kanor::sema
