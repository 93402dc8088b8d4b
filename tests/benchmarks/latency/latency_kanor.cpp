// Small exchanges in a loop: the Kanor side of latency.py. Every case prints the same checksum as its MPI twin.
#include <kanor/kanor.hpp>

#include <utility>
#include <vector>

#include "timing.hpp"

using kanor::world;

namespace {

/// What `once` left on rank 0 is the checksum.
template <class Once>
void report(const Request& request, const double& result, Once once) {
  const auto times = time_batches(request, once);
  if (world.rank() == 0) print_batches(result, times);
}

void shift(const Request& request) {
  double mine = world.rank() + 1, left = 0;
  report(request, left, [&](int) {
    @communicate { left@(i + 1) % world.size() <<= mine@i where i in world }
    mine = left + 1;
  });
}

// It is called through a table, where arguments are not followed.
void broadcast([[kanor::uniform]] const Request& request) {
  double mine = world.rank() + 1, got = 0;
  report(request, got, [&](int n) {
    const int root = n % world.size();
    @communicate { got@r <<= mine@root where r in world }
    mine = got + 1;
  });
}

void broadcast_from_0(const Request& request) {
  double mine = world.rank() + 1, got = 0;
  report(request, got, [&](int) {
    @communicate { got@r <<= mine@0 where r in world }
    mine = got + 1;
  });
}

void all_reduce(const Request& request) {
  double mine = world.rank() + 1, most = 0;
  report(request, most, [&](int) {
    @communicate { most@r << max << mine@s where r, s in world }
    mine = most + 1;
  });
}

void all_to_all(const Request& request) {
  std::vector<double> to(world.size(), world.rank() + 1), from(world.size());
  report(request, from.back(), [&](int) {
    @communicate { from[s]@r <<= to[r]@s where s, r in world }
    std::swap(to, from);
    from.back() = to.back();
  });
}

/// Nobody leaves before all have entered.
void barrier(const Request& request) {
  char here = 1, all = 0;
  double result = 1;
  report(request, result, [&](int) { @communicate { all@r << & << here@s where r, s in world } });
}

/// The exchange of examples/02_heat.
void halo(const Request& request) {
  std::vector<std::vector<double>> rows(8, std::vector<double>(request.width, world.rank() + 1));
  double result = 0;
  report(request, result, [&](int) {
    @communicate {
      rows.front()@(i + 1) <<= rows[rows.size() - 2]@i where i in {0 ... world.size() - 2};
      rows.back()@i <<= rows[1]@(i + 1) where i in {0 ... world.size() - 2}
    }
    next_row(rows[1].data(), rows.back().data(), request.width);
    next_row(rows[rows.size() - 2].data(), rows.front().data(), request.width);
    result = rows.back()[0];
  });
}

/// Single elements, which an index chooses.
void elements([[kanor::uniform]] const Request& request) {
  const std::vector<int> index = scattered(request.width);
  std::vector<double> values(index.size(), world.rank() + 1), got(index.size());
  report(request, got.front(), [&](int) {
    @communicate {
      got[k]@(i + 1) % world.size() <<= values[index[k]]@i where i in world, k in {0 ... request.width - 1}
    }
    next_row(values.data(), got.data(), request.width);
  });
}

/// Single elements that are put into the memory of the next rank.
void puts(const Request& request) {
  const std::vector<int> index = scattered(request.width);
  std::vector<double> values(index.size(), world.rank() + 1), got(index.size());
  kanor::window<double> window(got);
  const int next = (world.rank() + 1) % world.size();
  report(request, got.front(), [&](int) {
    for (int k = 0; k < request.width; ++k) window.put(next, index[k], values[k]);
    window.fence();
    next_row(values.data(), got.data(), request.width);
  });
}

/// Each rank counts its numbers in bins that lie on all ranks.
void histogram(const Request& request) {
  const int me = world.rank(), bins = request.width / world.size();
  const std::vector<int> bin = scattered(bins * world.size());
  std::vector<long> count(bins);
  double result = 0;
  report(request, result, [&](int) {
    @communicate (knows = sender) {
      count[bin[k] % bins]@(bin[k] / bins) << + << 1L@me where k in {0 ... bins * world.size() - 1}
    }
    result = static_cast<double>(count.front() + count.back());
  });
}

}  // namespace

int main(int argc, char** argv) {
  const Request request = read_request(argc, argv);
  const std::pair<const char*, void (*)(const Request&)> cases[] = {
      {"shift", shift},     {"broadcast", broadcast},   {"broadcast_from_0", broadcast_from_0}, {"all_reduce", all_reduce},
      {"barrier", barrier}, {"all_to_all", all_to_all}, {"halo", halo},
      {"elements", elements}, {"puts", puts},           {"histogram", histogram},
  };
  for (const auto& [name, run] : cases)
    if (request.what == name) return run(request), 0;
  std::fprintf(stderr, "no case '%s'\n", request.what.c_str());
  return 2;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
