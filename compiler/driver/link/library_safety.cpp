// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/library_safety.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "driver/link/program_facts.hpp"

namespace kanor::driver {
namespace {

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));  // npos + 1 is 0
}

bool fits(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// A library's or variable's name as the list spells it.
std::string entry_name(std::string_view text) {
  return text.find("::") != std::string_view::npos ? std::string(text) : library_name(text);
}

/// The archive that `libz.a(inflate.o)` is in.
std::string_view archive_of(std::string_view shown) { return shown.substr(0, shown.find(".a(") + 2); }

bool is_in_archive(const ObjectFacts& object) { return object.shown.find(".a(") != std::string::npos; }

/// Returns true if the object is the library that the dynamic linker will look for by this name.
bool is_called(const ObjectFacts& object, std::string_view needed) {
  const std::string name = file_name(needed);
  return object.is_shared_library && (object.library_name == name || file_name(object.shown) == name);
}

}  // namespace

std::string library_name(std::string_view file) {
  std::string name = file_name(file);
  for (const std::string_view ending : {".so", ".a"})
    if (const auto at = name.rfind(ending);
        at != std::string::npos && (at + ending.size() == name.size() || name[at + ending.size()] == '.')) {
      name.resize(at);
      if (name.starts_with("lib")) name.erase(0, 3);
      break;
    }
  return name;
}

LibraryList::LibraryList(std::string_view text, const std::vector<std::string>& insisted) {
  for (const std::string& name : insisted) entries_.push_back({entry_name(name), true, {}});
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    LibraryEntry entry;
    std::string verdict;
    if (!(words >> entry.name)) continue;
    words >> verdict >> std::ws;
    std::getline(words, entry.why);
    if (verdict != "safe" && verdict != "unsafe")
      throw std::runtime_error("the list of thread-safe libraries says neither 'safe' nor 'unsafe' of '" +
                               entry.name + "'");
    entry.is_safe = verdict == "safe";
    entries_.push_back(std::move(entry));
  }
}

const LibraryEntry* LibraryList::find(std::string_view file) const {
  const std::string name = entry_name(file);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const LibraryEntry& entry) { return fits(entry.name, name); });
  return found == entries_.end() ? nullptr : &*found;
}

bool LibraryList::is_safe(std::string_view file) const {
  const LibraryEntry* entry = find(file);
  return entry != nullptr && entry->is_safe;
}

LinkObstacle LibraryList::obstacle(std::string_view file) const {
  const LibraryEntry* entry = find(file);
  const std::string name = file_name(file);
  const std::string option = "'--thread-safe-library=" + library_name(file) + "'";
  return {name, name,
          entry != nullptr
              ? "the library '" + name + "' is not thread-safe: " + entry->why + " (pass " + option +
                    " if the program takes care of it)"
              : "the library '" + name + "' is not known to be thread-safe (pass " + option + " if it is)"};
}

void judge_libraries(const LibraryList& list, const std::vector<std::string>& needed,
                     std::vector<ObjectFacts>& objects) {
  for (ObjectFacts& object : objects) {
    const bool is_library = is_in_archive(object) || object.is_shared_library;
    const std::string_view file = object.is_shared_library ? object.path : archive_of(object.shown);
    if (!object.has_note && is_library && list.is_safe(file)) {
      object.shared_variables.clear();
      object.known_obstacles.clear();
      object.thread_starters.clear();
      forget_thread_ends(object);
    }
    // Variables of system headers, and what a library's note says of libraries behind it.
    const auto is_safe = [&](const LinkObstacle& obstacle) { return list.is_safe(obstacle.what); };
    std::erase_if(object.obstacles, is_safe);
    std::erase_if(object.known_obstacles, is_safe);
    std::erase_if(object.possible,
                  [&](const PossibleObstacle& possible) { return is_safe(possible.obstacle); });
  }
  for (const std::string& library : needed) {
    const bool has_note = std::any_of(objects.begin(), objects.end(), [&](const ObjectFacts& object) {
      return (object.has_note || object.is_copied) && is_called(object, library);
    });
    if (has_note || list.is_safe(library)) continue;
    ObjectFacts& facts = objects.emplace_back();
    facts.shown = library;
    facts.known_obstacles.push_back(list.obstacle(library));
  }
}

}  // namespace kanor::driver
