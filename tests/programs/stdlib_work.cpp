// RUN: rm -rf %t.done; mkdir %t.done; %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5,9 %t %t.done
// Tasks that ranks take one after the other. The oracle computes them one by one.
#include "../conformance/check.hpp"
#include "arrays.hpp"
#include "oracle.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kanor/std/collectives.hpp>
#include <kanor/std/work_queue.hpp>

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using arrays::at;
using arrays::throws;
using kanor::team;
using kanor::world;
using oracle::Numbers;
using values::Point;

/// Takes a time that depends on the number: a few numbers take much longer.
unsigned work(unsigned number) {
  unsigned result = number;
  const int rounds = values::mixed(number) % 16 == 0 ? 20'000 : 20;
  for (int round = 0; round < rounds; ++round) result = values::mixed(result);
  return result;
}

/// Tasks of any type; the result is made of the task's length, its text and what the work gives.
template <class Task>
struct Result {
  Task task;
  unsigned number = 0;
  bool operator==(const Result&) const = default;
};

template <class Task>
void tasks_of(const team& members, int root, int count, unsigned seed) {
  const auto number_of = [seed](long task) { return seed + static_cast<unsigned>(task); };
  std::vector<Task> tasks;
  // Only the root's are used.
  for (int k = 0; k < (members.rank() == root ? count : 3); ++k) tasks.push_back(values::of<Task>(number_of(k)));
  long computed = 0;
  const auto found = kanor::work_queue(
      tasks,
      [&](const Task& task) {
        ++computed;
        return Result<Task>{task, work(static_cast<unsigned>(sizeof(task)))};
      },
      root, members);
  CHECK_EQ(kanor::all_sum(computed, members), long{count});
  CHECK_EQ(found.size(), at(members.rank() == root ? count : 0));
  for (std::size_t k = 0; k < found.size(); ++k)
    CHECK(found[k] ==
          Result<Task>{values::of<Task>(number_of(static_cast<long>(k))), work(static_cast<unsigned>(sizeof(Task)))});
}

void many_tasks(const team& members, int root) {
  constexpr int count = 10'000;
  const auto found = kanor::work_queue(std::views::iota(0u, static_cast<unsigned>(count)), work, root, members);
  CHECK_EQ(found.size(), at(members.rank() == root ? count : 0));
  unsigned expected = 0, sum = 0;
  for (unsigned k = 0; k < found.size(); ++k) {
    CHECK(found[k] == work(k));
    expected += work(k);
    sum += found[k];
  }
  CHECK_EQ(sum, expected);
}

/// What ranges may be: lists, single passes, and what is made while it is read. At most as many elements are
/// read ahead as there are ranks.
void ranges(const team& members, int root) {
  const auto length = [](const std::string& word) { return word.size(); };
  const std::list<std::string> words{"one", "", "three", "words more"};
  const auto lengths = kanor::work_queue(words, length, root, members);
  if (members.rank() == root) CHECK_EQ(lengths, std::vector<std::size_t>{3, 0, 5, 10});
  std::istringstream text("1 22 333 4444 55555 666666");
  const auto digits = kanor::work_queue(std::views::istream<std::string>(text), length, root, members);
  if (members.rank() == root) CHECK_EQ(digits, std::vector<std::size_t>{1, 2, 3, 4, 5, 6});

  const auto even = kanor::work_queue(std::vector<bool>{true, false, true}, [](bool b) { return !b; }, root, members);
  if (members.rank() == root) CHECK_EQ(even, std::vector<bool>{false, true, false});

  int read = 0, computed = 0;
  const auto squares = kanor::work_queue(
      std::views::iota(0, 50) | std::views::transform([&](int k) { return ++read, k; }),
      [&](int k) { return ++computed, k * k; }, root, members);
  CHECK_EQ(read, members.rank() == root ? 50 : 0);
  if (members.size() == 1) CHECK_EQ(computed, 50);
  for (std::size_t k = 0; k < squares.size(); ++k) CHECK_EQ(at(squares[k]), k * k);
}

