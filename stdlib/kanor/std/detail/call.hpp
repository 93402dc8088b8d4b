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

/// While it lives, messages name this call of `function` in the program in place of the library's blocks.
class call {
 public:
  call(const char* function, const call_site& where) noexcept
      : function_(function), where_(where), noted_(function, where.file_name(), where.line()) {}

  /// The text of an exception: the call, its place, and what is wrong with it.
  std::string text(const std::string& what) const {
    return std::string(function_) + " at " + where_.file_name() + ":" + std::to_string(where_.line()) + ": " +
           what;
  }

 private:
  const char* function_;
  call_site where_;
  abi::library_call noted_;
};

}  // namespace detail
}  // namespace kanor
