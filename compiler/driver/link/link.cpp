// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/link.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>

#include "driver/dependency_file.hpp"
#include "driver/link/c_functions.hpp"
#include "driver/link/foreign_variables.hpp"
#include "driver/link/image.hpp"
#include "driver/link/library_note.hpp"
#include "driver/link/library_safety.hpp"
#include "driver/link/link_command.hpp"
#include "driver/link/linker.hpp"
#include "driver/link/object_file.hpp"
#include "driver/link/own_definitions.hpp"
#include "driver/link/program_facts.hpp"
#include "driver/link/recompile.hpp"
#include "driver/process.hpp"
#include "driver/terminal.hpp"
#include "driver/workspace.hpp"

namespace kanor::driver {
namespace {

/// Reads every object that the trace names, except the toolchain's.
std::vector<ObjectFacts> linked_objects(const std::vector<TracedFile>& trace,
                                        const std::vector<LinkInput>& inputs) {
  std::map<std::string, std::string> shown;
  for (const LinkInput& input : inputs) shown.emplace(input.path, input.shown);
  // The trace names an archive and then those of its members that are linked in.
  std::map<std::string, std::set<std::string>> members;
  std::vector<std::string> order;
  for (const TracedFile& file : trace) {
    if (belongs_to_toolchain(file.path)) continue;
    if (!members.contains(file.path)) order.push_back(file.path);
    auto& names = members[file.path];
    if (!file.member.empty()) names.insert(std::filesystem::path(file.member).filename().string());
  }
  std::vector<ObjectFacts> objects;
  for (const auto& path : order) {
    const bool archive_alone = members[path].empty() && is_archive(path);
    if (archive_alone) continue;
    const auto known = shown.find(path);
    for (auto& object : read_objects(path, known != shown.end() ? known->second : path, members[path])) {
      // The list of libraries judges those of the system.
      if (object.is_shared_library && !object.has_note && is_of_system(path)) object.thread_starters.clear();
      objects.push_back(std::move(object));
    }
  }
  return objects;
}

/// The objects with private variables that no source of this command line makes.
std::vector<const ObjectFacts*> separate_private_objects(const std::vector<ObjectFacts>& objects,
                                                         const std::vector<LinkInput>& inputs) {
  std::vector<const ObjectFacts*> found;
  for (const ObjectFacts& object : objects) {
    const bool compiled_here = std::any_of(inputs.begin(), inputs.end(), [&](const LinkInput& input) {
      return input.compiled_here && input.shown == object.shown;
    });
    if (object.has_private_variables && !compiled_here) found.push_back(&object);
  }
  return found;
}

void report_need(const NeedOfSharing& need, const std::vector<ObjectFacts>& objects,
                 const CommandLine& line) {
  print_error(need.cause + ", " + need.damage, line.colour);
  const auto library = std::find_if(objects.begin(), objects.end(), [](const ObjectFacts& object) {
    return object.is_shared_library && object.has_private_variables;
  });
  print_note(
      library == objects.end()
          ? "compile all of the program's sources with '--globals=process'; its ranks will be processes"
          : "compile all of the sources of '" + library->shown +
                "' with '--globals=process'; the program's ranks will be processes",
      line.colour);
}

/// A library that the program opens would take an exported variable for one of the process.
void warn_of_exports(const std::string& program, const std::vector<ObjectFacts>& objects,
                     const CommandLine& line) {
  const bool opens = std::any_of(objects.begin(), objects.end(), [](const ObjectFacts& object) {
    return object.symbols.used.contains("dlopen") || object.symbols.used.contains("dlmopen");
  });
  if (!opens || line.warning_options.none || !have_private_variables(objects)) return;
  if (line.host_flags.links_object) return;  // it exports nothing, though it lists all
  std::set<std::string> exported;
  for (ObjectFacts& linked : read_objects(program, program, {}))
    exported.merge(std::move(linked.symbols.defined_per_thread));
  for (const ObjectFacts& object : objects)
    for (const std::string& name : object.symbols.defined_per_thread)
      if (!object.is_shared_library && exported.contains(name)) {
        print_warning("libraries that '" + program + "' opens can use '" + readable_name(name) +
                          "', of which each rank may have its own",
                      line.colour);
        print_note("compile these libraries with kanorc, or all of the program with '--globals=process'",
                   line.colour);
        return;
      }
}

void say_why_not_threads(const std::vector<LinkObstacle>& obstacles, const std::string& program,
                         const CommandLine& line) {
  if (obstacles.empty() || line.warning_options.none) return;
  const std::size_t others = line.verbose ? 0 : obstacles.size() - 1;
  print_note("the ranks of '" + program + "' will be processes, not threads: " + obstacles.front().reason +
                 (others != 0 ? " (and " + std::to_string(others) + " more: '-v' lists them)" : ""),
             line.colour);
  if (line.verbose)
    for (std::size_t at = 1; at < obstacles.size(); ++at)
      print_note("another reason: " + obstacles[at].reason, line.colour);
}

/// Compiles objects again with shared globals.
LinkResult share_globals(const Session& session, const std::vector<ObjectFacts>& objects,
                         const NeedOfSharing& need, std::vector<LinkInput>& inputs) {
  const auto separate = separate_private_objects(objects, inputs);
  if (separate.empty() ||
      recompile(session, separate, {need.reason, session.foreign_variables}, need.cause, inputs))
    return {0, need.reason};
  report_need(need, objects, session.line);
  return {1};
}

/// The result of one run of the linker.
struct Attempt {
  int status = 0;
  std::vector<ObjectFacts> objects;   ///< that were linked
  std::optional<NeedOfSharing> need;  ///< the linked file was then not kept
};

/// The facts of the linked objects, with what is known of the libraries that the program needs.
std::vector<ObjectFacts> judged_objects(const Session& session, const std::vector<LinkInput>& inputs,
                                        const std::vector<TracedFile>& trace, const Image& image,
                                        const std::string& program) {
  const CommandLine& line = session.line;
  auto objects = linked_objects(trace, inputs);
  std::vector<std::string> needed = needed_libraries(program);
  // Each rank has the objects' variables in its copy of the image.
  if (!image.object.empty()) {
    add_facts(image.libraries, objects);
    for (ObjectFacts& object : objects) forget_variables(object);
    add_opened_libraries(objects);
    add_own_heaps(objects);
    for (const OwnLibrary& library : image.libraries)
      for (std::string& name : needed_libraries(library.path)) needed.push_back(std::move(name));
  }
  forget_own_functions(objects);
  const LibraryList libraries(read_file(session.installation.library_list()), line.safe_libraries);
  judge_libraries(libraries, needed, objects);
  const auto& insisted = line.safe_libraries;
  if (std::find(insisted.begin(), insisted.end(), "c") == insisted.end()) {
    const auto c_library = c_library_names(trace);
    // A library may be linked without the C library. Its program is not, and is judged, too.
    if (!c_library.empty() || !line.host_flags.links_library)
      judge_c_functions(c_functions(read_file(session.installation.c_function_list())), c_library, objects);
  }
  return objects;
}

/// Notes in a linked library what its programs must know.
void finish_library(const Session& session, const std::string& library, const std::vector<TracedFile>& trace,
                    const std::vector<ObjectFacts>& objects) {
  const auto linked = read_objects(library, library, {});
  const std::string note = linked.empty() ? std::string() : missing_note(objects, linked);
  if (!note.empty()) add_note(library, note);
  if (session.line.mpi.ranks) keep_objects(session, library, trace);
}

/// Writes into a linked program what its start must know, and says why its ranks will be no threads.
void finish_program(const Session& session, const std::string& program, const Image& image,
                    const std::vector<ObjectFacts>& objects) {
  const CommandLine& line = session.line;
  const auto obstacles = obstacles_of(objects);
  const std::string lines = image.object.empty() ? "" : "image\n" + own_library_lines(image.libraries);
  const std::string facts =
      facts_text(session.installation.library_directory, obstacles,
                 (have_private_variables(objects) ? "private\n" : "") + lines, line.mpi.ranks.has_value());
  if (std::filesystem::is_regular_file(program) && !write_facts(program, facts))
    print_warning(
        "'" + program +
            "' has no room for kanorc's notes, so its obstacles to thread ranks are unknown when it starts",
        line.colour);
  if (line.mpi.ranks == MpiRanks::threads && !image.missing.empty())
    print_note("the ranks of '" + program + "' will be processes, not threads: " + image.missing,
               line.colour);
  else if (line.mpi.ranks != MpiRanks::processes)
    say_why_not_threads(obstacles, program, line);
}

Attempt run_linker(const Session& session, const std::vector<LinkInput>& inputs) {
  const CommandLine& line = session.line;
  Command command = link_command(line, session.installation, inputs);
  Image image;
  if (line.mpi.ranks && !line.host_flags.links_library) {
    image = link_image(session, inputs);
    if (!image.object.empty()) command.push_back(image.object);
  }
  if (line.verbose) std::cerr << quoted(command) << '\n';
  const std::string program = line.output.value_or("a.out");
  PendingOutput output(program);
  const Outcome linked = run(command, Capture::standard_output);
  if (linked.signal != 0)
    print_error("'" + command[0] + "' was terminated by signal " + std::to_string(linked.signal),
                line.colour);
  if (linked.status != 0) return {linked.status, {}, {}};
  if (const auto file = LinkerOptions(line).value("dependency-file"))
    leave_out_temporary_files(session, *file);

  // From here the set of objects is fixed: what they say of threads becomes the program's own knowledge, or
  // what a library tells the program.
  const std::vector<TracedFile> trace = parse_trace(linked.output);
  const auto objects = judged_objects(session, inputs, trace, image, program);
  if (const auto need = need_of_sharing(objects)) return {0, objects, need};
  warn_of_exports(program, objects, line);
  if (line.host_flags.links_library)
    finish_library(session, program, trace, objects);
  else
    finish_program(session, program, image, objects);
  output.keep();
  return {};
}

}  // namespace

LinkResult link_program(const Session& session, std::vector<LinkInput>& inputs) {
  const CommandLine& line = session.line;
  if (line.shows_commands) {
    std::cerr << quoted(link_command(line, session.installation, inputs)) << '\n';
    return {};
  }
  // A variable that is private in one object and shared in another can't be linked; the linker would say so
  // in words that do not help.
  if (!resolve_mismatches(session, inputs)) return {1};
  const Attempt attempt = run_linker(session, inputs);
  return attempt.need ? share_globals(session, attempt.objects, *attempt.need, inputs)
                      : LinkResult{attempt.status};
}

}  // namespace kanor::driver
