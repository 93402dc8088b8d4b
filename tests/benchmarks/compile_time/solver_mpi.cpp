// Poisson's equation on a square by conjugate gradients, then the quantiles of the solution by a sample
// sort: solver_kanor.cpp with its blocks written by hand against MPI.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

int this_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int rank_count() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

struct Settings {
  int side = 64;              ///< interior points of one side of the square
  int most_iterations = 500;
  int bins = 8;
  double tolerance = 1e-8;    ///< of the residual, relative to the right-hand side
};

struct Source {
  double x, y, strength, radius;
};

/// Rows of the square that belong to a rank: the first ranks have one more than the last.
int first_row(int rank, int ranks, int side) { return rank * (side / ranks) + std::min(rank, side % ranks); }
int row_count(int rank, int ranks, int side) { return first_row(rank + 1, ranks, side) - first_row(rank, ranks, side); }

/// A band of rows with one row of the neighbours above and below.
class Field {
 public:
  Field(int rows, int side) : rows_(rows), side_(side), values_(static_cast<std::size_t>(rows + 2) * side) {}

  double& at(int row, int column) { return values_[static_cast<std::size_t>(row + 1) * side_ + column]; }
  double at(int row, int column) const { return values_[static_cast<std::size_t>(row + 1) * side_ + column]; }
  int rows() const { return rows_; }
  int side() const { return side_; }

  Vector row(int index) const {
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(index + 1) * side_;
    return Vector(begin, begin + side_);
  }
  void set_row(int index, const Vector& values) {
    std::copy(values.begin(), values.end(), values_.begin() + static_cast<std::ptrdiff_t>(index + 1) * side_);
  }
  Vector interior() const { return Vector(values_.begin() + side_, values_.end() - side_); }

 private:
  int rows_, side_;
  Vector values_;
};

/// Settings from a file of `name value` lines; the defaults where there is none.
Settings read_settings(const std::string& path, std::vector<Source>& sources) {
  Settings settings;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name;
    if (!(words >> name) || name[0] == '#') continue;
    if (name == "source") {
      Source source{};
      words >> source.x >> source.y >> source.strength >> source.radius;
      sources.push_back(source);
      continue;
    }
    double number = 0;
    words >> number;
    if (name == "side") settings.side = static_cast<int>(number);
    if (name == "iterations") settings.most_iterations = static_cast<int>(number);
    if (name == "bins") settings.bins = static_cast<int>(number);
    if (name == "tolerance") settings.tolerance = number;
  }
  if (sources.empty()) sources = {{0.3, 0.3, 10, 0.1}, {0.7, 0.6, -4, 0.2}};
  return settings;
}

// ---- what every rank has to know of the others -------------------------------------------------

