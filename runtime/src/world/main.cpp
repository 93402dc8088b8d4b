// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the C library's start-up code comes by in a program that kanorc, kanor.pc or Kanor::kanor has linked
// with --wrap=main. Nothing else fetches this file from the library.
#include "world/launch.hpp"
#include "world/program_mark.hpp"

extern "C" int __wrap_main(int argc, char** argv, char** envp);

namespace {

[[gnu::used, gnu::retain]] constexpr char program_mark[] = KANOR_PROGRAM_MARK;

constinit kanor::rt::RanksMain* ranks_main = nullptr;

/// Runs before the initialisers of the program's variables, and after those of its shared libraries.
[[gnu::constructor(101)]] void begin(int argc, char** argv, char** envp) {
  ranks_main = new kanor::rt::RanksMain(kanor::rt::begin_job({argc, argv, envp}));
}

}  // namespace

int __wrap_main(int argc, char** argv, char** envp) { return (*ranks_main)({argc, argv, envp}); }
