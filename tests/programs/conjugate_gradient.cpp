// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// Conjugate gradients on the five-point Laplacian, rows of the square cut into strips: halo rows and dot products.
// The dot products' bits depend on the number of ranks, never on what the ranks are.
#include "oracle.hpp"

#include <cmath>
#include <vector>

namespace {

constexpr int side = 40;

/// A strip of rows with one halo row at either end; outside of the square everything is zero.
class Field {
 public:
  explicit Field(oracle::Part part) : part_(part), cells_((part.size() + 2) * side) {}
  double& at(int row, int column) { return cells_[(row - part_.first + 1) * side + column]; }
  void exchange() {
    double* const mine = cells_.data();
    const int n = kanor::world.size(), rows = part_.size();
    @communicate {
      mine[c]@i + 1 <<= mine[rows * side + c]@i where i in {0 ... n - 2}, c in {0 ... side - 1};
      mine[(rows + 1) * side + c]@i - 1 <<= mine[side + c]@i where i in {1 ... n - 1}, c in {0 ... side - 1}
    }
  }
  template <class Visit>
  void each(Visit visit) {
    for (int row = part_.first; row < part_.last; ++row)
      for (int column = 0; column < side; ++column) visit(row, column);
  }

 private:
  oracle::Part part_;
  std::vector<double> cells_;
};

double dot(Field& a, Field& b) {
  double mine = 0, all = 0;
  a.each([&](int r, int c) { mine += a.at(r, c) * b.at(r, c); });
  @communicate { all@i << + << mine@s where i, s in world }
  return all;
}

void multiply(Field& x, Field& out) {
  x.exchange();
  out.each([&](int r, int c) {
    out.at(r, c) = 4 * x.at(r, c) - x.at(r - 1, c) - x.at(r + 1, c) - (c > 0 ? x.at(r, c - 1) : 0) - (c + 1 < side ? x.at(r, c + 1) : 0);
  });
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const auto mine = oracle::part(side, n, me);
  Field x(mine), r(mine), p(mine), q(mine), b(mine);
  const auto solution = [](int row, int column) { return std::sin(0.3 * row) + 0.01 * column * row; };
  x.each([&](int row, int column) { x.at(row, column) = solution(row, column); });
  multiply(x, b);
  x.each([&](int row, int column) {
    x.at(row, column) = 0;
    r.at(row, column) = p.at(row, column) = b.at(row, column);
  });
  double rho = dot(r, r);
  int steps = 0;
  for (; steps < 500 && rho > 1e-18; ++steps) {
    multiply(p, q);
    const double alpha = rho / dot(p, q);
    x.each([&](int row, int column) {
      x.at(row, column) += alpha * p.at(row, column);
      r.at(row, column) -= alpha * q.at(row, column);
    });
    const double next = dot(r, r), beta = next / rho;
    rho = next;
    p.each([&](int row, int column) { p.at(row, column) = r.at(row, column) + beta * p.at(row, column); });
  }
  bool right = steps < 500;
  x.each([&](int row, int column) { right = right && std::abs(x.at(row, column) - solution(row, column)) < 1e-7; });
  std::printf("%d of %d: %d steps, residual %a, first cell %a\n", me, n, steps, rho, x.at(mine.first, 0));
  return oracle::verdict("conjugate_gradient", right);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
