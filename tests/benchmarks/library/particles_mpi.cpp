// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As examples/09_particles, written by hand with MPI: a blast in a room full of soft discs. The room is cut
// into cells as wide as a disc. Each rank has a tile of cells, and their discs.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "../../../examples/02_heat/picture.hpp"

namespace {

constexpr double stiffness = 400, blast_speed = 8, time_step = 0.01;
constexpr int middle_part = 4;  // of the parts 0 to 8 of a room around a tile, line by line, the tile itself

int me, ranks;

/// A disc of mass 1 and diameter 1, which is also the width of a cell.
struct Disc {
  int id;
  double y, x, speed_y, speed_x;
  long row() const { return static_cast<long>(y); }
  long column() const { return static_cast<long>(x); }
};
MPI_Datatype disc_type;

/// The cells of a rank, and a ring of cells of the neighbours around them.
struct Tile {
  long top, left, height, width;
  long index(const Disc& at) const { return (at.row() - top + 1) * (width + 2) + at.column() - left + 1; }
};
using Cells = std::vector<std::vector<Disc>>;

/// A disc in each cell. They are at rest, except around one point, from which they fly apart. Each rank makes
/// those of its tile.
std::vector<Disc> fill(int size, const Tile& tile) {
  const double middle_y = 0.4 * size, middle_x = 0.35 * size, radius = 0.1 * size;
  std::vector<Disc> discs;
  for (long row = tile.top; row < std::min<long>(tile.top + tile.height, size); ++row)
    for (long column = tile.left; column < std::min<long>(tile.left + tile.width, size); ++column) {
      const double y = row + 0.5, x = column + 0.5;
      const double dy = (y - middle_y) / radius, dx = (x - middle_x) / radius;
      const double speed = dy * dy + dx * dx < 1 ? blast_speed : 0;
      discs.push_back({static_cast<int>(row * size + column), y, x, speed * dy, speed * dx});
    }
  return discs;
}

/// Messages between a rank and the ranks of the eight tiles around its own. Buffers are kept, so that their
/// memory is allocated only once.
class Neighbours {
 public:
  explicit Neighbours(MPI_Comm grid) {
    std::array<int, 2> extents{}, periodic{}, here{};
    MPI_Cart_get(grid, 2, extents.data(), periodic.data(), here.data());
    for (int part = 0; part < 9; ++part) {
      std::array<int, 2> there{here[0] + part / 3 - 1, here[1] + part % 3 - 1};
      const bool inside = 0 <= there[0] && there[0] < extents[0] && 0 <= there[1] && there[1] < extents[1];
      ranks_[part] = MPI_PROC_NULL;
      if (inside && part != middle_part) MPI_Cart_rank(grid, there.data(), &ranks_[part]);
    }
  }

  std::array<std::vector<Disc>, 9> leaving, arrived;

