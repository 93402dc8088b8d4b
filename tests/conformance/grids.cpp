// RUN: %kanorc %s -o %t && %run_everywhere --large %t
// Grids: halo exchange with and without edges, of teams, in one to three dimensions.
#include "check.hpp"

#include <array>
#include <string>
#include <vector>

using kanor::grid;
using kanor::no_rank;
using kanor::world;

namespace {

int me() { return world.rank(); }

void chosen_extents() {
  const grid<2> g(world);
  CHECK(g.extent(0) >= g.extent(1));
  CHECK_EQ(g.extent(0) * g.extent(1), world.size());
  CHECK_EQ(g.size(), world.size());
  const grid<3> cube(world);
  if (world.size() == 8) CHECK(cube.coords(5) == (std::array{1, 0, 1}));
  for (const int rank : world) {
    const auto [x, y, z] = cube.coords(rank);
    CHECK_EQ(cube(x, y, z), rank);
  }
}

/// What stands beyond the edge: -1 where nobody is.
int beyond(const grid<2>& g, int dimension, int offset) {
  const int neighbor = g.neighbor(me(), dimension, offset);
  return neighbor == no_rank ? -1 : 100 * neighbor;
}

void halo(bool first_periodic, bool second_periodic) {
  const grid<2> shape(world);
  const grid<2> g(world, {shape.extent(0), shape.extent(1)}, {first_periodic, second_periodic});
  int up = -1, down = -1, left = -1, right = -1, corner = -1;
  const int mine = 100 * me();
  // The edges need no special case: whoever has no neighbour takes no part.
  @communicate {
    up@i <<= mine@g.neighbor(i, 0, -1) where i in world;
    down@i <<= mine@g.neighbor(i, 0, 1) where i in world;
    left@g.neighbor(i, 1, 1) <<= mine@i where i in world;
    right@g.neighbor(i, 1, -1) <<= mine@i where i in world;
    corner@i <<= mine@g.neighbor(g.neighbor(i, 0, -1), 1, -1) where i in world
  }
  CHECK_EQ(up, beyond(g, 0, -1));
  CHECK_EQ(down, beyond(g, 0, 1));
  CHECK_EQ(left, beyond(g, 1, -1));
  CHECK_EQ(right, beyond(g, 1, 1));
  const auto [x, y] = g.coords(me());
  CHECK_EQ(corner, g(x - 1, y - 1) == no_rank ? -1 : 100 * g(x - 1, y - 1));

  // By coordinates, and farther than the next.
  int far = -1;
  @communicate { far@g(x, y) <<= mine@g(x + 2, y - 3) where x in {0 ... g.extent(0) - 1}, y in {0 ... g.extent(1) - 1} }
  const int expected = g(x + 2, y - 3);
  CHECK_EQ(far, expected == no_rank ? -1 : 100 * expected);
}

/// Sums along each of a grid's lines, with the lines' ranks as teams.
void lines_as_teams() {
  const grid<2> g(world);
  const auto [x, y] = g.coords(me());
  const kanor::team row = world.split(x, y), column = world.split(y, x);
  CHECK_EQ(row.size(), g.extent(1));
  CHECK_EQ(column.rank(), x);
  int row_sum = 0, column_sum = 0;
  @communicate (team = row) { row_sum@i << + << me()@j where i, j in row }
  @communicate (team = column) { column_sum@i << + << me()@j where i, j in column }
  int expected_row = 0, expected_column = 0;
  for (int i = 0; i < g.extent(1); ++i) expected_row += g(x, i);
  for (int i = 0; i < g.extent(0); ++i) expected_column += g(i, y);
  CHECK_EQ(row_sum, expected_row);
  CHECK_EQ(column_sum, expected_column);
}

/// A grid's numbers are its team's.
void grid_of_a_team() {
  const kanor::team backwards = world.split(0, -me());
  const grid<1> ring(backwards, {world.size()}, {true});
  int next = -1;
  @communicate (team = ring.team()) { next@ring.neighbor(i, 0, -1) <<= me()@i where i in backwards }
  CHECK_EQ(next, (me() + world.size() - 1) % world.size());

  const kanor::team part = world.split(me() % 2, 0);
  const grid<2> g(part);
  std::string path;
  @communicate (team = g.team()) {
    path@g.neighbor(i, 0, 1) << + << std::to_string(me()) + ' '@i where i in part;
  }
  const int above = g.neighbor(part.rank(), 0, -1);
  CHECK_EQ(path, above == no_rank ? "" : std::to_string(part.world_rank(above)) + ' ');
}

}  // namespace

int main() {
  chosen_extents();
  for (const bool first : {false, true})
    for (const bool second : {false, true}) halo(first, second);
  lines_as_teams();
  grid_of_a_team();
  return check::finish("grids");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
