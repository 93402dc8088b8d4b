// RUN: %kanorc -O1 %s -o %t && %run_everywhere --ranks 1,2,3,5,8,9 %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,4 --modes threads %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 3 --modes threads %t
// RUN: env KANOR_INFLIGHT=64K %run_everywhere --keep KANOR_INFLIGHT --ranks 2,3,8 --modes threads %t
// Blocks in which all ranks send long values to all: thread ranks read them where they lie, unless a place of
// the block is there too. All of it against what every rank knows the others have.
#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "check.hpp"

using kanor::world;

namespace {

using Row = std::vector<double>;

/// Around the length from which on values are lent, and far from it.
constexpr std::size_t lengths[] = {1, 511, 512, 513, 1023, 1024, 40000};

double value(int from, int to, std::size_t at) { return 1000.0 * from + 17.0 * to + static_cast<double>(at % 1001); }

Row row(int from, int to, std::size_t length) {
  Row made(length);
  for (std::size_t i = 0; i < length; ++i) made[i] = value(from, to, i);
  return made;
}

/// Rows of this rank for all, one behind the other.
Row rows_to_all(std::size_t length) {
  Row made;
  for (int to = 0; to < world.size(); ++to) {
    const Row one = row(world.rank(), to, length);
    made.insert(made.end(), one.begin(), one.end());
  }
  return made;
}

/// Whether it holds for all numbers below `count`.
template <class Holds>
bool every(std::size_t count, const Holds& holds) {
  for (std::size_t i = 0; i < count; ++i)
    if (!holds(i)) return false;
  return true;
}

bool has_rows_from_all(const Row& rows, std::size_t length) {
  for (int from = 0; from < world.size(); ++from)
    for (std::size_t i = 0; i < length; ++i)
      if (rows[static_cast<std::size_t>(from) * length + i] != value(from, world.rank(), i)) return false;
  return true;
}

void sections(std::size_t n) {
  Row out = rows_to_all(n), in(out.size(), -1);
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { in[s * n : n]@r <<= out[r * n : n]@s where r, s in world }
    CHECK(has_rows_from_all(in, n));
    // What was lent may be written at once.
    std::fill(out.begin(), out.end(), -2);
    out = rows_to_all(n);
    std::fill(in.begin(), in.end(), -1);
  }
}

/// Places lie in what is lent: all values are those before the block.
void in_place(std::size_t n) {
  Row both = rows_to_all(n);
  @communicate { both[s * n : n]@r <<= both[r * n : n]@s where r, s in world }
  CHECK(has_rows_from_all(both, n));

  std::vector<Row> rows;
  for (int to = 0; to < world.size(); ++to) rows.push_back(row(world.rank(), to, n));
  @communicate { rows[s]@r <<= rows[r]@s where r, s in world }
  for (int from = 0; from < world.size(); ++from) CHECK(rows[from] == row(from, world.rank(), n));

  // A place that begins where the last value ends, less one.
  Row tail((world.size() + 1) * n + 1, -1);
  std::copy_n(rows_to_all(n).begin(), world.size() * n, tail.begin());
  const std::size_t last = world.size() * n - 1;
  const Row before = tail;
  @communicate { tail[last : n]@r << max << tail[0 : n]@s where r, s in world }
  CHECK(every(n, [&](std::size_t i) { return tail[last + i] == value(world.size() - 1, 0, i); }));
  CHECK(every(last, [&](std::size_t i) { return tail[i] == before[i]; }));
}

void whole_vectors(std::size_t n) {
  std::vector<Row> out, in(world.size());
  for (int to = 0; to < world.size(); ++to) out.push_back(row(world.rank(), to, n + to));  // of unlike lengths
  @communicate { in[s]@r <<= out[r]@s where r, s in world }
  for (int from = 0; from < world.size(); ++from) CHECK(in[from] == row(from, world.rank(), n + world.rank()));

  Row mine = row(world.rank(), 0, n);
  std::vector<Row> all(world.size());
  @communicate { all[s]@r <<= mine@s where r, s in world }
  for (int from = 0; from < world.size(); ++from) CHECK(all[from] == row(from, 0, n));
  Row one(world.size() * n);
  @communicate { one[s * n : n]@r <<= mine[:]@s where r, s in world }
  for (int from = 0; from < world.size(); ++from)
    CHECK(std::equal(all[from].begin(), all[from].end(), one.begin() + from * n));
}

