// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of few plain values, written as kanorc emits them, for tests.
#pragma once

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/block.hpp"

namespace kanor::rt {

inline constexpr const char* broadcast_form = "i: 0 .. $0 - 1; to i; from $1; is broadcast";
inline constexpr const char* shift_form = "i: 0 .. $0 - 1; to (i + $1) % $0; from i; is shift";
inline constexpr const char* pairs_form = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_to_all";
inline constexpr const char* reduce_form = "i: 0 .. $0 - 1; to 0; from i; is reduce";
/// Of a statement with a filter that nobody has described.
inline constexpr const char* filtered_form = "i: 0 .. $0 - 1; to (i + 1) % $0; from i";

/// Counts executions of the usual kind, by what is evaluated in them.
struct Usual {
  int count = 0;
  template <class T>
  const T& operator()(const T& value) {
    count += Blocks::here().current() != nullptr;
    return value;
  }
};

template <class T>
void broadcast(T& place, const T& value, int root, Usual& usual, const team& members = world) {
  abi::block block({test_file, 31, "test"}, {.team = members});
  block.assign({31, "a statement", "i", 0, broadcast_form}, {members.size(), root}, [&](auto& bind) {
    for (const auto i : bind.only(0, abi::each(members)))
      binding(bind, i, AT(place), root, SEND(usual(value)), i);
  });
  block.run();
}

template <class Place, class Value>
void shift(Place&& place, const Value& value, int distance, Usual& usual, const team& members = world,
           int line = 41) {
  abi::block block({test_file, line, "test"}, {.team = members});
  block.assign({line, "a statement", "i", 0, shift_form}, {members.size(), distance}, [&](auto& bind) {
    for (const auto i : bind.only(0, abi::each(members)))
      binding(
          bind, (i + distance) % members.size(), [&](auto at) { return at(static_cast<Place&&>(place)); }, i,
          SEND(usual(value)), i);
  });
  block.run();
}

inline int from(int distance, const team& members = world) {
  return (members.rank() + members.size() - distance % members.size()) % members.size();
}

}  // namespace kanor::rt
