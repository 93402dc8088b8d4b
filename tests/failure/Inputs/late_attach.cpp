// Stands before the C library: the second process is late to open the memory that MPI_Init shares, and says so. The
// first waits between making its file and mapping it, as on a busy machine.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = va_arg(rest, int);
  va_end(rest);
  const char* const number = std::getenv("PMI_RANK");
  if (std::strstr(path, "mpich_shar_tmp") && number && std::strcmp(number, "1") == 0) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
    sleep(10);
  }
  return reinterpret_cast<int (*)(const char*, int, ...)>(dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

extern "C" int mkstemp(char* path) {
  const int file = reinterpret_cast<int (*)(char*)>(dlsym(RTLD_NEXT, "mkstemp"))(path);
  usleep(100'000);
  return file;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
