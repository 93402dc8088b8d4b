// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that ranks take one after the other, each when it has finished one.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/expect.hpp>
#include <kanor/std/detail/work.hpp>

#include <concepts>
#include <functional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace kanor {

/// Calls `function(task)` for each element of the range `tasks` of rank `root`, on any rank of the team, and
/// returns what it has returned, in the order of the tasks, on `root`; on the others, an empty vector. The
/// ranges of the other ranks are ignored.
///
/// A rank gets its next task when it has finished one, so slow tasks do not hold up other ranks. Which rank
/// computes a task differs from run to run. `root` sleeps until another rank has finished a task. It computes
/// the last task itself, and if there are no other ranks, all tasks. It computes no others, because all ranks
/// that need a task would wait until it is done. So start one rank more than there are cores.
///
/// While there are more tasks left than ranks, each rank has one task waiting beside the one that it computes.
/// The range is read when tasks are sent, and at most as many elements ahead as there are ranks.
///
/// All members must call it, with the same root. `function` must not execute blocks. An exception of it, or of
/// reading the range, leaves the call on that rank alone, and should end the job: if it is caught outside of
/// `function`, the other ranks wait for ever. Throws std::out_of_range if the team has no rank `root`. Tasks
/// and results must travel, and have a default constructor.
template <std::ranges::input_range Tasks, class Task = std::ranges::range_value_t<Tasks>, class Function,
          class Result = std::remove_cvref_t<std::invoke_result_t<Function&, Task>>>
requires std::invocable<Function&, Task> && std::default_initializable<Task> && std::default_initializable<Result>
std::vector<Result> work_queue(Tasks&& tasks, Function function, [[kanor::uniform]] int root = 0,
                               const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::work_queue", where);
  if (root < 0 || root >= members.size())
    throw std::out_of_range(call.text("the root is rank " + std::to_string(root) + ", and " +
                                      detail::members_text(members)));
  const std::vector<detail::worker_teams> workers = detail::pair_with_workers(root, members, where);
  if (members.rank() == root) return detail::work_manager<Tasks, Result>(tasks, workers).run(function);
  detail::work_for<Task, Result>(workers.front(), function);
  return {};
}

}  // namespace kanor
