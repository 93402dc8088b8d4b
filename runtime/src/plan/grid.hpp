// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a grid's functions do with sets of ranks and coordinates, forwards and backwards.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/domain.hpp"

namespace kanor::rt::plan {

/// kanor::grid's shape. Ranks are numbered in row-major order.
struct GridShape {
  struct Dimension {
    std::int64_t extent;
    std::int64_t stride;  ///< between the ranks of neighbours
    bool periodic;
    friend bool operator==(const Dimension&, const Dimension&) = default;
  };
  GridShape() = default;
  GridShape(const int* extents, const bool* periodic, int count);

  std::vector<Dimension> dimensions;
  std::int64_t size = 1;  ///< number of ranks
};

// All answer supersets; exact where all but one of the sets are single numbers.

/// { grid.neighbor(rank, dimension, offset) }, `no_rank` among them.
Domain neighbours(const GridShape& grid, const Domain& ranks, const Domain& dimensions,
                  const Domain& offsets);
/// Narrows the operands to those that may give one of `result`.
void narrow_neighbours(const GridShape& grid, const Domain& result, Domain& ranks, Domain& dimensions,
                       Domain& offsets);

/// { grid(coordinates[0], …) }, `no_rank` among them. There must be as many as the grid has dimensions.
Domain ranks_at(const GridShape& grid, const std::vector<Domain>& coordinates);
void narrow_ranks_at(const GridShape& grid, const Domain& result, std::vector<Domain>& coordinates);

/// { grid.coords(rank)[dimension] }.
Domain coordinates_of(const GridShape& grid, const Domain& ranks, const Domain& dimensions);
void narrow_coordinates_of(const GridShape& grid, const Domain& result, Domain& ranks, Domain& dimensions);

}  // namespace kanor::rt::plan
