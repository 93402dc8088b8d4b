// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/discover/discover.hpp"
#include "sema/facts.hpp"
#include "sema/program.hpp"
#include "syntax/ast.hpp"
#include "text/diagnostic.hpp"

namespace kanor::sema {

/// Says what is wrong with the blocks, one message a mistake, and gives the files that need an edit. The
/// program refers to the asts and to the discovery's sources; it is meaningless if errors were reported.
Program check(const host::Discovery& discovery, const std::vector<syntax::Ast>& asts, const Facts& facts,
              text::Diagnostics& diagnostics);

}  // namespace kanor::sema
