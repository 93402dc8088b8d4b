// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plug-in has to know of the MPI library and the launcher it runs under, and how it waits for them.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace kanor::rt::mpi {

/// A number of bytes as MPI takes it: MPI's counts are ints, so more than INT_MAX bytes go as one element of
/// a type made for them.
class Extent {
 public:
  explicit Extent(std::size_t bytes);
  ~Extent();
  Extent(const Extent&) = delete;
  Extent& operator=(const Extent&) = delete;

  int count() const { return count_; }
  /// May be given to a call that starts an operation; MPI keeps the type until the operation is complete.
  MPI_Datatype type() const { return type_; }

 private:
  int count_;
  MPI_Datatype type_ = MPI_BYTE;
};

/// Waits for a request, yielding the core and sleeping: MPI's own waits spin without end. `between` is called
/// after every look, and returns whether it had something to do.
template <class Between>
void wait_politely(MPI_Request& request, Between between);

/// One pause of a wait that has lasted for `rounds` looks so far: yields at first, then sleeps, at most a
/// millisecond.
void pause_politely(int rounds);

/// Open MPI loads components that look for its symbols, but are not all linked with it: they find them only
/// if its library is global, and this plug-in's libraries are not. To be called before MPI is initialised.
void show_library_to_its_components();

/// Gives signals back their usual effect, unless the user has asked for another (UCX_HANDLE_ERRORS,
/// UCX_DEBUG_SIGNO, OMPI_MCA_opal_signal). UCX, on which MPICH stands, prints a backtrace at crashes and a
/// log at SIGHUP as soon as it is loaded. MPI_Init handles SIGUSR1 in MPICH, and the signals of crashes in
/// Open MPI.
void take_signals_back();

/// MPI_Abort, but without the lines that Open MPI's launcher prints about it.
void abort_all(int status);

template <class Between>
void wait_politely(MPI_Request& request, Between between) {
  int complete = 0;
  for (int rounds = 0;; ++rounds) {
    MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    if (complete) return;
    if (between())
      rounds = 0;
    else
      pause_politely(rounds);
  }
}

}  // namespace kanor::rt::mpi
