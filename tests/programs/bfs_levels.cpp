// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// Breadth-first search of a random graph: vertices belong to ranks, the frontier is exchanged level by level until
// no rank has one left.
#include "oracle.hpp"

#include <algorithm>
#include <deque>
#include <vector>

namespace {

constexpr int vertices = 1500;

std::vector<std::vector<int>> random_graph() {
  oracle::Numbers numbers(8);
  std::vector<std::vector<int>> edges(vertices);
  for (int k = 0; k < 2 * vertices; ++k) {
    const int a = numbers.below(vertices), b = numbers.below(vertices);
    edges[a].push_back(b);
    edges[b].push_back(a);
  }
  return edges;
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const auto edges = random_graph();
  std::vector<int> level(vertices, -1);  // of this rank's vertices: those with v % n == me
  std::vector<int> frontier;
  if (me == 0) {
    level[0] = 0;
    frontier.push_back(0);
  }
  for (int depth = 1;; ++depth) {
    std::vector<std::vector<int>> found(n), arrived(n);
    for (const int vertex : frontier)
      for (const int next : edges[vertex]) found[next % n].push_back(next);
    @communicate { arrived[i]@j <<= found[j]@i where i, j in world }
    frontier.clear();
    for (const auto& part : arrived)
      for (const int vertex : part)
        if (level[vertex] < 0) {
          level[vertex] = depth;
          frontier.push_back(vertex);
        }
    bool busy = !frontier.empty(), anyone = false;
    @communicate { anyone@i << || << busy@s where i, s in world }
    if (!anyone) break;
  }

  std::vector<int> wanted(vertices, -1);
  std::deque<int> queue{0};
  wanted[0] = 0;
  while (!queue.empty()) {
    const int vertex = queue.front();
    queue.pop_front();
    for (const int next : edges[vertex])
      if (wanted[next] < 0) {
        wanted[next] = wanted[vertex] + 1;
        queue.push_back(next);
      }
  }
  bool right = true;
  for (int vertex = me; vertex < vertices; vertex += n) right = right && level[vertex] == wanted[vertex];
  return oracle::verdict("bfs_levels", right);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
