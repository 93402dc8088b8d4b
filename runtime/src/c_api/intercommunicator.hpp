// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intercommunicators: what functions for all communicators do where one is an intercommunicator.
#pragma once

#include <kanor/mpi.h>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/transfers.hpp"

namespace kanor::rt::c_api {

/// The intercommunicator with this handle; null if the communicator is none.
inline Communicator* intercommunicator(Rank& self, MPI_Comm comm) {
  Communicator& found = communicator(self, comm);
  return found.sides ? &found : nullptr;
}

/// MPI_Comm_dup, MPI_Comm_split and MPI_Comm_create of an intercommunicator.
MPI_Comm duplicate(Rank& self, const char* name, Communicator& between);
MPI_Comm split(Rank& self, const char* name, int color, int key, Communicator& between);
MPI_Comm create(Rank& self, const Group& members, Communicator& between);

/// MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL, of both groups where the communicators have two.
int compare(const Communicator& a, const Communicator& b);

/// What a rank has to do with a root that it names.
enum class Role : unsigned char { root, none, other_group };
Role role_of(int root, const Communicator& between);
/// The root's number in Sides::both; 0 for ranks that have nothing to do with it.
int number_of_root(int root, const Communicator& between);

// Collectives of an intercommunicator: their arguments are those of MPI's functions, less those that their
// names tell. Blocks are those of the other group's ranks.

int barrier(Rank& self, Communicator& between);
int broadcast(Rank& self, const Block& block, int root, Communicator& between);
int gather(Rank& self, const char* name, Kind kind, const Block& own, const BlockArray& all, int root,
           Communicator& between);
int scatter(Rank& self, const char* name, Kind kind, const BlockArray& all, const Block& own, int root,
            Communicator& between);
int all_gather(Rank& self, const char* name, Kind kind, const Block& own, const BlockArray& all,
               Communicator& between);
int all_to_all(Rank& self, const char* name, Kind kind, const BlockArray& out, const BlockArray& in,
               Communicator& between);
int reduce(Rank& self, const Block& own, void* result, MPI_Op op, int root, Communicator& between);
int all_reduce(Rank& self, const Block& own, void* result, MPI_Op op, Communicator& between);

}  // namespace kanor::rt::c_api
