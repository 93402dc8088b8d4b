// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/facts/file_map.hpp"
#include "host/facts/pieces.hpp"

namespace clang {
class Sema;
}

/// Finds errors about code that only the host compiler understands. It has the last word on C++, for it
/// compiles the same text afterwards; so an error of Clang's ends the compilation only where a block may
/// depend on code that Clang could not read.
namespace kanor::host {

/// Errors that are left to the host compiler, each followed by its notes.
struct HostOnly {
  /// Errors about attributes, outside of blocks. Clang drops the attribute and keeps the declaration.
  std::vector<ClangMessage> attributes;
  /// Errors in system headers, unless an instantiation in the program's files leads to them.
  std::vector<ClangMessage> headers;
};

/// Moves these errors out of `messages`.
HostOnly take_host_only(std::vector<ClangMessage>& messages, const FileMap& files);

/// Returns errors, each with a header's as a note, for code that depends on declarations in `headers`:
/// expressions of blocks, and functions with blocks whose statements Clang could not read completely.
std::vector<ClangMessage> dependent_uses(clang::Sema& sema, const FileMap& files, const PieceTable& pieces,
                                         const std::vector<ClangMessage>& headers);

/// Returns true if Clang has left gaps in the bodies of the program's functions.
bool has_gaps(clang::Sema& sema, const FileMap& files);

}  // namespace kanor::host
