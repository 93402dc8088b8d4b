// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/foreign_variables.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "driver/link/recompile.hpp"
#include "driver/terminal.hpp"

namespace kanor::driver {
namespace {

/// The directories of -L, in order.
std::vector<std::string> library_directories(const CommandLine& line) {
  std::vector<std::string> directories;
  for (const Argument& argument : line.arguments) {
    const auto* flag = std::get_if<Flag>(&argument);
    if (flag == nullptr || !flag->words[0].starts_with("-L")) continue;
    directories.push_back(flag->words.size() > 1 ? flag->words[1] : flag->words[0].substr(2));
  }
  return directories;
}

std::string library_file(const std::string& flag, const std::vector<std::string>& directories) {
  const std::string name = flag.substr(2);
  std::vector<std::string> names{"lib" + name + ".so", "lib" + name + ".a"};
  if (name.starts_with(':')) names = {name.substr(1)};
  for (const auto& directory : directories)
    for (const auto& file : names)
      if (const auto path = directory + '/' + file; std::filesystem::exists(path)) return path;
  return {};
}

/// Adds the objects of an input, and of the libraries that shared ones need, as far as these lie beside them
/// or in the user's own directories. The linker binds them, too. Those of the system need no variable of a
/// program.
void read_with_needed(const LinkInput& input, const CommandLine& line, std::vector<ObjectFacts>& objects) {
  const auto directories = library_directories(line);
  std::vector<std::pair<std::string, std::string>> files{{file_behind(input, line), input.shown}};
  for (std::size_t at = 0; at < files.size(); ++at) {
    const auto [path, shown] = files[at];
    if (path.empty()) continue;
    auto found = read_objects(path, shown, {});
    const bool is_library = !found.empty() && found.front().is_shared_library && !is_of_system(path);
    for (ObjectFacts& object : found) objects.push_back(std::move(object));
    if (!is_library) continue;
    auto places = directories;
    places.insert(places.begin(), std::filesystem::path(path).parent_path().string());
    for (const std::string& name : needed_libraries(path)) {
      const std::string needed = library_file("-l:" + name, places);
      if (!needed.empty() &&
          std::none_of(files.begin(), files.end(), [&](const auto& file) { return file.first == needed; }))
        files.emplace_back(needed, needed);
    }
  }
}

/// "'b.o' defines 'x' as one variable for the whole process".
std::string clause(const Mismatch& mismatch) {
  return "'" + mismatch.shared_in + "' " + (mismatch.defined_shared ? "defines" : "uses") + " '" +
         readable_name(mismatch.variable) + "' as one variable for the whole process";
}

/// All objects in which one of the variables is private to each rank.
std::vector<const ObjectFacts*> objects_with_private(const std::set<std::string>& variables,
                                                     const std::vector<ObjectFacts>& objects) {
  std::vector<const ObjectFacts*> found;
  for (const ObjectFacts& object : objects)
    if (std::any_of(variables.begin(), variables.end(), [&](const std::string& name) {
          return object.symbols.used_per_thread.contains(name) ||
                 object.symbols.defined_per_thread.contains(name);
        }))
      found.push_back(&object);
  return found;
}

void report(const std::vector<Mismatch>& mismatches, const CommandLine& line) {
  for (const Mismatch& mismatch : mismatches) {
    print_error("'" + readable_name(mismatch.variable) + "' is private to each rank in '" +
                    mismatch.private_in + "', but '" + mismatch.shared_in + "' " +
                    (mismatch.defined_shared ? "defines" : "uses") +
                    " it as one variable for the whole process",
                line.colour);
    print_note("mark it [[kanor::shared]] where '" + mismatch.private_in + "' declares it, or compile '" +
                   mismatch.shared_in + "' with kanorc",
               line.colour);
  }
}

}  // namespace

std::string file_behind(const LinkInput& input, const CommandLine& line) {
  return input.path.starts_with("-l") ? library_file(input.path, library_directories(line)) : input.path;
}

bool is_of_system(const std::string& path) {
  const std::string plain = std::filesystem::path(path).lexically_normal().string();
  return plain.starts_with("/usr/lib/") || plain.starts_with("/lib/");
}

bool is_archive(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string magic(7, '\0');
  in.read(magic.data(), 7);
  return magic == "!<arch>" || magic == "!<thin>";
}

std::vector<Mismatch> find_mismatches(const std::vector<ObjectFacts>& objects) {
  // The linker never compares two uses. Of several definitions (an inline variable's) it takes one for all
  // objects; between a program and its shared libraries, the dynamic linker does.
  std::map<std::string_view, const ObjectFacts*> defined_private, defined_shared;
  for (const ObjectFacts& object : objects) {
    for (const auto& name : object.symbols.defined_per_thread) defined_private.emplace(name, &object);
    for (const auto& name : object.symbols.defined_data) defined_shared.emplace(name, &object);
  }
  std::vector<Mismatch> found;
  for (const ObjectFacts& object : objects) {
    for (const auto* names : {&object.symbols.used_per_thread, &object.symbols.defined_per_thread})
      for (const auto& name : *names)
        if (const auto other = defined_shared.find(name); other != defined_shared.end())
          found.push_back({name, object.shown, other->second->shown, true});
    for (const auto* names : {&object.symbols.used, &object.symbols.used_by_library})
      for (const auto& name : *names)
        if (const auto other = defined_private.find(name);
            other != defined_private.end() && !defined_shared.contains(name))
          found.push_back({name, other->second->shown, object.shown, false});
  }
  return found;
}

bool resolve_mismatches(const Session& session, std::vector<LinkInput>& inputs) {
  OtherGlobals globals{{}, session.foreign_variables};
  std::set<std::string> tried;
  for (;;) {
    std::vector<ObjectFacts> objects;
    for (const LinkInput& input : inputs) read_with_needed(input, session.line, objects);
    const auto found = find_mismatches(objects);
    if (found.empty()) return true;
    bool is_new = false;
    for (const Mismatch& mismatch : found) is_new |= tried.insert(mismatch.variable).second;
    globals.shared_variables.insert(tried.begin(), tried.end());
    if (!is_new ||
        !recompile(session, objects_with_private(tried, objects), globals, clause(found[0]), inputs)) {
      report(found, session.line);
      return false;
    }
  }
}

std::set<std::string> foreign_variables(const CommandLine& line, const std::vector<LinkInput>& objects) {
  std::set<std::string> names;
  std::vector<ObjectFacts> facts;
  for (const LinkInput& input : objects) read_with_needed(input, line, facts);
  for (const ObjectFacts& object : facts) {
    names.insert(object.symbols.defined_data.begin(), object.symbols.defined_data.end());
    names.insert(object.symbols.used.begin(), object.symbols.used.end());
    names.insert(object.symbols.used_by_library.begin(), object.symbols.used_by_library.end());
  }
  return names;
}

}  // namespace kanor::driver
