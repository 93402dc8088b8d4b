// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cells next to a rank's own, from the ranks that own them.
#pragma once

#include <kanor/kanor.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace kanor {

/// Fills the ghost cells of a field that is dealt to the ranks of a grid, corners included. `field` is this rank's
/// array of D dimensions in row-major order, of `extents[d]` cells in dimension d; the outer `width` of them on each
/// side are ghosts, copies of the neighbours' own. At an edge of the grid that is not periodic they stay as they are.
/// All members of the grid's team call it, with the same width; D blocks of that team. The extents are at least
/// 2 `width` each, and may differ between ranks: two neighbours in dimension d have the same in all others. Row-wise
/// faces move as they lie; nothing is packed by the program.
template <class T, int D>
void exchange_halo(T* field, const std::type_identity_t<std::array<long, D>>& extents, long width,
                   const grid<D>& ranks) {
  const team& members = ranks.team();
  for (int d = 0; d < D; ++d) {
    // Seen from dimension d the field is `rows` times extents[d] layers of `layer` cells. The dimensions before d
    // have their ghosts already, so that corners arrive in D steps.
    long rows = 1;
    long layer = 1;
    for (int e = 0; e < d; ++e) rows *= extents[e];
    for (int e = d + 1; e < D; ++e) layer *= extents[e];
    const long row = extents[d] * layer, ghosts = width * layer;
    // How many rows there are is the rank's own affair, so they are counted in the places and not in a clause.
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
