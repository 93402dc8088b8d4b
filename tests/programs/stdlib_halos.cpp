// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,4,5,6,8,9 %t
// Halos. Every rank knows what all ranks have, and finds with plain loops what it must get.
#include "../conformance/check.hpp"
#include "arrays.hpp"
#include "oracle.hpp"

#include <kanor/std/halo.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using kanor::stencil;
using arrays::at;
using arrays::element;
using arrays::elements;
using arrays::Index;
using arrays::indices;
using arrays::Ranks;
using arrays::throws;
using arrays::value;
using kanor::team;
using kanor::world;
using oracle::Numbers;
using values::Point;
using Vector = std::vector<int>;

/// Calls with a sequence of as many indices as an array has dimensions.
void with_dimensions(int dimensions, const auto& call) {
  if (dimensions == 1) call(std::make_index_sequence<1>());
  if (dimensions == 2) call(std::make_index_sequence<2>());
  if (dimensions == 3) call(std::make_index_sequence<3>());
  if (dimensions == 4) call(std::make_index_sequence<4>());
}

/// How the members of a team share a field. The arrays of those with coordinate c in dimension d have
/// `lengths[d][c]` cells there.
struct Tiles {
  team members;
  int dimensions;
  Ranks grid{1, 1, 1, 1};
  std::array<bool, 4> periodic{};
  std::array<std::vector<long>, 4> lengths{};
  long width = 0;
  stencil reach = stencil::box;

  Ranks coords(int rank) const {
    Ranks result{};
    for (int d = dimensions; d-- > 0; rank /= grid[at(d)]) result[at(d)] = rank % grid[at(d)];
    return result;
  }

  /// The rank at coordinates that may be one too small or too large, or -1.
  int rank_at(const Ranks& coords) const {
    int rank = 0;
    for (int d = 0; d < dimensions; ++d) {
      const int n = grid[at(d)], c = periodic[at(d)] ? (coords[at(d)] + n) % n : coords[at(d)];
      if (c < 0 || c >= n) return -1;
      rank = rank * n + c;
    }
    return rank;
  }

  Index extents(int rank) const {
    Index result{};
    const Ranks own = coords(rank);
    for (int d = 0; d < dimensions; ++d) result[at(d)] = lengths[at(d)][at(own[at(d)])];
    return result;
  }

  /// Of which rank's cell, as it was before, a cell is a copy afterwards. Most are their own.
  std::pair<int, long> source(int rank, long cell) const {
    const Index own = extents(rank);
    Index place = indices(cell, own, dimensions), sides{};
    Ranks neighbor = coords(rank);
    int outside = 0;
    for (int d = 0; d < dimensions; ++d) {
      const int side = place[at(d)] < width ? -1 : place[at(d)] >= own[at(d)] - width;
      sides[at(d)] = side;
      neighbor[at(d)] += side;
      outside += side != 0;
    }
    const int other = rank_at(neighbor);
    if (outside == 0 || other < 0 || (reach == stencil::star && outside > 1)) return {rank, cell};
    const Index theirs = extents(other);
    for (int d = 0; d < dimensions; ++d) {
      if (sides[at(d)] < 0) place[at(d)] += theirs[at(d)] - 2 * width;
      if (sides[at(d)] > 0) place[at(d)] += 2 * width - own[at(d)];
    }
    return {other, element(place, theirs, dimensions)};
  }

  /// How far a cell is from the nearest border of the array.
  long depth(int rank, long cell) const {
    const Index own = extents(rank), place = indices(cell, own, dimensions);
    long result = own[0];
    for (int d = 0; d < dimensions; ++d)
      result = std::min({result, place[at(d)], own[at(d)] - 1 - place[at(d)]});
    return result;
  }

  std::string text() const {
    std::string result = "width " + std::to_string(width) + (reach == stencil::box ? ", box" : ", star");
    for (int d = 0; d < dimensions; ++d) {
      result += ", " + std::to_string(grid[at(d)]) + (periodic[at(d)] ? " in a ring" : " in a row") + " with";
      for (const long length : lengths[at(d)]) result += ' ' + std::to_string(length);
    }
    return result;
  }
};

