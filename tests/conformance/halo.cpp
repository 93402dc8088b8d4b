// The halo of a field that does not divide evenly: ranks have tiles of unlike extents, which only neighbours know of each other.
// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,4,5,6,9,16 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --modes threads,processes --ranks 3,5,6 %t
#include "check.hpp"

#include <kanor/std/halo.hpp>

#include <array>
#include <vector>

namespace {

using kanor::world;

/// Every cell of the whole field has a number; after the exchange the ghosts must have those of the cells that they copy.
template <int D>
void dealt(const kanor::grid<D>& ranks, const std::array<long, D>& whole, long width) {
  const auto at = ranks.coords(ranks.team().rank());
  std::array<long, D> first{}, extents{};
  long cells = 1;
  for (unsigned d = 0; d < D; ++d) {
    const long parts = ranks.extent(static_cast<int>(d));
    first[d] = whole[d] * at[d] / parts;
    extents[d] = whole[d] * (at[d] + 1) / parts - first[d] + 2 * width;
    cells *= extents[d];
  }
  std::vector<long> field(static_cast<std::size_t>(cells), -1), expected = field;
  for (std::size_t cell = 0; cell < field.size(); ++cell) {
    long rest = static_cast<long>(cell), number = 0, scale = 1;
    bool own = true, exists = true;
    for (unsigned d = D; d-- > 0; rest /= extents[d]) {
      const long inside = rest % extents[d];
      long place = first[d] + inside - width;
      own = own && inside >= width && inside < extents[d] - width;
      if (ranks.periodic(static_cast<int>(d))) place = (place + whole[d]) % whole[d];
      exists = exists && place >= 0 && place < whole[d];
      number += scale * place;
      scale *= whole[d];
    }
    if (own) field[cell] = number;
    if (exists) expected[cell] = number;
  }
  kanor::exchange_halo(field.data(), extents, width, ranks);
  CHECK(field == expected);
}

void all_shapes(const kanor::team& members) {
  const int n = members.size();
  const kanor::grid<1> line(members);
  const kanor::grid<2> square(members);
  const kanor::grid<3> cube(members);
  // Each dimension in turn is the one that is dealt; some of them go round.
  const kanor::grid<2> columns(members, {1, n}, {true, false}), rows(members, {n, 1}, {true, true});
  const kanor::grid<3> middle(members, {1, n, 1}, {false, true, false}), last(members, {1, 1, n}, {true, false, true});
  for (long width : {1, 2}) {
    // So many that each part has the width.
    const long more = 2 * n;
    dealt<1>(line, {11 + more}, width);
    dealt<2>(square, {13 + more, 17 + more}, width);
    dealt<3>(cube, {7 + more, 8 + more, 11 + more}, width);
    dealt<2>(columns, {5, 13 + more}, width);
    dealt<2>(rows, {14 + more, 7}, width);
    dealt<3>(middle, {5, 13 + more, 4}, width);
    dealt<3>(last, {4, 5, 15 + more}, width);
  }
}

}  // namespace

int main() {
  all_shapes(world);
  all_shapes(world.split(world.rank() % 2, -world.rank()));
  return check::finish("halo");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
