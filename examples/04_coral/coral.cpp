// Labyrinths like coral: two substances that react and spread (the Gray-Scott model) on a torus. Each rank of a
// two-dimensional grid has a tile of it, with ghost cells around.
#include <kanor/kanor.hpp>
#include <kanor/std/all_reduce.hpp>
#include <kanor/std/halo.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "../02_heat/picture.hpp"

using kanor::world;

namespace {

constexpr double feed = 0.037, kill = 0.06, spread_u = 0.16, spread_v = 0.08;

/// The part of the torus that a rank has.
struct Tile {
  long top, left, height, width;
  long row() const { return width + 2; }
  std::array<long, 2> extents() const { return {height + 2, row()}; }
};

Tile tile_of(int rank, long size, const kanor::grid<2>& ranks) {
  const auto [y, x] = ranks.coords(rank);
  const long rows = ranks.extent(0), columns = ranks.extent(1);
  const long top = size * y / rows, left = size * x / columns;
  return {top, left, size * (y + 1) / rows - top, size * (x + 1) / columns - left};
}

/// One substance: a tile with a ghost cell on every side.
using Field = std::vector<double>;

/// Everything full of u, with squares of v here and there.
void plant(const Tile& tile, long size, Field& u, Field& v) {
  for (long y = 0; y < tile.height; ++y)
    for (long x = 0; x < tile.width; ++x) {
      const long far_y = (tile.top + y) % (size / 3), far_x = (tile.left + x) % (size / 4);
      const bool seed = far_y < 8 && far_x < 8 && (tile.top + y + tile.left + x) % 5 != 0;
      u[(y + 1) * tile.row() + x + 1] = seed ? 0.5 : 1.0;
      v[(y + 1) * tile.row() + x + 1] = seed ? 0.25 : 0.0;
    }
}

/// One step of time for the tile's own cells. Returns how much v there is.
double step(const Tile& tile, const Field& u, const Field& v, Field& next_u, Field& next_v) {
  const long row = tile.row();
  const auto spread = [row](const Field& field, long at) {
    return 0.2 * (field[at - row] + field[at + row] + field[at - 1] + field[at + 1]) +
           0.05 * (field[at - row - 1] + field[at - row + 1] + field[at + row - 1] + field[at + row + 1]) - field[at];
  };
  double amount = 0;
  for (long y = 1; y <= tile.height; ++y)
    for (long x = 1; x <= tile.width; ++x) {
      const long at = y * row + x;
      const double reaction = u[at] * v[at] * v[at];
      next_u[at] = u[at] + spread_u * spread(u, at) - reaction + feed * (1 - u[at]);
      next_v[at] = v[at] + spread_v * spread(v, at) + reaction - (feed + kill) * v[at];
      amount += next_v[at];
    }
  return amount;
}

/// Writes a picture of the whole torus, which rank 0 gets together from the tiles.
void show(const Field& v, long size, const kanor::grid<2>& ranks, const std::string& path) {
  const auto tile = [&](int rank) { return tile_of(rank, size, ranks); };
  Picture torus{static_cast<int>(size), static_cast<int>(size), Field(world.rank() == 0 ? size * size : 0)};
  Field& cells = torus.brightness;
  @communicate {
    cells[(tile(i).top + y) * size + tile(i).left : tile(i).width]@0 <<= v[(y + 1) * tile(i).row() + 1 : tile(i).width]@i
        where i in world, y in {0 ... tile(i).height - 1}
  }
  if (world.rank() != 0) return;
  for (double& cell : cells) cell = std::fmin(1.0, 2.5 * cell);
  write_picture(torus, path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    if (world.rank() == 0) std::fprintf(stderr, "usage: coral SIZE STEPS PICTURE.png\n");
    return 2;
  }
  const long size = std::atol(argv[1]), steps = std::atol(argv[2]);
  const kanor::grid<2> shape(world);
  if (size < 16 || shape.extent(0) > size || steps < 1) {
    if (world.rank() == 0) std::fprintf(stderr, "coral: SIZE is at least 16 and at least the ranks in a row, STEPS at least 1\n");
    return 2;
  }
  const kanor::grid<2> ranks(world, {shape.extent(0), shape.extent(1)}, {true, true});
  const Tile tile = tile_of(world.rank(), size, ranks);
  Field u(tile.row() * (tile.height + 2)), v = u, next_u = u, next_v = u;
  plant(tile, size, u, v);

  double amount = 0;
  for (long done = 0; done < steps; ++done) {
    kanor::exchange_halo({u.data(), v.data()}, tile.extents(), 1, ranks);
    amount = step(tile, u, v, next_u, next_v);
    u.swap(next_u);
    v.swap(next_v);
  }
  const double total = kanor::all_sum(amount);
  if (world.rank() == 0) std::printf("after %ld steps on a torus of %ld x %ld: %.6f of v\n", steps, size, size, total);
  try {
    show(v, size, ranks, argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "coral: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
