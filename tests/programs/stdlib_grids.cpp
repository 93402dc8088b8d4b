// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,4,5,6,8,9 %t
// Halos, transposes and merges. Every rank knows what all ranks have, and finds with plain loops what it must get.
#include "../conformance/check.hpp"
#include "oracle.hpp"
#include "values.hpp"

#include <kanor/std/block_range.hpp>
#include <kanor/std/halo.hpp>
#include <kanor/std/merge.hpp>
#include <kanor/std/transpose.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using kanor::stencil;
using kanor::team;
using kanor::world;
using oracle::Numbers;
using values::Point;
using Index = std::array<long, 4>;
using Ranks = std::array<int, 4>;
using Vector = std::vector<int>;

std::size_t at(long index) { return static_cast<std::size_t>(index); }

/// What is at this place in the array `seed` of a rank.
template <class T>
T value(unsigned seed, int rank, long place) {
  const unsigned array = values::mixed(seed) + values::mixed(static_cast<unsigned>(rank));
  return values::of<T>(array + static_cast<unsigned>(place));
}

/// The indices, in `dimensions` dimensions, of an element of an array in row-major order, and back.
Index indices(long element, const Index& extents, int dimensions) {
  Index result{};
  for (int d = dimensions; d-- > 0; element /= extents[at(d)]) result[at(d)] = element % extents[at(d)];
  return result;
}
long element(const Index& indices, const Index& extents, int dimensions) {
  long result = 0;
  for (int d = 0; d < dimensions; ++d) result = result * extents[at(d)] + indices[at(d)];
  return result;
}
long elements(const Index& extents, int dimensions) {
  return std::accumulate(extents.begin(), extents.begin() + dimensions, 1l, std::multiplies<>());
}

/// Calls with a sequence of as many indices as an array has dimensions.
void with_dimensions(int dimensions, const auto& call) {
  if (dimensions == 1) call(std::make_index_sequence<1>());
  if (dimensions == 2) call(std::make_index_sequence<2>());
  if (dimensions == 3) call(std::make_index_sequence<3>());
  if (dimensions == 4) call(std::make_index_sequence<4>());
}

template <class Exception>
bool throws(const auto& call) try {
  call();
  return false;
} catch (const Exception&) {
  return true;
}

// Halos

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

// Transposes

template <class T>
std::vector<T> transposed(const std::vector<T>& values, const Index& n, const Ranks& axes, int dimensions,
                          const team& members) {
  if (dimensions == 1) {
    const long extents[] = {n[0], 1};
    const int order[] = {axes[0], 1};
    return kanor::transpose(values, extents, order, members);
  }
  if (dimensions == 2) return kanor::transpose(values, {n[0], n[1]}, {axes[0], axes[1]}, members);
  if (dimensions == 3) return kanor::transpose(values, {n[0], n[1], n[2]}, {axes[0], axes[1], axes[2]}, members);
  return kanor::transpose(values, {n[0], n[1], n[2], n[3]}, {axes[0], axes[1], axes[2], axes[3]}, members);
}

/// What a rank has of an array whose elements are in row-major order those of `seed`, after a transpose.
template <class T>
std::vector<T> own_part(unsigned seed, const Index& extents, const Ranks& axes, int dimensions, const team& members) {
  Index result_extents{};
  for (int d = 0; d < dimensions; ++d) result_extents[at(d)] = extents[at(axes[at(d)])];
  const kanor::index_range own = kanor::block_range(result_extents[0], members.rank(), members);
  const long all = elements(result_extents, dimensions), slice = all == 0 ? 0 : all / result_extents[0];
  std::vector<T> result;
  for (long k = own.begin * slice; k < own.end * slice; ++k) {
    const Index to = indices(k, result_extents, dimensions);
    Index from{};
    for (int d = 0; d < dimensions; ++d) from[at(axes[at(d)])] = to[at(d)];
    result.push_back(value<T>(seed, 0, element(from, extents, dimensions)));
  }
  return result;
}

template <class T>
void transposes(const team& members, const Index& extents, int dimensions, Numbers& random) {
  const unsigned seed = random.next();
  const Ranks same{0, 1, 2, 3};
  const std::vector<T> values = own_part<T>(seed, extents, same, dimensions, members), unchanged = values;
  Ranks axes = same;
  do {
    const auto expected = own_part<T>(seed, extents, axes, dimensions, members);
    CHECK_EQ(transposed(values, extents, axes, dimensions, members), expected);
  } while (std::next_permutation(axes.begin(), axes.begin() + dimensions));
  CHECK_EQ(values, unchanged);
  if (dimensions == 2) {
    const auto expected = own_part<T>(seed, extents, {1, 0}, 2, members);
    CHECK_EQ(kanor::transpose(values, extents[0], extents[1], members), expected);
  }

  // What is wrong on all members.
  std::vector<T> longer = values;
  longer.resize(values.size() + 1);
  const int one = random.below(dimensions), other = (one + 1) % dimensions;
  CHECK(throws<std::invalid_argument>([&] { transposed(longer, extents, same, dimensions, members); }));
  for (const int axis : {-1, dimensions, other}) {
    Ranks wrong = same;
    wrong[at(one)] = axis;
    if (axis != one)
      CHECK(throws<std::invalid_argument>([&] { transposed(values, extents, wrong, dimensions, members); }));
  }
  if (dimensions == 2)
    CHECK(throws<std::invalid_argument>([&] { kanor::transpose(longer, extents[0], extents[1], members); }));
}

