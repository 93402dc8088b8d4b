// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "driver/command_line.hpp"
#include "text/diagnostic.hpp"

/// kanorc's messages on standard error.
namespace kanor::driver {

bool colours_errors(Colour wanted);

/// `kanorc: error: message`.
void print_error(std::string_view message, Colour colour);
void print_warning(std::string_view message, Colour colour);
void print_note(std::string_view message, Colour colour);

/// Prints what the phases reported, -w and -Werror respected. True if the compilation must stop.
bool print_diagnostics(const text::Diagnostics& diagnostics, const CommandLine& line);

}  // namespace kanor::driver
