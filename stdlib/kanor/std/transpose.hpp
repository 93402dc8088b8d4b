// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transpose of a matrix that is distributed by rows.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/detail/call.hpp>

#include <vector>

namespace kanor {

/// Transposes a matrix of `height` rows and `width` columns that is distributed by rows: a rank has
/// the rows block_range(height, rank), in row-major order. Returns this rank's rows of the transpose,
/// distributed in the same way. Executes one block of the team, so all members must call it, with the
/// same height and width.
template <class T>
std::vector<T> transpose(const std::vector<T>& rows, [[kanor::uniform]] long height, [[kanor::uniform]] long width,
                         const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::transpose", where);
  const auto rows_of = [&](long rank) { return block_range(height, rank, members); };
  const auto columns_of = [&](long rank) { return block_range(width, rank, members); };
  std::vector<T> result(static_cast<unsigned long>(columns_of(members.rank()).size() * height));
  // A column of the sender's rows becomes a part of a row of the receiver. The set's ends are those of
  // columns_of(j); spelled out, they are the same on all ranks, as kanorc can see.
  @communicate (team = members) {
    result[(c - columns_of(j).begin) * height + rows_of(i).begin : rows_of(i).size()]@j
        <<= rows[c : rows_of(i).size() : width]@i
        where i in members, j in members, c in range(width * j / members.size(), width * (j + 1) / members.size())
  }
  return result;
}

}  // namespace kanor