void any_transposes(const team& members, int count, Numbers& random) {
  constexpr int longest[] = {200, 30, 12, 7};
  for (int k = 0; k < count; ++k) {
    const int dimensions = 1 + (k + 1) % 4, most = longest[dimensions - 1];
    Index extents{};
    for (long& extent : extents) {
      const int any = 1 + random.below(most), few = random.below(std::min(most, members.size() + 2));
      const int kind = random.below(16);
      // None, one, about as many as ranks or fewer, and more.
      extent = kind == 0 ? 0 : kind < 3 ? 1 : kind < 8 ? few : any;
    }
    if (k % 7 == 0) transposes<double>(members, extents, dimensions, random);
    if (k % 7 == 1) transposes<int>(members, extents, dimensions, random);
    if (k % 7 == 2) transposes<std::string>(members, extents, dimensions, random);
    if (k % 7 == 3) transposes<char>(members, extents, dimensions, random);
    if (k % 7 == 4) transposes<Point>(members, extents, dimensions, random);
    if (k % 7 == 5) transposes<Vector>(members, extents, dimensions, random);
    if (k % 7 == 6) transposes<std::string>(members, extents, dimensions, random);
  }
}

// Merges

constexpr int keys_below = 600;

/// An element that knows where it is from. Others with the same key are equivalent, but not equal.
struct Item {
  int key = -1, number = -1;
  bool operator==(const Item&) const = default;
  friend bool operator<(const Item& a, const Item& b) { return a.key < b.key; }
};

template <class T>
T made(int key, int number) {
  if constexpr (std::is_same_v<T, Item>) {
    return {key, number};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(at(key % 40), static_cast<char>('a' + number % 26));
  } else if constexpr (std::is_same_v<T, Vector>) {
    return key % 5 == 0 ? Vector() : Vector(at(1 + key % 7), key / 7);
  } else if constexpr (std::is_same_v<T, double>) {
    return (key - 300) / 8.0;
  } else {
    return static_cast<T>(key);
  }
}

/// How many elements each rank has: `total` together.
std::vector<long> lengths(int kind, long total, int ranks, Numbers& random) {
  const int one = random.below(ranks), any = random.below(2);
  std::vector<long> sums{0}, result;
  for (int rank = 0; rank < ranks; ++rank) {
    // Even, random, all on one, none on every second, more and more, less and less, none on one.
    const bool alone = ranks == 1;
    const long numbers[] = {1,          1 + random.below(100), rank == one, alone || rank % 2 == any,
                            1l << rank, 1l << (ranks - rank),  alone || rank != one};
    sums.push_back(sums.back() + numbers[kind % 7]);
  }
  for (std::size_t rank = 0; rank + 1 < sums.size(); ++rank)
    result.push_back(total * sums[rank + 1] / sums.back() - total * sums[rank] / sums.back());
  return result;
}

/// How the keys of two sequences are distributed.
int any_key(int kind, bool second, Numbers& random) {
  const int any = random.below(keys_below), half = keys_below / 2;
  // Any, all equal, few, mostly one, all of the first before or behind those of the second, all of one equal to a
  // key in the middle of the other, even and odd.
  const int keys[] = {any,
                      7,
                      any % 5,
                      any % 10 == 0 ? any : 42,
                      any / 2 + (second ? half : 0),
                      any / 2 + (second ? 0 : half),
                      second ? half : any,
                      any / 2 * 2 + second};
  return keys[kind % 8];
}

/// A sorted sequence, and this rank's part of it.
template <class T>
struct Sequence {
  std::vector<T> all{}, own{};
  long begin = 0;
};

template <class T>
Sequence<T> sorted(const team& members, const auto& less, int total, int kind, bool second, Numbers& random) {
  Sequence<T> result;
  for (int k = 0; k < total; ++k)
    result.all.push_back(made<T>(any_key(kind, second, random), second ? 1'000'000 + k : k));
  std::stable_sort(result.all.begin(), result.all.end(), less);
  const std::vector<long> sizes = lengths(random.below(7), std::ssize(result.all), members.size(), random);
  result.begin = std::accumulate(sizes.begin(), sizes.begin() + members.rank(), 0l);
  const auto begin = result.all.begin() + result.begin;
  result.own.assign(begin, begin + sizes[at(members.rank())]);
  return result;
}

/// This rank's part of the merged sequence.
template <class T>
std::vector<T> merged(const std::vector<T>& first, const std::vector<T>& second, const auto& less,
                      const team& members) {
  std::vector<T> all;
  std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all), less);
  const kanor::index_range own = kanor::block_range(std::ssize(all), members.rank(), members);
  return {all.begin() + own.begin, all.begin() + own.end};
}

