// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kanor-tune measures, and the limits that follow.
#pragma once

#include <functional>
#include <string>

#include "job/tuning.hpp"
#include "tune/probe.hpp"

namespace kanor::tune {

struct Measured {
  rt::Tuning tuning;
  std::string report;  ///< lines for the user: the times, the limits, the models
};

/// Measures in so many rounds, in which the ways take turns; `before_run` is called before each run of the
/// probe, and may throw. Takes about ten seconds a round. Throws Failed.
Measured measure(const Probe& probe, int rounds, const std::function<void(int round)>& before_run);

}  // namespace kanor::tune
