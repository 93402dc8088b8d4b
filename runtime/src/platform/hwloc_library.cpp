// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/hwloc_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>

namespace kanor::rt {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::optional<Hwloc> Hwloc::open() {
  void* const library = ::dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
  if (!library) return {};
  decltype(&hwloc_get_api_version) version = nullptr;
  Hwloc calls;
  const bool complete = find(library, "hwloc_get_api_version", version) &&
                        version() >> 16 == HWLOC_API_VERSION >> 16 &&
                        find(library, "hwloc_topology_init", calls.init_) &&
                        find(library, "hwloc_topology_load", calls.load_) &&
                        find(library, "hwloc_topology_destroy", calls.destroy_) &&
                        find(library, "hwloc_get_type_depth", calls.depth_) &&
                        find(library, "hwloc_get_nbobjs_by_depth", calls.count_) &&
                        find(library, "hwloc_get_obj_by_depth", calls.object_) &&
                        find(library, "hwloc_bitmap_isset", calls.has_);
  // The library stays open: it may have been there before, and others may use it.
  if (!complete) return {};
  return calls;
}

std::vector<hwloc_obj_t> Hwloc::objects(hwloc_topology_t machine, hwloc_obj_type_t type) const {
  std::vector<hwloc_obj_t> all;
  const int depth = depth_(machine, type);
  if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE) return all;
  const auto count = static_cast<unsigned>(count_(machine, depth));
  for (unsigned i = 0; i < count; ++i) all.push_back(object_(machine, depth, i));
  return all;
}

Topology Hwloc::read(hwloc_topology_t machine, const Processors& usable) const {
  std::vector<hwloc_obj_t> cores = objects(machine, HWLOC_OBJ_CORE);
  if (cores.empty()) cores = objects(machine, HWLOC_OBJ_PU);
  const std::vector<hwloc_obj_t> nodes = objects(machine, HWLOC_OBJ_NUMANODE);
  std::vector<NumaNode> found(nodes.size());
  std::size_t placed = 0;
  for (const hwloc_obj_t core : cores) {
    Processors its;
    std::copy_if(usable.begin(), usable.end(), std::back_inserter(its),
                 [&](int processor) { return has_(core->cpuset, static_cast<unsigned>(processor)); });
    if (its.empty()) continue;
    // The first of them: memory of another kind may lie at the same processors, as a node of its own.
    const auto node = std::find_if(nodes.begin(), nodes.end(), [&](hwloc_obj_t one) {
      return has_(one->cpuset, static_cast<unsigned>(its.front())) != 0;
    });
    if (node == nodes.end()) continue;
    NumaNode& home = found[static_cast<std::size_t>(node - nodes.begin())];
    ++home.cores;
    home.processors.insert(home.processors.end(), its.begin(), its.end());
    placed += its.size();
  }
  if (placed != usable.size()) return {};
  std::erase_if(found, [](const NumaNode& node) { return node.cores == 0; });
  for (NumaNode& node : found) std::sort(node.processors.begin(), node.processors.end());
  return found;
}

Topology Hwloc::read(const Processors& usable) const {
  hwloc_topology_t machine = nullptr;
  if (init_(&machine) != 0) return {};
  Topology found;
  if (load_(machine) == 0) found = read(machine, usable);
  destroy_(machine);
  return found;
}

}  // namespace kanor::rt
