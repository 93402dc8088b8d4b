// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "sema/facts.hpp"

namespace kanor::emit {

/// The member function that visits an aggregate's parts, as kanor/abi/parts.hpp calls it. On one line.
std::string spell_parts(const sema::AggregateParts& parts);

}  // namespace kanor::emit
