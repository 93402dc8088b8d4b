// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "sema/facts.hpp"

namespace kanor::sema {

/// The type's name, or of a long one only the template's.
std::string brief(const std::string& type);
/// `'int *' is a pointer`, `member 'next' of 'Node' is a pointer`: why a type does not travel.
std::string why_not(const TravelFacts& travel);
/// Why nothing can be assigned; empty if that is not known.
std::string why_not(const AssignmentObstacle& obstacle);
/// Advice on what would make the type travel.
std::string way_out(const TravelFacts& travel);

}  // namespace kanor::sema
