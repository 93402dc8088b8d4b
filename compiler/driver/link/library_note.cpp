// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/library_note.hpp"

#include <algorithm>

#include "driver/link/program_facts.hpp"
#include "driver/link/sections.hpp"
#include "kanor/abi/program_facts.hpp"

namespace kanor::driver {
namespace {

template <typename Says>
bool some(const std::vector<ObjectFacts>& objects, Says says) {
  return std::any_of(objects.begin(), objects.end(), says);
}

}  // namespace

std::string missing_note(const std::vector<ObjectFacts>& objects, const std::vector<ObjectFacts>& library) {
  if (!some(objects, [](const ObjectFacts& object) { return object.has_note; })) return {};
  std::string lines;
  if (have_private_variables(objects) && !have_private_variables(library)) lines += "private\n";
  const auto starts_threads = [](const ObjectFacts& object) { return !object.thread_starters.empty(); };
  const auto starter = std::find_if(objects.begin(), objects.end(), starts_threads);
  if (starter != objects.end() && !some(library, starts_threads))
    lines += "threads\t" + starter->thread_starters.front() + '\n';
  const auto known = signal_functions(library);
  for (const std::string& function : signal_functions(objects))
    if (!known.contains(function)) lines += "uses\t" + function + '\n';
  const auto said = obstacles_of(library);
  for (const LinkObstacle& obstacle : obstacles_of(objects))
    if (std::find(said.begin(), said.end(), obstacle) == said.end())
      lines += "obstacle-known\t" + fields_text(obstacle) + '\n';
  return lines.empty() ? lines : KANOR_NOTE_HEADER + lines + '\0';
}

void add_note(const std::string& path, const std::string& note) {
  add_section(path, KANOR_NOTE_SECTION, note);
}

}  // namespace kanor::driver
