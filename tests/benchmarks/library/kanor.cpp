// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PROGRAM sort|gather SIZE BATCHES: prints a line: a digest of the results, and microseconds of each batch.
#include <kanor/std/collectives.hpp>
#include <kanor/std/exchange_map.hpp>
#include <kanor/std/sort.hpp>

#include <cstdlib>
#include <string_view>

#include "work.hpp"

namespace {

using kanor::world;

double slowest(double time) { return kanor::all_max(time); }

void sort(long size, [[kanor::uniform]] int batches) {
  const int me = world.rank(), ranks = world.size();
  std::vector<double> times;
  std::uint64_t digest = 0;
  for (int batch = 0; batch < batches; ++batch) {
    auto keys = work::keys(size, me, ranks);
    kanor::barrier();
    times.push_back(slowest(work::microseconds(1, [&] { kanor::sort(keys); })));
    digest = kanor::all_sum(work::digest(keys, kanor::block_range(size, me).begin));
  }
  if (me == 0) work::print(digest, times);
}

void gather(long owned, [[kanor::uniform]] int batches) {
  const int me = world.rank();
  const auto own = work::elements(owned, me);
  const kanor::exchange_map map(owned, work::needed(owned, me, world.size()));
  std::vector<double> times, ghosts;
  for (int batch = 0; batch < batches; ++batch) {
    kanor::barrier();
    times.push_back(slowest(work::microseconds(work::gathers, [&] { map.gather(own, ghosts); })));
  }
  const auto digest = kanor::all_sum(work::digest(ghosts));
  if (me == 0) work::print(digest, times);
}

}  // namespace

int main(int, char** arguments) {
  const long size = std::atol(arguments[2]);
  const int batches = std::atoi(arguments[3]);
  std::string_view(arguments[1]) == "sort" ? sort(size, batches) : gather(size, batches);
}