/// Values that are not one piece of memory, or not as the place has them, beside others that are.
void other_values(std::size_t n) {
  Row out = rows_to_all(n), in(2 * out.size(), -1);
  @communicate { in[2 * s * n : n : 2]@r <<= out[r * n : n]@s where r, s in world }
  for (int from = 0; from < world.size(); ++from)
    CHECK(every(n, [&](std::size_t i) { return in[2 * (from * n + i)] == value(from, world.rank(), i); }));
  CHECK_EQ(in[1], -1.0);

  Row wide(2 * out.size());
  for (std::size_t i = 0; i < out.size(); ++i) wide[2 * i] = out[i];
  std::fill(in.begin(), in.end(), -1);
  @communicate { in[s * n : n]@r <<= wide[2 * r * n : n : 2]@s where r, s in world }
  CHECK(has_rows_from_all(in, n));

  std::vector<float> narrow(out.size());  // other elements than those that are lent
  @communicate { narrow[s * n : n]@r <<= out[r * n : n]@s where r, s in world }
  for (int from = 0; from < world.size(); ++from)
    CHECK(every(n, [&](std::size_t i) {
      return narrow[from * n + i] == static_cast<float>(value(from, world.rank(), i));
    }));

  // Of a container whose elements are reached by a function of the program's.
  struct Window {
    std::map<int, Row>* rows;
    Row scratch;
    Row& operator[](int to) { return scratch = (*rows)[to]; }
  };
  std::map<int, Row> rows;
  for (int to = 0; to < world.size(); ++to) rows[to] = row(world.rank(), to, n);
  Window window{&rows, {}};
  std::deque<Row> got(world.size());
  @communicate { got[s]@r <<= window[r]@s where r, s in world }
  for (int from = 0; from < world.size(); ++from) CHECK(got[from] == row(from, world.rank(), n));
  // What a function returns is gone when the value has been taken.
  @communicate { got[s]@r <<= row(s, r, n)@s where r, s in world }
  for (int from = 0; from < world.size(); ++from) CHECK(got[from] == row(from, world.rank(), n));
}

/// What a place makes of the value it is assigned is its own affair.
struct Emptying {
  double value = 0;
  Emptying& operator=(double&& from) {
    value = from;
    from = -7;
    return *this;
  }
};

void emptied(std::size_t n) {
  Row out = rows_to_all(n);
  const Row before = out;
  std::vector<Emptying> in(out.size());
  @communicate { in[s * n : n]@r <<= out[r * n : n]@s where r, s in world }
  for (int from = 0; from < world.size(); ++from)
    CHECK(every(n, [&](std::size_t i) { return in[from * n + i].value == value(from, world.rank(), i); }));
  CHECK(out == before);
}

/// What a place's own assignment, or a reduction's own operation, writes to is its own affair, too, and may be
/// what other ranks are to get.
struct Adding {
  Row* sum = nullptr;
  Adding& operator=(const Row& values) {
    for (std::size_t i = 0; i < values.size(); ++i) (*sum)[i] += values[i];
    return *this;
  }
};

void added(std::size_t n) {
  Row mine(n, 1);
  std::vector<Adding> sums(world.size(), Adding{&mine});
  @communicate { sums[s]@r <<= mine@s where r, s in world }
  CHECK(every(n, [&](std::size_t i) { return mine[i] == 1 + world.size(); }));
}

