// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ending a job from one rank, and the exception of give() and take().
#pragma once

#include <exception>

namespace kanor {

/// The exception that give() and take() throw.
class ownership_error : public std::exception {
 public:
  explicit ownership_error(const char* text);
  /// One line with the call, its place in the source, and the error.
  const char* what() const noexcept override { return text_; }

 private:
  char text_[500];
};

/// Ends the job on all ranks, with exit status 1. Prints `kanor: rank R: <message>`, with the last
/// block of the rank, to stderr as one line. May be called from any thread. Automatic objects are
/// not destroyed. A null message counts as an empty one.
[[noreturn]] void abort(const char* message);
/// The same for a message of `length` characters.
[[noreturn]] void abort(const char* message, unsigned long length);
/// The same for a std::string, a std::string_view and similar types.
template <class Text>
[[noreturn]] void abort(const Text& message) requires requires {
  static_cast<const char*>(message.data());
  message.size();
}
{ abort(static_cast<const char*>(message.data()), static_cast<unsigned long>(message.size())); }

}  // namespace kanor
