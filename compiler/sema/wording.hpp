#pragma once

#include <string>

#include "sema/facts.hpp"

namespace kanor::sema {

/// `'int *' is a pointer`, `member 'next' of 'Node' is a pointer`: why a type does not travel.
std::string why_not(const TravelFacts& travel);
/// What would make it travel.
std::string way_out(const TravelFacts& travel);

}  // namespace kanor::sema
