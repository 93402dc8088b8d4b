// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kanorrun says that it cannot go on.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace kanor::run {

inline constexpr int bad_usage = 2;

[[noreturn]] inline void complain(const std::string& text, int status) {
  std::fprintf(stderr, "kanorrun: %s\n", text.c_str());
  std::exit(status);
}

[[noreturn]] inline void complain_usage(const std::string& text) {
  complain(text + " (kanorrun --help shows how)", bad_usage);
}

}  // namespace kanor::run
