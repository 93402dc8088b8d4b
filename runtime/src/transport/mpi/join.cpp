// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door of the plug-in: joins the MPI job.
#include <cstdio>
#include <cstdlib>

#include "transport/mpi/leave.hpp"
#include "transport/mpi/library.hpp"
#include "transport/mpi/mpi_network.hpp"
#include "transport/mpi/yield.hpp"

namespace kanor::rt::mpi {
namespace {

/// Returns true if `value` is the same in all processes; sets `least` and `most` of theirs.
bool same_everywhere(MPI_Comm communicator, int value, int& least, int& most) {
  const int mine[2] = {value, -value};
  int highest[2] = {0, 0};
  MPI_Request request;
  MPI_Iallreduce(mine, highest, 2, MPI_INT, MPI_MAX, communicator, &request);
  wait_politely(request, [] { return false; });
  most = highest[0];
  least = -highest[1];
  return most == least;
}

/// Finds the processes on this machine, in the order of their numbers.
void look_around(MpiNetwork::Place& place) {
  MPI_Comm_split_type(place.communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &place.machine);
  MPI_Comm_size(place.machine, &place.processes_here);
  int process = 0, least = 0, most = 0;
  MPI_Comm_rank(place.communicator, &process);
  const bool block =
      same_everywhere(place.machine, process, least, most) || most - least + 1 == place.processes_here;
  place.first_here = block ? least : -1;
}

Network* join(int ranks_per_process, bool yield, int* argc, char*** argv, char* error,
              std::size_t error_bytes) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised) {
    std::snprintf(error, error_bytes, "the program has called MPI_Init before its main function");
    return nullptr;
  }
  show_library_to_its_components();
  take_signals_back();
  const YieldingWaits yielding(yield);
  MpiNetwork::Place place;
  place.yield = yield;
  place.ranks_per_process = ranks_per_process;
  if (PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &place.thread_level) != MPI_SUCCESS) {
    std::snprintf(error, error_bytes, "MPI_Init_thread has failed");
    return nullptr;
  }
  take_signals_back();
  if (place.thread_level < MPI_THREAD_SERIALIZED) {
    std::snprintf(error, error_bytes, "this MPI library allows no calls from several threads");
    return nullptr;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &place.communicator);
  end_job_at_errors(place.communicator);
  int least = 0, most = 0;
  if (!same_everywhere(place.communicator, ranks_per_process, least, most)) {
    std::snprintf(error, error_bytes,
                  "KANOR_THREADS must be the same for all processes, but it is %d here, and from %d to %d",
                  ranks_per_process, least, most);
    return nullptr;
  }
  look_around(place);
  place.leave_through_launcher = wire_replaces_finalize(place.communicator, place.processes_here);
  MpiNetwork* const network = new MpiNetwork(place);
  ::on_exit([](int status, void* it) { static_cast<MpiNetwork*>(it)->leave_at_exit(status); }, network);
  return network;
}

}  // namespace
}  // namespace kanor::rt::mpi

extern "C" __attribute__((visibility("default"))) kanor::rt::Network* kanor_network_open(
    int interface_version, int ranks_per_process, bool yield, int* argc, char*** argv, char* error,
    std::size_t error_bytes) {
  if (interface_version != kanor::rt::network_interface_version) {
    std::snprintf(error, error_bytes,
                  "the plug-in is of another version of Kanor (interface %d, the program's is %d): link the "
                  "program again, or set KANOR_MPI_PLUGIN to the right one",
                  kanor::rt::network_interface_version, interface_version);
    return nullptr;
  }
  return kanor::rt::mpi::join(ranks_per_process, yield, argc, argv, error, error_bytes);
}
