// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/topology.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "platform/core.hpp"
#include "platform/hwloc_library.hpp"

namespace kanor::rt {
namespace {

/// Returns true if the system says so, without hwloc: most machines have one node, and need not load a
/// library to hear it.
bool may_have_several_nodes() {
  // hwloc has been told of another machine.
  if (std::getenv("HWLOC_SYNTHETIC") || std::getenv("HWLOC_XMLFILE")) return true;
  std::FILE* const file = std::fopen("/sys/devices/system/node/online", "re");
  if (!file) return false;
  char nodes[64] = "";
  const bool read = std::fgets(nodes, sizeof nodes, file) != nullptr;
  std::fclose(file);
  return read && std::strpbrk(nodes, "-,") != nullptr;  // such as 0-1
}

}  // namespace

Topology this_machine() {
  if (!may_have_several_nodes()) return {};
  const std::optional<Hwloc> hwloc = Hwloc::open();
  return hwloc ? hwloc->read(usable_processors()) : Topology{};
}

}  // namespace kanor::rt