  /// Sends what leaves to each neighbour. Only the messages say how many discs arrive.
  void exchange(int tag) {
    std::array<MPI_Request, 9> requests;
    for (int part = 0; part < 9; ++part)
      MPI_Isend(leaving[part].data(), static_cast<int>(leaving[part].size()), disc_type, ranks_[part], tag,
                MPI_COMM_WORLD, &requests[part]);
    for (int part = 0; part < 9; ++part) {
      if (ranks_[part] == MPI_PROC_NULL) continue;
      MPI_Status status;
      int count = 0;
      MPI_Probe(ranks_[part], tag, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, disc_type, &count);
      arrived[part].resize(count);
      MPI_Recv(arrived[part].data(), count, disc_type, ranks_[part], tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(9, requests.data(), MPI_STATUSES_IGNORE);
    for (auto& discs : leaving) discs.clear();
  }

 private:
  std::array<int, 9> ranks_;
};

/// Moves discs that have left the tile to its neighbours. A disc never gets farther in one step.
void migrate(std::vector<Disc>& discs, const Tile& tile, Neighbours& neighbours) {
  const auto side = [](long at, long begin, long length) {
    return at < begin ? 0 : at < begin + length ? 1 : 2;
  };
  std::size_t staying = 0;
  for (const Disc& disc : discs) {
    if (disc.row() < tile.top - tile.height || disc.row() >= tile.top + 2 * tile.height ||
        disc.column() < tile.left - tile.width || disc.column() >= tile.left + 2 * tile.width)
      throw std::runtime_error("a disc has crossed a tile in one step");
    const int part = 3 * side(disc.row(), tile.top, tile.height) + side(disc.column(), tile.left, tile.width);
    if (part == middle_part) {
      discs[staying++] = disc;
    } else {
      neighbours.leaving[part].push_back(disc);
    }
  }
  discs.resize(staying);
  neighbours.exchange(0);
  for (const auto& part : neighbours.arrived) discs.insert(discs.end(), part.begin(), part.end());
}

/// Puts this rank's discs into its cells, and the discs of its neighbours into the ring.
void exchange(const std::vector<Disc>& discs, const Tile& tile, Neighbours& neighbours, Cells& cells) {
  for (const Disc& disc : discs)
    for (const int dy : {-1, 0, 1})
      for (const int dx : {-1, 0, 1}) {
        const bool at_y = dy == 0 || disc.row() == (dy < 0 ? tile.top : tile.top + tile.height - 1);
        const bool at_x = dx == 0 || disc.column() == (dx < 0 ? tile.left : tile.left + tile.width - 1);
        if (at_y && at_x && (dy != 0 || dx != 0)) neighbours.leaving[3 * (1 + dy) + 1 + dx].push_back(disc);
      }
  neighbours.exchange(1);
  for (auto& cell : cells) cell.clear();
  for (const Disc& disc : discs) cells[tile.index(disc)].push_back(disc);
  for (const auto& part : neighbours.arrived)
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

/// The discs of all ranks, on rank 0.
std::vector<Disc> gather(const std::vector<Disc>& discs) {
  const int count = static_cast<int>(discs.size());
  std::vector<int> counts(ranks), begins(ranks);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  std::vector<Disc> all(begins.back() + counts.back());
  MPI_Gatherv(discs.data(), count, disc_type, all.data(), counts.data(), begins.data(), disc_type, 0,
              MPI_COMM_WORLD);
  return all;
}

/// Rank 0 writes a picture of all discs. The faster a disc, the brighter it is.
void show(const std::vector<Disc>& discs, int size, const char* path) {
  std::vector<Disc> all = gather(discs);
  if (me != 0) return;
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
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int size = argc == 4 ? std::atoi(argv[1]) : 0, steps = argc == 4 ? std::atoi(argv[2]) : 0;
  if (size < 16 || size > 4096 || steps < 1) {
    if (me == 0) std::fprintf(stderr, "usage: particles SIZE STEPS PICTURE.png (SIZE: 16 to 4096)\n");
    MPI_Finalize();
    return 2;
  }
  MPI_Type_contiguous(sizeof(Disc), MPI_BYTE, &disc_type);
  MPI_Type_commit(&disc_type);
  std::array<int, 2> extents{}, here{};
  const std::array<int, 2> periodic{};
  MPI_Dims_create(ranks, 2, extents.data());
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents.data(), periodic.data(), 0, &grid);
  MPI_Cart_coords(grid, me, 2, here.data());
  const long height = (size - 1) / extents[0] + 1, width = (size - 1) / extents[1] + 1;
  const Tile tile{here[0] * height, here[1] * width, height, width};
  Cells cells((height + 2) * (width + 2));
  Neighbours neighbours(grid);
  try {
    std::vector<Disc> discs = fill(size, tile);
    long contacts = 0;
    for (int done = 0; done < steps; ++done) {
      migrate(discs, tile, neighbours);
      exchange(discs, tile, neighbours, cells);
      contacts = step(discs, tile, cells, size);
    }
    MPI_Allreduce(MPI_IN_PLACE, &contacts, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0) std::printf("step %d: %ld pairs of %d discs touch\n", steps, contacts / 2, size * size);
    show(discs, size, argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "particles: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Type_free(&disc_type);
  MPI_Comm_free(&grid);
  MPI_Finalize();
}
