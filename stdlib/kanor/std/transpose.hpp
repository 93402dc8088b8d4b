// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transpose of a matrix that is distributed by rows.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/deal.hpp>

#include <vector>

namespace kanor {

/// Transposes a matrix of `height` rows and `width` columns that is distributed by rows: a rank has
/// the rows from first_row(height, rank) to the next rank's first row, in row-major order. Returns
/// this rank's rows of the transpose, distributed in the same way. Executes one block of the team,
/// so all members must call it, with the same height and width.
template <class T>
std::vector<T> transpose(const std::vector<T>& rows, [[kanor::uniform]] long height, [[kanor::uniform]] long width,
                         const team& members = world) {
  const auto begin = [&](long count, long rank) { return first_row(count, rank, members); };
  const long columns = begin(width, members.rank() + 1) - begin(width, members.rank());
  std::vector<T> result(static_cast<unsigned long>(columns * height));
  // A column of the sender's rows becomes a part of a row of the receiver. The set's ends are those that
  // begin() has for j; spelled out, they are the same on all ranks, as kanorc can see.
  @communicate (team = members) {
    result[(c - begin(width, j)) * height + begin(height, i) : begin(height, i + 1) - begin(height, i)]@j
        <<= rows[c : begin(height, i + 1) - begin(height, i) : width]@i
        where i in members, j in members, c in range(width * j / members.size(), width * (j + 1) / members.size())
  }
  return result;
}

}  // namespace kanor
