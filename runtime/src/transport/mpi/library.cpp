// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mpi/library.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

#ifdef OPEN_MPI
extern "C" int ompi_mpi_abort(MPI_Comm communicator, int status) __attribute__((weak));
#endif

namespace kanor::rt::mpi {

Extent::Extent(std::size_t bytes) : count_(static_cast<int>(bytes)) {
  if (bytes <= INT_MAX) return;
  constexpr std::size_t piece_bytes = std::size_t{1} << 30;
  MPI_Datatype piece;
  MPI_Type_contiguous(static_cast<int>(piece_bytes), MPI_BYTE, &piece);
  const std::size_t whole_bytes = bytes / piece_bytes * piece_bytes;
  int lengths[] = {static_cast<int>(bytes / piece_bytes), static_cast<int>(bytes - whole_bytes)};
  MPI_Aint places[] = {0, static_cast<MPI_Aint>(whole_bytes)};
  MPI_Datatype types[] = {piece, MPI_BYTE};
  MPI_Type_create_struct(2, lengths, places, types, &type_);
  MPI_Type_commit(&type_);
  MPI_Type_free(&piece);
  count_ = 1;
}

Extent::~Extent() {
  if (type_ != MPI_BYTE) MPI_Type_free(&type_);
}

void pause_politely(int rounds) {
  constexpr int yields = 50;
  if (rounds < yields) {
    ::sched_yield();
    return;
  }
  // Grows by 20 us a look, so that a wait ends late by a small part of what it has lasted.
  const long nanoseconds = 1000L * std::min(1000, 20 * (rounds - yields + 1));
  const timespec time{0, nanoseconds};
  ::nanosleep(&time, nullptr);
}

void show_library_to_its_components() {
#ifdef OPEN_MPI
  Dl_info library{};
  if (::dladdr(reinterpret_cast<void*>(&PMPI_Init_thread), &library) != 0)
    ::dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
#endif
}

void take_signals_back() {
  const bool ucx_may = std::getenv("UCX_HANDLE_ERRORS") || std::getenv("UCX_DEBUG_SIGNO");
  const bool open_mpi_may = std::getenv("OMPI_MCA_opal_signal");
  for (const int number :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2}) {
    struct sigaction action {};
    Dl_info owner{};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL ||
        action.sa_handler == SIG_IGN)
      continue;
    if (::dladdr(reinterpret_cast<void*>(action.sa_handler), &owner) == 0 || !owner.dli_fname) continue;
    const auto is_of = [&](const char* library) { return std::strstr(owner.dli_fname, library) != nullptr; };
    if ((!ucx_may && is_of("libucs")) || (!open_mpi_may && is_of("libopen-pal")) || is_of("libmpi"))
      ::signal(number, SIG_DFL);
  }
}

void abort_all(int status) {
#ifdef OPEN_MPI
  // What its MPI_Abort does when it has sent the lines.
  if (ompi_mpi_abort) ompi_mpi_abort(MPI_COMM_WORLD, status);
#endif
  MPI_Abort(MPI_COMM_WORLD, status);
}

}  // namespace kanor::rt::mpi
