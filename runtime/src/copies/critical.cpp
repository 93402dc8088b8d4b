// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's critical regions without a name, as GCC compiles them, once for each copy of a program. GCC's
// library has one lock for the process: a rank that receives a message in such a region would keep out the
// rank that is to send it in one. Regions with names lock variables of the program.
#include <pthread.h>

namespace {

pthread_mutex_t region = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

}  // namespace

// Weak: a program may bring GCC's library as an archive, and then has a lock in each copy.
extern "C" {

[[gnu::weak]] void GOMP_critical_start() { ::pthread_mutex_lock(&region); }

[[gnu::weak]] void GOMP_critical_end() { ::pthread_mutex_unlock(&region); }
}
