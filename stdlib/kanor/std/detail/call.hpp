// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the program has called the library, for messages.
#pragma once

#include <kanor/abi/library_call.hpp>

#include <source_location>
#include <string>

namespace kanor {

/// The last parameter of the library's functions: where the program has made the call, for messages.
using call_site = std::source_location;

namespace detail {

/// The text of an exception: a call of `function`, its place, and what is wrong with it.
inline std::string text_of_call(const char* function, const call_site& where, const std::string& what) {
  return std::string(function) + " at " + where.file_name() + ":" + std::to_string(where.line()) + ": " + what;
}

/// While it lives, messages name this call of `function` in the program in place of the library's blocks.
class call {
 public:
  call(const char* function, const call_site& where) noexcept
      : function_(function), where_(where), noted_(function, where.file_name(), where.line()) {}

  /// The text of an exception about this call.
  std::string text(const std::string& what) const { return text_of_call(function_, where_, what); }

 private:
  const char* function_;
  call_site where_;
  abi::library_call noted_;
};

}  // namespace detail
}  // namespace kanor
