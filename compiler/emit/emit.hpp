// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/decisions.hpp"
#include "flow/flow_graph.hpp"
#include "plan/plan.hpp"

/// CommPlan -> C++ for the host compiler: the user's text, with each block replaced by calls into kanor/abi/
/// and with `#line` so that errors, debuggers and `__LINE__` name the user's lines. Spells, decides nothing.
namespace kanor::emit {

struct EmittedFile {
  const text::Source* source = nullptr;
  std::string text;
};

struct Emission {
  std::vector<EmittedFile> files;  ///< one for each of the program's files, in their order
};

/// `copies` holds, for each of the program's files, the path under which the emitted text will be found:
/// `#include` directives that lead to a file are rewritten to it. An empty path leaves the directives as they
/// are. `note_lines`, each with its line end, are added to the unit's note for the link
/// (kanor/abi/program_facts.hpp).
Emission emit(const plan::CommPlan& plan, const analysis::Sharing& sharing,
              const std::vector<std::string>& copies, std::string_view note_lines = {});

/// The golden format of `kanorc --dump=emit`: every file's text.
void print(const Emission& emission, std::ostream& out);

}  // namespace kanor::emit