/// What is merged: how many elements, and how they are distributed.
struct Amounts {
  int first, second, kind;
};

template <class T>
void merge(const team& members, const Amounts& amounts, const auto& less, Numbers& random) {
  const auto first = sorted<T>(members, less, amounts.first, amounts.kind, false, random);
  const auto second = sorted<T>(members, less, amounts.second, amounts.kind, true, random);
  CHECK_EQ(kanor::merge(first.own, second.own, less, members), merged(first.all, second.all, less, members));
  auto moved = first.own;
  CHECK_EQ(kanor::merge(second.own, std::move(moved), less, members), merged(second.all, first.all, less, members));
}

template <class Key, class Value>
void merge_by_key(const team& members, const Amounts& amounts, const auto& less, Numbers& random) {
  using Pair = std::pair<Key, Value>;
  // Each pair has a value of its own, which must not matter for the order.
  const auto parts = [&](int total, bool second) {
    const auto keys = sorted<Key>(members, less, total, amounts.kind, second, random);
    Sequence<Pair> result;
    for (const Key& key : keys.all) result.all.emplace_back(key, values::of<Value>(random.next()));
    const auto begin = result.all.begin() + keys.begin;
    result.own.assign(begin, begin + std::ssize(keys.own));
    return result;
  };
  const auto first = parts(amounts.first, false), second = parts(amounts.second, true);
  const auto by_key = [&](const Pair& a, const Pair& b) { return less(a.first, b.first); };
  CHECK_EQ(kanor::merge_by_key(first.own, second.own, less, members), merged(first.all, second.all, by_key, members));
}

void merges(const team& members, int count, Numbers& random) {
  for (int k = 0; k < count; ++k) {
    // Nothing, nothing in one of them, fewer elements than ranks, or more.
    const int most = k % 5 == 4 ? members.size() + 2 : 150;
    const bool no_first = k % 11 == 3 || k % 11 == 6, no_second = k % 11 == 6 || k % 11 == 8;
    const Amounts amounts{no_first ? 0 : 1 + random.below(most), no_second ? 0 : 1 + random.below(most), k};
    if (k % 5 == 0) {
      merge<int>(members, amounts, std::greater<>(), random);
      merge_by_key<int, std::string>(members, amounts, std::greater<>(), random);
    } else if (k % 5 == 1) {
      const auto is_shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
      merge<std::string>(members, amounts, is_shorter, random);
      merge_by_key<std::string, Vector>(members, amounts, is_shorter, random);
    } else if (k % 5 == 2) {
      // The order of keys in a table. What is no element of the vectors is in no table.
      Vector table;
      for (int key = 0; key < keys_below; ++key) table.push_back(random.below(keys_below / 3));
      const auto place = [&](const Item& item) { return table.at(at(item.key)); };
      const auto is_before = [&](const Item& a, const Item& b) { return place(a) < place(b); };
      merge<Item>(members, amounts, is_before, random);
      merge_by_key<Item, bool>(members, amounts, is_before, random);
    } else if (k % 5 == 3) {
      merge<Vector>(members, amounts, std::less<>(), random);
      merge_by_key<double, Point>(members, amounts, std::less<>(), random);
    } else {
      merge<bool>(members, amounts, std::less<>(), random);
    }
  }
}

/// Without other arguments the world, `<` and the box are meant.
void defaults() {
  const int me = world.rank(), n = world.size();
  CHECK_EQ(kanor::merge(Vector{2 * me}, {2 * me + 1}), Vector{2 * me, 2 * me + 1});
  const std::vector<std::pair<int, char>> a{{me, 'a'}}, b{{me, 'b'}};
  CHECK_EQ(kanor::merge_by_key(a, b), std::vector<std::pair<int, char>>{{me, 'a'}, {me, 'b'}});

  Vector row, column;
  for (int k = 0; k < n; ++k) row.push_back(100 * me + k), column.push_back(100 * k + me);
  CHECK_EQ(kanor::transpose(row, n, n), column);
  CHECK_EQ(kanor::transpose(row, {n, n}, {1, 0}), column);
  CHECK_EQ(kanor::transpose(row, {n, 1, n}, {2, 1, 0}), column);
  CHECK_EQ(kanor::transpose(row, {n, n, 1, 1}, {1, 3, 2, 0}), column);

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

void large() {
  Numbers random(9);
  large_halos(world, random);
  transposes<double>(world, {190, 101}, 2, random);
  transposes<int>(world, {9, 6, 7, 10}, 4, random);
  merge<Vector>(world, {1'500, 800, 0}, std::less<>(), random);
  merge<int>(world, {20'000, 15'000, 3}, std::greater<>(), random);
  merge_by_key<double, Point>(world, {100, 9'000, 1}, std::less<>(), random);
}

void rounds(const team& members, unsigned seed, int count) {
  Numbers random(seed);
  halos(members, 2 * count, random);
  any_transposes(members, count, random);
  merges(members, count / 2, random);
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
  large();
  return check::finish("stdlib_grids");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
