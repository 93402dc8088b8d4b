// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves A x = b with the method of conjugate gradients. A is a symmetric positive definite matrix from a
// Matrix Market file. Each rank has some of A's rows, and the elements of all vectors that belong to them.
#include <kanor/kanor.hpp>
#include <kanor/std/all_reduce.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/broadcast.hpp>
#include <kanor/std/exchange_map.hpp>
#include <kanor/std/migrate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using kanor::world;
using Vector = std::vector<double>;

namespace {

constexpr double tolerance = 1e-10;  // of the residual, relative to the first one
constexpr int most_iterations = 10000;

struct Entry {
  int row, column;
  double value;
};

/// Reads all entries of a matrix. Rows and columns count from 0.
std::vector<Entry> read_matrix(const std::string& path, int& size) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("cannot read '" + path + "'");
  const bool symmetric = line == "%%MatrixMarket matrix coordinate real symmetric";
  if (!symmetric && line != "%%MatrixMarket matrix coordinate real general")
    throw std::runtime_error("'" + path + "' has no real matrix in Matrix Market's coordinate format");
  while (file >> std::ws && file.peek() == '%') std::getline(file, line);
  long columns = 0, count = 0;
  file >> size >> columns >> count;
  if (!file || size < 1 || columns != size) throw std::runtime_error("'" + path + "' has no square matrix");
  std::vector<Entry> entries;
  for (long at = 1; at <= count; ++at) {
    Entry one{};
    file >> one.row >> one.column >> one.value;
    if (!file || std::min(one.row, one.column) < 1 || std::max(one.row, one.column) > size)
      throw std::runtime_error("entry " + std::to_string(at) + " of '" + path + "' is wrong");
    entries.push_back({one.row - 1, one.column - 1, one.value});
    if (symmetric && one.row != one.column) entries.push_back({one.column - 1, one.row - 1, one.value});
  }
  return entries;
}

/// This rank's rows, counted from its first one. Entries of `inner` are multiplied by this rank's elements of
/// a vector, those of `outer` by ghosts, which are elements of other ranks. Columns are positions in these.
struct Matrix {
  std::vector<Entry> inner, outer;
  kanor::exchange_map map;
  Vector ghosts;

  void multiply(const Vector& x, Vector& product) {
    map.gather(x, ghosts);
    std::fill(product.begin(), product.end(), 0);
    for (const Entry& one : inner) product[one.row] += one.value * x[one.column];
    for (const Entry& one : outer) product[one.row] += one.value * ghosts[one.column];
  }
};

/// Makes a matrix of the entries of this rank's rows.
Matrix make_matrix(const std::vector<Entry>& entries, const kanor::index_range& rows) {
  const int first = rows.begin, last = rows.end;
  std::vector<Entry> inner, outer;
  std::vector<long> needed;
  for (const auto& [row, column, value] : entries) {
    const bool own = first <= column && column < last;
    if (!own) needed.push_back(column);
    (own ? inner : outer).push_back({row - first, own ? column - first : column, value});
  }
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  for (Entry& one : outer)
    one.column = std::lower_bound(needed.begin(), needed.end(), one.column) - needed.begin();
  return {inner, outer, kanor::exchange_map(rows.size(), needed), {}};
}

double dot(const Vector& a, const Vector& b) {
  return kanor::all_sum(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
}

/// Solves A x = b, beginning with x = 0. Prints the residual of every tenth iteration, and of the last one.
Vector solve(Matrix& a, const Vector& b) {
  Vector x(b.size()), residual = b, direction = b, product(b.size());
  const double first = dot(b, b);
  double square = first;
  for (int done = 0; done < most_iterations; ++done) {
    const double relative = std::sqrt(square / first);
    const bool solved = relative <= tolerance;
    if (world.rank() == 0 && (done % 10 == 0 || solved)) std::printf("%9d  %.2e\n", done, relative);
    if (solved) return x;
    a.multiply(direction, product);
    const double curvature = dot(direction, product);
    if (!(curvature > 0)) throw std::runtime_error("the matrix is not positive definite");
    const double step = square / curvature;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += step * direction[i];
      residual[i] -= step * product[i];
    }
    const double before = square;
    square = dot(residual, residual);
    for (std::size_t i = 0; i < x.size(); ++i) direction[i] = residual[i] + square / before * direction[i];
  }
  throw std::runtime_error("no solution after " + std::to_string(most_iterations) + " iterations");
}

void solve_file(const std::string& path) {
  int size = 0;
  std::vector<Entry> entries;
  if (world.rank() == 0) entries = read_matrix(path, size);
  kanor::broadcast(size, 0);
  kanor::migrate(entries, [size](const Entry& one) { return kanor::block_owner(size, one.row); });
  const kanor::index_range rows = kanor::block_range(size, world.rank());
  Matrix a = make_matrix(entries, rows);
  // With this right side, each element of the solution is 1.
  Vector b(rows.size());
  a.multiply(Vector(rows.size(), 1), b);
  if (world.rank() == 0) std::printf("iteration  residual\n");
  double error = 0;
  for (const double element : solve(a, b)) error = std::max(error, std::abs(element - 1));
  error = kanor::all_max(error);
  if (world.rank() == 0) std::printf("no element is wrong by more than %.1e\n", error);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    if (world.rank() == 0) std::fprintf(stderr, "usage: conjugate_gradient MATRIX.mtx\n");
    return 2;
  }
  try {
    solve_file(argv[1]);
  } catch (const std::exception& error) {
    if (world.rank() == 0) std::fprintf(stderr, "conjugate_gradient: %s\n", error.what());
    return 1;
  }
}