void spoilt(std::size_t n) {
  Row mine(n, 1), sum(n);
  bool first = true;
  const auto spoil = [&](double a, double b) {
    if (std::exchange(first, false)) mine.assign(n, -5);
    return a + b;
  };
  @communicate { sum[:]@r << spoil << mine[:]@s where r, s in world }
  CHECK(every(n, [&](std::size_t i) { return sum[i] == world.size(); }));
  mine.assign(n, 1);
  first = true;
  @communicate { sum@r << spoil << mine@s where r, s in world }
  CHECK(every(n, [&](std::size_t i) { return sum[i] == world.size(); }));
}

/// Only a part of the ranks' values are lent, and other statements stand beside.
void beside(std::size_t n) {
  Row out = rows_to_all(n), in(out.size(), -1);
  int got = -1, mine = world.rank();
  @communicate {
    in[s * n : n]@r <<= out[r * n : n]@s where r, s in world;
    got@((i + 1) % world.size()) <<= mine@i where i in world
  }
  CHECK(has_rows_from_all(in, n));
  CHECK_EQ(got, (world.rank() + world.size() - 1) % world.size());
  // Rank s sends n + s * 100 numbers to each.
  Row uneven = row(world.rank(), 0, n + 100 * world.rank());
  std::vector<Row> all(world.size());
  const int size = world.size();
  @communicate { all[s]@r <<= uneven@s where r in world, s in {0 ... size - 1} }
  for (int from = 0; from < size; ++from) CHECK(all[from] == row(from, 0, n + 100 * from));
}

struct Wave {
  double height, length;
  bool operator==(const Wave&) const = default;
  friend Wave operator+(const Wave& a, const Wave& b) { return {a.height + b.height, a.length - 2 * b.length}; }
};

/// Long reductions: each rank makes a part of the result.
void reductions(std::size_t n) {
  const int size = world.size();
  Row mine = row(world.rank(), 0, n), sum(n), expected(n);
  for (std::size_t i = 0; i < n; ++i)
    for (int from = 0; from < size; ++from) expected[i] += value(from, 0, i);
  @communicate { sum[:]@r << + << mine[:]@s where r, s in world }
  CHECK(sum == expected);
  @communicate { mine[:]@r << + << mine[:]@s where r, s in world }
  CHECK(mine == expected);
  std::vector<float> narrow(n);
  mine = row(world.rank(), 0, n);
  @communicate { narrow[:]@r << max << mine[:]@s where r, s in world }
  CHECK(every(n, [&](std::size_t i) { return narrow[i] == static_cast<float>(value(size - 1, 0, i)); }));
  Row strided(2 * n, -1);
  @communicate { strided[0 : n : 2]@r << min << mine[:]@s where r, s in world }
  CHECK(every(n, [&](std::size_t i) { return strided[2 * i] == value(0, 0, i); }));
  CHECK_EQ(strided[1], -1.0);

  // An operation for which brackets matter, of elements that are no numbers.
  std::vector<Wave> waves(n), total(n);
  for (std::size_t i = 0; i < n; ++i) waves[i] = {value(world.rank(), 0, i), world.rank() + 1.0};
  @communicate { total[:]@r << + << waves[:]@s where r, s in world }
  const auto folded = [](auto& self, int begin, int end) -> double {
    if (end - begin == 1) return begin + 1;
    int half = 1;
    while (2 * half < end - begin) half *= 2;
    return self(self, begin, begin + half) - 2 * self(self, begin + half, end);
  };
  const double length = folded(folded, 0, size);
  CHECK(every(n, [&](std::size_t i) { return total[i] == Wave{expected[i], length}; }));
  // A callable of the program's that writes to what it is given.
  const auto takes = [](double&& a, double&& b) {
    a = a * 2 + b;
    b = -5;
    return a;
  };
  Row twice = row(world.rank(), 0, n);
  const Row before = twice;
  @communicate { sum[:]@r << takes << twice[:]@s where r, s in world }
  CHECK(twice == before);
}

}  // namespace

int main() {
  for (const std::size_t length : lengths) {
    sections(length);
    in_place(length);
    whole_vectors(length);
    other_values(length);
    emptied(length);
    added(length);
    spoilt(length);
    beside(length);
    reductions(length);
  }
  return check::finish("lent_values");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
