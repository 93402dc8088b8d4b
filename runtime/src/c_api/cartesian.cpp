// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cartesian topologies of kanor/mpi.h.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "c_api/new_communicator.hpp"
#include "c_api/topology.hpp"

namespace kanor::rt::c_api {

std::vector<int> Grid::coordinates_of(int rank) const {
  std::vector<int> coordinates(sizes.size());
  for (std::size_t at = sizes.size(); at-- > 0; rank /= sizes[at]) coordinates[at] = rank % sizes[at];
  return coordinates;
}

int Grid::rank_of(const std::vector<int>& coordinates) const {
  int rank = 0;
  for (std::size_t at = 0; at < sizes.size(); ++at) {
    int coordinate = coordinates[at];
    if (coordinate < 0 || coordinate >= sizes[at]) {
      if (!is_periodic[at]) return MPI_PROC_NULL;
      coordinate = (coordinate % sizes[at] + sizes[at]) % sizes[at];
    }
    rank = rank * sizes[at] + coordinate;
  }
  return rank;
}

int Grid::shifted(int rank, int dimension, long long distance) const {
  const auto at = static_cast<std::size_t>(dimension);
  std::vector<int> coordinates = coordinates_of(rank);
  long long moved = coordinates[at] + distance;
  if (is_periodic[at]) moved = (moved % sizes[at] + sizes[at]) % sizes[at];
  if (moved < 0 || moved >= sizes[at]) return MPI_PROC_NULL;
  coordinates[at] = static_cast<int>(moved);
  return rank_of(coordinates);
}

namespace {

void check_dimensions(int dimensions) {
  if (dimensions < 0)
    throw CallError{MPI_ERR_DIMS, "the number of dimensions is " + std::to_string(dimensions)};
}

/// The grid of these arguments. `places` becomes its number of places, of which there are at most `ranks`.
Grid checked_grid(int dimensions, const int sizes[], const int periods[], int ranks, int& places) {
  check_dimensions(dimensions);
  Grid grid{listed(sizes, dimensions, "sizes"), {}};
  for (const int period : listed(periods, dimensions, "periods")) grid.is_periodic.push_back(period != 0);
  long long all = 1;
  for (const int size : grid.sizes) {
    if (size <= 0) throw CallError{MPI_ERR_DIMS, "a dimension has " + std::to_string(size) + " places"};
    all *= size;
    if (all > ranks)
      throw CallError{MPI_ERR_TOPOLOGY, "the grid has more than the " + std::to_string(ranks) +
                                            " places that the communicator has ranks"};
  }
  places = static_cast<int>(all);
  return grid;
}

/// The largest of `count` factors of a number that all are at most that large is at least this.
int least_largest_factor(int number, int count) {
  const auto reaches = [&](long long factor) {
    long long product = 1;
    for (int i = 0; i < count && product < number; ++i) product *= factor;
    return product >= number;
  };
  int factor = 1;
  while (!reaches(factor)) ++factor;
  return factor;
}

int largest_prime_factor(int number) {
  int largest = 1;
  for (int factor = 2; factor <= number / factor; ++factor)
    for (; number % factor == 0; number /= factor) largest = factor;
  return std::max(largest, number);
}

/// Appends `count` factors of a number, in descending order and each at most `most`: the largest as small as
/// it can be, then the second, and so on. Returns false, and appends nothing, if there are none.
bool append_factors(int number, int count, int most, std::vector<int>& factors) {
  if (count == 0) return number == 1;
  const int least = std::max(least_largest_factor(number, count), largest_prime_factor(number));
  for (int factor = least; factor <= std::min(most, number); ++factor) {
    if (number % factor != 0) continue;
    factors.push_back(factor);
    if (append_factors(number / factor, count - 1, factor, factors)) return true;
    factors.pop_back();
  }
  return false;
}

/// The grid of the dimensions that are kept, as the calling rank sees it, and its members.
struct Slice {
  Grid grid;
  std::vector<int> members;

  Slice(const Grid& all, const int keeps[], int rank, int size) {
    const std::vector<int> own = all.coordinates_of(rank);
    const auto at = [](int dimension) { return static_cast<std::size_t>(dimension); };
    for (int dimension = 0; dimension < all.dimensions(); ++dimension) {
      if (!keeps[dimension]) continue;
      grid.sizes.push_back(all.sizes[at(dimension)]);
      grid.is_periodic.push_back(all.is_periodic[at(dimension)]);
    }
    for (int other = 0; other < size; ++other) {
      const std::vector<int> its = all.coordinates_of(other);
      bool is_member = true;
      for (int dimension = 0; dimension < all.dimensions(); ++dimension)
        is_member = is_member && (keeps[dimension] || its[at(dimension)] == own[at(dimension)]);
      if (is_member) members.push_back(other);
    }
  }
};

}  // namespace

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Cart_create(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int,
                    MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Cart_create", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    int places = 0;
    Grid grid = checked_grid(dimensions, sizes, periods, communicator(self, comm).size(), places);
    const CollectiveCall call(self, "MPI_Cart_create", Kind::cart_create, 0, comm);
    *made = new_communicator(call, places, {std::move(grid)});
    return MPI_SUCCESS;
  });
}

