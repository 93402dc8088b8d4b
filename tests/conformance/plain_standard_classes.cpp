// Classes of the standard library whose objects are numbers travel, alone and inside of others.
// RUN: %kanorc %s -o %t && %run_everywhere --ranks 3 %t | %FileCheck %s
// CHECK: ranks: 3
// CHECK-COUNT-3: all arrived
#include <kanor/kanor.hpp>

#include <bitset>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ios>
#include <random>
#include <type_traits>
#include <utility>
#include <valarray>
#include <vector>

namespace {

bool all_arrived = true;

/// Every rank but one scribbles over its value, and gets that of the one.
template <class T>
void send() {
  static_assert(std::is_trivially_copyable_v<T>);
  const int me = kanor::world.rank(), n = kanor::world.size();
  T made{};
  if (me != 0) std::memset(static_cast<void*>(&made), me, sizeof made);
  std::vector<T> copies(2, made);
  std::pair<int, T> beside(me, made);
  @communicate {
    made@r <<= made@0 where r in world, r != 0;
    copies@(r + 1) % n <<= copies@r where r in world;
    beside@r <<= beside@0 where r in world
  }
  const T expected{};
  all_arrived = all_arrived && made == expected && copies.size() == 2 && (me != 1 || copies[1] == expected) &&
                beside.first == 0 && beside.second == expected;
}

template <class... T>
void send_all() {
  (send<T>(), ...);
}

}  // namespace

int main() {
  using namespace std;
  send_all<bitset<8>, bitset<77>, bitset<1000>, slice, filesystem::space_info, chrono::milliseconds,
           chrono::system_clock::time_point, complex<double>, filesystem::file_status>();
  send_all<mt19937, mt19937_64, minstd_rand, ranlux24_base, ranlux24, knuth_b>();
  send_all<uniform_int_distribution<int>, uniform_real_distribution<>, bernoulli_distribution,
           binomial_distribution<>, geometric_distribution<>, negative_binomial_distribution<>,
           poisson_distribution<>, exponential_distribution<>, gamma_distribution<>, weibull_distribution<>,
           extreme_value_distribution<>, normal_distribution<>, lognormal_distribution<>,
           chi_squared_distribution<>, cauchy_distribution<>, fisher_f_distribution<>,
           student_t_distribution<>>();
  std::printf("%s\n", all_arrived ? "all arrived" : "something is missing");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