/// Any grid of the team, and arrays with any extents. Takes one number, also where teams have other sizes.
Tiles any_tiles(const team& members, int dimensions, Numbers& numbers) {
  constexpr int longest[] = {40, 9, 5, 3};
  Numbers random(numbers.next());
  Tiles tiles{members, dimensions};
  for (int rest = members.size(), factor = 2; rest > 1;) {
    if (rest % factor != 0) {
      ++factor;
    } else {
      tiles.grid[at(random.below(dimensions))] *= factor;
      rest /= factor;
    }
  }
  // All dimensions are periodic, none, or some.
  const int rings = random.below(4);
  for (int d = 0; d < dimensions; ++d) tiles.periodic[at(d)] = rings == 0 || (rings > 1 && random.below(2) == 0);
  tiles.width = random.below(8) == 0 ? 0 : 1 + random.below(dimensions < 4 || random.below(4) == 0 ? 3 : 2);
  tiles.reach = random.below(2) == 0 ? stencil::star : stencil::box;
  for (int d = 0; d < dimensions; ++d) {
    // Besides the ghost cells as many as others have, as many as are sent, any number, or none.
    const int kind = random.below(6), same = random.below(longest[dimensions - 1] + 1);
    for (int c = 0; c < tiles.grid[at(d)]; ++c) {
      const int any = random.below(longest[dimensions - 1] + 1);
      const long inside = kind == 0 ? same : kind == 1 ? tiles.width : kind == 2 ? 0 : any;
      tiles.lengths[at(d)].push_back(2 * tiles.width + inside);
    }
  }
  return tiles;
}

template <class T, std::size_t... D>
void exchange(const Tiles& tiles, const std::vector<T*>& f, bool in_list, std::index_sequence<D...>) {
  const kanor::grid<sizeof...(D)> grid(tiles.members, {tiles.grid[D]...}, {tiles.periodic[D]...});
  const Index own = tiles.extents(tiles.members.rank());
  if (f.size() == 1 && !in_list) kanor::exchange_halo(f[0], {own[D]...}, tiles.width, grid, tiles.reach);
  if (f.size() == 1 && in_list) kanor::exchange_halo({f[0]}, {own[D]...}, tiles.width, grid, tiles.reach);
  if (f.size() == 2) kanor::exchange_halo({f[0], f[1]}, {own[D]...}, tiles.width, grid, tiles.reach);
  if (f.size() == 3) kanor::exchange_halo({f[0], f[1], f[2]}, {own[D]...}, tiles.width, grid, tiles.reach);
}

/// The grid and the extents are gone when the exchange ends.
template <class T, std::size_t... D>
kanor::pending_call start(const Tiles& tiles, const std::vector<T*>& f, std::index_sequence<D...>) {
  const kanor::grid<sizeof...(D)> grid(tiles.members, {tiles.grid[D]...}, {tiles.periodic[D]...});
  const Index own = tiles.extents(tiles.members.rank());
  if (f.size() == 1) return kanor::start_halo({f[0]}, {own[D]...}, tiles.width, grid, tiles.reach);
  if (f.size() == 2) return kanor::start_halo({f[0], f[1]}, {own[D]...}, tiles.width, grid, tiles.reach);
  return kanor::start_halo({f[0], f[1], f[2]}, {own[D]...}, tiles.width, grid, tiles.reach);
}

/// This rank's arrays of one call.
template <class T, class Storage = std::vector<T>>
class Fields {
 public:
  Fields(const Tiles& tiles, int count) : tiles_(tiles), me_(tiles.members.rank()), storage_(at(count)) {
    const long cells = elements(tiles.extents(me_), tiles.dimensions);
    for (Storage& one : storage_) one.resize(at(cells));
    for (long cell = 0; cell < cells; ++cell) {
      sources_.push_back(tiles.source(me_, cell));
      depths_.push_back(tiles.depth(me_, cell));
    }
  }

  /// All cells, the ghost cells, too, get values of their own.
  void fill(unsigned seed) {
    seed_ = written_ = seed;
    for_cells([&](T& cell, unsigned field, long at) { cell = value<T>(seed_ + field, me_, at); });
  }

  void exchange(bool in_list) {
    with_dimensions(tiles_.dimensions, [&](auto d) { ::exchange(tiles_, pointers(), in_list, d); });
  }
  void start() {
    with_dimensions(tiles_.dimensions, [&](auto d) { pending_.emplace(::start(tiles_, pointers(), d)); });
  }

  /// What a program may do while the exchange is pending: it reads the cells that are sent, and writes those inside.
  void work() {
    written_ = seed_ + 1000;
    for_cells([&](T& cell, unsigned field, long k) {
      const long depth = depths_[at(k)];
      if (depth >= tiles_.width && depth < 2 * tiles_.width) CHECK(cell == value<T>(seed_ + field, me_, k));
      if (depth >= 2 * tiles_.width) cell = value<T>(written_ + field, me_, k);
    });
  }

  void wait() {
    pending_->wait();
    pending_.reset();
  }
  void destroy() { pending_.reset(); }

