// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// A histogram in two ways: bins owned by ranks and each count sent to its owner, and whole tables folded.
#include "oracle.hpp"

#include <map>
#include <string>
#include <vector>

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), count = 9001, bins = 37;
  oracle::Numbers numbers(7);
  std::vector<int> all(count);
  for (int& number : all) number = numbers.below(bins) * numbers.below(bins) % bins;
  const auto mine = oracle::part(count, n, me);

  std::vector<long> local(bins), owned(bins, 0), table;
  std::map<std::string, long> named, merged;
  for (int k = mine.first; k < mine.last; ++k) {
    ++local[all[k]];
    ++named["bin " + std::to_string(all[k])];
  }
  const auto add = [](std::map<std::string, long> a, const std::map<std::string, long>& b) {
    for (const auto& [name, more] : b) a[name] += more;
    return a;
  };
  @communicate {
    owned[b]@b % n << + << local[b]@s where s in world, b in {0 ... bins - 1};
    table@i << + << local@s where i, s in world;
    merged@n - 1 << add << named@s where s in world
  }

  std::vector<long> wanted(bins);
  for (const int number : all) ++wanted[number];
  bool right = table == wanted;
  for (int b = 0; b < bins; ++b) right = right && owned[b] == (b % n == me ? wanted[b] : 0);
  for (const auto& [name, number] : merged) right = right && number == wanted[std::stoi(name.substr(4))];
  return oracle::verdict("histogram", right && merged.empty() == (me != n - 1));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
