// What it takes one rank of a large team to find its own messages. The team is only a number.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/count_allocations.hpp"
#include "plan/planner.hpp"

namespace {

using namespace kanor;
using namespace kanor::rt::plan;

/// A block's statements as kanorc describes them.
struct Pattern {
  std::vector<const char*> forms;
  bool pairs = false;  ///< two generators, not one
};

const Pattern shift{{"i: 0 .. $0 - 1; to (i + 1) % $0; from i"}};
const Pattern halo_2d{
    {"i: 0 .. $0 - 1; to $1.neighbor(i, 0, 1); from i", "i: 0 .. $0 - 1; to $1.neighbor(i, 0, -1); from i",
     "i: 0 .. $0 - 1; to $1.neighbor(i, 1, 1); from i", "i: 0 .. $0 - 1; to $1.neighbor(i, 1, -1); from i"}};
const Pattern halo_3d{
    {"i: 0 .. $0 - 1; to $2.neighbor(i, 0, 1); from i", "i: 0 .. $0 - 1; to $2.neighbor(i, 0, -1); from i",
     "i: 0 .. $0 - 1; to $2.neighbor(i, 1, 1); from i", "i: 0 .. $0 - 1; to $2.neighbor(i, 1, -1); from i",
     "i: 0 .. $0 - 1; to $2.neighbor(i, 2, 1); from i", "i: 0 .. $0 - 1; to $2.neighbor(i, 2, -1); from i"}};
const Pattern all_to_all{{"i: 0 .. $0 - 1; j: 0 .. $0 - 1; to j; from i"}, true};

/// A cube's number of ranks, and it is a square's too.
struct Team {
  explicit Team(int side)
      : size(side * side * side * side * side * side),
        square{side * side * side, side * side * side},
        cube{side * side, side * side, side * side} {}
  int size;
  std::array<int, 2> square;
  std::array<int, 3> cube;
};

/// Goes through the rank's bindings as emitted loops do; answers how many there are.
std::uint64_t plan_block(const Pattern& pattern, const Team& team, Planner& planner, bool reuse) {
  static const bool open[3] = {};
  const abi::leaf leaves[] = {team.size, abi::grid_view{2, team.square.data(), open},
                              abi::grid_view{3, team.cube.data(), open}};
  const int me = team.size / 2 + team.square[0] / 2 + team.cube[0] / 2;
  const MemberSet everyone{0, 1, team.size, true};
  std::uint64_t bindings = 0;
  std::string error;
  for (const char* form : pattern.forms) {
    Plan& plan = *planner.find(form, leaves, me, team.size, reuse, error);
    const auto members = [&](int name) {
      return abi::candidates<int>([&](abi::candidate_run&) -> abi::candidate_list {
        const auto runs = plan.only(name, everyone);
        return {runs.data(), runs.size(), plan.value_of(name)};
      });
    };
    for (const Side side : {Side::sending, Side::receiving}) {
      plan.begin(side);
      for (const int i : members(0)) {
        benchmark::DoNotOptimize(i);
        if (!pattern.pairs) {
          ++bindings;
          continue;
        }
        for (const int j : members(1)) {
          benchmark::DoNotOptimize(j);
          ++bindings;
        }
      }
    }
  }
  return bindings;
}

void planning(benchmark::State& state, const Pattern& pattern, bool reuse) {
  const Team team(static_cast<int>(state.range(0)));
  Planner planner;
  const std::size_t before = allocated_bytes();
  const std::uint64_t messages = plan_block(pattern, team, planner, true);
  const std::size_t first_bytes = allocated_bytes() - before;
  for (auto _ : state) benchmark::DoNotOptimize(plan_block(pattern, team, planner, reuse));
  const std::size_t later_bytes = allocated_bytes() - before - first_bytes;
  state.counters["ranks"] = team.size;
  state.counters["messages"] = static_cast<double>(messages);
  state.counters["first_bytes"] = static_cast<double>(first_bytes);
  state.counters["later_bytes"] = static_cast<double>(later_bytes) / static_cast<double>(state.iterations());
}

void register_pattern(const char* name, const Pattern& pattern) {
  for (const bool reuse : {false, true})
    benchmark::RegisterBenchmark(
        (std::string(name) + (reuse ? "/cached" : "/solved")).c_str(),
        [&pattern, reuse](benchmark::State& state) { planning(state, pattern, reuse); })
        ->Arg(3)
        ->Arg(10);
}

}  // namespace

int main(int argc, char** argv) {
  register_pattern("shift", shift);
  register_pattern("halo_2d", halo_2d);
  register_pattern("halo_3d", halo_3d);
  register_pattern("all_to_all_row", all_to_all);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
