// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A blast in a room full of soft discs. The room is cut into cells as wide as a disc, so a disc can only
// touch discs of its own cell and of the eight around it. Each rank has a tile of cells, and their discs.
#include <kanor/kanor.hpp>
#include <kanor/std/all_reduce.hpp>
#include <kanor/std/gather_vectors.hpp>
#include <kanor/std/migrate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "../02_heat/picture.hpp"

using kanor::world;

namespace {

constexpr double stiffness = 400, blast_speed = 8, time_step = 0.01;

/// A disc of mass 1 and diameter 1, which is also the width of a cell.
struct Disc {
  int id;
  double y, x, speed_y, speed_x;
  long row() const { return static_cast<long>(y); }
  long column() const { return static_cast<long>(x); }
};

/// The cells of a rank, and a ring of cells of the neighbours around them.
struct Tile {
  long top, left, height, width;
  long index(const Disc& at) const { return (at.row() - top + 1) * (width + 2) + at.column() - left + 1; }
};
using Cells = std::vector<std::vector<Disc>>;

/// A disc in each cell. They are at rest, except around one point, from which they fly apart.
std::vector<Disc> fill(int size) {
  const double middle_y = 0.4 * size, middle_x = 0.35 * size, radius = 0.1 * size;
  std::vector<Disc> discs;
  for (int id = 0; id < size * size; ++id) {
    const double y = id / size + 0.5, x = id % size + 0.5;
    const double dy = (y - middle_y) / radius, dx = (x - middle_x) / radius;
    const double speed = dy * dy + dx * dx < 1 ? blast_speed : 0;
    discs.push_back({id, y, x, speed * dy, speed * dx});
  }
  return discs;
}

/// Puts this rank's discs into its cells, and the discs of its neighbours into the ring.
void exchange(const std::vector<Disc>& discs, const kanor::grid<2>& ranks, const Tile& tile, Cells& cells) {
  // border[1 + dy][1 + dx] is for the neighbour in that direction.
  std::array<std::array<std::vector<Disc>, 3>, 3> border, ring;
  for (const Disc& disc : discs)
    for (const int dy : {-1, 0, 1})
      for (const int dx : {-1, 0, 1}) {
        const bool at_y = dy == 0 || disc.row() == (dy < 0 ? tile.top : tile.top + tile.height - 1);
        const bool at_x = dx == 0 || disc.column() == (dx < 0 ? tile.left : tile.left + tile.width - 1);
        if (at_y && at_x && (dy != 0 || dx != 0)) border[1 + dy][1 + dx].push_back(disc);
      }
  @communicate {
    ring[1 - dy][1 - dx]@ranks.neighbor(ranks.neighbor(i, 0, dy), 1, dx) <<= border[1 + dy][1 + dx]@i
        where i in world, dy in {-1 ... 1}, dx in {-1 ... 1}, dy != 0 || dx != 0
  }
  for (auto& cell : cells) cell.clear();
  for (const Disc& disc : discs) cells[tile.index(disc)].push_back(disc);
  for (const auto& side : ring)
    for (const auto& part : side)
      for (const Disc& disc : part) cells[tile.index(disc)].push_back(disc);
  // With this order, a sum of forces has the same bits for any number of ranks.
  for (auto& cell : cells) std::ranges::sort(cell, {}, &Disc::id);
}

/// Changes one coordinate of a disc in a step of time. A wall throws the disc back.
void advance(double& at, double& speed, double force, long size) {
  speed += time_step * force;
  at += time_step * speed;
  if (at < 0.5 || at > size - 0.5) speed = -speed;
  at = std::clamp(at, 0.5, size - 0.5);
}

/// One step of time for this rank's discs. Returns the number of contacts that they have.
long step(std::vector<Disc>& discs, const Tile& tile, const Cells& cells, long size) {
  long contacts = 0;
  for (Disc& disc : discs) {
    double force_y = 0, force_x = 0;
    const long here = tile.index(disc), line = tile.width + 2;
    for (const long middle : {here - line, here, here + line})
      for (const long cell : {middle - 1, middle, middle + 1})
        for (const Disc& other : cells[cell]) {
          const double dy = disc.y - other.y, dx = disc.x - other.x, apart = std::sqrt(dy * dy + dx * dx);
          if (apart >= 1 || other.id == disc.id) continue;
          const double force = stiffness * (1 - apart) / apart;
          force_y += force * dy, force_x += force * dx;
          ++contacts;
        }
    advance(disc.y, disc.speed_y, force_y, size);
    advance(disc.x, disc.speed_x, force_x, size);
  }
  return contacts;
}

/// Rank 0 writes a picture of all discs. The faster a disc, the brighter it is.
void show(const std::vector<Disc>& discs, int size, const char* path) {
  std::vector<Disc> all = kanor::gather_vectors(discs, 0);
  if (world.rank() != 0) return;
  std::ranges::sort(all, {}, &Disc::id);
  const int scale = std::max(2, 480 / size), side = scale * size;
  Picture picture{side, side, std::vector<double>(side * side)};
  for (const Disc& disc : all)
    for (int y = scale * (disc.y - 0.5); y < scale * (disc.y + 0.5); ++y)
      for (int x = scale * (disc.x - 0.5); x < scale * (disc.x + 0.5); ++x)
        if (std::hypot((y + 0.5) / scale - disc.y, (x + 0.5) / scale - disc.x) < 0.45)
          picture.brightness[y * side + x] = 0.2 + 0.25 * std::hypot(disc.speed_y, disc.speed_x);
  write_picture(picture, path);
}

}  // namespace

int main(int argc, char** argv) {
  const int size = argc == 4 ? std::atoi(argv[1]) : 0, steps = argc == 4 ? std::atoi(argv[2]) : 0;
  if (size < 16 || size > 4096 || steps < 1) {
    if (world.rank() == 0)
      std::fprintf(stderr, "usage: particles SIZE STEPS PICTURE.png (SIZE: 16 to 4096)\n");
    return 2;
  }
  const kanor::grid<2> ranks(world);
  const auto [row, column] = ranks.coords(world.rank());
  const long height = (size - 1) / ranks.extent(0) + 1, width = (size - 1) / ranks.extent(1) + 1;
  const Tile tile{row * height, column * width, height, width};
  Cells cells((height + 2) * (width + 2));
  std::vector<Disc> discs = world.rank() == 0 ? fill(size) : std::vector<Disc>();
  long contacts = 0;
  for (int done = 0; done < steps; ++done) {
    kanor::migrate(discs, [&](const Disc& at) { return ranks(at.row() / height, at.column() / width); });
    exchange(discs, ranks, tile, cells);
    contacts = step(discs, tile, cells, size);
  }
  const long touching = kanor::all_sum(contacts) / 2;
  if (world.rank() == 0) std::printf("step %d: %ld pairs of %d discs touch\n", steps, touching, size * size);
  try {
    show(discs, size, argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "particles: %s\n", error.what());
    return 1;
  }
}
