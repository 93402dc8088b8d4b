// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's neighbours, as collectives of neighbours number them.
#pragma once

#include <vector>

#include "c_api/topology.hpp"
#include "c_api/transfers.hpp"

namespace kanor::rt::c_api {

/// One end of an edge: the rank at the other end, and which one it is of the edges between the two.
struct End {
  int other;
  int lane;
};

/// In the order of the blocks of a call.
struct Ends {
  std::vector<End> in, out;
};

/// Throws CallError where the communicator has no topology.
Ends ends_of(const Communicator& comm);

/// The same block for each neighbour.
struct SameBlock {
  Block block;

  const Block& operator[](int) const { return block; }
};

/// Blocks whose lengths, offsets in bytes and datatypes are in arrays.
struct TypedBlocks {
  const void* data;
  const int* counts;
  const MPI_Aint* offsets;
  const MPI_Datatype* types;

  Block operator[](int number) const {
    if (!counts || !offsets || !types)
      throw CallError{MPI_ERR_ARG, "an array of counts, offsets or datatypes is NULL"};
    return {address_in(data, offsets[number]), counts[number], types[number]};
  }
};

}  // namespace kanor::rt::c_api