int MPI_Dims_create(int ranks, int dimensions, int sizes[]) {
  Rank& self = caller();
  return handled(self, "MPI_Dims_create", [&] {
    check_dimensions(dimensions);
    if (ranks <= 0) throw CallError{MPI_ERR_ARG, "the number of ranks is " + std::to_string(ranks)};
    int rest = ranks, open = 0;
    for (const int size : listed(sizes, dimensions, "sizes")) {
      if (size < 0 || (size > 0 && rest % size != 0))
        throw CallError{MPI_ERR_DIMS, "a dimension has " + std::to_string(size) +
                                          " places, which is no part of " + std::to_string(ranks) + " ranks"};
      size > 0 ? rest /= size : ++open;
    }
    std::vector<int> factors;
    if (!append_factors(rest, open, rest, factors) && dimensions > 0)
      throw CallError{MPI_ERR_DIMS, "the given sizes are not those of " + std::to_string(ranks) + " ranks"};
    auto factor = factors.begin();
    for (int dimension = 0; dimension < dimensions; ++dimension)
      if (sizes[dimension] == 0) sizes[dimension] = *factor++;
    return MPI_SUCCESS;
  });
}

int MPI_Cartdim_get(MPI_Comm comm, int* dimensions) {
  Rank& self = caller();
  return handled(self, "MPI_Cartdim_get", comm, [&] {
    result_at(dimensions) = grid_of(communicator(self, comm)).dimensions();
    return MPI_SUCCESS;
  });
}

int MPI_Cart_get(MPI_Comm comm, int most, int sizes[], int periods[], int coordinates[]) {
  Rank& self = caller();
  return handled(self, "MPI_Cart_get", comm, [&] {
    const Communicator& asked = communicator(self, comm);
    const Grid& grid = grid_of(asked);
    put(grid.sizes, sizes, most);
    put({grid.is_periodic.begin(), grid.is_periodic.end()}, periods, most);
    put(grid.coordinates_of(asked.rank()), coordinates, most);
    return MPI_SUCCESS;
  });
}

int MPI_Cart_rank(MPI_Comm comm, const int coordinates[], int* rank) {
  Rank& self = caller();
  return handled(self, "MPI_Cart_rank", comm, [&] {
    const Grid& grid = grid_of(communicator(self, comm));
    const int found = grid.rank_of(listed(coordinates, grid.dimensions(), "coordinates"));
    if (found == MPI_PROC_NULL)
      throw CallError{MPI_ERR_ARG, "the coordinates are outside of a grid that is not periodic"};
    result_at(rank) = found;
    return MPI_SUCCESS;
  });
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int most, int coordinates[]) {
  Rank& self = caller();
  return handled(self, "MPI_Cart_coords", comm, [&] {
    const Communicator& asked = communicator(self, comm);
    const Grid& grid = grid_of(asked);
    check_member(asked, rank);
    put(grid.coordinates_of(rank), coordinates, most);
    return MPI_SUCCESS;
  });
}

int MPI_Cart_shift(MPI_Comm comm, int dimension, int distance, int* before, int* behind) {
  Rank& self = caller();
  return handled(self, "MPI_Cart_shift", comm, [&] {
    const Communicator& asked = communicator(self, comm);
    const Grid& grid = grid_of(asked);
    if (dimension < 0 || dimension >= grid.dimensions())
      throw CallError{MPI_ERR_DIMS, "there is no dimension " + std::to_string(dimension) + " in a grid of " +
                                        std::to_string(grid.dimensions())};
    result_at(before) = grid.shifted(asked.rank(), dimension, -static_cast<long long>(distance));
    result_at(behind) = grid.shifted(asked.rank(), dimension, distance);
    return MPI_SUCCESS;
  });
}

int MPI_Cart_sub(MPI_Comm comm, const int keeps[], MPI_Comm* made) {
  Rank& self = caller();
  return handled(self, "MPI_Cart_sub", comm, [&] {
    result_at(made) = MPI_COMM_NULL;
    const CollectiveCall call(self, "MPI_Cart_sub", Kind::cart_sub, 0, comm);
    const Grid& grid = grid_of(call.comm);
    if (grid.dimensions() > 0 && !keeps) throw CallError{MPI_ERR_ARG, "the array of dimensions is NULL"};
    Slice slice(grid, keeps, call.comm.rank(), call.comm.size());
    for (int& member : slice.members) member = call.comm.world(member);
    std::uint32_t channel = 0;
    agreed(call, 0, 0, channel);
    *made = new_communicator(self, call.comm, channel,
                             std::make_shared<const std::vector<int>>(std::move(slice.members)));
    communicator(self, *made).topology =
        std::make_shared<const Neighbourhood>(Neighbourhood{std::move(slice.grid)});
    return MPI_SUCCESS;
  });
}

int MPI_Cart_map(MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int* rank) {
  Rank& self = caller();
  return handled(self, "MPI_Cart_map", comm, [&] {
    const Communicator& asked = communicator(self, comm);
    int places = 0;
    checked_grid(dimensions, sizes, periods, asked.size(), places);
    result_at(rank) = asked.rank() < places ? asked.rank() : MPI_UNDEFINED;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Cart_create)
KANOR_PROFILED(Dims_create)
KANOR_PROFILED(Cartdim_get)
KANOR_PROFILED(Cart_get)
KANOR_PROFILED(Cart_rank)
KANOR_PROFILED(Cart_coords)
KANOR_PROFILED(Cart_shift)
KANOR_PROFILED(Cart_sub)
KANOR_PROFILED(Cart_map)
