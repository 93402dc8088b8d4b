// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a rank that has tasks hands them out to others, the workers, and collects the results.
#pragma once

#include <kanor/abi/pairs.hpp>
#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace kanor::detail {

/// The teams of the manager, rank 0 of both, and one worker, rank 1. Their blocks are two sequences, so that the
/// manager may send the next task before or after it has a result.
struct worker_teams {
  team tasks, results;
};

/// Returns the teams of all workers on the manager, and its own teams on a worker.
inline std::vector<worker_teams> pair_with_workers(int manager, const team& members, const call_site& where) {
  const int line = static_cast<int>(where.line());
  const std::vector<team> tasks = abi::pairs(members, manager, where.file_name(), line);
  const std::vector<team> results = abi::pairs(members, manager, where.file_name(), line);
  std::vector<worker_teams> all;
  for (std::size_t i = 0; i < tasks.size(); ++i) all.push_back({tasks[i], results[i]});
  return all;
}

/// Sends the manager's task to the worker; nothing, if there are no more. The manager does not wait.
template <class Task>
void pass_task(std::optional<Task>& task, const worker_teams& worker) {
  @communicate (team = worker.tasks, copy) { task@1 <<= task@0 }
}

/// Starts to send the worker's result to the manager, whose wait ends when it is there. The worker's wait ends
/// at once.
template <class Result>
pending pass_result(Result& result, const worker_teams& worker) {
  @communicate (team = worker.results, async = passed, copy) { result@0 <<= result@1 }
  return passed;
}

/// Computes the manager's tasks until there are no more.
template <class Task, class Result, class Function>
void work_for(const worker_teams& own, Function& function) {
  std::optional<Task> task;
  for (pass_task(task, own); task; pass_task(task, own)) {
    Result result = std::invoke(function, *std::move(task));
    pass_result(result, own).wait();
  }
}

/// The elements of a range, which are read a few ahead to know how many are left.
template <class Tasks>
class task_source {
 public:
  explicit task_source(Tasks& tasks) : next_(std::ranges::begin(tasks)), end_(std::ranges::end(tasks)) {}

  /// Returns true if so many are left.
  bool has(std::size_t count) {
    for (; ahead_.size() < count && next_ != end_; ++next_) ahead_.emplace_back(*next_);
    return ahead_.size() >= count;
  }
  /// Returns the next one, which there is.
  std::ranges::range_value_t<Tasks> take() {
    auto first = std::move(ahead_.front());
    ahead_.pop_front();
    return first;
  }

 private:
  std::ranges::iterator_t<Tasks> next_;
  std::ranges::sentinel_t<Tasks> end_;
  std::deque<std::ranges::range_value_t<Tasks>> ahead_{};
};

/// Hands out the tasks. Keeps the last one for itself; and all of them, if there are no workers.
template <class Tasks, class Result>
class work_manager {
 public:
  work_manager(Tasks& tasks, const std::vector<worker_teams>& workers) : source_(tasks), coming_(workers.size()) {
    for (const worker_teams& teams : workers) workers_.push_back({teams, {}, {}});
  }

  template <class Function>
  std::vector<Result> run(Function& function) {
    for (std::size_t one = 0; one < workers_.size(); ++one) serve(one);
    while (!workers_.empty() && source_.has(2)) serve(collect());
    std::optional<task> own = next_own();
    dismiss_all();  // before it computes: they may go on
    for (; own; own = next_own()) {
      const std::size_t index = count_++;
      store(index, std::invoke(function, *std::move(own)));
    }
    while (collect() != workers_.size()) {}
    return std::move(results_);
  }

 private:
  using task = std::ranges::range_value_t<Tasks>;
  struct worker {
    worker_teams teams;
    Result came{};                  ///< where its oldest result arrives
    std::deque<std::size_t> given;  ///< the indices of its tasks whose results have not come
  };

  std::optional<task> next_own() {
    if (!source_.has(1)) return std::nullopt;
    return source_.take();
  }

  /// Gives the worker a task if it has none, unless only the last one is left; and one more, which waits there,
  /// if enough are left for all other ranks.
  void serve(std::size_t number) {
    worker& one = workers_[number];
    while (one.given.size() < 2 && source_.has(one.given.empty() ? 2 : workers_.size() + 2)) {
      std::optional<task> next = source_.take();
      one.given.push_back(count_++);
      pass_task(next, one.teams);
      if (one.given.size() == 1) coming_[number] = pass_result(one.came, one.teams);
    }
  }

  /// Waits for a result, and returns the worker that has sent it; the number of workers, if none is due.
  std::size_t collect() {
    const std::size_t number = wait_any(coming_);
    if (number == workers_.size()) return number;
    worker& one = workers_[number];
    store(one.given.front(), std::move(one.came));
    one.given.pop_front();
    if (!one.given.empty()) coming_[number] = pass_result(one.came, one.teams);
    return number;
  }

  void dismiss_all() {
    std::optional<task> none;
    for (const worker& one : workers_) pass_task(none, one.teams);
  }

  void store(std::size_t index, Result result) {
    if (results_.size() <= index) results_.resize(index + 1);
    results_[index] = std::move(result);
  }

  task_source<Tasks> source_;
  std::vector<worker> workers_{};
  std::vector<pending> coming_;  ///< the worker's oldest result; ends, after an exception, before its place does
  std::size_t count_ = 0;        ///< the number of tasks that somebody has got
  std::vector<Result> results_{};
};

}  // namespace kanor::detail
