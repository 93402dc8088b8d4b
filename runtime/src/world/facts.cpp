// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/facts.hpp"

#include <algorithm>
#include <kanor/abi/hidden_state.hpp>
#include <kanor/abi/program_facts.hpp>

#include "platform/text.hpp"

extern "C" {
/// Kept in a section of its own, that kanorc overwrites in the linked file.
__attribute__((section(KANOR_PROGRAM_FACTS_SECTION), used))
const volatile char kanor_program_facts[KANOR_PROGRAM_FACTS_BYTES] = KANOR_PROGRAM_FACTS_UNSET;
}

namespace kanor::rt {
namespace {

#define KANOR_NAME(symbol, what) #symbol,
constexpr std::string_view stream_functions[] = {KANOR_STREAM_STATE(KANOR_NAME)};
#undef KANOR_NAME

/// Takes what stands before `end` off the front of `text`.
std::string_view cut(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view piece = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return piece;
}

}  // namespace

Facts parse_facts(std::string_view text) {
  Facts facts;
  text = text.substr(0, text.find('\0'));
  facts.linked_by_kanorc = text.starts_with(KANOR_PROGRAM_FACTS_HEADER);
  if (!facts.linked_by_kanorc) return facts;
  cut(text, '\n');
  while (!text.empty()) {
    std::string_view line = cut(text, '\n');
    const std::string_view kind = cut(line, '\t');
    if (kind == "plugins") {
      facts.plugin_directory = line;
    } else if (kind == "mpi") {
      facts.is_mpi_program = true;
    } else if (kind == "private") {
      facts.has_private_variables = true;
    } else if (kind == "image") {
      facts.needs_image = true;
    } else if (kind == "library") {
      OwnLibrary library;
      library.name = cut(line, '\t');
      library.digest = line;
      facts.libraries.push_back(std::move(library));
    } else if (kind == "obstacle") {
      Obstacle obstacle;
      obstacle.what = cut(line, '\t');
      obstacle.location = cut(line, '\t');
      obstacle.reason = line;
      facts.changes_streams |= std::count(std::begin(stream_functions), std::end(stream_functions),
                                          std::string_view(obstacle.what)) > 0;
      facts.obstacles.push_back(std::move(obstacle));
    } else if (kind == "more") {
      facts.more_obstacles = static_cast<int>(parse_integer(line).value_or(0));
    }
  }
  return facts;
}

Facts program_facts() {
  std::string text(KANOR_PROGRAM_FACTS_BYTES, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = kanor_program_facts[i];
  return parse_facts(text);
}

std::string obstacle_words(const Facts& facts) {
  if (facts.obstacles.empty()) return {};
  std::string words = facts.obstacles.front().reason;
  const std::size_t others = facts.obstacles.size() - 1 + static_cast<std::size_t>(facts.more_obstacles);
  if (others) words += " (and " + std::to_string(others) + " more)";
  return words;
}

}  // namespace kanor::rt
