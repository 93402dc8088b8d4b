// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hwloc, which knows what the machine consists of.
#pragma once

#include <hwloc.h>

#include <optional>
#include <vector>

#include "platform/topology.hpp"

namespace kanor::rt {

/// The functions of hwloc that are used, from its shared library: it is opened where it is needed, so that a
/// program neither links it nor needs it.
class Hwloc {
 public:
  /// Opens the library; nothing where there is none, or one with another interface than this was compiled
  /// for.
  static std::optional<Hwloc> open();

  /// The machine's NUMA nodes, of which only `usable` processors count. Empty where hwloc knows none, or some
  /// processors belong to no node.
  Topology read(hwloc_topology_t machine, const Processors& usable) const;
  /// The same, of the machine that this runs on. Takes some milliseconds.
  Topology read(const Processors& usable) const;

 private:
  Hwloc() = default;
  std::vector<hwloc_obj_t> objects(hwloc_topology_t machine, hwloc_obj_type_t type) const;

  decltype(&hwloc_topology_init) init_ = nullptr;
  decltype(&hwloc_topology_load) load_ = nullptr;
  decltype(&hwloc_topology_destroy) destroy_ = nullptr;
  decltype(&hwloc_get_type_depth) depth_ = nullptr;
  decltype(&hwloc_get_nbobjs_by_depth) count_ = nullptr;
  decltype(&hwloc_get_obj_by_depth) object_ = nullptr;
  decltype(&hwloc_bitmap_isset) has_ = nullptr;
};

}  // namespace kanor::rt
