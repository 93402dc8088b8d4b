// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mpi/yield.hpp"

#include <dlfcn.h>
#include <sched.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace kanor::rt::mpi {
namespace {

std::atomic<bool> yielding{false};

}  // namespace

// Relaxed, as is the look at it below: it only says how a thread waits, and nothing is read because of it.
YieldingWaits::YieldingWaits(bool wanted) : wanted_(wanted) {
  if (wanted_) yielding.store(true, std::memory_order_relaxed);
}

YieldingWaits::~YieldingWaits() {
  if (wanted_) yielding.store(false, std::memory_order_relaxed);
}

}  // namespace kanor::rt::mpi

/// UCX's function of this name, which all waits of MPICH over UCX call. The MPI library was opened together
/// with this plug-in and after it, so its calls come here.
extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  using Progress = unsigned(void*);
  static Progress* const next = reinterpret_cast<Progress*>(::dlsym(RTLD_NEXT, "ucp_worker_progress"));
  if (!next) {
    std::fprintf(stderr, "kanor: the MPI library uses UCX, but there is none: %s\n", ::dlerror());
    std::abort();
  }
  const unsigned moved = next(worker);
  if (moved == 0 && kanor::rt::mpi::yielding.load(std::memory_order_relaxed)) ::sched_yield();
  return moved;
}
