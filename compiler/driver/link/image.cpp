// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/image.hpp"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "driver/link/link_command.hpp"
#include "driver/link/linker.hpp"
#include "driver/process.hpp"
#include "driver/workspace.hpp"
#include "kanor/abi/program_facts.hpp"

namespace kanor::driver {
namespace {

/// The first flag with which a program is static, and so has no image.
std::string_view obstacle_flag(const CommandLine& line) {
  for (const Argument& argument : line.arguments)
    if (const auto* flag = std::get_if<Flag>(&argument))
      for (const std::string_view one : {"-static", "-static-pie"})
        if (flag->words.front() == one) return one;
  return {};
}

/// The linker's words for the libraries that only libraries need, and for what several define.
std::vector<std::string> not_among(const std::vector<LinkInput>& inputs,
                                   const std::vector<OwnLibrary>& libraries) {
  std::vector<std::string> words;
  for (const OwnLibrary& library : libraries)
    if (std::none_of(inputs.begin(), inputs.end(),
                     [&](const LinkInput& input) { return input.path == library.objects; }))
      words.push_back(library.objects);
  if (!libraries.empty()) words.emplace_back(first_definitions);
  return words;
}

/// The section with the image, between symbols by which the runtime finds it.
std::string section_source(const std::string& path) {
  const auto symbol = [](const std::string& name) {
    return ".globl " + name + "\n.hidden " + name + '\n' + name + ":\n";
  };
  return ".section " KANOR_IMAGE_SECTION ",\"a\",@progbits\n" + symbol("kanor_image_begin") + ".incbin \"" +
         path + "\"\n" + symbol("kanor_image_end") + ".section .note.GNU-stack,\"\",@progbits\n";
}

}  // namespace

void add_opened_libraries(std::vector<ObjectFacts>& objects) {
  for (ObjectFacts& object : objects)
    if (object.symbols.used.contains("dlopen") || object.symbols.used.contains("dlmopen"))
      object.known_obstacles.push_back(
          {"dlopen", object.shown,
           "'" + object.shown + "' opens libraries (dlopen), of whose variables there would be one copy"});
    else if (object.symbols.used.contains("dlsym") || object.symbols.used.contains("dlvsym"))
      object.known_obstacles.push_back(
          {"dlsym", object.shown,
           "'" + object.shown + "' looks up functions by name (dlsym), and would find the first rank's"});
}

Image link_image(const Session& session, std::vector<LinkInput> inputs) {
  const CommandLine& line = session.line;
  if (line.mpi.ranks == MpiRanks::processes) return {{}, "'--mpi-ranks=processes' was given", {}};
  if (const auto flag = obstacle_flag(line); !flag.empty())
    return {{}, "the program is linked with '" + std::string(flag) + "'", {}};
  // Only these are looked up by name: everything else is the copy's own.
  const std::string exports =
      session.workspace.write("image.map", "{ global: main; kanor_call_handlers; local: *; };\n");
  const std::string image = session.workspace.path("image.so");
  std::vector<OwnLibrary> libraries = take_own_libraries(session, inputs);
  const Command command =
      image_command(line, session.installation, inputs, not_among(inputs, libraries), exports, image);
  if (line.verbose) std::cerr << quoted(command) << '\n';
  const Outcome linked = run(command, Capture::standard_error);
  if (linked.status != 0)
    return {
        {},
        "its objects can't be linked as position-independent code (" + first_complaint(linked.output) + ")",
        {}};
  const std::string source = session.workspace.write("image.s", section_source(image));
  const std::string object = session.workspace.path("image.o");
  Command assemble = line.host;
  assemble.insert(assemble.end(), {"-x", "assembler", "-c", source, "-o", object});
  const Outcome assembled = run(assemble, Capture::standard_error);
  if (assembled.status != 0)
    return {{}, "the host compiler can't assemble it (" + first_complaint(assembled.output) + ")", {}};
  return {object, {}, std::move(libraries)};
}

}  // namespace kanor::driver
