// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halo exchange: fills the ghost cells of fields from the neighbours in a grid.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/halo_faces.hpp>
#include <kanor/std/pending_call.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <vector>

// A field is distributed over the ranks of a grid. It is this rank's array of D dimensions (1 to 4) in
// row-major order, with `extents[d]` cells in dimension d, of any type that travels. The outer `width` cells
// on each side are ghost cells: copies of the neighbours' cells, diagonal neighbours included. Beyond an edge
// of the grid that is not periodic they keep their values.
//
// Each function executes one block of the grid's team, so all its members must call it, with the same
// number of fields, `width` and `reach`. A rank sends one message to each neighbour, whatever the number of
// fields, and contiguous faces are sent without packing. All fields of a call have the same extents, each
// at least 2 `width`; otherwise the call throws std::invalid_argument. Extents may differ between ranks,
// but neighbours in dimension d must have equal extents in all other dimensions.

namespace kanor {

/// The cells that the computation of a cell reads.
enum class stencil {
  star,  ///< along the dimensions: ghost cells are filled at faces only
  box    ///< in all directions: ghost cells are filled at faces, edges and corners
};

namespace detail {

template <int D>
using extents_of = std::type_identity_t<std::array<long, static_cast<std::size_t>(D)>>;

template <class T>
void exchange_faces(T* const* fields, [[kanor::uniform]] std::size_t count, const halo_faces& faces,
                    [[kanor::uniform]] const std::vector<int>& directions, [[kanor::uniform]] const grid<4>& ranks) {
  @communicate (team = ranks.team()) {
    faces.filled(fields[f], k)[:][:][:][:]@j <<= faces.sent(fields[f], k)[:][:][:][:]@i
        where i in ranks.team(), k in directions, f in range(0, count),
              let x = ranks.neighbor(i, 0, (k / 27 + 1) % 3 - 1), let y = ranks.neighbor(x, 1, (k / 9 + 1) % 3 - 1),
              let z = ranks.neighbor(y, 2, (k / 3 + 1) % 3 - 1), let j = ranks.neighbor(z, 3, (k + 1) % 3 - 1)
  }
}

template <class T>
pending start_faces(T* const* fields, [[kanor::uniform]] std::size_t count, const halo_faces& faces,
                    [[kanor::uniform]] const std::vector<int>& directions, [[kanor::uniform]] const grid<4>& ranks) {
  @communicate (team = ranks.team(), async = exchange) {
    faces.filled(fields[f], k)[:][:][:][:]@j <<= faces.sent(fields[f], k)[:][:][:][:]@i
        where i in ranks.team(), k in directions, f in range(0, count),
              let x = ranks.neighbor(i, 0, (k / 27 + 1) % 3 - 1), let y = ranks.neighbor(x, 1, (k / 9 + 1) % 3 - 1),
              let z = ranks.neighbor(y, 2, (k / 3 + 1) % 3 - 1), let j = ranks.neighbor(z, 3, (k + 1) % 3 - 1)
  }
  return exchange;
}

}  // namespace detail

/// Fills the ghost cells of a field.
template <class T, int D>
void exchange_halo(T* field, const detail::extents_of<D>& extents, long width, [[kanor::uniform]] const grid<D>& ranks,
                   [[kanor::uniform]] stencil reach = stencil::box, call_site where = call_site::current()) {
  exchange_halo({field}, extents, width, ranks, reach, where);
}

/// Fills the ghost cells of several fields.
template <class T, int D>
void exchange_halo(std::initializer_list<T*> fields, const detail::extents_of<D>& extents, long width,
                   [[kanor::uniform]] const grid<D>& ranks, [[kanor::uniform]] stencil reach = stencil::box,
                   call_site where = call_site::current()) {
  const detail::call call("kanor::exchange_halo", where);
  detail::exchange_faces(fields.begin(), fields.size(), detail::halo_faces(call, extents, width),
                         detail::halo_directions(D, reach == stencil::box), detail::halo_grid(ranks));
}

/// Starts to fill the ghost cells of fields. They are filled when wait() of the result returns. Until then, the
/// program must not touch them. It may read, but not write, the `width` cells next to them, and do
/// what it likes with all others. The grid need not exist any more.
template <class T, int D>
pending_call start_halo(std::initializer_list<T*> fields, const detail::extents_of<D>& extents, long width,
                        [[kanor::uniform]] const grid<D>& ranks, [[kanor::uniform]] stencil reach = stencil::box,
                        call_site where = call_site::current()) {
  constexpr const char* function = "kanor::start_halo";
  const detail::call call(function, where);
  return {function, where,
          detail::start_faces(fields.begin(), fields.size(), detail::halo_faces(call, extents, width),
                              detail::halo_directions(D, reach == stencil::box), detail::halo_grid(ranks))};
}

}  // namespace kanor
