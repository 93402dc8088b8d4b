// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As examples/06_conjugate_gradient, written by hand with MPI: solves A x = b with the method of conjugate
// gradients. Each rank has some of A's rows, and the elements of all vectors that belong to them.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using Vector = std::vector<double>;

namespace {

constexpr double tolerance = 1e-10;  // of the residual, relative to the first one
constexpr int most_iterations = 10000;

int me, ranks;

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

/// The rows from first_row(size, r) up to first_row(size, r + 1) are those of rank r.
int first_row(int size, int rank) { return static_cast<int>(static_cast<long>(size) * rank / ranks); }
int row_owner(int size, int row) { return static_cast<int>(((row + 1L) * ranks - 1) / size); }

/// Sends each of rank 0's entries to the rank that has its row.
std::vector<Entry> distribute(const std::vector<Entry>& entries, int size) {
  std::vector<int> counts(ranks), begins(ranks);
  for (const Entry& one : entries) ++counts[row_owner(size, one.row)];
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  // MPI_Scatterv needs the entries of each rank in one piece.
  std::vector<Entry> sorted(entries.size());
  std::vector<int> places = begins;
  for (const Entry& one : entries) sorted[places[row_owner(size, one.row)]++] = one;

  int count = 0;
  MPI_Scatter(counts.data(), 1, MPI_INT, &count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<Entry> mine(count);
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof(Entry), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Scatterv(sorted.data(), counts.data(), begins.data(), type, mine.data(), count, type, 0,
               MPI_COMM_WORLD);
  MPI_Type_free(&type);
  return mine;
}

/// A rank with elements that this one needs, or the other way round.
struct Neighbour {
  int rank;
  int first, count;          // its elements, among the ghosts
  std::vector<int> indices;  // of this rank's elements that it needs
  Vector packed;             // these elements
};

/// Tells the owners which of their elements are needed. As `needed` is sorted, the elements of an owner lie
/// side by side among the ghosts.
std::vector<Neighbour> find_neighbours(const std::vector<int>& needed, int size) {
  std::vector<int> gets(ranks), gives(ranks), from(ranks), to(ranks);
  for (const int row : needed) ++gets[row_owner(size, row)];
  MPI_Alltoall(gets.data(), 1, MPI_INT, gives.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(gets.begin(), gets.end(), from.begin(), 0);
  std::exclusive_scan(gives.begin(), gives.end(), to.begin(), 0);
  std::vector<int> asked(to.back() + gives.back());
  MPI_Alltoallv(needed.data(), gets.data(), from.data(), MPI_INT, asked.data(), gives.data(), to.data(),
                MPI_INT, MPI_COMM_WORLD);
  for (int& row : asked) row -= first_row(size, me);
  std::vector<Neighbour> neighbours;
  for (int rank = 0; rank < ranks; ++rank) {
    if (gets[rank] + gives[rank] == 0) continue;
    const auto begin = asked.begin() + to[rank];
    neighbours.push_back({rank, from[rank], gets[rank], {begin, begin + gives[rank]}, Vector(gives[rank])});
  }
  return neighbours;
}

/// This rank's rows, counted from its first one. Entries of `inner` are multiplied by this rank's elements of
/// a vector, those of `outer` by ghosts, which are elements of other ranks. Columns are positions in these.
struct Matrix {
  std::vector<Entry> inner, outer;
  std::vector<Neighbour> neighbours;
  Vector ghosts;
  std::vector<MPI_Request> requests;

  /// While the ghosts are on their way, the inner entries are multiplied.
  void multiply(const Vector& x, Vector& product) {
    requests.clear();
    for (const Neighbour& other : neighbours)
      if (other.count > 0)
        MPI_Irecv(ghosts.data() + other.first, other.count, MPI_DOUBLE, other.rank, 0, MPI_COMM_WORLD,
                  &requests.emplace_back());
    for (Neighbour& other : neighbours) {
      if (other.indices.empty()) continue;
      for (std::size_t at = 0; at < other.indices.size(); ++at) other.packed[at] = x[other.indices[at]];
      MPI_Isend(other.packed.data(), static_cast<int>(other.packed.size()), MPI_DOUBLE, other.rank, 0,
                MPI_COMM_WORLD, &requests.emplace_back());
    }
    std::fill(product.begin(), product.end(), 0);
    for (const Entry& one : inner) product[one.row] += one.value * x[one.column];
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const Entry& one : outer) product[one.row] += one.value * ghosts[one.column];
  }
};

/// Makes a matrix of the entries of this rank's rows.
Matrix make_matrix(const std::vector<Entry>& entries, int size) {
  const int first = first_row(size, me), last = first_row(size, me + 1);
  std::vector<Entry> inner, outer;
  std::vector<int> needed;
  for (const auto& [row, column, value] : entries) {
    const bool own = first <= column && column < last;
    if (!own) needed.push_back(column);
    (own ? inner : outer).push_back({row - first, own ? column - first : column, value});
  }
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  for (Entry& one : outer)
    one.column = std::lower_bound(needed.begin(), needed.end(), one.column) - needed.begin();
  return {inner, outer, find_neighbours(needed, size), Vector(needed.size()), {}};
}

double dot(const Vector& a, const Vector& b) {
  double sum = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/// Solves A x = b, beginning with x = 0. Prints the residual of every tenth iteration, and of the last one.
Vector solve(Matrix& a, const Vector& b) {
  Vector x(b.size()), residual = b, direction = b, product(b.size());
  const double first = dot(b, b);
  double square = first;
  for (int done = 0; done < most_iterations; ++done) {
    const double relative = std::sqrt(square / first);
    const bool solved = relative <= tolerance;
    if (me == 0 && (done % 10 == 0 || solved)) std::printf("%9d  %.2e\n", done, relative);
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
  if (me == 0) entries = read_matrix(path, size);
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  entries = distribute(entries, size);
  Matrix a = make_matrix(entries, size);
  // With this right side, each element of the solution is 1.
  Vector b(first_row(size, me + 1) - first_row(size, me));
  a.multiply(Vector(b.size(), 1), b);
  if (me == 0) std::printf("iteration  residual\n");
  double error = 0;
  for (const double element : solve(a, b)) error = std::max(error, std::abs(element - 1));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0) std::printf("no element is wrong by more than %.1e\n", error);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2) {
    if (me == 0) std::fprintf(stderr, "usage: conjugate_gradient MATRIX.mtx\n");
    MPI_Finalize();
    return 2;
  }
  try {
    solve_file(argv[1]);
  } catch (const std::exception& error) {
    if (me == 0) std::fprintf(stderr, "conjugate_gradient: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);  // the others may wait for this rank
  }
  MPI_Finalize();
}
