// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,4,5,6,8,9 %t
// Transposes. Every rank knows what all ranks have, and finds with plain loops what it must get.
#include "../conformance/check.hpp"
#include "arrays.hpp"
#include "oracle.hpp"

#include <kanor/std/block_range.hpp>
#include <kanor/std/transpose.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using arrays::at;
using arrays::element;
using arrays::elements;
using arrays::Index;
using arrays::indices;
using arrays::Ranks;
using arrays::throws;
using arrays::value;
using kanor::team;
using kanor::world;
using oracle::Numbers;
using values::Point;
using Vector = std::vector<int>;

template <class T>
std::vector<T> transposed(const std::vector<T>& values, const Index& n, const Ranks& axes, int dimensions,
                          const team& members) {
  if (dimensions == 1) {
    const long extents[] = {n[0], 1};
    const int order[] = {axes[0], 1};
    return kanor::transpose(values, extents, order, members);
  }
  if (dimensions == 2) return kanor::transpose(values, {n[0], n[1]}, {axes[0], axes[1]}, members);
  if (dimensions == 3) return kanor::transpose(values, {n[0], n[1], n[2]}, {axes[0], axes[1], axes[2]}, members);
  return kanor::transpose(values, {n[0], n[1], n[2], n[3]}, {axes[0], axes[1], axes[2], axes[3]}, members);
}

/// What a rank has of an array whose elements are in row-major order those of `seed`, after a transpose.
template <class T>
std::vector<T> own_part(unsigned seed, const Index& extents, const Ranks& axes, int dimensions, const team& members) {
  Index result_extents{};
  for (int d = 0; d < dimensions; ++d) result_extents[at(d)] = extents[at(axes[at(d)])];
  const kanor::index_range own = kanor::block_range(result_extents[0], members.rank(), members);
  const long all = elements(result_extents, dimensions), slice = all == 0 ? 0 : all / result_extents[0];
  std::vector<T> result;
  for (long k = own.begin * slice; k < own.end * slice; ++k) {
    const Index to = indices(k, result_extents, dimensions);
    Index from{};
    for (int d = 0; d < dimensions; ++d) from[at(axes[at(d)])] = to[at(d)];
    result.push_back(value<T>(seed, 0, element(from, extents, dimensions)));
  }
  return result;
}

template <class T>
void transposes(const team& members, const Index& extents, int dimensions, Numbers& random) {
  const unsigned seed = random.next();
  const Ranks same{0, 1, 2, 3};
  const std::vector<T> values = own_part<T>(seed, extents, same, dimensions, members), unchanged = values;
  Ranks axes = same;
  do {
    const auto expected = own_part<T>(seed, extents, axes, dimensions, members);
    CHECK_EQ(transposed(values, extents, axes, dimensions, members), expected);
  } while (std::next_permutation(axes.begin(), axes.begin() + dimensions));
  CHECK_EQ(values, unchanged);
  if (dimensions == 2) {
    const auto expected = own_part<T>(seed, extents, {1, 0}, 2, members);
    CHECK_EQ(kanor::transpose(values, extents[0], extents[1], members), expected);
  }

  // What is wrong on all members.
  std::vector<T> longer = values;
  longer.resize(values.size() + 1);
  const int one = random.below(dimensions), other = (one + 1) % dimensions;
  CHECK(throws<std::invalid_argument>([&] { transposed(longer, extents, same, dimensions, members); }));
  for (const int axis : {-1, dimensions, other}) {
    Ranks wrong = same;
    wrong[at(one)] = axis;
    if (axis != one)
      CHECK(throws<std::invalid_argument>([&] { transposed(values, extents, wrong, dimensions, members); }));
  }
  if (dimensions == 2)
    CHECK(throws<std::invalid_argument>([&] { kanor::transpose(longer, extents[0], extents[1], members); }));
}

void any_transposes(const team& members, int count, Numbers& random) {
  constexpr int longest[] = {200, 30, 12, 7};
  for (int k = 0; k < count; ++k) {
    const int dimensions = 1 + (k + 1) % 4, most = longest[dimensions - 1];
    Index extents{};
    for (long& extent : extents) {
      const int any = 1 + random.below(most), few = random.below(std::min(most, members.size() + 2));
      const int kind = random.below(16);
      // None, one, about as many as ranks or fewer, and more.
      extent = kind == 0 ? 0 : kind < 3 ? 1 : kind < 8 ? few : any;
    }
    if (k % 7 == 0) transposes<double>(members, extents, dimensions, random);
    if (k % 7 == 1) transposes<int>(members, extents, dimensions, random);
    if (k % 7 == 2) transposes<std::string>(members, extents, dimensions, random);
    if (k % 7 == 3) transposes<char>(members, extents, dimensions, random);
    if (k % 7 == 4) transposes<Point>(members, extents, dimensions, random);
    if (k % 7 == 5) transposes<Vector>(members, extents, dimensions, random);
    if (k % 7 == 6) transposes<std::string>(members, extents, dimensions, random);
  }
}

/// Without other arguments the world is meant.
void defaults() {
  const int me = world.rank(), n = world.size();
  Vector row, column;
  for (int k = 0; k < n; ++k) row.push_back(100 * me + k), column.push_back(100 * k + me);
  CHECK_EQ(kanor::transpose(row, n, n), column);
  CHECK_EQ(kanor::transpose(row, {n, n}, {1, 0}), column);
  CHECK_EQ(kanor::transpose(row, {n, 1, n}, {2, 1, 0}), column);
  CHECK_EQ(kanor::transpose(row, {n, n, 1, 1}, {1, 3, 2, 0}), column);
}

void rounds(const team& members, unsigned seed, int count) {
  Numbers random(seed);
  any_transposes(members, count, random);
}

}  // namespace

int main() {
  const int me = world.rank();
  const team half = world.split(me % 2, -me), alone = half.split(half.rank(), 0);
  const team third = world.split(me * 3 / world.size(), me);
  defaults();
  rounds(world, 1, 42);
  rounds(half, 2, 14);
  // One half has more to do, while the other goes on.
  if (me % 2 == 0) rounds(half, 3, 7);
  rounds(alone, 4, 7);
  rounds(third, 5, 7);
  Numbers random(9);
  transposes<double>(world, {190, 101}, 2, random);
  transposes<int>(world, {9, 6, 7, 10}, 4, random);
  return check::finish("stdlib_transposes");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
