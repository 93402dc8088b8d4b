// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI_Barrier.
#include <kanor/mpi.h>

#include "c_api/calls.hpp"
#include "c_api/collective_call.hpp"
#include "c_api/intercommunicator.hpp"
#include "collectives/barrier.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Barrier(MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Barrier", comm, [&] {
    if (comm == MPI_COMM_WORLD && !Calls::of(self).environment.is_closed) {
      if (self.home.switches.check) [[unlikely]]
        CollectiveCall(self, "MPI_Barrier", Kind::barrier, 0, comm).tell();
      collectives::barrier(self);
    } else if (Communicator* const between = intercommunicator(self, comm)) {
      return barrier(self, *between);
    } else {
      const CollectiveCall call(self, "MPI_Barrier", Kind::barrier, 0, comm);
      call.tell();
      if (call.group.size > 1) call.group.meet(0);
    }
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Barrier)
