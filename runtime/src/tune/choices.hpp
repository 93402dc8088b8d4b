// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows from times that kanor-tune has measured. Pure functions.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "job/tuning.hpp"

namespace kanor::tune {

/// What transfers of some bytes take in one of two ways, in microseconds.
struct Compared {
  std::size_t bytes;
  double below, above;  ///< in the way for short messages, and for long ones
};

/// The length from which on messages travel in the second way: one of `limits`, with the least loss over all
/// compared transfers. The loss of a transfer is how many times longer it takes than in the better way.
/// Returns `built_in` if no limit's loss is 3 % less than that of `built_in`. Not for no transfers.
std::size_t best_limit(const std::vector<Compared>& compared, const std::vector<std::size_t>& limits,
                       std::size_t built_in);

/// By bytes of a message, then by bytes of a part: microseconds.
using PartTimes = std::map<std::size_t, std::map<std::size_t, double>>;

/// The tuning with the shortest and the longest part for which the loss is least, if each message has the
/// parts of Tuning::part_bytes(). Returns `built_in` if no others' loss is 3 % less. All messages have times
/// of the same parts, powers of two, from the shortest part of `built_in` or less to its longest or more.
rt::Tuning best_parts(const PartTimes& times, const rt::Tuning& built_in);

/// A time that was measured: `count` messages in a row, of `bytes` each, in microseconds.
struct Sample {
  std::size_t bytes;
  int count;
  double time_us;
};

/// t = L + n·(o + G·bytes): the model of Schneider et al., "Compiler Optimizations for Non-Contiguous Remote
/// Data Movement", section 4, for n messages of so many bytes in a row.
struct CostModel {
  double latency_us = 0;   ///< L
  double overhead_us = 0;  ///< o, of a message
  double byte_us = 0;      ///< G
  double r2 = 0;           ///< the part of the times' variance that the model explains; long ones count most

  double time_us(std::size_t bytes, int count) const {
    return latency_us + count * overhead_us + byte_us * static_cast<double>(bytes) * count;
  }
};

/// Fits the model by least squares of relative errors, so that short messages count as much as long ones.
/// Nothing if the samples do not determine it.
std::optional<CostModel> fit(const std::vector<Sample>& samples);

double median(std::vector<double> values);  ///< of at least one

}  // namespace kanor::tune
