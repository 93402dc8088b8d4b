// RUN: %kanorc -O2 -Wall -Wextra -Werror %s -o %t && %run_everywhere %t
// Types that hold themselves, and containers of every kind and of each other.
#include "check.hpp"

#include <cstdlib>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

struct Tree {
  int value = 0;
  std::vector<Tree> children;
  bool operator==(const Tree&) const = default;
};

struct Node {
  std::string name;
  std::map<std::string, Node> members;
  std::vector<Node> versions[2];
  bool operator==(const Node&) const = default;
};

namespace {

Tree tree(int depth, int value) {
  Tree made{value, {}};
  for (int child = 0; child < depth; ++child) made.children.push_back(tree(depth - 1, 10 * value + child));
  return made;
}

Node node(int rank) {
  Node inner{"inner " + std::to_string(rank), {}, {}};
  Node made{"outer", {{"a", inner}, {"b", inner}}, {}};
  made.versions[1] = {inner, made};
  return made;
}

/// Sends a value around the ring and to all, and compares it with what that rank has.
template <class T, class Make>
void travels(const Make& make) {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const T mine = make(me);
  T next, root;
  std::vector<T> all(static_cast<std::size_t>(n));
  @communicate {
    next@i <<= mine@(i + 1) % n where i in world;
    root@i <<= mine@0 where i in world;
    all[i]@j <<= mine@i where i, j in world
  }
  CHECK(next == make((me + 1) % n));
  CHECK(root == make(0));
  for (int i = 0; i < n; ++i) CHECK(all[static_cast<std::size_t>(i)] == make(i));
}

/// Orders by the distance from a number.
struct Near {
  int wanted = 0;
  bool operator()(int a, int b) const { return std::abs(a - wanted) > std::abs(b - wanted); }
};

/// The elements in the order in which they come out.
template <class T>
std::vector<typename T::value_type> emptied(T adaptor) {
  std::vector<typename T::value_type> out;
  for (; !adaptor.empty(); adaptor.pop()) {
    if constexpr (requires { adaptor.front(); })
      out.push_back(adaptor.front());
    else
      out.push_back(adaptor.top());
  }
  return out;
}

/// Sends a queue and the like, which cannot all be compared, around the ring.
template <class T>
void comes_out_the_same(const std::function<T(int)>& make) {
  const int n = kanor::world.size();
  const T mine = make(kanor::world.rank());
  T next = make(7);
  std::vector<T> all(static_cast<std::size_t>(n));
  @communicate {
    next@i <<= mine@(i + 1) % n where i in world;
    all[i]@j <<= mine@i where i, j in world
  }
  CHECK(emptied(next) == emptied(make((kanor::world.rank() + 1) % n)));
  for (int i = 0; i < n; ++i) CHECK(emptied(all[static_cast<std::size_t>(i)]) == emptied(make(i)));
}

std::string text(int rank) { return "text of rank " + std::to_string(rank) + ", longer than what fits inside"; }

}  // namespace

int main() {
  travels<Tree>([](int rank) { return tree(3, rank + 1); });
  travels<Node>([](int rank) { return node(rank); });
  travels<std::set<std::pair<int, int>>>([](int rank) { return std::set<std::pair<int, int>>{{rank, 1}, {7, rank}}; });
  travels<std::set<std::string>>([](int rank) { return std::set<std::string>{text(rank), "b"}; });
  travels<std::multiset<std::vector<int>>>([](int rank) { return std::multiset<std::vector<int>>{{rank}, {rank}, {1, 2}}; });
  travels<std::multimap<int, std::string>>([](int rank) { return std::multimap<int, std::string>{{1, text(rank)}, {1, "b"}}; });
  travels<std::unordered_map<std::string, std::vector<int>>>(
      [](int rank) { return std::unordered_map<std::string, std::vector<int>>{{text(rank), {rank, 2}}, {"b", {}}}; });
  travels<std::unordered_set<std::string>>([](int rank) { return std::unordered_set<std::string>{text(rank), "b"}; });
  travels<std::map<std::pair<int, std::string>, std::set<int>>>(
      [](int rank) { return std::map<std::pair<int, std::string>, std::set<int>>{{{rank, text(rank)}, {1, rank}}}; });
  travels<std::list<std::pair<std::string, int>>>(
      [](int rank) { return std::list<std::pair<std::string, int>>{{text(rank), rank}, {"b", 0}}; });
  travels<std::deque<std::optional<std::string>>>(
      [](int rank) { return std::deque<std::optional<std::string>>{text(rank), std::nullopt}; });
  comes_out_the_same<std::queue<int>>([](int rank) { return std::queue<int>(std::deque<int>{rank, 2, 1}); });
  comes_out_the_same<std::queue<std::string, std::list<std::string>>>(
      [](int rank) { return std::queue<std::string, std::list<std::string>>(std::list<std::string>{text(rank), "b"}); });
  comes_out_the_same<std::stack<std::vector<std::string>>>(
      [](int rank) { return std::stack<std::vector<std::string>>(std::deque<std::vector<std::string>>{{text(rank)}, {}}); });
  // A queue's elements with the same rank in its order come out as they would from a copy.
  using Early = std::pair<int, std::string>;
  auto later = [](const Early& a, const Early& b) { return a.first > b.first; };
  using Events = std::priority_queue<Early, std::vector<Early>, decltype(later)>;
  comes_out_the_same<Events>([](int rank) {
    Events events;
    for (int i = 0; i < 20; ++i) events.push({i % 3, text(100 * rank + i)});
    return events;
  });
  using Distances = std::priority_queue<int, std::vector<int>, Near>;
  comes_out_the_same<Distances>([](int rank) { return Distances(Near{10 * rank}, {1, 2, 8, 9, 10, 11, 19, 20, 21, 30}); });
  travels<std::variant<std::string, std::vector<int>>>([](int rank) {
    return rank % 2 == 0 ? std::variant<std::string, std::vector<int>>(text(rank)) : std::vector<int>{rank, 1};
  });
  return check::finish("containers");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
