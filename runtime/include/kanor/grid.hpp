// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks of a team arranged in a grid.
#pragma once

#include <array>
#include <type_traits>

#include "kanor/team.hpp"

namespace kanor {

namespace abi {

/// A grid as compiled code sees it, whatever its number of dimensions. Refers to the grid.
struct grid_view {
  int dimensions;
  const int* extents;
  const bool* periodic;

  /// How far apart in rank numbers two neighbours along `dimension` are.
  constexpr int stride(int dimension) const {
    int stride = 1;
    for (int d = dimensions - 1; d > dimension; --d) stride *= extents[d];
    return stride;
  }
  /// A coordinate as it lies in the grid, or -1 if there is none.
  constexpr int within(int dimension, long long coordinate) const {
    const long long extent = extents[dimension];
    if (0 <= coordinate && coordinate < extent) return static_cast<int>(coordinate);
    if (!periodic[dimension]) return -1;
    const long long rest = coordinate % extent;
    return static_cast<int>(rest < 0 ? rest + extent : rest);
  }
};

/// Ends the job unless the extents are at least 1 and their product is `ranks`.
void check_grid(const grid_view& grid, int ranks);
/// Fills in extents with the product `ranks` that differ as little as possible, in non-increasing order.
void choose_extents(int ranks, int dimensions, int* extents);
[[noreturn]] void fail_grid_rank(const char* function, int dimensions, int rank, int ranks);
[[noreturn]] void fail_grid_dimension(const char* function, int dimensions, int dimension);

}  // namespace abi

/// The ranks of a team in a D-dimensional grid, in row-major order: the last coordinate of a rank number
/// varies fastest. In a periodic dimension the last coordinate's neighbour is the first.
///
/// A small value like the team that it holds. Nothing in it communicates or waits; all members but the
/// constructors are thread-safe.
template <int D>
class grid {
  static_assert(D >= 1, "a grid has at least one dimension");

 public:
  /// Chooses the extents: as near to each other as the team's size allows, in non-increasing order (12 ranks
  /// in two dimensions: 4 x 3). No dimension is periodic.
  explicit grid(const kanor::team& team) : team_(team) {
    abi::choose_extents(team.size(), D, extents_.data());
  }

  /// The extents' product must be the team's size, and each at least 1; otherwise the job ends.
  grid(const kanor::team& team, const std::array<int, D>& extents, const std::array<bool, D>& periodic = {})
      : team_(team), extents_(extents), periodic_(periodic) {
    abi::check_grid(view(), team.size());
  }

  /// The team whose ranks these are.
  const kanor::team& team() const { return team_; }
  /// The number of ranks: the team's.
  int size() const { return view().stride(-1); }

  /// The number of coordinates in dimension `d`, which is 0 … D-1 or ends the job.
  int extent(int d) const {
    if (d < 0 || d >= D) abi::fail_grid_dimension("extent", D, d);
    return extents_[static_cast<unsigned>(d)];
  }
  /// Whether dimension `d` wraps around; `d` as for extent().
  bool periodic(int d) const {
    if (d < 0 || d >= D) abi::fail_grid_dimension("periodic", D, d);
    return periodic_[static_cast<unsigned>(d)];
  }

  /// The rank at these coordinates, D integers. One out of range wraps around in a periodic dimension, and
  /// means `no_rank` in another.
  template <class... Coordinates>
  requires(sizeof...(Coordinates) == D && (std::is_convertible_v<Coordinates, long long> && ...)) int
  operator()(Coordinates... at) const {
    const long long coordinates[] = {static_cast<long long>(at)...};
    const abi::grid_view grid = view();
    int rank = 0;
    for (int d = 0; d < D; ++d) {
      const int coordinate = grid.within(d, coordinates[d]);
      if (coordinate < 0) return no_rank;
      rank = rank * grid.extents[d] + coordinate;
    }
    return rank;
  }

  /// The coordinates of a rank of the team; another number ends the job.
  std::array<int, D> coords(int rank) const {
    check_rank("coords", rank);
    std::array<int, D> coordinates{};
    for (unsigned d = D; d-- > 0; rank /= extents_[d]) coordinates[d] = rank % extents_[d];
    return coordinates;
  }

  /// The rank whose coordinate in `dimension` is by `offset` larger than that of `rank`. Beyond the grid's
  /// edge a periodic dimension wraps around, as often as need be; in another there is `no_rank`. The
  /// neighbour of `no_rank` is `no_rank`, so that steps can be chained. A rank outside the team or a
  /// dimension outside 0 … D-1 ends the job.
  int neighbor(int rank, int dimension, long long offset) const {
    if (dimension < 0 || dimension >= D) abi::fail_grid_dimension("neighbor", D, dimension);
    if (rank == no_rank) return no_rank;
    check_rank("neighbor", rank);
    const abi::grid_view grid = view();
    const int stride = grid.stride(dimension), extent = grid.extents[dimension];
    const int from = rank / stride % extent;
    if (offset <= -extent || offset >= extent) {
      if (!grid.periodic[dimension]) return no_rank;
      offset %= extent;
    }
    const int to = grid.within(dimension, from + offset);
    return to < 0 ? no_rank : rank + (to - from) * stride;
  }

  /// For compiled code that treats grids of all dimensions alike; lives no longer than the grid.
  constexpr abi::grid_view view() const { return {D, extents_.data(), periodic_.data()}; }

 private:
  void check_rank(const char* function, int rank) const {
    if (rank < 0 || rank >= size()) abi::fail_grid_rank(function, D, rank, size());
  }

  kanor::team team_;
  std::array<int, D> extents_{};
  std::array<bool, D> periodic_{};
};

}  // namespace kanor
