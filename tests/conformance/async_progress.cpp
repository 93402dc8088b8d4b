// RUN: rm -f %t.received; %kanorc -O1 %s -o %t && %run_everywhere --ranks 2,4 %t %t.received
// Once a block was started its receivers' waits end, although the sender computes and calls nothing of Kanor's.
#include "check.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// Computes until the file is there, or for half a minute.
bool compute_until(const std::string& path) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  volatile double sink = 0;
  struct stat status;
  while (std::chrono::steady_clock::now() < end) {
    for (int k = 0; k < 100'000; ++k) sink = sink + k;
    if (::stat(path.c_str(), &status) == 0) return true;
  }
  return false;
}

}  // namespace

int main(int, char** argv) {
  const int n = kanor::world.size(), me = kanor::world.rank();
  for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, std::size_t{3} << 20}) {
    std::vector<std::uint64_t> value(me == 0 ? count : 0, 41), place;
    const std::string flag = std::string(argv[1]) + std::to_string(count);
    @communicate (async = p) { place@n - 1 <<= value@0 }
    if (me == 0) CHECK(compute_until(flag));
    p.wait();
    if (me == n - 1) {
      CHECK(place == std::vector<std::uint64_t>(count, 41));
      std::ofstream(flag) << "received";
    }
    int done = 0;
    @communicate { done@i << + << 1@j where i, j in world }
    if (me == 0) ::unlink(flag.c_str());
    @communicate { done@i << + << 1@j where i, j in world }
  }
  return check::finish("async_progress");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
