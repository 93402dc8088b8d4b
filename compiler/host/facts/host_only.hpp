// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/facts/file_map.hpp"
#include "host/facts/pieces.hpp"

namespace clang {
class Sema;
}

/// What only the host compiler understands. It has the last word on C++, for it compiles the same text
/// afterwards; so an error of Clang's ends the compilation only where a block may depend on what Clang could
/// not read.
namespace kanor::host {

/// Errors that are the host compiler's to judge, each with its notes behind it.
struct HostOnly {
  /// About attributes, outside of blocks. Clang drops the attribute and keeps the declaration.
  std::vector<ClangMessage> attributes;
  /// In system headers, where no instantiation leads there from the program's files.
  std::vector<ClangMessage> headers;
};

/// Takes these errors out of `messages`.
HostOnly take_host_only(std::vector<ClangMessage>& messages, const FileMap& files);

/// Errors, each with the header's as a note, for what depends on declarations that `headers` are about:
/// expressions of blocks, and functions with blocks whose statements Clang could not read whole.
std::vector<ClangMessage> dependent_uses(clang::Sema& sema, const FileMap& files, const PieceTable& pieces,
                                         const std::vector<ClangMessage>& headers);

/// Whether Clang has left gaps in the bodies of the program's functions.
bool has_gaps(clang::Sema& sema, const FileMap& files);

}  // namespace kanor::host
