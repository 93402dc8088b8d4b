// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard streams of C++ as a rank that is a thread has them.
#pragma once

#include <istream>
#include <ostream>

namespace kanor::rt {

/// They begin as the program's own are, read and write by the same buffers, and keep flags, widths and errors
/// for themselves. Immovable: the streams refer to each other.
struct OwnStreams {
  OwnStreams();
  OwnStreams(const OwnStreams&) = delete;
  OwnStreams& operator=(const OwnStreams&) = delete;

  std::istream in;
  std::ostream out, error, log;
};

/// Does nothing: brings what emitted code looks for only where it is.
void keep_own_streams();

}  // namespace kanor::rt
