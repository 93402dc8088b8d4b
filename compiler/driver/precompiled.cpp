// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/precompiled.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

namespace kanor::driver {
namespace {

namespace fs = std::filesystem;

/// A word, with the `-Xclang` ahead of it if there is one.
std::vector<std::string> take_word(const std::vector<std::string>& flags, std::size_t& at) {
  std::vector<std::string> words{flags[at++]};
  if (words[0] == "-Xclang" && at < flags.size()) words.push_back(flags[at++]);
  return words;
}

using Visit = std::function<void(std::vector<std::string> flag, std::vector<std::string> argument)>;

/// Calls `visit` for every flag; those that name a header come with their argument.
void each_flag(const std::vector<std::string>& flags, const Visit& visit) {
  for (std::size_t at = 0; at < flags.size();) {
    auto flag = take_word(flags, at);
    const bool names_header = flag.back() == "-include" || flag.back() == "-include-pch";
    auto argument = names_header && at < flags.size() ? take_word(flags, at) : std::vector<std::string>();
    visit(std::move(flag), std::move(argument));
  }
}

bool is_marked(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, not_precompiled.size()> begin{};
  in.read(begin.data(), begin.size());
  return in && std::string_view(begin.data(), begin.size()) == not_precompiled;
}

/// The copy of that file; empty if there is none.
std::string copy_of(const std::string& file, const EmittedUnit& unit) {
  std::error_code error;
  for (const auto& [copy, original] : unit.originals)
    if (fs::equivalent(file, original, error) && !error) return copy;
  return {};
}

}  // namespace

std::map<std::string, std::string> forced_copies(const CommandLine& line, const EmittedUnit* unit) {
  std::vector<std::string> flags;
  for (const Argument& argument : line.arguments)
    if (const auto* flag = std::get_if<Flag>(&argument))
      flags.insert(flags.end(), flag->words.begin(), flag->words.end());
  std::map<std::string, std::string> copies;
  each_flag(flags, [&](const auto& flag, const auto& argument) {
    if (argument.empty()) return;
    const std::string& file = argument.back();
    if (flag.back() == "-include") {
      const std::string copy = unit != nullptr ? copy_of(file, *unit) : std::string();
      if (!copy.empty()) copies[file] = copy;
    } else if (is_marked(file) ||
               (unit != nullptr && !copy_of(fs::path(file).replace_extension(), *unit).empty())) {
      copies[file] = {};
    }
  });
  return copies;
}

std::vector<std::string> with_copies(const std::vector<std::string>& flags,
                                     const std::map<std::string, std::string>& copies,
                                     const std::vector<std::string>& headers) {
  std::vector<std::string> result;
  bool is_first = true;
  each_flag(flags, [&](auto flag, auto argument) {
    const auto found = argument.empty() ? copies.end() : copies.find(argument.back());
    if (found != copies.end()) {
      if (flag.back() == "-include-pch") return;
      if (is_first)
        for (const std::string& header : headers) result.insert(result.end(), {"-include", header});
      is_first = false;
      argument.back() = found->second;
    }
    std::move(flag.begin(), flag.end(), std::back_inserter(result));
    std::move(argument.begin(), argument.end(), std::back_inserter(result));
  });
  return result;
}

}  // namespace kanor::driver
