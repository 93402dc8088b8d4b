// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that passes through the members of a team, one after the other.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kanor {

/// Calls `stage(k, value)` on each member for k = 0 to count - 1. On rank 0 of the team, the value is what
/// `first(k)` returns; on every other rank, what the stage of the rank before has returned for this k. Returns
/// what the stages of the last rank have returned, on that rank; on the others, an empty vector. So while
/// rank 1 is at item k, rank 0 is at item k + 1: in a matrix whose rows are distributed, for example, the
/// items are its tiles from left to right, and the values are the last row of the tile above.
///
/// Executes `count` + team size - 2 blocks of the team, so all members must call it, with the same count. A
/// rank waits only for the rank before it. Throws std::invalid_argument if the count is negative. The value's
/// type is that of `first(k)`; it must travel, and have a default constructor.
template <std::invocable<long> First, class Value = std::remove_cvref_t<std::invoke_result_t<First&, long>>,
          std::invocable<long, Value> Stage>
requires std::convertible_to<std::invoke_result_t<Stage&, long, Value>, Value>
std::vector<Value> pipeline([[kanor::uniform]] long count, First first, Stage stage,
                            const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::pipeline", where);
  if (count < 0) throw std::invalid_argument(call.text("the pipeline has " + std::to_string(count) + " items"));
  const long me = members.rank(), last = members.size() - 1;
  std::vector<Value> results;
  Value given{}, made{};
  // In step t, rank r is at item t - r.
  for (long step = 0; step < count + last; ++step) {
    if (const long item = step - me; 0 <= item && item < count) {
      made = me == 0 ? std::invoke(stage, item, Value(std::invoke(first, item)))
                     : std::invoke(stage, item, std::move(given));
      if (me == last) results.push_back(std::move(made));
    }
    if (step + 1 == count + last) break;  // nobody is left to receive
    @communicate (team = members) {
      given@r + 1 <<= made@r where r in range(std::max(step - count + 1, 0L), std::min(step + 1, last))
    }
  }
  return results;
}

}  // namespace kanor
