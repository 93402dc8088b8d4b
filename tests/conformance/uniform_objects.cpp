// RUN: %kanorc -Werror %s -o %t && %run_everywhere %t 7
// What one rank reads into an object and all receive steers blocks without a word: the object whole, by itself, by a
// reference, a pointer or a member function, and kept in another object.
#include "check.hpp"

#include <cstdlib>
#include <vector>

using kanor::world;

struct Settings {
  int side = 1, steps = 2;
  double tolerance = 0;
};

// What other files may pass to this is no evidence.
Settings parse(char** arguments) {
  Settings settings;
  settings.side = std::atoi(arguments[1]);
  settings.steps = settings.side + 1;
  settings.tolerance = 0.25;
  return settings;
}

namespace {

void read(Settings* settings, char** arguments) { *settings = parse(arguments); }
void share(Settings& settings) { @communicate { settings@r <<= settings@0 where r in world } }
void share_pointed(Settings* settings) { @communicate { (*settings)@r <<= (*settings)@0 where r in world } }

int turns(const Settings& settings) {
  int sum = 0, turn = 0;
  for (; turn < settings.steps; ++turn) {
    int got = -1;
    @communicate { got@r <<= turn@settings.side % world.size() where r in world }
    sum += got;
  }
  double left = 1;
  while (left > settings.tolerance) {
    @communicate { left@r << max << left / 2@s where r, s in world }
    ++sum;
  }
  return sum;
}

struct Problem {
  int n = 0;
  void load(char** arguments) {
    if (world.rank() == 0) n = std::atoi(arguments[1]);
    @communicate { n@r <<= n@0 where r in world }
  }
  int run() {
    int sum = 0;
    for (int turn = 0; turn < n; ++turn) {
      int got = -1;
      @communicate { got@r <<= turn@(turn % world.size()) where r in world }
      sum += got;
    }
    return sum;
  }
};

class Simulation {
 public:
  explicit Simulation(const Settings& settings) : settings_(settings) {}
  int run() {
    for (int turn = 0; turn < settings_.steps; ++turn) step();
    return sum_;
  }

 private:
  void step() {
    int got = 0;
    @communicate { got@r << + << 1@s where r, s in world }
    sum_ += got;
  }
  Settings settings_;
  int sum_ = 0;
};

/// Ranks have as many columns as each other, but not as many rows.
class Matrix {
 public:
  Matrix(int rows, int columns) : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows * columns), 1) {}
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double* row(int row) { return &values_[static_cast<std::size_t>(row * columns_)]; }

 private:
  int rows_, columns_;
  std::vector<double> values_;
};

/// What one rank reads, in containers and objects in objects.
struct Source {
  int rank = 0;
  double value = 0;
};
struct Plan {
  std::vector<Source> sources;
  int turns = 0;
};

double run(const Plan& plan) {
  double sum = 0, got = 0;
  for (const Source& source : plan.sources) {
    @communicate { got@r <<= source.value@source.rank where r in world }
    sum += got;
  }
  for (int turn = 0; turn < plan.turns; ++turn) {
    @communicate { got@r <<= sum@plan.sources[0].rank where r in world }
    sum += got;
  }
  return sum;
}

Matrix part_of_matrix(int order) { return {order + world.rank(), order}; }

double sum_of_columns(Matrix& matrix) {
  double sum = 0;
  for (int column = 0; column < matrix.columns(); ++column) {
    double local = 0, all = 0;
    for (int row = 0; row < matrix.rows(); ++row) local += matrix.row(row)[column];
    @communicate { all@r << + << local@s where r, s in world }
    sum += all;
  }
  return sum;
}

}  // namespace

int main(int, char** arguments) {
  Settings settings;
  if (world.rank() == 0) settings = parse(arguments);
  @communicate { settings@r <<= settings@0 where r in world }
  CHECK_EQ(turns(settings), 28 + 2);
  CHECK_EQ(Simulation(settings).run(), 8 * world.size());

  Settings referred;
  if (world.rank() == 0) referred = parse(arguments);
  share(referred);
  CHECK_EQ(turns(referred), 28 + 2);

  Settings pointed;
  if (world.rank() == 0) read(&pointed, arguments);
  share_pointed(&pointed);
  CHECK_EQ(turns(pointed), 28 + 2);

  const Settings same = parse(arguments);
  CHECK_EQ(turns(same), 28 + 2);

  Problem problem;
  problem.load(arguments);
  CHECK_EQ(problem.run(), 21);
  const int n = world.size();
  Plan plan;
  std::vector<Source> sources;
  if (world.rank() == 0) {
    sources = {{0, 1}, {n - 1, 2}};
    plan = {sources, 2};
  }
  @communicate {
    plan@r <<= plan@0 where r in world;
    sources@r <<= sources@0 where r in world
  }
  CHECK_EQ(run(plan), 12.0);
  CHECK_EQ(run({sources, 1}), 6.0);
  Matrix matrix = part_of_matrix(4);
  CHECK_EQ(sum_of_columns(matrix), 4 * (4 * n + n * (n - 1) / 2));
  return check::finish("uniform_objects");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
