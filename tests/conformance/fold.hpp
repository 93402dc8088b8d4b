#pragma once
// The bracketing of a reduction, written from the language's text alone: F of m terms is
// F(first 2^k) op F(the rest), 2^k the largest power of two below m; first over each maximal run of one
// sender, then over the runs' results.
#include <cstddef>
#include <utility>
#include <vector>

namespace fold {

template <class T>
struct Contribution {
  int sender;
  T value;
};

template <class T, class Op>
T bracketed(const std::vector<T>& terms, std::size_t first, std::size_t count, const Op& op) {
  if (count == 1) return terms[first];
  std::size_t power = 1;
  while (power * 2 < count) power *= 2;
  return static_cast<T>(op(bracketed(terms, first, power, op), bracketed(terms, first + power, count - power, op)));
}

/// The contributions that arrive at one place, in binding order, folded. There must be at least one.
template <class T, class Op>
T reduced(const std::vector<Contribution<T>>& arrived, const Op& op) {
  std::vector<T> runs;
  for (std::size_t at = 0; at < arrived.size();) {
    std::vector<T> run;
    const int sender = arrived[at].sender;
    for (; at < arrived.size() && arrived[at].sender == sender; ++at) run.push_back(arrived[at].value);
    runs.push_back(bracketed(run, 0, run.size(), op));
  }
  return bracketed(runs, 0, runs.size(), op);
}

}  // namespace fold

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
