// RUN: %kanorc --dump=plan %s | %python %root/tests/tools/check_patterns.py %s
// Patterns are recognised on what ranks and sets compute, not on how they are spelled: each statement's pattern stands
// behind it.
#include <kanor/grid.hpp>
#include <kanor/kanor.hpp>
#include <vector>

int owner(int);

void one_to_one(int x, int root, int step, int* a, std::vector<int>& v, const kanor::grid<2>& g) {
  const int n = kanor::world.size(), last = n - 1;
  auto size = kanor::world.size();
  // clang-format off
  @communicate { x@0 <<= x@1 }  // point_to_point
  @communicate { x@root <<= x@(root + 1) % world.size() }  // point_to_point
  @communicate { a[k]@0 <<= a[k + 1]@last where k in {0 ... 9} }  // point_to_point
  @communicate { a[k]@to <<= a[k]@3 where k in v, let to = root * 2, v[k] > 0 }  // point_to_point
  @communicate { x@0 << + << a[k]@1 where k in range(0, 9) }  // point_to_point
  @communicate { x@i <<= x@1 where i in {2, 3} }  // general
  @communicate { x@v[0] <<= x@1 }  // point_to_point
  @communicate { x@v[k] <<= x@1 where k in world }  // general

  @communicate { x@(i + 1) % world.size() <<= x@i where i in world }  // shift
  @communicate { x@r <<= x@(r + n - 1) % n where r in {0 ... n - 1} }  // shift
  @communicate { x@to <<= x@from where from in range(0, size), let to = (step + from) % size }  // shift
  @communicate { x@j <<= x@i where i, j in world, j == i + 1 }  // shift
  @communicate { x@(i - 1 + n) % n <<= x@i where i in {0 ... last} }  // shift
  @communicate { x@i + 2 <<= x@i where i in world, i + 2 < n }  // shift
  @communicate { x@((i - step) % n + n) % n <<= x@i where i in world }  // shift
  @communicate { a[k]@i + 1 <<= a[k]@i where k in {0 ... 9}, i in world, i < last }  // shift
  @communicate { x@(i + 1) % root <<= x@i where i in world }  // general
  @communicate { x@(i + 1) % n <<= x@i % n where i in {0 ... 2 * n} }  // general
  @communicate { x@owner(i) <<= x@i where i in world }  // general
  @communicate { x@i + j <<= x@i where i in world, j in {0 ... root} }  // general
  @communicate { x@j <<= x@i where i, j, k in world, j == k + 1, i == k }  // shift
  @communicate { x@(i + 1) % n <<= x@i % n where i in {0 ... n} }  // general

  @communicate { x@i ^ 1 <<= x@i where i in world }  // permutation
  @communicate { x@i <<= x@last - i where i in world }  // permutation
  @communicate { x@(step - i + n) % n <<= x@i where i in world }  // permutation
  @communicate { x@(i * step + j) <<= x@(j * step + i) where i, j in {0 ... step - 1} }  // permutation
  @communicate { x@j <<= x@i where i, j in world, i + j == n - 1 }  // permutation
  @communicate { x@2 * i + 1 <<= x@2 * i where i in world, 2 * i + 1 < n }  // shift
  @communicate { x@(1 << root ^ i) <<= x@i where i in world, (i ^ 1 << root) < n }  // permutation
  @communicate { x@2 * i % n <<= x@i where i in world }  // general
  @communicate { x@i / 2 <<= x@i where i in world }  // general
  @communicate { x@(i * step + j) <<= x@(j * step + i) where i, j in {0 ... step} }  // general
  @communicate { x@(i & 6) <<= x@i where i in world }  // general
  @communicate { x@(i ^ i + 1) <<= x@i where i in world }  // general

  @communicate { a[d]@g.neighbor(i, d, 1) <<= x@i where i in world, d in {0, 1} }  // neighbours
  @communicate { a[d]@i <<= x@g.neighbor(i, d, s) where s in {-1, 1}, d in {0 ... 1}, i in range(0, n) }  // neighbours
  @communicate { x@g.neighbor(to, 0, step) <<= x@to where r in world, let to = r }  // neighbours
  @communicate { a[1 + d]@(i + d + n) % n <<= x@i where i in world, d in {-1 ... 1} }  // neighbours
  @communicate { a[0]@i + 1 <<= x@i where i in world, i + 1 < n;  // neighbours
                 a[1]@j - 1 <<= x@j where j in world, 0 < j }  // neighbours
  @communicate { a[0]@i <<= x@(i + 1) % n where i in world;  // neighbours
                 a[1]@i <<= x@(i + n - 1) % n where i in world;  // neighbours
                 a[1]@0 <<= x@1 }  // point_to_point
  @communicate { a[0]@i <<= x@(i + n - 1) % n where i in world;  // shift
                 a[1]@i <<= x@(i - 1 + 2 * n) % n where i in world }  // shift
  @communicate { x@g.neighbor(i, i % 2, 1) <<= x@i where i in world }  // general
  @communicate { x@g.neighbor(i, 0, 1) <<= x@j where i, j in world }  // general
  @communicate { a[k]@(i + k + n) % n <<= x@i where i in world, k in v }  // general
  @communicate { x@4 * i + j <<= x@i + j where i, j in {0 ... 3} }  // general
}