  void check() {
    for (unsigned field = 0; field < storage_.size(); ++field) {
      std::vector<T> expected;
      for (std::size_t k = 0; k < sources_.size(); ++k) {
        const unsigned seed = depths_[k] >= 2 * tiles_.width ? written_ : seed_;
        expected.push_back(value<T>(seed + field, sources_[k].first, sources_[k].second));
      }
      const Storage& cells = storage_[field];
      const auto wrong = std::mismatch(expected.begin(), expected.end(), cells.begin(), cells.end()).first;
      if (wrong != expected.end())
        check::failed(__FILE__, __LINE__, tiles_.text().c_str(), "another value",
                      "that of rank " + place(sources_[at(wrong - expected.begin())]) + " in cell " +
                          place({me_, wrong - expected.begin()}) + " of field " + std::to_string(field));
      check::equal(__FILE__, __LINE__, "field", std::vector<T>(cells.begin(), cells.end()), expected);
    }
  }

 private:
  void for_cells(const auto& call) {
    for (unsigned field = 0; field < storage_.size(); ++field)
      for (std::size_t k = 0; k < sources_.size(); ++k) call(storage_[field][k], field, static_cast<long>(k));
  }
  std::vector<T*> pointers() {
    std::vector<T*> result;
    for (Storage& one : storage_) result.push_back(one.data());
    return result;
  }
  std::string place(std::pair<int, long> of) const {
    const Index all = indices(of.second, tiles_.extents(of.first), tiles_.dimensions);
    const std::vector<long> shown(all.begin(), all.begin() + tiles_.dimensions);
    return std::to_string(of.first) + ": " + check::show(shown);
  }

  Tiles tiles_;
  int me_;
  std::vector<Storage> storage_;
  std::vector<std::pair<int, long>> sources_;
  std::vector<long> depths_;
  std::optional<kanor::pending_call> pending_;
  unsigned seed_ = 0, written_ = 0;
};

/// Three exchanges of the same fields, each in one of four ways.
template <class T, class Storage = std::vector<T>>
void halo(const Tiles& tiles, Numbers& random) {
  Fields<T, Storage> fields(tiles, 1 + random.below(3));
  for (int step = 0; step < 3; ++step) {
    const int way = random.below(4);
    fields.fill(random.next());
    if (way < 2) {
      fields.exchange(way == 1);
    } else {
      fields.start();
      fields.work();
      way == 2 ? fields.wait() : fields.destroy();
    }
    fields.check();
  }
}

void halos(const team& members, int count, Numbers& random) {
  for (int k = 0; k < count; ++k) {
    const Tiles tiles = any_tiles(members, 1 + k % 4, random);
    if (k % 7 == 0) halo<double>(tiles, random);
    if (k % 7 == 1) halo<int>(tiles, random);
    if (k % 7 == 2) halo<std::string>(tiles, random);
    if (k % 7 == 3) halo<char>(tiles, random);
    if (k % 7 == 4) halo<Point>(tiles, random);
    if (k % 7 == 5) halo<double, kanor::buffer<double>>(tiles, random);
    if (k % 7 == 6) halo<std::string>(tiles, random);
  }
}

/// Several exchanges on several teams are pending at the same time.
void pending_halos(const team& members, const team& others, int count, Numbers& random) {
  for (int k = 0; k < count; ++k) {
    const Tiles tiles = any_tiles(members, 2, random);
    Tiles other_reach = tiles;
    other_reach.reach = tiles.reach == stencil::box ? stencil::star : stencil::box;
    Fields<double> first(tiles, 2), second(other_reach, 1 + k % 3);
    Fields<std::string> third(any_tiles(others, 1 + k % 4, random), 1 + random.below(3));
    Fields<char> fourth(any_tiles(members, 3, random), 3);
    Fields<Point> meanwhile(any_tiles(k % 2 == 0 ? members : others, 2, random), 2);
    for (int step = 0; step < 3; ++step) {
      first.fill(random.next());
      second.fill(random.next());
      first.start();
      second.start();
      first.work();
      third.fill(random.next());
      third.start();
      fourth.fill(random.next());
      fourth.start();
      fourth.work();
      meanwhile.fill(random.next());
      meanwhile.exchange(false);
      meanwhile.check();
      third.work();
      // They end in another order on each rank. One is checked while others are pending.
      std::vector<std::function<void()>> ends{[&] { first.wait(), first.check(); }, [&] { second.wait(); },
                                              [&] { third.wait(); }, [&] { fourth.destroy(); }};
      Numbers order(static_cast<unsigned>(world.rank() * 100 + step));
      for (int n = 4; n > 1; --n) std::swap(ends[at(order.below(n))], ends[at(n - 1)]);
      for (const auto& end : ends) end();
      second.check();
      third.check();
      fourth.check();
    }
  }
}

