// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// Sample sort: samples to all, splitters, an all-to-all of unequal buckets, merged; compared with std::sort.
#include "oracle.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

template <class T>
std::vector<T> sorted_part(std::vector<T> mine) {
  const int n = kanor::world.size();
  std::sort(mine.begin(), mine.end());
  std::vector<T> samples(n * n);
  std::vector<T> own(n);
  for (int k = 0; k < n; ++k) own[k] = mine.empty() ? T() : mine[mine.size() * k / n];
  @communicate { samples[i * n + k]@j <<= own[k]@i where i, j in world, k in {0 ... n - 1} }
  std::sort(samples.begin(), samples.end());

  std::vector<std::vector<T>> buckets(n), arrived(n);
  for (const T& value : mine) {
    int owner = n - 1;
    while (owner > 0 && value < samples[owner * n]) --owner;
    buckets[owner].push_back(value);
  }
  @communicate { arrived[i]@j <<= buckets[j]@i where i, j in world }
  std::vector<T> result;
  for (const auto& bucket : arrived) result.insert(result.end(), bucket.begin(), bucket.end());
  std::sort(result.begin(), result.end());
  return result;
}

/// The parts one after another are the sorted whole.
template <class T>
bool right_part(const std::vector<T>& all, const std::vector<T>& part) {
  std::vector<long> sizes(kanor::world.size());
  const long size = static_cast<long>(part.size());
  @communicate { sizes[i]@j <<= size@i where i, j in world }
  long first = 0;
  for (int r = 0; r < kanor::world.rank(); ++r) first += sizes[r];
  auto wanted = all;
  std::sort(wanted.begin(), wanted.end());
  return first + size <= static_cast<long>(wanted.size()) && std::equal(part.begin(), part.end(), wanted.begin() + first);
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  oracle::Numbers numbers(4);
  std::vector<int> all(20011);
  std::vector<std::string> words(3001);
  for (int& number : all) number = numbers.below(5000);
  for (std::string& word : words)
    for (int letters = 1 + numbers.below(30); letters > 0; --letters) word += static_cast<char>('a' + numbers.below(26));
  const auto mine = oracle::part(20011, n, me), my_words = oracle::part(3001, n, me);
  const bool right = right_part(all, sorted_part(std::vector<int>(all.begin() + mine.first, all.begin() + mine.last)));
  const bool right_words =
      right_part(words, sorted_part(std::vector<std::string>(words.begin() + my_words.first, words.begin() + my_words.last)));
  return oracle::verdict("sample_sort", right && right_words);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
