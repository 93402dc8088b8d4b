#include "collectives/choice.hpp"

#include <limits>

namespace kanor::rt::collectives {
namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

/// The first row that fits is taken: `size` at least so much, `bytes` at most so many.
struct Row {
  plan::Collective kind;
  bool needs_shared_memory;
  int least_size;
  std::size_t least_bytes, most_bytes;
  Way way;
};

using enum plan::Collective;
constexpr Row rows[] = {
    {broadcast, true, 3, 16384, any, Way::shared},  {broadcast, false, 4, 0, any, Way::steps},
    {all_reduce, false, 3, 0, any, Way::steps},     {scan, false, 4, 0, any, Way::steps},
    {exclusive_scan, false, 4, 0, any, Way::steps}, {all_gather, false, 4, 0, 1024, Way::steps},
};

}  // namespace

Way choose(plan::Collective kind, int size, std::size_t bytes, bool all_share_memory) {
  for (const Row& row : rows)
    if (row.kind == kind && size >= row.least_size && bytes >= row.least_bytes && bytes <= row.most_bytes &&
        (all_share_memory || !row.needs_shared_memory))
      return row.way;
  return Way::direct;
}

}  // namespace kanor::rt::collectives
