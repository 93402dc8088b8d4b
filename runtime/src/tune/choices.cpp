// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune/choices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace kanor::tune {
namespace {

/// A built-in value is kept unless another one is so many times better: measurements differ as much.
constexpr double clear_gain = 1.03;

/// The numbers of a model; a row of its equations has their right side, too.
constexpr std::size_t unknowns = 3, columns = unknowns + 1;
using Row = std::array<double, columns>;

double loss(const std::vector<Compared>& compared, std::size_t limit) {
  double sum = 0;
  for (const Compared& one : compared)
    sum += (one.bytes < limit ? one.below : one.above) / std::min(one.below, one.above);
  return sum;
}

double loss(const PartTimes& times, const rt::Tuning& tuning) {
  double sum = 0;
  for (const auto& [bytes, by_part] : times) {
    const auto best = std::min_element(by_part.begin(), by_part.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    sum += by_part.at(tuning.part_bytes(bytes)) / best->second;
  }
  return sum;
}

/// Solves three linear equations, whose right sides are in the last column. Nothing if they are not
/// independent.
std::optional<std::array<double, unknowns>> solve(std::array<Row, unknowns> rows) {
  constexpr double nothing = 1e-12;
  for (std::size_t at = 0; at < unknowns; ++at) {
    const auto pivot =
        std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(at), rows.end(),
                         [&](const auto& a, const auto& b) { return std::abs(a[at]) < std::abs(b[at]); });
    std::swap(*pivot, rows[at]);
    if (std::abs(rows[at][at]) < nothing) return std::nullopt;
    for (std::size_t row = 0; row < unknowns; ++row) {
      if (row == at) continue;
      const double factor = rows[row][at] / rows[at][at];
      for (std::size_t column = at; column < columns; ++column)
        rows[row][column] -= factor * rows[at][column];
    }
  }
  std::array<double, unknowns> found{};
  for (std::size_t row = 0; row < unknowns; ++row) found[row] = rows[row][unknowns] / rows[row][row];
  return found;
}

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::size_t best_limit(const std::vector<Compared>& compared, const std::vector<std::size_t>& limits,
                       std::size_t built_in) {
  const std::size_t best = *std::min_element(limits.begin(), limits.end(), [&](std::size_t a, std::size_t b) {
    return loss(compared, a) < loss(compared, b);
  });
  return loss(compared, built_in) <= clear_gain * loss(compared, best) ? built_in : best;
}

rt::Tuning best_parts(const PartTimes& times, const rt::Tuning& built_in) {
  rt::Tuning best = built_in;
  const auto& parts = times.begin()->second;
  for (const auto& [least, some] : parts)
    for (const auto& [most, others] : parts) {
      rt::Tuning tried = built_in;
      tried.least_part_bytes = least;
      tried.most_part_bytes = most;
      if (least <= most && loss(times, tried) < loss(times, best)) best = tried;
    }
  return loss(times, built_in) <= clear_gain * loss(times, best) ? built_in : best;
}

std::optional<CostModel> fit(const std::vector<Sample>& samples) {
  std::array<Row, unknowns> rows{};
  double mean_us = 0;
  for (const Sample& sample : samples) {
    // Bytes in millions, so that the three columns have numbers of about the same size.
    const double weight = 1 / sample.time_us;
    const Row terms{weight, weight * sample.count,
                    weight * 1e-6 * static_cast<double>(sample.bytes) * sample.count, 1};
    for (std::size_t row = 0; row < unknowns; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        rows[row][column] += terms[row] * terms[column];
    mean_us += sample.time_us / static_cast<double>(samples.size());
  }
  const auto found = solve(rows);
  if (!found) return std::nullopt;
  CostModel model{(*found)[0], (*found)[1], (*found)[2] * 1e-6, 0};
  double unexplained = 0, all = 0;
  for (const Sample& sample : samples) {
    unexplained += std::pow(sample.time_us - model.time_us(sample.bytes, sample.count), 2);
    all += std::pow(sample.time_us - mean_us, 2);
  }
  model.r2 = 1 - unexplained / all;
  return model;
}

}  // namespace kanor::tune
