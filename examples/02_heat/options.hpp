#pragma once

#include <optional>
#include <string>

struct Options {
  std::string input;           ///< the PNG whose brightness is the first temperature
  std::string directory = "."; ///< where the pictures go
  int steps = 2000;
  int pictures = 4;            ///< after the first one, evenly spread over the steps
  double until = 0;            ///< stop when no cell changes by more than this in a step
};

/// The command line as options. Nothing where the program has no more to do than to end with `status`;
/// then what the user should read has been printed, if `speaks`.
[[kanor::uniform]] std::optional<Options> parse(int argc, char** argv, bool speaks, int& status);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
