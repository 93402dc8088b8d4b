// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What grids of all dimensions have in common: choosing extents, and what is wrong with them.
#include "kanor/grid.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "job/failure.hpp"

namespace kanor::abi {
namespace {

/// Tries the ways to write a number as a product of `dimensions` factors in non-increasing order.
class Factoring {
 public:
  explicit Factoring(int dimensions) : now_(static_cast<std::size_t>(dimensions)) {}

  void search(int number, std::size_t at, int largest) {
    if (at + 1 == now_.size()) {
      if (number > largest) return;
      now_[at] = number;
      if (best_.empty() || is_better()) best_ = now_;
      return;
    }
    for (int factor = 1; factor <= std::min(number, largest); ++factor) {
      if (number % factor != 0) continue;
      // The rest must be a product of factors no larger than this one.
      long long most = 1;
      for (std::size_t left = at; left < now_.size() && most < number; ++left) most *= factor;
      if (most < number) continue;
      now_[at] = factor;
      search(number / factor, at + 1, factor);
    }
  }

  const std::vector<int>& best() const { return best_; }

 private:
  bool is_better() const {
    const int spread = now_.front() - now_.back(), best_spread = best_.front() - best_.back();
    return spread != best_spread ? spread < best_spread : now_ < best_;
  }

  std::vector<int> now_, best_;
};

std::string name(int dimensions) { return "kanor::grid<" + std::to_string(dimensions) + ">"; }

std::string ranks_text(int ranks) {
  return std::to_string(ranks) + (ranks == 1 ? " rank: 0" : " ranks: 0 to " + std::to_string(ranks - 1));
}

}  // namespace

void choose_extents(int ranks, int dimensions, int* extents) {
  Factoring factoring(dimensions);
  factoring.search(ranks, 0, ranks);
  std::copy(factoring.best().begin(), factoring.best().end(), extents);
}

void check_grid(const grid_view& grid, int ranks, const std::source_location& where) {
  const std::string begin = name(grid.dimensions) + " at " + where.file_name() + ":" +
                            std::to_string(where.line()) + ": the extent";
  std::string product;
  bool fits = true;
  long long count = 1;
  for (int d = 0; d < grid.dimensions; ++d) {
    const int extent = grid.extents[d];
    if (extent < 1)
      rt::fail(begin + " of dimension " + std::to_string(d) + " is " + std::to_string(extent) +
               ", but must be at least 1");
    product += (d == 0 ? "" : " x ") + std::to_string(extent);
    fits = fits && count <= ranks;
    if (fits) count *= extent;
  }
  if (fits && count == ranks) return;
  rt::fail(begin + "s " + product + " are for " +
           (fits ? std::to_string(count) : "more than " + std::to_string(ranks)) +
           " ranks, but the team has " + std::to_string(ranks));
}

void fail_grid_rank(const char* function, int dimensions, int rank, int ranks) {
  rt::fail(name(dimensions) + "::" + function + " of rank " + std::to_string(rank) + ", but the team has " +
           ranks_text(ranks));
}

void fail_grid_dimension(const char* function, int dimensions, int dimension) {
  rt::fail(name(dimensions) + "::" + function + " of dimension " + std::to_string(dimension) +
           ", but the grid has " + std::to_string(dimensions) +
           (dimensions == 1 ? " dimension: 0" : " dimensions: 0 to " + std::to_string(dimensions - 1)));
}

}  // namespace kanor::abi
