// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collectives/choice.hpp"

#include <limits>

namespace kanor::rt::collectives {
namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

struct Row {
  plan::Collective kind;
  Topology topology;
  int least_size;
  std::size_t least_bytes, most_bytes;
  Algorithm algorithm;
};

using enum plan::Collective;
using enum Topology;

// The first row that fits is taken. Rows of scarce_memory are as measured, with 2 to 8 ranks on two cores: an
// all-reduce in steps makes fewer messages, but more changes of ranks, which long values outweigh; a scan
// saves most messages. A tree of addresses of long values takes up to twice as long as a star. Where each
// rank has a core, a message of a few bytes costs its sender a quarter of what it takes to arrive, so steps
// win from 8 ranks on.
constexpr Row rows[] = {
    {broadcast, memory, 3, 16384, any, Algorithm::steps},
    {broadcast, memory, 8, 0, any, Algorithm::steps},
    {broadcast, scarce_memory, 3, 16384, any, Algorithm::star},
    {broadcast, scarce_memory, 8, 0, any, Algorithm::steps},
    {broadcast, network, 4, 0, any, Algorithm::steps},
    {all_reduce, memory, 2, 8192, any, Algorithm::slices},
    {all_reduce, memory, 8, 0, any, Algorithm::steps},
    {all_reduce, scarce_memory, 2, 8192, any, Algorithm::slices},
    {all_reduce, network, 3, 0, any, Algorithm::steps},
    {scan, memory, 4, 0, any, Algorithm::steps},
    {scan, scarce_memory, 3, 0, any, Algorithm::steps},
    {scan, network, 4, 0, any, Algorithm::steps},
    {exclusive_scan, memory, 4, 0, any, Algorithm::steps},
    {exclusive_scan, scarce_memory, 3, 0, any, Algorithm::steps},
    {exclusive_scan, network, 4, 0, any, Algorithm::steps},
    {all_gather, memory, 8, 0, 1024, Algorithm::steps},
    {all_gather, network, 4, 0, 1024, Algorithm::steps},
};

}  // namespace

Algorithm choose(plan::Collective kind, int size, std::size_t bytes, Topology topology) {
  for (const Row& row : rows)
    if (row.kind == kind && row.topology == topology && size >= row.least_size && bytes >= row.least_bytes &&
        bytes <= row.most_bytes)
      return row.algorithm;
  return Algorithm::direct;
}

}  // namespace kanor::rt::collectives
