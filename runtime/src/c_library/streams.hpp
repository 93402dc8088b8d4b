// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard streams of C++ as a rank that is a thread has them.
#pragma once

#include <istream>
#include <ostream>

namespace kanor::rt {

/// A rank's own standard streams. They begin as the program's own are, read and write by the same buffers,
/// and keep flags, widths and errors for themselves. Immovable: the streams refer to each other.
struct OwnStreams {
  OwnStreams();
  OwnStreams(const OwnStreams&) = delete;
  OwnStreams& operator=(const OwnStreams&) = delete;

  std::istream in;
  std::ostream out, error, log;
};

/// Does nothing: a reference to it links own_stream_at(), which emitted code calls only where it is linked.
void keep_own_streams();

}  // namespace kanor::rt