void share_problem(Settings& settings, std::vector<Source>& sources) {
  MPI_Bcast(&settings, sizeof settings, MPI_BYTE, 0, MPI_COMM_WORLD);
  int count = static_cast<int>(sources.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  sources.resize(count);
  MPI_Bcast(sources.data(), count * static_cast<int>(sizeof(Source)), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void update_edges(Field& field) {
  const Vector first = field.row(0), last = field.row(field.rows() - 1);
  Vector above(field.side()), below(field.side());
  const int rank = this_rank();
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < rank_count() ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(last.data(), field.side(), MPI_DOUBLE, down, 0, above.data(), field.side(), MPI_DOUBLE, up, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(first.data(), field.side(), MPI_DOUBLE, up, 1, below.data(), field.side(), MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  field.set_row(-1, above);
  field.set_row(field.rows(), below);
}

double dot(const Vector& a, const Vector& b) {
  const double mine = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

double largest(const Vector& values) {
  double mine = 0, all = 0;
  for (const double value : values) mine = std::max(mine, std::abs(value));
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

/// How many values the ranks before this one have.
long count_before(long mine) {
  long before = 0;
  MPI_Exscan(&mine, &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return before;
}

// ---- the solver --------------------------------------------------------------------------------

Field make_right_side(const Settings& settings, const std::vector<Source>& sources) {
  const int rank = this_rank(), ranks = rank_count();
  Field right(row_count(rank, ranks, settings.side), settings.side);
  const double step = 1.0 / (settings.side + 1);
  for (int row = 0; row < right.rows(); ++row)
    for (int column = 0; column < right.side(); ++column) {
      const double y = (first_row(rank, ranks, settings.side) + row + 1) * step, x = (column + 1) * step;
      for (const Source& source : sources) {
        const double distance = std::hypot(x - source.x, y - source.y) / source.radius;
        right.at(row, column) += source.strength * std::exp(-distance * distance) * step * step;
      }
    }
  return right;
}

Vector apply(Field& field) {
  update_edges(field);
  Vector result;
  result.reserve(static_cast<std::size_t>(field.rows()) * field.side());
  for (int row = 0; row < field.rows(); ++row)
    for (int column = 0; column < field.side(); ++column) {
      const double left = column > 0 ? field.at(row, column - 1) : 0;
      const double right = column + 1 < field.side() ? field.at(row, column + 1) : 0;
      result.push_back(4 * field.at(row, column) - left - right - field.at(row - 1, column) - field.at(row + 1, column));
    }
  return result;
}

struct Solution {
  Vector values;
  int iterations = 0;
  double residual = 0;
};

Solution solve(const Settings& settings, const std::vector<Source>& sources) {
  Field direction = make_right_side(settings, sources);
  Vector residual = direction.interior();
  Solution solution{Vector(residual.size()), 0, 0};
  double square = dot(residual, residual);
  const double goal = settings.tolerance * settings.tolerance * square;
  while (square > goal && solution.iterations < settings.most_iterations) {
    const Vector applied = apply(direction);
    const Vector along = direction.interior();
    const double alpha = square / dot(along, applied);
    for (std::size_t at = 0; at < along.size(); ++at) {
      solution.values[at] += alpha * along[at];
      residual[at] -= alpha * applied[at];
    }
    const double next = dot(residual, residual), beta = next / square;
    for (int row = 0; row < direction.rows(); ++row)
      for (int column = 0; column < direction.side(); ++column) {
        double& value = direction.at(row, column);
        value = residual[static_cast<std::size_t>(row) * direction.side() + column] + beta * value;
      }
    square = next;
    ++solution.iterations;
  }
  solution.residual = largest(residual);
  return solution;
}

// ---- the sorted values -------------------------------------------------------------------------

/// Sorts the values of all ranks: rank 0 gets the smallest, the last rank the largest.
Vector sort_everywhere(Vector values) {
  const int ranks = rank_count();
  std::sort(values.begin(), values.end());
  Vector sample;
  for (int at = 0; at < ranks && !values.empty(); ++at) sample.push_back(values[values.size() * at / ranks]);

  const int sample_count = static_cast<int>(sample.size());
  std::vector<int> sample_counts(ranks), sample_starts(ranks);
  MPI_Gather(&sample_count, 1, MPI_INT, sample_counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(sample_counts.begin(), sample_counts.end(), sample_starts.begin(), 0);
  Vector all(sample_starts.back() + sample_counts.back());
  MPI_Gatherv(sample.data(), sample_count, MPI_DOUBLE, all.data(), sample_counts.data(), sample_starts.data(), MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  Vector splitters;
  if (this_rank() == 0) {
    std::sort(all.begin(), all.end());
    for (int at = 1; at < ranks; ++at) splitters.push_back(all[all.size() * at / ranks]);
  }
  splitters.resize(ranks - 1);
  MPI_Bcast(splitters.data(), ranks - 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);

  std::vector<Vector> to(ranks);
  for (const double value : values)
    to[std::upper_bound(splitters.begin(), splitters.end(), value) - splitters.begin()].push_back(value);
  Vector outgoing;
  std::vector<int> send_counts, send_starts(ranks), receive_counts(ranks), receive_starts(ranks);
  for (const Vector& part : to) {
    send_counts.push_back(static_cast<int>(part.size()));
    outgoing.insert(outgoing.end(), part.begin(), part.end());
  }
  MPI_Alltoall(send_counts.data(), 1, MPI_INT, receive_counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(send_counts.begin(), send_counts.end(), send_starts.begin(), 0);
  std::exclusive_scan(receive_counts.begin(), receive_counts.end(), receive_starts.begin(), 0);
  Vector mine(receive_starts.back() + receive_counts.back());
  MPI_Alltoallv(outgoing.data(), send_counts.data(), send_starts.data(), MPI_DOUBLE, mine.data(), receive_counts.data(),
                receive_starts.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  std::sort(mine.begin(), mine.end());
  return mine;
}

/// The value that has `position` smaller ones among all ranks; the same on every rank.
double value_at(const Vector& sorted, long position) {
  const long before = count_before(static_cast<long>(sorted.size()));
  const bool here = position >= before && position < before + static_cast<long>(sorted.size());
  double value = here ? sorted[position - before] : -std::numeric_limits<double>::infinity();
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

std::vector<long> histogram(const Vector& values, int bins, double low, double high) {
  std::vector<long> mine(bins), all(bins);
  for (const double value : values) {
    const double part = high > low ? (value - low) / (high - low) : 0;
    ++mine[std::clamp(static_cast<int>(part * bins), 0, bins - 1)];
  }
  MPI_Reduce(mine.data(), all.data(), bins, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  return all;
}

std::string bar(long count, long most) { return std::string(most > 0 ? 40 * count / most : 0, '#'); }

void report(const Settings& settings, const Solution& solution) {
  const Vector sorted = sort_everywhere(solution.values);
  const long total = static_cast<long>(settings.side) * settings.side;
  std::array<double, 5> quantiles{};
  for (int quarter = 0; quarter <= 4; ++quarter) quantiles[quarter] = value_at(sorted, (total - 1) * quarter / 4);
  const auto counts = histogram(sorted, settings.bins, quantiles.front(), quantiles.back());
  if (this_rank() != 0) return;

  std::printf("%d x %d points, %d iterations, residual %.1e\n", settings.side, settings.side, solution.iterations, solution.residual);
  for (int quarter = 0; quarter <= 4; ++quarter) std::printf("quantile %3d%%: %9.6f\n", 25 * quarter, quantiles[quarter]);
  const long most = *std::max_element(counts.begin(), counts.end());
  for (const long count : counts) std::printf("%6ld %s\n", count, bar(count, most).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const auto began = std::chrono::steady_clock::now();
  std::vector<Source> sources;
  Settings settings;
  if (this_rank() == 0) settings = read_settings(argc > 1 ? argv[1] : "", sources);
  share_problem(settings, sources);
  if (rank_count() > settings.side) {
    if (this_rank() == 0) std::fprintf(stderr, "solver: %d ranks are too many for %d rows\n", rank_count(), settings.side);
      MPI_Finalize();
    return 1;
  }
  const Solution solution = solve(settings, sources);
  report(settings, solution);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (this_rank() == 0 && std::getenv("SOLVER_TIME") != nullptr) std::fprintf(stderr, "%.3f s\n", took.count());
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
