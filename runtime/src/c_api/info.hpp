// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Info objects.
#pragma once

#include <kanor/mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "transport/rank.hpp"

namespace kanor::rt::c_api {

/// Keys with values.
struct Info {
  std::vector<std::pair<std::string, std::string>>
      entries;  ///< in the order in which the keys were set first

  /// Null if there is no such key.
  const std::string* find(const std::string& key) const;
};

/// The info object with this handle. Throws CallError where there is none.
const Info& info(Rank& rank, MPI_Info handle);
/// Throws CallError unless it is MPI_INFO_NULL or an info object.
void check_hints(Rank& rank, MPI_Info handle);

}  // namespace kanor::rt::c_api
