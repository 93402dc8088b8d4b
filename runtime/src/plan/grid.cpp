// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/grid.hpp"

#include "kanor/team.hpp"
#include "plan/operators.hpp"

namespace kanor::rt::plan {
namespace {

using Dimension = GridShape::Dimension;

Domain quotient(const Domain& domain, std::int64_t by) {
  return by == 1 ? domain : apply(Operator::divide, domain, Domain::of(by));
}
Domain product(const Domain& domain, std::int64_t by) {
  return by == 1 ? domain : apply(Operator::multiply, domain, Domain::of(by));
}
Domain sum(const Domain& a, const Domain& b) { return apply(Operator::add, a, b); }
Domain difference(const Domain& a, const Domain& b) { return apply(Operator::subtract, a, b); }

Domain in_grid(const GridShape& grid, const Domain& ranks) {
  Domain inside = ranks;
  inside.intersect(0, grid.size - 1);
  return inside;
}

Domain coordinate(const Dimension& dimension, const Domain& ranks) {
  return residues(quotient(ranks, dimension.stride), dimension.extent);
}

/// The ranks whose coordinate is one of `coordinates` and that are otherwise like `ranks`.
Domain moved(const Dimension& dimension, const Domain& ranks, const Domain& coordinates) {
  const std::int64_t block = dimension.stride * dimension.extent;
  return sum(sum(product(quotient(ranks, block), block), product(coordinates, dimension.stride)),
             residues(ranks, dimension.stride));
}

/// Coordinates as they lie in the grid: wrapped, or cut off.
Domain within(const Dimension& dimension, const Domain& coordinates) {
  if (dimension.periodic) return residues(coordinates, dimension.extent);
  Domain inside = coordinates;
  inside.intersect(0, dimension.extent - 1);
  return inside;
}

bool may_leave(const Dimension& dimension, const Domain& coordinates) {
  return !dimension.periodic && !coordinates.empty() &&
         (coordinates.min() < 0 || coordinates.max() >= dimension.extent);
}

/// Calls `use` for each dimension of the grid that is in the set.
template <class Use>
void for_dimensions(const GridShape& grid, const Domain& dimensions, const Use& use) {
  for (std::size_t d = 0; d < grid.dimensions.size(); ++d)
    if (dimensions.contains(static_cast<std::int64_t>(d)))
      use(static_cast<std::int64_t>(d), grid.dimensions[d]);
}

}  // namespace

GridShape::GridShape(const int* extents, const bool* periodic, int count)
    : dimensions(static_cast<std::size_t>(count)) {
  for (int d = count - 1; d >= 0; --d) {
    dimensions[static_cast<std::size_t>(d)] = {extents[d], size, periodic[d]};
    size *= extents[d];
  }
}

Domain neighbours(const GridShape& grid, const Domain& ranks, const Domain& dimensions,
                  const Domain& offsets) {
  Domain out;
  if (ranks.contains(no_rank)) out.add(no_rank);
  const Domain inside = in_grid(grid, ranks);
  for_dimensions(grid, dimensions, [&](std::int64_t, const Dimension& dimension) {
    const Domain to = sum(coordinate(dimension, inside), offsets);
    if (may_leave(dimension, to)) out.add(no_rank);
    out.add(moved(dimension, inside, within(dimension, to)));
  });
  return out;
}

void narrow_neighbours(const GridShape& grid, const Domain& result, Domain& ranks, Domain& dimensions,
                       Domain& offsets) {
  const Domain reached = in_grid(grid, result), inside = in_grid(grid, ranks);
  const bool nobody = result.contains(no_rank);
  if (nobody && ranks.contains(no_rank)) return;
  Domain some_ranks, some_dimensions, some_offsets;
  for_dimensions(grid, dimensions, [&](std::int64_t number, const Dimension& dimension) {
    Domain from, by;
    if (nobody && !dimension.periodic) {
      from = inside;
      by = offsets;
    } else {
      const Domain to = coordinate(dimension, reached);
      from = moved(dimension, reached, within(dimension, difference(to, offsets)));
      from.intersect(inside);
      by = difference(to, coordinate(dimension, from));
      if (dimension.periodic) by = with_residues(residues(by, dimension.extent), dimension.extent, offsets);
      by.intersect(offsets);
    }
    if (from.empty() || by.empty()) return;
    some_ranks.add(from);
    some_dimensions.add(number);
    some_offsets.add(by);
  });
  ranks = some_ranks;
  dimensions = some_dimensions;
  offsets = some_offsets;
}

Domain ranks_at(const GridShape& grid, const std::vector<Domain>& coordinates) {
  Domain out = Domain::of(0);
  bool nobody = false;
  for (std::size_t d = 0; d < coordinates.size(); ++d) {
    const Dimension& dimension = grid.dimensions[d];
    nobody = nobody || may_leave(dimension, coordinates[d]);
    out = sum(out, product(within(dimension, coordinates[d]), dimension.stride));
  }
  if (nobody) out.add(no_rank);
  return out;
}

void narrow_ranks_at(const GridShape& grid, const Domain& result, std::vector<Domain>& coordinates) {
  if (result.contains(no_rank)) return;
  const Domain reached = in_grid(grid, result);
  for (std::size_t d = 0; d < coordinates.size(); ++d) {
    const Dimension& dimension = grid.dimensions[d];
    const Domain there = coordinate(dimension, reached);
    coordinates[d].intersect(dimension.periodic ? with_residues(there, dimension.extent, coordinates[d])
                                                : there);
  }
}

Domain coordinates_of(const GridShape& grid, const Domain& ranks, const Domain& dimensions) {
  Domain out;
  const Domain inside = in_grid(grid, ranks);
  for_dimensions(grid, dimensions,
                 [&](std::int64_t, const Dimension& dimension) { out.add(coordinate(dimension, inside)); });
  return out;
}

void narrow_coordinates_of(const GridShape& grid, const Domain& result, Domain& ranks, Domain& dimensions) {
  Domain some_ranks, some_dimensions;
  for_dimensions(grid, dimensions, [&](std::int64_t number, const Dimension& dimension) {
    Domain from = in_grid(grid, ranks);
    const Domain rows = quotient(from, dimension.stride);
    Domain possible = result;
    possible.intersect(0, dimension.extent - 1);
    Domain some_rows = with_residues(possible, dimension.extent, rows);
    some_rows.intersect(rows);
    narrow_left(Operator::divide, some_rows, from, Domain::of(dimension.stride));
    if (from.empty()) return;
    some_ranks.add(from);
    some_dimensions.add(number);
  });
  ranks = some_ranks;
  dimensions = some_dimensions;
}

}  // namespace kanor::rt::plan
