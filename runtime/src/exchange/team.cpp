#include "kanor/team.hpp"

#include <string>

#include "transport/rank.hpp"

namespace kanor {

int team::size() const { return rt::team_size(rt::here("kanor::team::size() was called")); }

int team::rank() const { return rt::rank_number(rt::here("kanor::team::rank() was called")); }

int team::world_rank(int i) const {
  const int ranks = size();
  if (i < 0 || i >= ranks)
    rt::fail("kanor::team::world_rank(" + std::to_string(i) + ") in a team of " + std::to_string(ranks) +
             " ranks");
  return i;
}

}  // namespace kanor