void one_to_all(int x, int root, int* a, std::vector<int>& v, bool active) {
  const int n = kanor::world.size();
  @communicate { x@i <<= x@0 where i in world }  // broadcast
  @communicate { a[r]@r <<= x@root where r in {0 ... n - 1} }  // broadcast
  @communicate { a[k]@i <<= a[k]@root where k in v, i in range(0, n) }  // broadcast
  @communicate { x@i <<= x@root where i in {-3 ... 2 * n}, i >= 0 && !(i > n - 1) }  // broadcast
  @communicate { x@n - j <<= x@(root + 1) % n where j in {1 ... n} }  // broadcast
  @communicate { x@i <<= x@root where i in world, i != root }  // broadcast
  @communicate { x@i <<= x@root where i in world, !(root == i), i + 1 > 0 }  // broadcast
  @communicate { x@i <<= x@0 where i in {1 ... n - 1} }  // general
  @communicate { x@i <<= x@0 where i in {0 ... n - 2} }  // general
  @communicate { x@i <<= x@0 where i in {0 ... root} }  // general
  @communicate { x@i <<= x@0 where i in world, (active) }  // general
  @communicate { x@i <<= x@0 where i in world, v[i] > 0 }  // general
  @communicate { x@i <<= x@0 where i in world, i % 2 == 0 }  // general
  @communicate { x@2 * i <<= x@0 where i in world }  // general
  @communicate { x@i <<= x@0 where i in v }  // general
  @communicate { x@i << + << x@0 where i in world }  // general

  @communicate { x@i <<= a[i]@0 where i in world }  // scatter
  @communicate { x@r <<= a[k]@root where r in range(0, n), let k = 2 * r }  // scatter
  @communicate { a[k]@i <<= a[i * 10 + k]@root where i in world, k in {0 ... 9} }  // scatter
  @communicate { a[k]@i <<= a[k]@root where i in world, k in {0 ... i} }  // scatter
  @communicate { x@j - 1 <<= a[j]@root where j in {1 ... n}, root != j - 1 }  // scatter
  @communicate { a[k]@i <<= a[k]@root where k in world, i in world, k < i }  // scatter
  @communicate { a[k]@i <<= a[k]@root where i in world, k in {0 ... 9}, v[i + k] > 0 }  // scatter
  @communicate { x@i <<= a[i]@i where i in world }  // shift

  @communicate { a[i]@0 <<= x@i where i in world }  // gather
  @communicate { a[r]@root <<= x@r where r in {0 ... n - 1} }  // gather
  @communicate { a[k]@(root + 1) % n <<= x@i where i in range(0, n), let k = i / 2 }  // gather
  @communicate { a[i * 9 + k]@root <<= a[k]@i where k in {0 ... 8}, i in world }  // gather
  @communicate { a[i - 1]@root <<= x@i - 1 where i in {1 ... n}, i > 0 }  // gather
  @communicate { x@root <<= x@i where i in range(0, n) }  // general
  @communicate { a[i]@root <<= x@i where i in {0 ... n / 2} }  // general
}

