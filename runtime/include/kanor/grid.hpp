// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks of a team arranged in a grid.
#pragma once

#include <array>
#include <source_location>
#include <type_traits>

#include "kanor/team.hpp"

namespace kanor {

namespace abi {

/// A view of a grid for compiled code, with any number of dimensions. Refers to the grid.
struct grid_view {
  int dimensions;
  const int* extents;
  const bool* periodic;

  /// The difference between the rank numbers of two neighbours along `dimension`.
  constexpr int stride(int dimension) const {
    int stride = 1;
    for (int d = dimensions - 1; d > dimension; --d) stride *= extents[d];
    return stride;
  }
  /// The coordinate, wrapped around in a periodic dimension, or -1 if it is outside of the grid.
  constexpr int within(int dimension, long long coordinate) const {
    const long long extent = extents[dimension];
    if (0 <= coordinate && coordinate < extent) return static_cast<int>(coordinate);
    if (!periodic[dimension]) return -1;
    const long long rest = coordinate % extent;
    return static_cast<int>(rest < 0 ? rest + extent : rest);
  }
};

/// Ends the job unless the extents are at least 1 and their product is `ranks`.
void check_grid(const grid_view& grid, int ranks, const std::source_location& where);
/// Sets `extents` to numbers with the product `ranks` that are as close to each other as possible,
/// in non-increasing order.
void choose_extents(int ranks, int dimensions, int* extents);
[[noreturn]] void fail_grid_rank(const char* function, int dimensions, int rank, int ranks);
[[noreturn]] void fail_grid_dimension(const char* function, int dimensions, int dimension);

}  // namespace abi

/// The ranks of a team in a D-dimensional grid, in row-major order: the last coordinate varies
/// fastest. In a periodic dimension the last coordinate is followed by the first.
///
/// A grid is a small value, like its team. No member communicates or waits. All members except the
/// constructors are thread-safe.
template <int D>
class grid {
  static_assert(D >= 1, "a grid has at least one dimension");

 public:
  /// Chooses the extents: as close to each other as the team's size allows, in non-increasing order
  /// (12 ranks in two dimensions: 4 x 3). No dimension is periodic.
  explicit grid(const kanor::team& team) : team_(team) {
    abi::choose_extents(team.size(), D, extents_.data());
  }

  /// Each extent must be at least 1, and their product must be the team's size; otherwise the job
  /// ends with an error that names `where`.
  grid(const kanor::team& team, const std::array<int, D>& extents, const std::array<bool, D>& periodic = {},
       const std::source_location& where = std::source_location::current())
      : team_(team), extents_(extents), periodic_(periodic) {
    abi::check_grid(view(), team.size(), where);
  }

  /// The team that the grid arranges.
  const kanor::team& team() const { return team_; }
  /// The number of ranks, which is that of the team.
  int size() const { return view().stride(-1); }

  /// The number of coordinates in dimension `d`. `d` must be in 0 … D-1, or the job ends with an
  /// error.
  int extent(int d) const {
    if (d < 0 || d >= D) abi::fail_grid_dimension("extent", D, d);
    return extents_[static_cast<unsigned>(d)];
  }
  /// Returns true if dimension `d` is periodic. `d` must be in 0 … D-1, or the job ends with an
  /// error.
  bool periodic(int d) const {
    if (d < 0 || d >= D) abi::fail_grid_dimension("periodic", D, d);
    return periodic_[static_cast<unsigned>(d)];
  }

  /// The rank at these D coordinates. A coordinate out of range wraps around in a periodic
  /// dimension; otherwise the result is `no_rank`.
  template <class... Coordinates>
  requires(sizeof...(Coordinates) == D && (std::is_convertible_v<Coordinates, long long> && ...)) int
  operator()(Coordinates... at) const {
    const long long coordinates[] = {static_cast<long long>(at)...};
    const abi::grid_view here = view();
    int rank = 0;
    for (int d = 0; d < D; ++d) {
      const int coordinate = here.within(d, coordinates[d]);
      if (coordinate < 0) return no_rank;
      rank = rank * here.extents[d] + coordinate;
    }
    return rank;
  }

  /// The coordinates of a rank of the team. Another number ends the job with an error.
  std::array<int, D> coords(int rank) const {
    check_rank("coords", rank);
    std::array<int, D> coordinates{};
    for (unsigned d = D; d-- > 0; rank /= extents_[d]) coordinates[d] = rank % extents_[d];
    return coordinates;
  }

  /// The rank at `offset` steps from `rank` along `dimension`. A periodic dimension wraps around,
  /// any number of times; beyond the edge of another dimension the result is `no_rank`. The
  /// neighbour of `no_rank` is `no_rank`, so steps can be chained. A rank outside the team or a
  /// dimension outside 0 … D-1 ends the job with an error.
  int neighbor(int rank, int dimension, long long offset) const {
    if (dimension < 0 || dimension >= D) abi::fail_grid_dimension("neighbor", D, dimension);
    if (rank == no_rank) return no_rank;
    check_rank("neighbor", rank);
    if (offset == 0) return rank;
    const abi::grid_view here = view();
    const int stride = here.stride(dimension), extent = here.extents[dimension];
    const int from = rank / stride % extent;
    if (offset <= -extent || offset >= extent) {
      if (!here.periodic[dimension]) return no_rank;
      offset %= extent;
    }
    const int to = here.within(dimension, from + offset);
    return to < 0 ? no_rank : rank + (to - from) * stride;
  }

  /// A view of this grid for compiled code. It must not outlive the grid.
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
