// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's own start and end, as programs call them that use MPI beside Kanor: they succeed and do nothing where
// Kanor has initialised MPI already. Where it has not, a job of one rank gets MPI's; with several ranks MPI
// would take each process for a job of its own.
#include <dlfcn.h>

#include <string>

#include "job/failure.hpp"
#include "transport/rank_state.hpp"
#include "world/launch.hpp"

// kanorc, kanor.pc and Kanor::kanor link with --wrap for each of them: then a program's calls come here
// although its MPI library stands before libkanor.a. What carries MPI's own names is for programs linked
// otherwise, and for the calls of shared libraries; weak, because a static MPI may bring its own along.
extern "C" {
int __wrap_MPI_Init(int* argc, char*** argv);
int __wrap_MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int __wrap_MPI_Finalize();
__attribute__((weak, alias("__wrap_MPI_Init"))) int MPI_Init(int* argc, char*** argv);
__attribute__((weak, alias("__wrap_MPI_Init_thread"))) int MPI_Init_thread(int* argc, char*** argv,
                                                                           int required, int* provided);
__attribute__((weak, alias("__wrap_MPI_Finalize"))) int MPI_Finalize();
// There under a static MPI, whose functions the dynamic linker does not know.
int PMPI_Init(int* argc, char*** argv) __attribute__((weak));
int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) __attribute__((weak));
int PMPI_Finalize() __attribute__((weak));
}

namespace {

/// The MPI library's function; without a library it ends the job.
template <class Function>
Function* mpi_function(const char* name, Function* profiling) {
  if (void* const next = ::dlsym(RTLD_NEXT, name)) return reinterpret_cast<Function*>(next);
  if (!profiling)
    kanor::rt::fail(std::string("the program calls ") + name + ", but is linked with no MPI library");
  return profiling;
}

/// Fails where a program of several ranks starts MPI, unless its processes are MPI's, and its ranks its
/// processes.
void require_launcher(const std::string& name) {
  using namespace kanor::rt;
  const Rank* const rank = here_or_null();
  if (!rank) return;
  const std::string way_out = "start it with 'mpiexec -n " + std::to_string(rank->size) +
                              "', because MPI in a Kanor program needs one rank for each MPI process";
  if (!active_network()) {
    if (rank->size > 1) fail("calls " + name + ", but no MPI launcher has started the job: " + way_out);
  } else if (rank->home.control.count() > 1) {
    fail("calls " + name + " beside other ranks of its process (KANOR_THREADS is " +
         std::to_string(rank->home.control.count()) + "): unset KANOR_THREADS, and " + way_out);
  }
}

}  // namespace

int __wrap_MPI_Init(int* argc, char*** argv) {
  require_launcher("MPI_Init");
  if (kanor::rt::active_network()) return 0;
  return mpi_function("MPI_Init", PMPI_Init)(argc, argv);
}

int __wrap_MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  require_launcher("MPI_Init_thread");
  if (kanor::rt::Network* const network = kanor::rt::active_network()) {
    *provided = network->thread_level();
    return 0;
  }
  return mpi_function("MPI_Init_thread", PMPI_Init_thread)(argc, argv, required, provided);
}

int __wrap_MPI_Finalize() {
  if (kanor::rt::active_network()) return 0;
  return mpi_function("MPI_Finalize", PMPI_Finalize)();
}