void all_to_all(int x, int* a, int (*m)[8], const std::vector<int>& counts) {
  const int n = kanor::world.size();
  @communicate { a[i]@j <<= x@i where i, j in world }  // all_gather
  @communicate { a[s]@r <<= x@s where r in world, s in {0 ... n - 1} }  // all_gather
  @communicate { a[to]@from <<= x@to where from in range(0, n), to in world }  // all_gather
  @communicate { a[i]@j <<= x@i where i, j in world, i != j }  // all_gather
  @communicate { a[k]@j <<= x@i where j in world, i in {1 - 1 ... n - 1}, let k = 3 * i }  // all_gather
  @communicate { a[(i + k) % n]@i <<= x@(i + k) % n where i in world, k in {0 ... n - 1} }  // all_gather
  @communicate { a[j]@j <<= x@i where i in range(0, n), j in world }  // general
  @communicate { a[i]@j <<= x@i where i, j in world, i < j }  // general
  @communicate { a[i]@j <<= x@i where i, j in {0 ... n} }  // all_gather

  @communicate { m[0][i]@j <<= m[1][j]@i where i, j in world }  // all_to_all
  @communicate { a[s]@r <<= a[r]@s where r in {0 ... n - 1}, s in world }  // all_to_all
  @communicate { m[i][k]@j <<= m[j][k]@i where i, j in world, k in {0 ... counts[i] - 1} }  // all_to_all
  @communicate { a[i]@j <<= a[j + 1]@i where j in range(0, n), i in world, !(i == j) }  // all_to_all
  @communicate { a[i]@(i + k) % n <<= a[k]@i where i in world, k in {0 ... n - 1} }  // all_to_all
  @communicate { m[i][k]@j <<= m[0][k]@i where i, j in world, k in {0 ... j} }  // all_to_all
  @communicate { a[i]@(i + k) % n <<= a[k]@i where i in world, k in {1 ... n - 1} }  // general
  @communicate { a[i]@(i + k) % n <<= a[k]@i where i in world, k in {0 ... n - 1}, k > 2 }  // general
  @communicate { a[i]@j <<= a[j]@i where i in world, j in {0 ... counts[i]} }  // general
}

void folds(int x, int root, int* a, const std::vector<int>& v) {
  const int n = kanor::world.size(), last = n - 1;
  @communicate { x@0 << + << x@i where i in world }  // reduce
  @communicate { a[0]@root << max << x@r where r in range(0, n) }  // reduce
  @communicate { a[k]@root << + << a[k]@i where i in world, k in {0 ... 9} }  // reduce
  @communicate { x@last << * << x@i - 1 where i in {1 ... n} }  // reduce
  @communicate { x@root << + << v[j]@i where i in {0 ... last}, let j = i + 1, i <= last }  // reduce
  @communicate { x@root << + << x@last - i where i in world }  // general
  @communicate { a[k]@root << + << a[k]@i where k in {0 ... 9}, i in world }  // general
  @communicate { a[i]@root << + << x@i where i in world }  // general
  @communicate { x@root << + << x@i where i in world, i != root }  // general
  @communicate { x@root << + << x@i where i in v }  // general
  @communicate { x@root << + << a[k]@i where i in world, k in {0 ... i} }  // general

  @communicate { x@j << + << x@i where i, j in world }  // all_reduce
  @communicate { x@to << min << x@from where to in {0 ... n - 1}, from in world }  // all_reduce
  @communicate { a[k]@j << + << a[k]@i where j in range(0, n), i in world, k in {0 ... 9} }  // all_reduce
  @communicate { a[j]@j << && << v[i]@i where i, j in world, i >= 0 }  // all_reduce
  @communicate { x@s << + << x@r - 2 where s in world, r in {2 ... n + 1} }  // all_reduce
  @communicate { x@j << + << a[j]@i where i, j in world }  // general
  @communicate { a[i]@j << + << x@i where i, j in world }  // general
  @communicate { x@j << + << x@i where i, j in world, i != j }  // general

  @communicate { x@j << + << x@i where i, j in world, i <= j }  // scan
  @communicate { x@j << + << x@i where i, j in world, j >= i }  // scan
  @communicate { x@j << + << x@i where j in world, i in {0 ... j} }  // scan
  @communicate { x@r << + << x@s where s in range(0, n), r in {s ... last} }  // scan
  @communicate { x@r << + << x@s where r, s in world, !(s > r) }  // scan
  @communicate { x@r << + << x@s where r, s in world, s - 1 < r }  // scan
  @communicate { x@j << + << x@i where i, j in world, i >= j }  // general
  @communicate { x@j << + << a[j]@i where i, j in world, i <= j }  // general
  @communicate { a[i]@j <<= x@i where i, j in world, i <= j }  // general

  @communicate { x@j << + << x@i where i, j in world, i < j }  // exclusive_scan
  @communicate { x@j << + << x@i where i, j in world, i + 1 <= j }  // exclusive_scan
  @communicate { x@j << + << x@i where j in world, i in range(0, j) }  // exclusive_scan
  @communicate { x@j << + << x@i where j in {1 ... last}, i in {0 ... j - 1} }  // exclusive_scan
  @communicate { x@j << + << x@i where i, j in world, !(j <= i), j > 0 }  // exclusive_scan
  @communicate { x@j << + << x@i where i, j in world, i + 1 < j }  // general
  @communicate { x@j << + << x@i where i, j in {0 ... root}, i < j }  // general
  // clang-format on
}

