// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waiting for all ranks of the job.
#pragma once

#include "transport/rank.hpp"

namespace kanor::rt::collectives {

/// Returns once every rank has called it as often as this one has. By dissemination: ceil(log2 P) empty
/// messages a rank, in streams (Hensgen, Finkel and Manber, 1988).
void barrier(Rank& rank);

}  // namespace kanor::rt::collectives
