// RUN: %kanorc %s -isystem /usr/include/eigen3 -o %t && %run_everywhere %t
// REQUIRES: eigen
// Eigen's matrices and arrays as values and places, whole and in containers, and what has coefficients as sections.
#include "check.hpp"

#include <Eigen/Core>
#include <kanor/adapt/eigen.hpp>

#include <map>
#include <optional>
#include <vector>

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Matrix>
Matrix filled(int rows, int columns, int rank) {
  Matrix made(rows, columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) made(r, c) = static_cast<typename Matrix::Scalar>(1000 * rank + 10 * r + c);
  return made;
}

struct Particle {
  Eigen::Vector3d position;
  Eigen::VectorXf history;
  bool operator==(const Particle&) const = default;
};

void whole(int n, int me) {
  const int left = (me + n - 1) % n;
  const auto matrix = filled<Eigen::MatrixXd>(me + 1, 3, me);
  const auto fixed = filled<Eigen::Matrix4f>(4, 4, me);
  const auto array = filled<Eigen::ArrayXXi>(2, me % 3, me);
  const Eigen::VectorXcd complex = Eigen::VectorXcd::Constant(me + 2, {1.0 * me, -1.0});
  const std::vector<Eigen::Vector3d> positions(static_cast<std::size_t>(me % 4), Eigen::Vector3d(me, 1, 2));
  const std::map<int, std::optional<RowMajor>> table{{me, filled<RowMajor>(2, 2, me)}, {-1, std::nullopt}};
  const Particle particle{{1.0 * me, 2, 3}, Eigen::VectorXf::Constant(me, 0.5f)};
  Eigen::MatrixXd got_matrix(9, 9);
  Eigen::Matrix4f got_fixed;
  Eigen::ArrayXXi got_array;
  Eigen::VectorXcd got_complex;
  std::vector<Eigen::Vector3d> got_positions;
  std::map<int, std::optional<RowMajor>> got_table;
  Particle got_particle;
  @communicate {
    got_matrix@(i + 1) % n <<= matrix@i where i in world;
    got_fixed@(i + 1) % n <<= fixed@i where i in world;
    got_array@(i + 1) % n <<= array@i where i in world;
    got_complex@(i + 1) % n <<= complex@i where i in world;
    got_positions@(i + 1) % n <<= positions@i where i in world;
    got_table@(i + 1) % n <<= table@i where i in world;
    got_particle@(i + 1) % n <<= particle@i where i in world
  }
  CHECK(got_matrix.rows() == left + 1 && got_matrix == filled<Eigen::MatrixXd>(left + 1, 3, left));
  CHECK(got_fixed == filled<Eigen::Matrix4f>(4, 4, left));
  CHECK(got_array.cols() == left % 3 && (got_array == filled<Eigen::ArrayXXi>(2, left % 3, left)).all());
  CHECK(got_complex == Eigen::VectorXcd::Constant(left + 2, {1.0 * left, -1.0}));
  CHECK(got_positions == std::vector<Eigen::Vector3d>(static_cast<std::size_t>(left % 4), Eigen::Vector3d(left, 1, 2)));
  CHECK(got_table.at(left) == filled<RowMajor>(2, 2, left) && !got_table.at(-1));
  CHECK(got_particle == (Particle{{1.0 * left, 2, 3}, Eigen::VectorXf::Constant(left, 0.5f)}));
  CHECK(matrix == filled<Eigen::MatrixXd>(me + 1, 3, me));
}

void sections(int n, int me) {
  const int left = (me + n - 1) % n;
  const auto mine = filled<Eigen::MatrixXd>(4, 6, me);
  Eigen::MatrixXd got = Eigen::MatrixXd::Constant(4, 6, -1);
  RowMajor rows = RowMajor::Constant(4, 6, -1);
  std::vector<double> line(12, -1), column;
  Eigen::Map<Eigen::VectorXd, 0, Eigen::InnerStride<>> every_third(line.data(), 4, Eigen::InnerStride<>(3));
  Eigen::Ref<Eigen::MatrixXd> corner = got.topLeftCorner(2, 2);
  @communicate {
    got.col(5)[:]@(i + 1) % n <<= mine.col(0)[:]@i where i in world;
    corner[:][:]@(i + 1) % n <<= mine[2 : 2][4 : 2]@i where i in world;
    rows[:][:]@(i + 1) % n <<= mine[:][:]@i where i in world;
    every_third[:]@(i + 1) % n <<= mine.row(3)[1 : 4]@i where i in world;
    column@(i + 1) % n <<= mine.transpose()[1 : 1][:]@i where i in world
  }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 6; ++c) {
      const double expected = c == 5 ? 1000 * left + 10 * r : r < 2 && c < 2 ? 1000 * left + 10 * (r + 2) + c + 4 : -1;
      CHECK_EQ(got(r, c), expected);
      CHECK_EQ(rows(r, c), 1000 * left + 10 * r + c);
    }
  for (int at = 0; at < 12; ++at) CHECK_EQ(line[static_cast<std::size_t>(at)], at % 3 ? -1 : 1000 * left + 31 + at / 3);
  CHECK_EQ(column, (std::vector<double>{1000.0 * left + 1, 1000.0 * left + 11, 1000.0 * left + 21, 1000.0 * left + 31}));

  Eigen::VectorXd sum = Eigen::VectorXd::Constant(3, me);
  @communicate { sum[:]@i << + << sum[:]@j where i, j in world }
  CHECK(sum == Eigen::VectorXd::Constant(3, n * (n - 1) / 2));
}

}  // namespace

int main() {
  whole(kanor::world.size(), kanor::world.rank());
  sections(kanor::world.size(), kanor::world.rank());
  return check::finish("eigen");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
