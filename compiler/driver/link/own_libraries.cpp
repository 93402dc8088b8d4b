// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/own_libraries.hpp"

#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "driver/link/link_command.hpp"
#include "driver/link/linker.hpp"
#include "driver/link/sections.hpp"
#include "driver/make_rule.hpp"
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

/// Returns true for options with which a library is more than its objects: functions that run at its start
/// and end, names that the linker makes, and names that it binds to the library whatever the program defines.
bool adds_to_objects(const CommandLine& line) {
  const LinkerOptions options(line);
  constexpr std::array names{"init", "fini", "wrap", "defsym", "Bsymbolic", "dynamic-list", "T", "script"};
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return options.has(name); });
}

/// The files that the linker opens for the program's libraries, each once, in its order.
std::vector<std::string> opened_files(const Session& session, const std::vector<LinkInput>& inputs) {
  if (std::none_of(inputs.begin(), inputs.end(), may_be_shared_library)) return {};
  const std::string dependencies = session.workspace.path("libraries.d");
  const Command command =
      libraries_command(session.line, inputs, dependencies, session.workspace.path("libraries"));
  if (session.line.verbose) std::cerr << quoted(command) << '\n';
  // What fails here fails again in the program's own link, which says why.
  if (run(command, Capture::standard_error).status != 0) return {};
  return prerequisites(read_file(dependencies));
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

/// The first file of those that the linker opened for an input; empty if there is none.
std::string opened_for(const LinkInput& input, const std::vector<std::string>& opened) {
  if (!input.path.starts_with("-l")) return input.path;
  const std::string name = input.path.substr(2);
  const std::string asked = name.starts_with(':') ? name.substr(1) : "lib" + name + ".so";
  const auto found = std::find_if(opened.begin(), opened.end(), [&](const std::string& path) {
    return fs::path(path).filename() == asked;
  });
  return found == opened.end() ? std::string() : *found;
}

/// Numbers the libraries so that each has a higher number than those that it needs, from 1 on.
std::vector<int> levels(const std::vector<OwnLibrary>& libraries) {
  std::map<std::string, std::size_t> by_name;
  for (std::size_t at = 0; at < libraries.size(); ++at) by_name.emplace(asked_name(libraries[at].path), at);
  std::vector<int> found(libraries.size(), 0);
  const auto number = [&](std::size_t at, const auto& self) -> int {
    if (found[at] != 0) return found[at];
    found[at] = 1;  // for libraries that need each other
    int level = 1;
    for (const std::string& name : needed_libraries(libraries[at].path))
      if (const auto needed = by_name.find(name); needed != by_name.end())
        level = std::max(level, self(needed->second, self) + 1);
    return found[at] = level;
  };
  for (std::size_t at = 0; at < libraries.size(); ++at) number(at, number);
  return found;
}

/// Lets what a library's objects run at their start run before all that the program runs, as the dynamic
/// linker does, and what they run at their end after it. A linker sorts these sections by the numbers at the
/// end of their names. Programs have those from 101 on, a C++ library in the image 90 to 100, and what each
/// copy has of the C and C++ libraries 1 (runtime/src/copies).
void begin_early(const OwnLibrary& library, int levels_above) {
  std::string number = std::to_string(std::max(100 - levels_above, 2));
  number.insert(0, 5 - number.size(), '0');
  rename_sections(library.objects,
                  {{".init_array", ".init_array." + number}, {".fini_array", ".fini_array." + number}});
}

/// Makes one section of all that a library's objects run at their start, and one of all at their end, in the
/// order in which they run.
constexpr std::string_view order_script = R"(SECTIONS {
  .init_array 0 : { KEEP(*(SORT_BY_INIT_PRIORITY(.init_array.*))) KEEP(*(.init_array)) }
  .fini_array 0 : { KEEP(*(SORT_BY_INIT_PRIORITY(.fini_array.*))) KEEP(*(.fini_array)) }
}
)";

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
  command.insert(command.end(), {"-r", "-nostdlib", "-fno-lto", "-Wl,--force-group-allocation,-z,muldefs",
                                 "-Wl,-T," + session.workspace.write("order.ld", order_script)});
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
  const std::vector<std::string> opened = opened_files(session, inputs);
  std::vector<OwnLibrary> libraries;
  for (const std::string& path : opened) {
    if (std::any_of(libraries.begin(), libraries.end(),
                    [&](const OwnLibrary& library) { return identity(library.path) == identity(path); }))
      continue;
    const std::string bytes = section_text(path, KANOR_OBJECTS_SECTION);
    if (bytes.empty()) continue;
    const std::string name = fs::path(path).filename().string() + ".o";
    libraries.push_back(
        {path, session.workspace.write(name, bytes), section_text(path, KANOR_DIGEST_SECTION)});
  }
  const std::vector<int> numbers = levels(libraries);
  for (std::size_t at = 0; at < libraries.size(); ++at)
    begin_early(libraries[at], *std::max_element(numbers.begin(), numbers.end()) - numbers[at]);
  std::set<std::string> used;
  for (LinkInput& input : inputs) {
    const std::string path = opened_for(input, opened);
    for (const OwnLibrary& library : libraries)
      // A library may be named twice; its objects would then be there twice, and begin twice.
      if (identity(library.path) == identity(path))
        input.path = used.insert(library.objects).second ? library.objects : first_definitions;
  }
  return libraries;
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
