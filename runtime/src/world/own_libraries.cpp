// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/own_libraries.hpp"

#include <link.h>

#include <kanor/abi/program_facts.hpp>

#include "world/elf_section.hpp"

namespace kanor::rt {
namespace {

struct Search {
  const std::string* name;
  std::string path;
};

int look(dl_phdr_info* loaded, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const std::string_view path = loaded->dlpi_name;
  if (path.substr(path.find_last_of('/') + 1) != *search.name) return 0;
  search.path = path;
  return 1;
}

}  // namespace

void compare_own_libraries(Facts& facts) {
  for (const OwnLibrary& library : facts.libraries) {
    Search search{&library.name, {}};
    ::dl_iterate_phdr(look, &search);
    // One that is not loaded now is none of which the first rank runs something.
    if (search.path.empty() || section_text(search.path.c_str(), KANOR_DIGEST_SECTION) == library.digest)
      continue;
    facts.obstacles.push_back({library.name, search.path,
                               "the library '" + library.name +
                                   "' is not the one that the program was linked with: link it again"});
  }
}

}  // namespace kanor::rt
