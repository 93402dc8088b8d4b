// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wave in a cube whose walls reflect it. The ranks of a three-dimensional grid have boxes of the cube; while their
// ghost cells are filled, they compute the cells that need none.
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

constexpr double speed = 0.3;  // cells in a step, squared

/// The cells of a rank's box in one dimension, with a ghost cell on each side.
struct Side {
  long first, count;
  long extent() const { return count + 2; }
};

/// The part of the cube that a rank has.
struct Box {
  Side sides[3];

  Box(int rank, long size, const kanor::grid<3>& ranks) {
    const std::array<int, 3> at = ranks.coords(rank);
    for (int d = 0; d < 3; ++d) {
      const long begin = size * at[d] / ranks.extent(d), end = size * (at[d] + 1) / ranks.extent(d);
      sides[d] = {begin, end - begin};
    }
  }
  std::array<long, 3> extents() const { return {sides[0].extent(), sides[1].extent(), sides[2].extent()}; }
  long cells() const { return sides[0].extent() * plane(); }
  long plane() const { return sides[1].extent() * row(); }
  long row() const { return sides[2].extent(); }
  /// Where a cell is in the field. The cells of the box itself have the indices 1 to count.
  long at(long z, long y, long x) const { return z * plane() + y * row() + x; }
};

/// The wave now, and a step ago. Walls are ghost cells that stay 0.
struct Field {
  std::vector<double> now, before;
};

/// A drop, not quite in the middle.
void drop(const Box& box, long size, Field& field) {
  for (long z = 1; z <= box.sides[0].count; ++z)
    for (long y = 1; y <= box.sides[1].count; ++y)
      for (long x = 1; x <= box.sides[2].count; ++x) {
        const double dz = box.sides[0].first + z - 0.5 * size, dy = box.sides[1].first + y - 0.4 * size,
                     dx = box.sides[2].first + x - 0.3 * size;
        field.now[box.at(z, y, x)] = std::exp(-250.0 * (dz * dz + dy * dy + dx * dx) / (size * size));
      }
  field.before = field.now;
}

/// Computes the next value of the cells with indices from `first` to `last` in each dimension, in place of that of
/// a step ago.
void step(const Box& box, Field& field, std::array<long, 3> first, std::array<long, 3> last) {
  const std::vector<double>& now = field.now;
  for (long z = first[0]; z <= last[0]; ++z)
    for (long y = first[1]; y <= last[1]; ++y)
      for (long x = first[2]; x <= last[2]; ++x) {
        const long at = box.at(z, y, x);
        const double around = now[at - box.plane()] + now[at + box.plane()] + now[at - box.row()] +
                              now[at + box.row()] + now[at - 1] + now[at + 1];
        field.before[at] = 2 * now[at] - field.before[at] + speed * (around - 6 * now[at]);
      }
}

/// The six faces of the box, each cell once.
void step_faces(const Box& box, Field& field) {
  std::array<long, 3> first{1, 1, 1}, last{box.sides[0].count, box.sides[1].count, box.sides[2].count};
  for (int d = 0; d < 3; ++d) {
    const long top = last[d];
    last[d] = 1;
    step(box, field, first, last);
    first[d] = last[d] = top;
    if (top > 1) step(box, field, first, last);
    first[d] = 2;
    last[d] = top - 1;
  }
}

/// The cells that read no ghost cells.
void step_inside(const Box& box, Field& field) {
  step(box, field, {2, 2, 2}, {box.sides[0].count - 1, box.sides[1].count - 1, box.sides[2].count - 1});
}

/// The height of the highest wave in the box.
double highest(const Box& box, const std::vector<double>& wave) {
  double most = 0;
  for (long z = 1; z <= box.sides[0].count; ++z)
    for (long y = 1; y <= box.sides[1].count; ++y)
      for (long x = 1; x <= box.sides[2].count; ++x) most = std::fmax(most, std::fabs(wave[box.at(z, y, x)]));
  return most;
}

/// Writes a picture of the plane in the middle of the cube, which rank 0 gets together from the boxes.
void show(const Box& box, const std::vector<double>& wave, long size, const kanor::grid<3>& ranks,
          const std::string& path) {
  const long middle = size / 2;
  const auto box_of = [&](int rank) { return Box(rank, size, ranks); };
  const auto has_middle = [&](int rank) {
    const Side z = box_of(rank).sides[0];
    return z.first <= middle && middle < z.first + z.count;
  };
  Picture plane{static_cast<int>(size), static_cast<int>(size), std::vector<double>(world.rank() == 0 ? size * size : 0)};
  std::vector<double>& cells = plane.brightness;
  @communicate {
    kanor::section(cells, size, size)[box_of(i).sides[1].first : box_of(i).sides[1].count]
                                     [box_of(i).sides[2].first : box_of(i).sides[2].count]@0
        <<= kanor::section(wave, box.sides[0].extent(), box.sides[1].extent(), box.row())
                [middle - box.sides[0].first + 1 : 1][1 : box.sides[1].count][1 : box.sides[2].count]@i
        where i in world, has_middle(i)
  }
  if (world.rank() != 0) return;
  for (double& cell : cells) cell = std::fmin(1, std::fmax(0, 0.5 + 5 * cell));
  write_picture(plane, path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    if (world.rank() == 0) std::fprintf(stderr, "usage: wave SIZE STEPS PICTURE.png\n");
    return 2;
  }
  const long size = std::atol(argv[1]), steps = std::atol(argv[2]);
  const kanor::grid<3> ranks(world);
  if (size < ranks.extent(0) || size < 2 || steps < 1) {
    if (world.rank() == 0)
      std::fprintf(stderr, "wave: SIZE is at least 2 and at least the ranks in a row, STEPS at least 1\n");
    return 2;
  }
  const Box box(world.rank(), size, ranks);
  Field field{std::vector<double>(box.cells()), {}};
  drop(box, size, field);

  for (long done = 0; done < steps; ++done) {
    kanor::pending_call ghosts =
        kanor::start_halo({field.now.data()}, box.extents(), 1, ranks, kanor::stencil::star);
    step_inside(box, field);
    ghosts.wait();
    step_faces(box, field);
    field.now.swap(field.before);
  }

  const double most = kanor::all_max(highest(box, field.now));
  if (world.rank() == 0)
    std::printf("after %ld steps in a cube of %ld x %ld x %ld: at most %.6f high\n", steps, size, size, size, most);
  try {
    show(box, field.now, size, ranks, argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wave: %s\n", error.what());
    return 1;
  }
}
