// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/own_libraries.hpp"

#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <set>

#include "driver/link/foreign_variables.hpp"
#include "driver/link/sections.hpp"
#include "driver/process.hpp"
#include "driver/workspace.hpp"
#include "kanor/abi/program_facts.hpp"

namespace kanor::driver {
namespace {

namespace fs = std::filesystem;

/// The objects among the traced files, members of archives as files of their own.
std::vector<std::string> object_files(const Session& session, const std::vector<TracedFile>& files) {
  std::vector<std::string> paths;
  for (const TracedFile& file : files) {
    if (belongs_to_toolchain(file.path)) continue;
    if (file.member.empty()) {
      if (is_object(file.path)) paths.push_back(file.path);
      continue;
    }
    const std::string name = fs::path(file.member).filename().string();
    for (const std::string& bytes : archive_members(file.path, name))
      paths.push_back(session.workspace.write(name, bytes));
  }
  return paths;
}

/// Returns true for flags with which a library is more than its objects: functions that run at its start and
/// end, names that the linker makes, and names that it binds to the library whatever the program defines.
bool adds_to_objects(const CommandLine& line) {
  constexpr std::array words{"-init", "-fini", "--wrap", "--defsym", "-Bsymbolic", "--dynamic-list", ",-T"};
  return std::any_of(line.arguments.begin(), line.arguments.end(), [&](const Argument& argument) {
    const auto* flag = std::get_if<Flag>(&argument);
    if (flag == nullptr || !(flag->words[0].starts_with("-Wl,") || flag->words[0] == "-Xlinker"))
      return false;
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return flag->words.back().find(word) != std::string::npos; });
  });
}

/// The folders in which the linker looks for libraries that libraries need.
std::vector<std::string> folders(const CommandLine& line) {
  std::vector<std::string> found;
  for (const Argument& argument : line.arguments) {
    const auto* flag = std::get_if<Flag>(&argument);
    if (flag == nullptr) continue;
    for (const std::string& word : flag->words) {
      if (word.starts_with("-L")) found.push_back(word.substr(2));
      for (const std::string_view start :
           {"-Wl,-rpath,", "-Wl,-rpath=", "-Wl,-rpath-link,", "-Wl,-rpath-link="})
        if (word.starts_with(start)) found.push_back(word.substr(start.size()));
    }
  }
  return found;
}

/// A library that the linker would find for a name that another library asks for; empty if there is none.
std::string find_needed(const std::string& name, const std::string& by,
                        const std::vector<std::string>& places) {
  std::error_code error;
  if (const auto beside = fs::path(by).parent_path() / name; fs::exists(beside, error))
    return beside.string();
  for (const std::string& place : places)
    if (const auto path = fs::path(place) / name; fs::exists(path, error)) return path.string();
  return {};
}

std::string identity(const std::string& path) {
  std::error_code error;
  const auto found = fs::canonical(path, error);
  return error ? path : found.string();
}

/// What programs that are linked with the library ask for.
std::string asked_name(const std::string& path) {
  for (const ObjectFacts& library : read_objects(path, path, {}))
    if (!library.library_name.empty()) return library.library_name;
  return fs::path(path).filename().string();
}

/// The libraries that have been found, each once.
class Found {
 public:
  explicit Found(const Session& session) : session_(session), places_(folders(session.line)) {}

  /// The library's objects; empty if it is none that holds them.
  std::string add(const std::string& path) {
    const std::string same = identity(path);
    for (const OwnLibrary& library : libraries_)
      if (identity(library.path) == same) return library.objects;
    const std::string bytes = section_text(path, KANOR_OBJECTS_SECTION);
    if (bytes.empty()) return {};
    const std::string name = fs::path(path).filename().string() + ".o";
    libraries_.push_back(
        {path, session_.workspace.write(name, bytes), section_text(path, KANOR_DIGEST_SECTION)});
    return libraries_.back().objects;
  }

  void add_needed() {
    for (std::size_t at = 0; at < libraries_.size(); ++at) {
      const std::string by = libraries_[at].path;
      for (const std::string& name : needed_libraries(by))
        if (const std::string path = find_needed(name, by, places_); !path.empty()) add(path);
    }
  }

  std::vector<OwnLibrary>& libraries() { return libraries_; }

 private:
  const Session& session_;
  std::vector<std::string> places_;
  std::vector<OwnLibrary> libraries_;
};

}  // namespace

void keep_objects(const Session& session, const std::string& library, const std::vector<TracedFile>& files) {
  if (adds_to_objects(session.line)) return;
  const std::vector<std::string> objects = object_files(session, files);
  const std::vector<std::string> names = exported_names(library);
  if (objects.empty() || names.empty()) return;
  // Groups of sections (COMDAT) are dissolved, since a group whose name is about to become local could be
  // taken for another library's.
  const std::string whole = session.workspace.path("objects.o");
  Command command = session.line.host;
  command.insert(command.end(), {"-r", "-nostdlib", "-fno-lto", "-Wl,--force-group-allocation,-z,muldefs"});
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), {"-o", whole});
  if (session.line.verbose) std::cerr << quoted(command) << '\n';
  if (run(command, Capture::standard_error).status != 0) return;
  keep_global(whole, names);
  const std::string text = read_file(whole);
  add_section(library, KANOR_OBJECTS_SECTION, text);
  add_section(library, KANOR_DIGEST_SECTION, std::to_string(llvm::xxh3_64bits(text)));
}

std::vector<OwnLibrary> take_own_libraries(const Session& session, std::vector<LinkInput>& inputs) {
  Found found(session);
  std::set<std::string> used;
  for (LinkInput& input : inputs) {
    const std::string path = file_behind(input, session.line);
    if (path.empty()) continue;
    const std::string objects = found.add(path);
    if (objects.empty()) continue;
    // A library may be named twice; its objects would then be there twice, and begin twice.
    input.path = used.insert(objects).second ? objects : first_definitions;
  }
  found.add_needed();
  return std::move(found.libraries());
}

void add_facts(const std::vector<OwnLibrary>& libraries, std::vector<ObjectFacts>& objects) {
  for (const OwnLibrary& library : libraries) {
    std::erase_if(objects, [&](const ObjectFacts& object) {
      return object.is_shared_library && identity(object.path) == identity(library.path);
    });
    for (ObjectFacts& object : read_objects(library.path, library.path, {})) {
      object.is_copied = true;
      objects.push_back(std::move(object));
    }
    for (ObjectFacts& object : read_objects(library.objects, library.path, {}))
      objects.push_back(std::move(object));
  }
}

std::string own_library_lines(const std::vector<OwnLibrary>& libraries) {
  std::string lines;
  for (const OwnLibrary& library : libraries)
    lines += "library\t" + asked_name(library.path) + '\t' + library.digest + '\n';
  return lines;
}

}  // namespace kanor::driver
