// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/own_definitions.hpp"

#include <algorithm>
#include <array>

#include "driver/link/foreign_variables.hpp"
#include "driver/link/program_facts.hpp"
#include "driver/link/sections.hpp"
#include "kanor/abi/program_facts.hpp"

namespace kanor::driver {
namespace {

constexpr std::array heap_functions{"malloc", "free", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm"};

}  // namespace

std::set<std::string> defined_functions(const CommandLine& line, const std::vector<LinkInput>& inputs) {
  std::set<std::string> found;
  for (const LinkInput& input : inputs) {
    const std::string path = file_behind(input, line);
    if (path.empty() || belongs_to_toolchain(path)) continue;
    for (ObjectFacts& object : read_objects(path, input.shown, {}))
      if (!object.is_shared_library || !section_text(path, KANOR_DIGEST_SECTION).empty())
        found.merge(object.symbols.defined_functions);
  }
  return found;
}

void forget_own_functions(std::vector<ObjectFacts>& objects) {
  std::set<std::string> own;
  for (const ObjectFacts& object : objects)
    if (!object.is_shared_library)
      own.insert(object.symbols.defined_functions.begin(), object.symbols.defined_functions.end());
  for (ObjectFacts& object : objects)
    std::erase_if(object.symbols.used, [&](const std::string& name) { return own.contains(name); });
}

void add_own_heaps(std::vector<ObjectFacts>& objects) {
  for (ObjectFacts& object : objects) {
    if (object.is_shared_library) continue;
    const auto found = std::find_if(heap_functions.begin(), heap_functions.end(), [&](const char* name) {
      return object.symbols.defined_functions.contains(name);
    });
    if (found != heap_functions.end())
      object.known_obstacles.push_back({*found, object.shown,
                                        "'" + object.shown + "' defines '" + readable_name(*found) +
                                            "', and the C library would use that of one rank for all"});
  }
}

}  // namespace kanor::driver