/// Adds a byte to the file, which all ranks see.
void note(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  CHECK(::write(file, "x", 1) == 1);  // not CHECK_EQ: ranks call it in other numbers each time
  ::close(file);
}

long noted(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<long>(status.st_size) : 0;
}

/// The first task ends when all others have been computed, but the one that may wait behind it.
void one_slow_task(const std::string& folder) {
  if (world.size() < 3) return;
  int process = static_cast<int>(::getpid());
  kanor::broadcast(process, 0);
  const std::string path = folder + "/" + std::to_string(process);
  constexpr int count = 200;
  const auto found = kanor::work_queue(std::views::iota(0, count), [&](int task) {
    for (int ms = 0; task == 0 && ms < 30'000 && noted(path) < count - 2; ++ms) ::usleep(1'000);
    const long before = noted(path);
    note(path);
    return task == 0 ? before : world.rank();
  });
  for (int task = 1; task < count && world.rank() == 0; ++task) CHECK((found[at(task)] == 0) == (task == count - 1));
  if (world.rank() == 0) {
    CHECK(found.front() >= count - 2);
    CHECK_EQ(noted(path), long{count});
    ::unlink(path.c_str());
  }
}

/// As many tasks as ranks: each computes one. And one more.
void as_many_as_ranks(const team& members, int root) {
  for (const int more : {0, 1}) {
    const int count = members.size() + more;
    const auto found =
        kanor::work_queue(std::views::iota(0, count), [&](int) { return members.rank(); }, root, members);
    if (members.rank() != root) continue;
    CHECK_EQ(found.back(), root);
    if (more == 0) CHECK_EQ(std::set<int>(found.begin(), found.end()).size(), at(count));
  }
}

/// An exception that the function catches; a call that no rank can make.
void exceptions(const team& members, int root) {
  const auto found = kanor::work_queue(
      std::vector<int>{1, 0, 5},
      [](int divisor) -> std::optional<int> {
        try {
          return divisor == 0 ? throw std::domain_error("no number") : 10 / divisor;
        } catch (const std::domain_error&) {
          return std::nullopt;
        }
      },
      root, members);
  if (members.rank() == root) CHECK(found == std::vector<std::optional<int>>{10, std::nullopt, 2});
  for (const int wrong : {-1, members.size()})
    CHECK(throws<std::out_of_range>([&] {
      kanor::work_queue(std::vector<int>{1}, [](int task) { return task; }, wrong, members);
    }));
}

void all_of_team(const team& members, Numbers random) {
  for (const int count : {0, 1, 2, 3, 7, 40}) {
    const int root = random.below(members.size());
    tasks_of<int>(members, root, count, random.next());
    tasks_of<std::string>(members, root, count, random.next());
    tasks_of<std::vector<int>>(members, root, count, random.next());
    tasks_of<Point>(members, root, count, random.next());
    ranges(members, root);
    as_many_as_ranks(members, root);
    exceptions(members, root);
  }
  many_tasks(members, members.size() - 1);
}

/// Long tasks and results, of many pieces of memory.
void long_values() {
  std::vector<std::vector<double>> tasks;
  for (int k = 0; k < 12; ++k) tasks.emplace_back(at(40'000 + 1'000 * k), 0.5 * k);
  const auto found = kanor::work_queue(tasks, [](std::vector<double> task) {
    std::map<int, std::vector<double>> halves;
    halves[1].assign(task.begin() + static_cast<long>(task.size() / 2), task.end());
    task.resize(task.size() / 2);
    halves[0] = std::move(task);
    return halves;
  });
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k].at(0) == std::vector<double>(tasks[k].size() / 2, tasks[k][0]));
    CHECK(found[k].at(1) == std::vector<double>(tasks[k].size() - tasks[k].size() / 2, tasks[k][0]));
  }
}

}  // namespace

int main(int, char** argv) {
  Numbers random(2028);
  all_of_team(world, random);
  const team half = world.split(world.rank() % 2, -world.rank());
  all_of_team(half, Numbers(random.next() + static_cast<unsigned>(world.rank() % 2)));
  long_values();
  one_slow_task(argv[1]);
  return check::finish("stdlib_work");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
