// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/unseen_variables.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include "driver/link/object_file.hpp"

namespace kanor::driver {
namespace {

template <typename Visit>
void each_word(std::string_view text, Visit visit) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > at && std::isdigit(static_cast<unsigned char>(text[at])) == 0)
      visit(text.substr(at, end - at), at);
    at = std::max(end, at + 1);
  }
}

/// Returns true if the directive names `__clang__`, `__GNUC__` or the like, or a program's macro that is
/// probably made of these.
bool names_compiler(std::string_view directive) {
  std::string text(directive);
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array parts{"clang", "gnu", "gcc", "llvm", "compiler", "__has_"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

bool asks_for_compiler(const text::Source& source) {
  for (unsigned line = 1; line <= source.line_count(); ++line) {
    const std::string_view text = source.line_text(line);
    const auto begin = text.find_first_not_of(" \t");
    if (begin != std::string_view::npos && text[begin] == '#' && names_compiler(text)) return true;
  }
  return false;
}

/// The last part of a qualified name: `count` of `n::S::count` and of `f(int)::count`.
std::string last_name(const std::string& qualified) {
  const auto colons = qualified.rfind("::");
  const std::string name = colons == std::string::npos ? qualified : qualified.substr(colons + 2);
  return name.substr(0, name.find_first_of("[<("));
}

/// The names that the program has marked as shared, or that are obstacles already.
std::set<std::string> accounted_for(const Unit& unit) {
  std::set<std::string> names;
  for (const auto& obstacle : unit.program.obstacles)
    if (obstacle.linker_words.empty()) names.insert(last_name(obstacle.variable));
  for (const auto& file : unit.program.files)
    for (const text::Span attribute : file.attributes) {
      const std::string_view rest = file.source->bytes().substr(attribute.end);
      each_word(rest.substr(0, rest.find(';')),
                [&](std::string_view word, std::size_t) { names.emplace(word); });
    }
  return names;
}

}  // namespace

std::vector<SkippedWord> skipped_words(const host::DiscoveredFile& file) {
  std::vector<SkippedWord> words;
  if (file.is_system || file.inactive.empty() || !asks_for_compiler(*file.source)) return words;
  std::set<std::string, std::less<>> known;
  for (const text::Span group : file.inactive)
    each_word(file.source->text(group), [&](std::string_view word, std::size_t at) {
      if (!known.emplace(word).second) return;
      const unsigned line = file.source->line(group.begin + static_cast<std::uint32_t>(at));
      words.push_back({std::string(word), file.source->path() + ':' + std::to_string(line)});
    });
  return words;
}

std::vector<sema::Obstacle> unseen_variables(const Unit& unit, const std::string& object) {
  std::vector<SkippedWord> skipped;
  for (const auto& file : unit.discovery.files)
    for (auto& word : skipped_words(file)) skipped.push_back(std::move(word));
  std::vector<sema::Obstacle> obstacles;
  if (skipped.empty()) return obstacles;
  const auto known = accounted_for(unit);
  for (const ObjectFacts& facts : read_objects(object, object, {}))
    for (const auto& variable : facts.shared_variables) {
      const std::string name = readable_name(variable), last = last_name(name);
      const auto found = std::find_if(skipped.begin(), skipped.end(),
                                      [&](const SkippedWord& word) { return word.word == last; });
      if (found != skipped.end() && !known.contains(last))
        obstacles.push_back({name,
                             "the host compiler sees a definition that is skipped when Clang reads the file",
                             found->location});
    }
  return obstacles;
}

}  // namespace kanor::driver
