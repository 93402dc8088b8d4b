// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/tuning_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/machine.hpp"
#include "platform/text.hpp"

namespace kanor::rt {
namespace {

constexpr std::string_view first_line = "kanor-tune 1";

constexpr std::pair<std::string_view, std::size_t Tuning::*> entries[] = {
    {"least_offered_block", &Tuning::least_offered_block},
    {"least_offered_with_gaps", &Tuning::least_offered_with_gaps},
    {"least_block_in_parts", &Tuning::least_block_in_parts},
    {"least_part_bytes", &Tuning::least_part_bytes},
    {"most_part_bytes", &Tuning::most_part_bytes}};

/// A part of fewer bytes is mostly what stands before it.
constexpr std::size_t shortest_part = 4096;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// The lines that are neither comments nor empty.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view content = trimmed(line);
    if (!content.empty() && !content.starts_with('#')) lines.push_back(content);
  }
  return lines;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// The content of a file; nothing if it cannot be read, with the reason in errno.
std::optional<std::string> content_of(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "re");
  if (!file) return std::nullopt;
  std::string text;
  char some[1024];
  for (std::size_t bytes; (bytes = std::fread(some, 1, sizeof some, file)) > 0;) text.append(some, bytes);
  const bool is_whole = !std::ferror(file);
  const int reason = errno;
  std::fclose(file);
  errno = reason;
  return is_whole ? std::optional(text) : std::nullopt;
}

/// Takes an entry over. Returns false if it is none.
bool take(std::string_view name, std::string_view value, Tuning& tuning) {
  const auto* const found = std::find_if(std::begin(entries), std::end(entries),
                                         [&](const auto& entry) { return entry.first == name; });
  const auto number = parse_integer(value);
  if (found == std::end(entries) || !number || *number < 0) return false;
  tuning.*found->second = static_cast<std::size_t>(*number);
  return true;
}

}  // namespace

std::string tuning_path() {
  if (const std::string named = variable("KANOR_TUNING"); !named.empty())
    return named == "none" ? std::string() : named;
  if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/'))
    return cache + "/kanor/tuning";
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.cache/kanor/tuning" : std::string();
}

std::string cpu_name() {
  // What x86, ARM and POWER say of a processor's kind, and not of its clock.
  constexpr std::string_view kinds[] = {
      "model name", "cpu family",  "model",        "stepping", "CPU implementer",
      "CPU part",   "CPU variant", "CPU revision", "cpu",      "revision"};
  std::ifstream file("/proc/cpuinfo");
  std::string name;
  for (std::string line; std::getline(file, line) && !(line.empty() && !name.empty());) {
    const auto colon = std::min(line.find(':'), line.size());
    const std::string_view kind = trimmed(std::string_view(line).substr(0, colon));
    if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds)) continue;
    const std::string_view value = trimmed(std::string_view(line).substr(std::min(colon + 1, line.size())));
    name += (name.empty() ? "" : ", ") + std::string(kind) + " " + std::string(value);
  }
  return name.empty() ? "of host " + host_name() : name;
}

std::string tuning_text(const Tuning& tuning, std::string_view cpu, std::string_view comments) {
  std::string text = std::string(first_line) + "\n";
  std::istringstream lines{std::string(comments)};
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  text += "cpu = " + std::string(cpu) + "\n";
  for (const auto& [name, member] : entries)
    text += std::string(name) + " = " + std::to_string(tuning.*member) + "\n";
  return text;
}

bool parse_tuning(std::string_view text, std::string_view cpu, Tuning& tuning, std::string& error) {
  Tuning found;
  std::set<std::string_view> named;
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty() || lines.front() != first_line) {
    error = "does not begin with '" + std::string(first_line) + "'";
    return false;
  }
  for (const std::string_view line : std::span(lines).subspan(1)) {
    const std::string_view name = trimmed(line.substr(0, line.find('=')));
    const std::string_view value = trimmed(line.substr(std::min(line.size(), line.find('=') + 1)));
    if (name == "cpu" && value != cpu) {
      error = "is of another processor: '" + std::string(value) + "'";
      return false;
    }
    if ((name != "cpu" && !take(name, value, found)) || !named.insert(name).second) {
      error = "has the line '" + std::string(line) + "'";
      return false;
    }
  }
  if (named.size() != std::size(entries) + 1) {
    error = "is incomplete";
    return false;
  }
  if (found.least_part_bytes < shortest_part || found.most_part_bytes < found.least_part_bytes) {
    error = "has parts from " + std::to_string(found.least_part_bytes) + " to " +
            std::to_string(found.most_part_bytes) + " bytes";
    return false;
  }
  tuning = found;
  return true;
}

std::string read_tuning(Tuning& tuning) {
  const std::string path = tuning_path();
  if (path.empty()) return {};
  const std::string instead = ": the built-in limits are used; kanor-tune replaces it";
  const auto text = content_of(path);
  if (!text) {
    const bool is_missing = errno == ENOENT || errno == ENOTDIR;
    if (is_missing && variable("KANOR_TUNING").empty()) return {};
    return "cannot read the tuning file '" + path + "' (" + std::generic_category().message(errno) + ")" +
           instead;
  }
  std::string error;
  if (parse_tuning(*text, cpu_name(), tuning, error)) return {};
  return "the tuning file '" + path + "' " + error + instead;
}

}  // namespace kanor::rt
