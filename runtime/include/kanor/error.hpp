// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ending a whole job from one rank, and what is thrown.
#pragma once

#include <exception>

namespace kanor {

/// What give() and take() throw: a message that says what was wrong, and where.
class ownership_error : public std::exception {
 public:
  explicit ownership_error(const char* text);
  /// One line: the call, its place, and what was wrong.
  const char* what() const noexcept override { return text_; }

 private:
  char text_[500];
};

/// Ends the whole job, on all ranks: prints `kanor: rank R: <message>` with the block the rank was last in to
/// stderr as one line, and makes the job's exit status 1. From any thread. Automatic objects are not
/// destroyed. A null message is an empty one.
[[noreturn]] void abort(const char* message);
/// The same for `length` characters.
[[noreturn]] void abort(const char* message, unsigned long length);
/// The same for a std::string, a std::string_view and the like.
template <class Text>
[[noreturn]] void abort(const Text& message) requires requires {
  static_cast<const char*>(message.data());
  message.size();
}
{ abort(static_cast<const char*>(message.data()), static_cast<unsigned long>(message.size())); }

}  // namespace kanor
