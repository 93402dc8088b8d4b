// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix that is dealt to the ranks by rows, the other way round.
#pragma once

#include <kanor/kanor.hpp>

#include <vector>

namespace kanor {

/// The first of `count` rows that belongs to rank `rank` of a team that shares them as evenly as can be; what the next
/// rank has first is this rank's end.
inline long first_row(long count, long rank, const team& members = world) { return count * rank / members.size(); }

/// Transposes a matrix of `height` rows and `width` columns that is dealt to the team by rows: a rank has the rows from
/// first_row(height, rank) up to the next rank's, one after another. Returns this rank's rows of the transpose, dealt
/// the same way. One block of that team, so all members call it, with the same height and width.
template <class T>
std::vector<T> transpose(const std::vector<T>& rows, [[kanor::uniform]] long height, [[kanor::uniform]] long width,
                         const team& members = world) {
  const auto begin = [&](long count, long rank) { return first_row(count, rank, members); };
  const long columns = begin(width, members.rank() + 1) - begin(width, members.rank());
  std::vector<T> result(static_cast<unsigned long>(columns * height));
  // A column of the sender's rows becomes a part of a row of the receiver.
  @communicate (team = members) {
    result[(c - begin(width, j)) * height + begin(height, i) : begin(height, i + 1) - begin(height, i)]@j
        <<= rows[c : begin(height, i + 1) - begin(height, i) : width]@i
        where i in members, j in members, c in range(begin(width, j), begin(width, j + 1))
  }
  return result;
}

}  // namespace kanor
