// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/facts/messages.hpp"

namespace kanor::host {

/// Returns true if a `,` inside of template arguments has ended the piece: then the statement's other
/// messages are about the same comma.
bool is_cut_off(const ClangMessage& message, Piece piece);

/// Notes that say what to write instead of this piece of a block, which Clang has found wrong.
std::vector<text::Note> ways_out(const ClangMessage& message, const Shadow& shadow, Piece piece,
                                 const std::vector<MissingWord>& missing_words);

/// The same for a message about text between blocks.
std::vector<text::Note> ways_out(const ClangMessage& message, const Shadow& shadow);

}  // namespace kanor::host