/// One dimension has too few cells for the width: the calls throw, and fill nothing.
void narrow_fields(const team& members, Numbers& random) {
  for (int dimensions = 1; dimensions <= 4; ++dimensions)
    for (int narrow = 0; narrow < dimensions; ++narrow) {
      Tiles tiles = any_tiles(members, dimensions, random);
      tiles.width = 2;
      for (int d = 0; d < dimensions; ++d)
        for (long& length : tiles.lengths[at(d)]) length = d == narrow ? random.below(4) : 4 + random.below(2);
      std::vector<int> field(at(elements(tiles.extents(members.rank()), dimensions)), 7);
      const std::vector<int> before = field;
      with_dimensions(dimensions, [&](auto d) {
        CHECK(throws<std::invalid_argument>([&] { exchange(tiles, std::vector<int*>{field.data()}, false, d); }));
        CHECK(throws<std::invalid_argument>([&] { exchange(tiles, std::vector<int*>{field.data()}, true, d); }));
        CHECK(throws<std::invalid_argument>([&] { start(tiles, std::vector<int*>{field.data()}, d).wait(); }));
      });
      CHECK_EQ(field, before);
    }
}

/// Much is sent.
void large_halos(const team& members, Numbers& random) {
  constexpr long sizes[] = {20'000, 80, 22, 11}, widths[] = {9'000, 3, 2, 1};
  for (int dimensions = 1; dimensions <= 4; ++dimensions) {
    Tiles tiles = any_tiles(members, dimensions, random);
    tiles.width = widths[dimensions - 1];
    for (int d = 0; d < dimensions; ++d)
      for (long& length : tiles.lengths[at(d)]) length = sizes[dimensions - 1] + random.below(5);
    Fields<double> fields(tiles, 1);
    Fields<double, kanor::buffer<double>> others(tiles, 2);
    fields.fill(random.next());
    others.fill(random.next());
    fields.start();
    others.exchange(false);
    fields.work();
    fields.wait();
    fields.check();
    others.check();
  }
}

/// Without other arguments the box is meant.
void defaults() {
  const int me = world.rank(), n = world.size();
  // A grid as the library chooses it: the cells around a rank's only one are its neighbours' only ones, or unchanged.
  const kanor::grid<2> grid(world);
  int tile[3][3] = {{-1, -2, -3}, {-4, me, -5}, {-6, -7, -8}};
  Vector expected;
  for (int row = 0; row < 3; ++row)
    for (int k = 0; k < 3; ++k) {
      const auto [x, y] = grid.coords(me);
      const int neighbor = grid(x + row - 1, y + k - 1);
      expected.push_back(neighbor == kanor::no_rank ? tile[row][k] : neighbor);
    }
  kanor::exchange_halo(&tile[0][0], {3, 3}, 1, grid);
  CHECK_EQ(Vector(&tile[0][0], &tile[0][0] + 9), expected);

  // A torus of one rank in each row.
  const kanor::grid<2> torus(world, {n, 1}, {true, true});
  int cells[3][3] = {{}, {0, me + 1, 0}}, others[3][3] = {{}, {0, me + 1, 0}};
  kanor::exchange_halo(&cells[0][0], {3, 3}, 1, torus);
  kanor::pending_call ghosts = kanor::start_halo({&others[0][0]}, {3, 3}, 1, torus);
  ghosts.wait();
  const int above = (me + n - 1) % n + 1, below = (me + 1) % n + 1;
  for (int k = 0; k < 3; ++k) {
    CHECK_EQ(Vector(cells[k], cells[k] + 3), Vector(3, k == 0 ? above : k == 1 ? me + 1 : below));
    CHECK_EQ(Vector(others[k], others[k] + 3), Vector(cells[k], cells[k] + 3));
  }
}

void rounds(const team& members, unsigned seed, int count) {
  Numbers random(seed);
  halos(members, 2 * count, random);
  narrow_fields(members, random);
}

}  // namespace

int main() {
  const int me = world.rank();
  const team half = world.split(me % 2, -me), alone = half.split(half.rank(), 0);
  const team third = world.split(me * 3 / world.size(), me);
  defaults();
  rounds(world, 1, 42);
  rounds(half, 2, 14);
  // One half has more to do, while the other goes on.
  if (me % 2 == 0) rounds(half, 3, 7);
  rounds(alone, 4, 7);
  rounds(third, 5, 7);
  Numbers random(6);
  pending_halos(world, half, 4, random);
  pending_halos(third, world, 4, random);
  pending_halos(alone, half, 2, random);
  large_halos(world, random);
  return check::finish("stdlib_halos");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