// What `world` says is the world: of another team's ranks it says nothing.
void teams(int x, kanor::team t) {
  const int n = t.size();
  @communicate(team = t) { x@i <<= x@0 where i in t }                // broadcast
  @communicate(team = t) { x@i <<= x@0 where i in {0 ... t.size() - 1} }  // broadcast
  @communicate(team = t) { x@i <<= x@0 where i in world }            // general
  @communicate(team = t) { x@i <<= x@0 where i in {0 ... n - 1} }    // broadcast
  @communicate { x@i <<= x@0 where i in t }                          // general
  @communicate { x@i <<= x@0 where i in {0 ... n - 1} }              // general
}

// A member is the block's team where it is the same one of the same object.
struct Owner {
  kanor::team team, other;
  Owner* next;
  void members(int x, Owner& owner) {
    // clang-format off
    @communicate(team = team) { x@i <<= x@0 where i in team }  // broadcast
    @communicate(team = team) { x@i <<= x@0 where i in this->team }  // broadcast
    @communicate(team = owner.team) { x@i <<= x@0 where i in owner.team }  // broadcast
    @communicate(team = next->next->team) { x@(i + 1) % next->next->team.size() <<= x@i where i in next->next->team }  // shift
    @communicate(team = team) { x@i <<= x@0 where i in other }  // general
    @communicate(team = team) { x@i <<= x@0 where i in owner.team }  // general
    @communicate(team = next->team) { x@i <<= x@0 where i in next->next->team }  // general
    // clang-format on
  }
};

// A size is followed to its team where neither can have changed in between.
void sizes(int x, const kanor::team& parameter, kanor::team* pointer) {
  const kanor::team t = kanor::world.split(0, 0);
  kanor::team renewed = t, read = t;
  const auto n = t.size(), last = n - 1, of_renewed = renewed.size(), of_read = read.size();
  const int of_parameter = parameter.size(), of_pointer = pointer->size();
  static const int first = t.size();
  renewed = kanor::world;
  // clang-format off
  @communicate(team = t) { x@i <<= x@0 where i in {0 ... last} }  // broadcast
  @communicate(team = (t)) { x@(i + 1) % n <<= x@i where i in t }  // shift
  @communicate(team = read) { x@(i + 1) % of_read <<= x@i where i in read }  // shift
  [&] { @communicate(team = t) { x@(i + 1) % n <<= x@i where i in t } }();  // shift
  @communicate(team = t) { x@(i + 1) % first <<= x@i where i in t }  // general
  @communicate(team = t) { x@(i + 1) % of_read <<= x@i where i in t }  // general
  @communicate(team = renewed) { x@(i + 1) % of_renewed <<= x@i where i in renewed }  // general
  @communicate(team = parameter) { x@(i + 1) % of_parameter <<= x@i where i in parameter }  // general
  @communicate(team = *pointer) { x@(i + 1) % of_pointer <<= x@i where i in *pointer }  // general
  {
    const kanor::team t = kanor::world.split(1, 0);
    @communicate(team = t) { x@(i + 1) % n <<= x@i where i in t }  // general
  }
  // clang-format on
}

// Ranges with a step: some of what lies between their ends.
void steps(int x, int* a, int step) {
  const int n = kanor::world.size();
  // clang-format off
  @communicate { x@(i + 1) % n <<= x@i where i in range(0, n, 2) }  // shift
  @communicate { x@(i ^ 1) <<= x@i where i in range(n - 1, -1, -2) }  // permutation
  @communicate { x@i + k <<= x@i where i in world, k in range(-2, 3, 2) }  // neighbours
  @communicate { x@0 << + << a[k]@i where i in world, k in range(9, 0, -2) }  // reduce
  @communicate { x@i <<= x@0 where i in range(0, n, 2) }  // general
  @communicate { x@i <<= x@0 where i in range(0, n, step) }  // general
  @communicate { x@0 << + << x@i where i in range(n - 1, -1, -1) }  // general
  // clang-format on
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
