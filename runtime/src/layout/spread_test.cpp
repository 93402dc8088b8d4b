// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/spread.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace kanor::rt {
namespace {

using Offsets = std::vector<std::ptrdiff_t>;
using Generator = std::mt19937;

int choose(Generator& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// A layout, and by hand the offset of each of its bytes, in the order in which they are packed.
struct Described {
  Layout layout;
  Offsets offsets;
};

Offsets moved(const Offsets& offsets, std::ptrdiff_t by) {
  Offsets result;
  for (const std::ptrdiff_t offset : offsets) result.push_back(offset + by);
  return result;
}

void append(Offsets& to, const Offsets& more) { to.insert(to.end(), more.begin(), more.end()); }

Described random_layout(Generator& random, int depth) {
  if (depth == 0) {
    const int bytes = choose(random, 1, 9);
    Offsets offsets(static_cast<std::size_t>(bytes));
    std::iota(offsets.begin(), offsets.end(), 0);
    return {Layout::block(static_cast<std::size_t>(bytes), 1), std::move(offsets)};
  }
  // The parts lie one behind the other, some with gaps: no byte is in two of them.
  if (choose(random, 0, 1) == 0) {
    const Described one = random_layout(random, depth - 1);
    const int count = choose(random, 1, 4);
    const std::ptrdiff_t reach = one.layout.last() - one.layout.first();
    const std::ptrdiff_t stride = (reach + choose(random, 0, 3)) * (choose(random, 0, 3) == 0 ? -1 : 1);
    Offsets offsets;
    for (int i = 0; i < count; ++i) append(offsets, moved(one.offsets, i * stride));
    return {one.layout.repeated(static_cast<std::size_t>(count), stride), std::move(offsets)};
  }
  std::vector<Described> parts;
  std::vector<Layout::Part> placed;
  Offsets offsets;
  std::ptrdiff_t end = 0;
  for (int i = choose(random, 1, 6); i > 0; --i) parts.push_back(random_layout(random, depth - 1));
  for (const Described& part : parts) {
    const std::ptrdiff_t at = end - part.layout.first() + choose(random, 0, 3);
    placed.push_back({at, &part.layout});
    append(offsets, moved(part.offsets, at));
    end = at + part.layout.last();
  }
  return {Layout::sequence(placed, false), std::move(offsets)};
}

/// Returns true if a byte belongs to several elements.
bool overlap(const Described& of, std::size_t count) {
  std::set<std::ptrdiff_t> all;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::ptrdiff_t offset : of.offsets)
      if (!all.insert(offset + static_cast<std::ptrdiff_t>(i) * of.layout.extent()).second) return true;
  return false;
}

/// Memory with elements of a layout, or (without one) a block; each byte is another.
class Memory {
 public:
  Memory(const Described* of, std::size_t count, std::size_t bytes) : layout_(of ? &of->layout : nullptr) {
    for (std::size_t i = 0; i < count && of; ++i)
      append(offsets_, moved(of->offsets, static_cast<std::ptrdiff_t>(i) * of->layout.extent()));
    if (!of) {
      offsets_.resize(bytes);
      std::iota(offsets_.begin(), offsets_.end(), 0);
    }
    for (const std::ptrdiff_t offset : offsets_) {
      first_ = std::min(first_, offset);
      last_ = std::max(last_, offset + 1);
    }
    content_.resize(static_cast<std::size_t>(last_ - first_));
  }

  Spread spread() { return {content_.data() - first_, layout_}; }
  std::byte& packed(std::size_t number) {
    return content_[static_cast<std::size_t>(offsets_[number] - first_)];
  }
  std::vector<std::byte>& content() { return content_; }

 private:
  const Layout* layout_;
  Offsets offsets_;
  std::ptrdiff_t first_ = 0, last_ = 0;
  std::vector<std::byte> content_;
};

void check_copies(const Described* to, std::size_t to_count, const Described* from, std::size_t from_count,
                  std::size_t bytes, Generator& random) {
  Memory source(from, from_count, bytes), target(to, to_count, bytes), expected(to, to_count, bytes);
  for (std::size_t i = 0; i < bytes; ++i) source.packed(i) = std::byte(i * 7 + 1);
  for (int turn = 0; turn < 20; ++turn) {
    const std::size_t begin = std::uniform_int_distribution<std::size_t>(0, bytes)(random);
    const std::size_t end = std::uniform_int_distribution<std::size_t>(begin, bytes)(random);
    for (std::size_t i = begin; i < end; ++i) expected.packed(i) = source.packed(i);
    copy(target.spread(), source.spread(), begin, end);
    ASSERT_EQ(target.content(), expected.content()) << begin << " to " << end << " of " << bytes;
  }
}

// The oracle is each byte's offset, which the test computes by itself.
TEST(Spread, CopiesRangesOfRandomLayouts) {
  Generator random(20260101);
  int tried = 0;
  for (int turn = 0; turn < 400; ++turn) {
    const Described one = random_layout(random, choose(random, 0, 3));
    const Described other = random_layout(random, choose(random, 0, 3));
    // As many bytes on both sides.
    const std::size_t one_count = other.layout.bytes(), other_count = one.layout.bytes();
    const std::size_t bytes = one_count * one.layout.bytes();
    // Where elements overlap, what is written last stays: other tests have that.
    if (overlap(one, one_count) || overlap(other, other_count)) continue;
    ++tried;
    check_copies(&one, one_count, &other, other_count, bytes, random);
    check_copies(&one, one_count, nullptr, 0, bytes, random);
    check_copies(nullptr, 0, &other, other_count, bytes, random);
    check_copies(nullptr, 0, nullptr, 0, bytes, random);
  }
  EXPECT_GT(tried, 200);
}

// Between two layouts, of more than one piece: 8192 bytes, and one more on both sides.
TEST(Spread, CopiesBetweenLayoutsPieceByPiece) {
  Generator random(7);
  const Layout three = Layout::block(3, 1), five = Layout::block(5, 1);
  for (const std::size_t bytes : {8190u, 8205u, 16395u}) {
    Described one{three.resized(0, 4), {0, 1, 2}}, other{five.resized(0, 7), {0, 1, 2, 3, 4}};
    check_copies(&one, bytes / 3, &other, bytes / 5, bytes, random);
  }
}

TEST(Spread, CopiesNothing) {
  const Layout none = Layout::block(0, 1);
  copy({nullptr, &none}, {nullptr, nullptr}, 0, 0);
  copy({nullptr, nullptr}, {nullptr, &none}, 0, 0);
}

}  // namespace
}  // namespace kanor::rt
