// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: blocks with variables whose memory ranks share, as kanorc emits them, and what they save.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/globalised.hpp"
#include "ownership/region.hpp"

namespace kanor::rt {

using abi::globalised;

inline constexpr const char* broadcast_form = "i: 0 .. $0 - 1; to i; from $1; is broadcast";
inline constexpr const char* all_reduce_form = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_reduce";
inline constexpr const char* all_gather_form = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_gather";

/// Everything that decides how values in regions travel.
inline void on_all_kinds_of_jobs(const std::function<void()>& body) {
  on_all_jobs(body);
  for (const int ranks : {2, 3, 9}) {
    SCOPED_TRACE(testing::Message() << ranks << " ranks with switches");
    TestJob apart(ranks, false);
    apart.transport.shares_memory = false;
    apart.home.switches.patterns = false;  // collectives would use memory that these claim not to have
    apart.run(body);
    TestJob copying(ranks), always(ranks), checked(ranks), direct(ranks), narrow(ranks, true, 60'000);
    copying.home.switches.sharing = false;
    copying.run(body);
    always.home.switches.learning = false;
    always.run(body);
    checked.home.switches.check = true;
    checked.home.switches.plan = checked.home.switches.cache = checked.home.switches.patterns = false;
    checked.run([&] {
      body();
      finish_checks();
    });
    direct.home.switches.patterns = false;
    direct.run(body);
    narrow.run(body);
  }
}

/// Where nothing is shared, a value that is given stays.
inline bool gives() { return switches(here()).sharing; }

using Array = double[3'000];
using Vector = std::vector<int>;

template <std::size_t length>
void fill(double (&array)[length], double value) {
  for (std::size_t i = 0; i < length; ++i) array[i] = value + static_cast<double>(i);
}
template <std::size_t length>
void expect_filled(const double (&array)[length], double value) {
  for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(array[i], value + static_cast<double>(i));
}

struct CountingJob : TestJob {
  explicit CountingJob(int count, bool shares_addresses = true) : TestJob(count, shares_addresses) {
    home.switches.statistics = true;
  }
};

inline SharingCounts block_counts() {
  SharingCounts sum;
  for (int line = 1; line < 1'000; ++line) {
    const SharingCounts& one = *SharingCounters::at(here(), test_file, line);
    sum.copied_bytes += one.copied_bytes;
    sum.shared_bytes += one.shared_bytes;
    sum.handed_over_bytes += one.handed_over_bytes;
  }
  return sum;
}

/// `place@(i + 1) % size <<= value@i` for all ranks.
template <class Place, class Value>
void shift(Place& place, const Value& value) {
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world)) binding(bind, (i + 1) % world.size(), AT(place), i, SEND(value), i);
  });
  block.run();
}

inline int left_of(int rank) { return (rank + world.size() - 1) % world.size(); }

template <class T>
void broadcast(globalised<T>& variable, int root, bool give) {
  BLOCK;
  if (give) {
    block.assign(FORM(broadcast_form), {world.size(), root}, [&](auto& bind) {
      for (const auto i : bind.only(0, abi::each(world)))
        binding(bind, i, AT(variable), root, SEND(variable.give()), i);
    });
  } else {
    block.assign(FORM(broadcast_form), {world.size(), root}, [&](auto& bind) {
      for (const auto i : bind.only(0, abi::each(world)))
        binding(bind, i, AT(variable), root, SEND(variable), i);
    });
  }
  block.run();
}

template <class Place, class Value, class Operation>
void reduce(Place& place, Value& value, int first, const Operation& operation, bool give) {
  BLOCK;
  if constexpr (requires { value.give(); }) {
    if (give)
      block.reduce(SITE, operation, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(first, world.size() - 1))
          binding(bind, 0, AT(place), i, SEND(value.give()), i);
      });
  }
  if (!give)
    block.reduce(SITE, operation, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(first, world.size() - 1)) binding(bind, 0, AT(place), i, SEND(value), i);
    });
  block.run();
}

template <class Place, class Value, class Operation>
void all_reduce(Place& place, Value& value, const Operation& operation) {
  BLOCK;
  block.reduce(FORM(all_reduce_form), {world.size()}, operation, [&](auto& kanor_bind, auto kanor_operation) {
    const Reducing bind(kanor_bind, kanor_operation);
    for (const auto i : bind.only(0, abi::each(world)))
      for (const auto j : bind.only(1, abi::each(world))) binding(bind, i, AT(place), j, SEND(value), i, j);
  });
  block.run();
}

}  // namespace kanor::rt
