// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/terminal.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace kanor::driver {
namespace {

void print_line(std::string_view label, std::string_view label_colour, std::string_view message,
                Colour colour) {
  const bool colours = colours_errors(colour);
  const std::string_view bold = colours ? "\033[1m" : "", reset = colours ? "\033[0m" : "";
  std::cerr << bold << "kanorc: " << reset << (colours ? label_colour : "") << label << ": " << reset
            << message << '\n';
}

}  // namespace

bool colours_errors(Colour wanted) {
  if (wanted != Colour::automatic) return wanted == Colour::always;
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void print_error(std::string_view message, Colour colour) {
  print_line("error", "\033[1;31m", message, colour);
}
void print_warning(std::string_view message, Colour colour) {
  print_line("warning", "\033[1;35m", message, colour);
}

void print_note(std::string_view message, Colour colour) {
  print_line("note", "\033[1;36m", message, colour);
}

bool print_diagnostics(const text::Diagnostics& diagnostics, const CommandLine& line) {
  bool failed = diagnostics.has_errors();
  bool by_all = false;
  for (const auto& diagnostic : diagnostics.all()) {
    const bool warning = severity(diagnostic.kind) == text::Severity::warning;
    if (warning && !line.warning_options.shows(diagnostic.kind)) continue;
    const bool is_error = warning && line.warning_options.is_error(diagnostic.kind);
    print(diagnostic, std::cerr, colours_errors(line.colour), is_error);
    by_all = by_all || (is_error && line.warning_options.are_errors);
    failed = failed || is_error;
  }
  if (by_all && !diagnostics.has_errors())
    print_error("warnings are treated as errors (-Werror)", line.colour);
  return failed;
}

}  // namespace kanor::driver
