#include "options.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

constexpr const char* help =
    "usage: heat [options] PLATE.png\n"
    "\n"
    "Lets the heat of a plate spread. The brightness of the PNG is the temperature at the\n"
    "beginning; no heat leaves the plate. Writes heat-000000.png (the beginning) and so on.\n"
    "\n"
    "  --steps N      steps of time (default 2000)\n"
    "  --pictures N   how many pictures to write after the first (default 4)\n"
    "  --until D      stop early when no point changes by more than D in a step (default 0)\n"
    "  -o DIRECTORY   where the pictures go (default: here)\n"
    "  --help         this text\n";

/// Own parsing, because getopt keeps its state in variables that thread ranks share.
template <typename Number>
bool read_number(const char* text, Number least, Number& number) {
  const char* end = text + std::strlen(text);
  Number value{};
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc() || stop != end || !(value >= least)) return false;
  number = value;
  return true;
}

}  // namespace

std::optional<Options> parse(int argc, char** argv, bool speaks, int& status) {
  Options options;
  const auto refuse = [&](const char* what, const char* text) -> std::optional<Options> {
    if (speaks) std::fprintf(stderr, "heat: %s '%s' (see heat --help)\n", what, text);
    status = 2;
    return std::nullopt;
  };

  for (int at = 1; at < argc; ++at) {
    const std::string_view word = argv[at];
    if (word == "--help") {
      if (speaks) std::fputs(help, stdout);
      status = 0;
      return std::nullopt;
    }
    if (word.substr(0, 1) != "-") {
      if (!options.input.empty()) return refuse("a second input file", argv[at]);
      options.input = argv[at];
      continue;
    }
    if (word != "--steps" && word != "--pictures" && word != "--until" && word != "-o") return refuse("unknown option", argv[at]);
    if (at + 1 == argc) return refuse("no value after", argv[at]);
    const char* value = argv[++at];
    if (word == "-o") options.directory = value;
    if (word == "--steps" && !read_number(value, 1, options.steps)) return refuse("--steps needs a whole number above 0, not", value);
    if (word == "--pictures" && !read_number(value, 1, options.pictures)) return refuse("--pictures needs a whole number above 0, not", value);
    if (word == "--until" && !read_number(value, 0.0, options.until)) return refuse("--until needs a number, not", value);
  }
  if (options.input.empty()) return refuse("no input file; try", "examples/02_heat/plate.png");
  return options;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
