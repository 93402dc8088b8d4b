// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "analysis/sharing_decisions.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {

/// From this size on an object is worth sharing even if that happens once.
inline constexpr long long bytes_worth_sharing_once = 64 * 1024;

/// True for each function that is called in a loop, or by a function that is.
std::vector<bool> called_in_loops(const flow::FlowGraph& graph);

/// The reasons why sharing a candidate would not pay:
/// - It is smaller than `least_bytes`, where its size is known.
/// - Nothing that sends or receives it is in a loop, its function is not called in one, and it is not known
///   to have at least `bytes_worth_sharing_once`.
/// - It is reused locally: an access stands in two or more loops that nothing sends or receives it in and
///   whose counters do not choose the element. Each element is then used that many loops' times for each time
///   that it travels, next to which the copy is nothing, while memory that another rank has touched is slow.
std::vector<Reason> why_not_worth(const Steps& steps, bool is_called_in_loop, long long least_bytes);

}  // namespace kanor::analysis
