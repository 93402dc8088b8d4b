// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which forms are a collective operation of the whole team.
#pragma once

#include <optional>
#include <span>

#include "kanor/abi/leaf.hpp"
#include "plan/form.hpp"

namespace kanor::rt::plan {

enum class Collective : unsigned char { broadcast, all_gather, all_to_all, all_reduce, scan, exclusive_scan };

struct CollectiveForm {
  Collective kind;
  int root = 0;  ///< of a broadcast
};

/// The collective operation that the statement is, if its pattern's word names one and its sets, filters and
/// ranks are those of one in which every member of a team of `size` takes part, in the order of their
/// numbers:
///
///     broadcast              every rank receives from one
///     all_gather all_to_all all_reduce
///                            every rank receives from every rank
///     scan                   every rank receives from those up to itself
///     exclusive_scan         every rank receives from those below it
///
/// Otherwise nothing. The word promises that values do not depend on their receiver (but those of an
/// all_to_all), nor reduced places on their sender. Depends only on what all ranks of the team agree on, so
/// all of them get the same result.
std::optional<CollectiveForm> collective_form(const Form& form, std::span<const abi::leaf> leaves, int size);

}  // namespace kanor::rt::plan
