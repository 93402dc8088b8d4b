// RUN: %kanorc %s -o %t && %run_everywhere --modes threads,processes,mpi-threads --ranks 2,8 %t
// How std::cout and its like write, and what has failed, is each rank's own in every mode: were it shared, the modes'
// lines would differ.
#include <kanor/kanor.hpp>

#include <iomanip>
#include <iostream>

#define OUT std::cout << "macro "

namespace {
std::ostream& everywhere = std::cout;
template <class T>
void show(const T& value, std::ostream& to = std::cout) {
  to << value << '\n';
}
}  // namespace

int main() {
  using std::cout;
  const int me = kanor::world.rank();
  for (int k = 0; k < 100; ++k) {
    std::cout << "rank " << std::setw(6) << me << std::hex << std::setfill('.') << std::setw(10) << 255 + me << std::dec
              << std::setfill(' ') << ' ' << std::setprecision(me + 2) << 3.14159265358979 << '\n';
    if ((me + k) % 2) cout << std::showpos;
    else cout << std::noshowpos;
    OUT << k << '\n';
    everywhere << std::setw(5) << k << std::scientific << 1.5 << std::defaultfloat << '\n';
    show(k);
  }
  decltype(std::cout)& same = std::cout;
  if (&everywhere != &same || std::cin.tie() != &std::cout || cout.precision() != me + 2) return 1;
  if (me == 1) std::cout.setstate(std::ios::failbit);
  return std::cout.fail() == (me == 1) ? 0 : 2;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
