// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/linker.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace kanor::driver {
namespace {

/// The linker's words of a flag; none if the flag is the compiler's.
std::vector<std::string> linker_words(const Flag& flag) {
  constexpr std::string_view joined = "-Xlinker=", list = "-Wl,";
  const std::string& front = flag.words.front();
  std::vector<std::string> words;
  const auto add = [&](const std::string& word) {
    // Of -T alone the value is joined without a sign between.
    if (word.starts_with("-T") && word.size() > 2)
      words.insert(words.end(), {"-T", word.substr(2)});
    else
      words.push_back(word);
  };
  if (front == "-Xlinker") {
    add(flag.words.back());
  } else if (front.starts_with(joined)) {
    add(front.substr(joined.size()));
  } else if (front == "-symbolic") {
    add("-Bsymbolic");
  } else if (front == "-z" || front == "-pie" || front == "-no-pie" || front.starts_with("-T")) {
    for (const std::string& word : flag.words) add(word);
  } else if (front.starts_with(list)) {
    std::istringstream rest(front.substr(list.size()));
    for (std::string word; std::getline(rest, word, ',');) add(word);
  }
  return words;
}

/// An option's name and what is joined to it, without the dashes; empty for other words.
std::string_view without_dashes(std::string_view word) {
  if (!word.starts_with('-')) return {};
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  return word;
}

bool has_joined_value(std::string_view option, std::string_view name) {
  return option.size() > name.size() && option.starts_with(name) && option[name.size()] == '=';
}

bool is_among(std::string_view name, const std::vector<std::string_view>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns true for a line that only goes with an error, or with none.
bool is_no_complaint(std::string_view line) {
  return line.empty() || line.starts_with("collect2:") || line.ends_with(':') ||
         line.find("linker command failed") != std::string_view::npos ||
         line.find("warning: ") != std::string_view::npos || line.find("note: ") != std::string_view::npos;
}

/// Returns true if the text is the name of a linker.
bool is_linker(std::string_view text) {
  const std::string name = std::filesystem::path(text).filename().string();
  return name.starts_with("ld") || name.ends_with("-ld") || name.find("-ld.") != std::string::npos ||
         name == "mold";
}

}  // namespace

LinkerOptions::LinkerOptions(const CommandLine& line) {
  for (const Argument& argument : line.arguments)
    if (const auto* flag = std::get_if<Flag>(&argument))
      for (std::string& word : linker_words(*flag)) words_.push_back(std::move(word));
}

bool LinkerOptions::has(std::string_view name) const {
  return std::any_of(words_.begin(), words_.end(), [&](const std::string& word) {
    const std::string_view option = without_dashes(word);
    return option == name || has_joined_value(option, name);
  });
}

bool LinkerOptions::has_keyword(std::string_view keyword) const {
  for (std::size_t i = 0; i < words_.size(); ++i)
    if ((words_[i] == "-z" && i + 1 < words_.size() && words_[i + 1] == keyword) ||
        words_[i] == "-z" + std::string(keyword))
      return true;
  return false;
}

std::optional<std::string> LinkerOptions::value(std::string_view name) const {
  std::optional<std::string> found;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::string_view option = without_dashes(words_[i]);
    if (has_joined_value(option, name)) found = option.substr(name.size() + 1);
    if (option == name && i + 1 < words_.size()) found = words_[i + 1];
  }
  return found;
}

bool WithoutOptions::leaves_out(const std::string& word) {
  if (value_follows_) {
    value_follows_ = false;
    return true;
  }
  const std::string_view option = without_dashes(word);
  value_follows_ = is_among(option, with_value_);
  return value_follows_ || is_among(option, alone_) ||
         std::any_of(with_value_.begin(), with_value_.end(),
                     [&](std::string_view name) { return has_joined_value(option, name); });
}

std::vector<std::string> WithoutOptions::of(const Flag& flag) {
  const std::vector<std::string> words = linker_words(flag);
  std::vector<std::string> kept;
  std::size_t left_out = 0;
  for (const std::string& word : words) {
    if (leaves_out(word))
      ++left_out;
    else
      kept.insert(kept.end(), {"-Xlinker", word});
  }
  return left_out == 0 ? flag.words : kept;
}

std::string first_complaint(const std::string& output) {
  std::istringstream lines(output);
  std::string line;
  while (std::getline(lines, line))
    if (!is_no_complaint(line)) break;
  if (is_no_complaint(line)) line = output.substr(0, output.find('\n'));
  for (const std::string_view mark : {"error: ", "Error: "})
    if (const std::size_t at = line.find(mark); at != std::string::npos) return line.substr(at + mark.size());
  if (const std::size_t at = line.find(": "); at != std::string::npos && is_linker(line.substr(0, at)))
    line.erase(0, at + 2);
  return line;
}

}  // namespace kanor::driver
