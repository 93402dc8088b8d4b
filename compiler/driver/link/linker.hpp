// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command_line.hpp"

/// What the user tells the linker, and what it says.
namespace kanor::driver {

/// The linker's own options on a command line, in their order, whichever way they get there: `-Wl,`,
/// `-Xlinker`, or a flag that the compiler hands on. Their names are given without dashes; one dash and two
/// are the same.
class LinkerOptions {
 public:
  explicit LinkerOptions(const CommandLine& line);

  bool has(std::string_view name) const;
  /// Returns true for `-z KEYWORD`.
  bool has_keyword(std::string_view keyword) const;
  /// The last value of an option, given as `-NAME=VALUE` or `-NAME VALUE`.
  std::optional<std::string> value(std::string_view name) const;

 private:
  std::vector<std::string> words_;
};

/// Leaves options out of the flags of one command line, which it has to see one after the other.
class WithoutOptions {
 public:
  /// The names of options that have a value, and of those that have none.
  WithoutOptions(std::vector<std::string_view> with_value, std::vector<std::string_view> alone)
      : with_value_(std::move(with_value)), alone_(std::move(alone)) {}

  /// The words of a flag that remain.
  std::vector<std::string> of(const Flag& flag);

 private:
  bool leaves_out(const std::string& word);

  std::vector<std::string_view> with_value_, alone_;
  bool value_follows_ = false;
};

/// The linker's first complaint in what a compiler has written, without the program's name before it.
std::string first_complaint(const std::string& output);

}  // namespace kanor::driver
