// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <vector>

#include "host/discover/invocation.hpp"
#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"
#include "text/diagnostic.hpp"

namespace kanor::host {

/// A use of `world`, `range` or `no_rank` that has no meaning because the program does not include Kanor's
/// header.
struct MissingWord {
  const Shadow* shadow = nullptr;
  std::uint32_t offset = 0;  ///< in the shadow
};

/// Converts Clang's errors to diagnostics for the user: at the original's places, without emitted names, one
/// for each piece of a block, the first hundred of them. Notes in the facts which blocks have errors and
/// which stand outside of a function.
void report_messages(const std::vector<ClangMessage>& messages, const Invocation& invocation,
                     const FileMap& files, const std::vector<MissingWord>& missing_words, sema::Facts& facts,
                     text::Diagnostics& diagnostics);

}  // namespace kanor::host
