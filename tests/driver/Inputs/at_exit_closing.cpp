#include <kanor/kanor.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>

int main(int argc, char** argv) {
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (!library) return 2;
  reinterpret_cast<void (*)()>(dlsym(library, "use"))();
  std::atexit([] { std::puts("the program ends"); });
  dlclose(library);
  std::puts("closed");
  if (argc > 2) std::thread([] { std::exit(0); }).join();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
