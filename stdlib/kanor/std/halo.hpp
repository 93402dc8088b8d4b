// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halo exchange: fills a rank's ghost cells from its neighbours in a grid.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace kanor {

/// Fills the ghost cells, corners included, of a field that is distributed over the ranks of a
/// grid. `field` is this rank's array of D dimensions in row-major order, with `extents[d]` cells
/// in dimension d. The outer `width` cells on each side are ghost cells: copies of the neighbours'
/// cells. At an edge of the grid that is not periodic they keep their values.
///
/// Executes D blocks of the grid's team, so all its members must call it, with the same width. Each
/// extent must be at least 2 `width`. Extents may differ between ranks, but neighbours in dimension
/// d must have equal extents in all other dimensions. Contiguous faces are sent without packing.
template <class T, int D>
void exchange_halo(T* field, const std::type_identity_t<std::array<long, static_cast<std::size_t>(D)>>& extents,
                   long width, [[kanor::uniform]] const grid<D>& ranks,
                   call_site where = call_site::current()) {
  const detail::call call("kanor::exchange_halo", where);
  const team& members = ranks.team();
  const auto extent = [&](int dimension) { return extents[static_cast<std::size_t>(dimension)]; };
  for (int d = 0; d < D; ++d) {
    // For dimension d the field consists of `rows` times extents[d] layers of `layer` cells. The
    // dimensions before d already have their ghost cells, so corners arrive in D steps.
    long rows = 1;
    long layer = 1;
    for (int e = 0; e < d; ++e) rows *= extent(e);
    for (int e = d + 1; e < D; ++e) layer *= extent(e);
    const long row = extent(d) * layer, ghosts = width * layer;
    // The number of rows may differ between ranks, so places use it and clauses do not.
    std::vector<T*> lines(static_cast<std::size_t>(rows));
    for (long r = 0; r < rows; ++r) lines[static_cast<std::size_t>(r)] = field + r * row;
    @communicate (team = members) {
      lines[0 : rows][0 : ghosts]@ranks.neighbor(i, d, 1) <<= lines[0 : rows][row - 2 * ghosts : ghosts]@i
          where i in members;
      lines[0 : rows][row - ghosts : ghosts]@ranks.neighbor(i, d, -1) <<= lines[0 : rows][ghosts : ghosts]@i
          where i in members
    }
  }
}

}  // namespace kanor
