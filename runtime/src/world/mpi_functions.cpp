// MPI's own start and end, as programs call them that use MPI beside Kanor: they succeed and do nothing where
// Kanor has initialised MPI already, and are MPI's where it has not. Only programs that name them link this
// file.
#include <dlfcn.h>

#include <string>

#include "job/failure.hpp"
#include "world/launch.hpp"

extern "C" {
int MPI_Init(int* argc, char*** argv);
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int MPI_Finalize();
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

}  // namespace

int MPI_Init(int* argc, char*** argv) {
  if (kanor::rt::active_network()) return 0;
  return mpi_function("MPI_Init", PMPI_Init)(argc, argv);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  if (kanor::rt::Network* const network = kanor::rt::active_network()) {
    *provided = network->thread_level();
    return 0;
  }
  return mpi_function("MPI_Init_thread", PMPI_Init_thread)(argc, argv, required, provided);
}

int MPI_Finalize() {
  if (kanor::rt::active_network()) return 0;
  return mpi_function("MPI_Finalize", PMPI_Finalize)();
}
