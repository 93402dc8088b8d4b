// Heat on a plate. Each rank has a band of whole rows, with a copy of the neighbours' nearest row above
// and below it; a step reads the rows and their neighbours and makes the next state.
#include <kanor/kanor.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "options.hpp"
#include "picture.hpp"

using kanor::world;
using Row = std::vector<double>;

namespace {

/// How much of the difference to its four neighbours a point takes over in a step; stable below 0.25.
constexpr double exchange_rate = 0.24;

/// The rows of a rank: the first `height % ranks` ranks have one more than the others.
int first_row(int rank, int height) {
  return rank * (height / world.size()) + std::min(rank, height % world.size());
}
int row_count(int rank, int height) { return first_row(rank + 1, height) - first_row(rank, height); }

/// The band of this rank: rows[1] to rows[count] are its own, rows.front() and rows.back() are copies of
/// the rows next to them.
struct Band {
  std::vector<Row> rows, next;
  int width = 0;
};

/// Deals the plate, which only rank 0 has, to all ranks.
Band deal(const Picture& plate, int width, int height) {
  std::vector<Row> parts;
  if (world.rank() == 0)
    for (const int rank : world) {
      const auto begin = plate.brightness.begin() + static_cast<std::ptrdiff_t>(first_row(rank, height)) * width;
      parts.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(row_count(rank, height)) * width);
    }
  Row mine;
  @communicate { mine@r <<= parts[r]@0 where r in world }

  Band band;
  band.width = width;
  band.rows.assign(row_count(world.rank(), height) + 2, Row(width));
  for (std::size_t at = 1; at + 1 < band.rows.size(); ++at)
    std::copy_n(mine.begin() + (at - 1) * width, width, band.rows[at].begin());
  band.next = band.rows;
  return band;
}

/// The whole plate on rank 0, nothing elsewhere.
Picture collect(const Band& band, int height) {
  Row mine;
  for (std::size_t at = 1; at + 1 < band.rows.size(); ++at)
    mine.insert(mine.end(), band.rows[at].begin(), band.rows[at].end());
  std::vector<Row> parts(world.rank() == 0 ? world.size() : 0);
  @communicate { parts[r]@0 <<= mine@r where r in world }

  Picture plate{band.width, height, {}};
  for (const Row& part : parts) plate.brightness.insert(plate.brightness.end(), part.begin(), part.end());
  return plate;
}

/// One step of time for this rank's rows. Returns the largest change of one of its points.
double step(Band& band) {
  auto& rows = band.rows;
  @communicate {
    rows.front()@(i + 1) <<= rows[rows.size() - 2]@i where i in {0 ... world.size() - 2};
    rows.back()@i <<= rows[1]@(i + 1) where i in {0 ... world.size() - 2}
  }
  // No heat crosses the edge of the plate: beyond it, it is as warm as on it.
  if (world.rank() == 0) rows.front() = rows[1];
  if (world.rank() == world.size() - 1) rows.back() = rows[rows.size() - 2];

  double change = 0;
  for (std::size_t at = 1; at + 1 < rows.size(); ++at) {
    const Row &above = rows[at - 1], &here = rows[at], &below = rows[at + 1];
    Row& next = band.next[at];
    for (int x = 0; x < band.width; ++x) {
      const double left = here[std::max(x - 1, 0)], right = here[std::min(x + 1, band.width - 1)];
      next[x] = here[x] + exchange_rate * ((above[x] + below[x]) + (left + right) - 4 * here[x]);
      change = std::max(change, std::abs(next[x] - here[x]));
    }
  }
  rows.swap(band.next);
  return change;
}

/// Gathers the plate, writes its picture and prints a line about it.
void show(const Band& band, int height, int steps_done, double change, const std::string& directory) {
  const Picture plate = collect(band, height);
  if (world.rank() != 0) return;
  const auto [coldest, hottest] = std::minmax_element(plate.brightness.begin(), plate.brightness.end());
  char name[32];
  std::snprintf(name, sizeof name, "heat-%06d.png", steps_done);
  const std::string path = directory + "/" + name;
  write_picture(plate, path);
  std::printf("step %6d: from %.17g to %.17g, largest change %.17g, %s\n", steps_done, *coldest, *hottest, change, path.c_str());
  std::fflush(stdout);
}

int simulate(const Options& options) {
  Picture plate;
  if (world.rank() == 0) {
    plate = read_picture(options.input);
    std::filesystem::create_directories(options.directory);
  }
  std::array<int, 2> extent{plate.width, plate.height};
  @communicate { extent@r <<= extent@0 where r in world }
  const auto [width, height] = extent;
  if (world.size() > height) {
    if (world.rank() == 0) std::fprintf(stderr, "heat: %d ranks are too many for %d rows\n", world.size(), height);
    return 1;
  }

  Band band = deal(plate, width, height);
  show(band, height, 0, 0, options.directory);

  const bool progress = world.rank() == 0 && isatty(STDERR_FILENO);
  const int check_every = 10;
  for (int done = 1, shown = 0; done <= options.steps; ++done) {
    const double mine = step(band);
    const bool picture_due = static_cast<long>(done) * options.pictures / options.steps > shown;
    if (!picture_due && done % check_every != 0) continue;

    double change = 0;
    @communicate { change@r << max << mine@s where r, s in world }
    const bool settled = change <= options.until;
    if (progress) std::fprintf(stderr, "\rstep %d of %d, largest change %.2g \033[K", done, options.steps, change);
    if (picture_due || settled) {
      if (progress) std::fprintf(stderr, "\r\033[K");
      show(band, height, done, change, options.directory);
      ++shown;
    }
    if (settled) break;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int status = 0;
  const auto options = parse(argc, argv, world.rank() == 0, status);
  if (!options) return status;
  try {
    return simulate(*options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heat: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
