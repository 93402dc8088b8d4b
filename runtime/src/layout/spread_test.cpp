// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
    // Some of the lengths that the loops know, and others.
    constexpr int known[] = {4, 8, 12, 16, 24, 32, 48, 64};
    const int bytes = choose(random, 0, 2) == 0 ? known[choose(random, 0, 7)] : choose(random, 1, 9);
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

// Packing moves pieces of 8192 bytes: as many bytes, and more and less.
TEST(Spread, CopiesMoreThanAPiece) {
  Generator random(7);
  const Layout three = Layout::block(3, 1), five = Layout::block(5, 1);
  for (const std::size_t bytes : {8190u, 8192u * 15, 8205u, 16395u}) {
    Described one{three.resized(0, 4), {0, 1, 2}}, other{five.resized(0, 7), {0, 1, 2, 3, 4}};
    check_copies(&one, bytes / 3, &other, bytes / 5, bytes, random);
    check_copies(nullptr, 0, &other, bytes / 5, bytes, random);
    check_copies(&one, bytes / 3, nullptr, 0, bytes, random);
  }
}

/// Blocks of one length, listed in an order of their own.
Described listed(std::size_t bytes, std::size_t count, Generator& random) {
  const Layout block = Layout::block(bytes, 1);
  std::vector<std::ptrdiff_t> starts(count);
  for (std::size_t i = 0; i < count; ++i)
    starts[i] = static_cast<std::ptrdiff_t>(i * (bytes + 3)) - 100 + choose(random, 0, 2);
  std::shuffle(starts.begin(), starts.end(), random);
  std::vector<Layout::Part> parts;
  Offsets offsets;
  for (const std::ptrdiff_t start : starts) {
    parts.push_back({start, &block});
    for (std::size_t k = 0; k < bytes; ++k) offsets.push_back(start + static_cast<std::ptrdiff_t>(k));
  }
  return {Layout::sequence(parts, false), std::move(offsets)};
}

TEST(Spread, CopiesListedBlocks) {
  Generator random(11);
  for (const std::size_t bytes : {1u, 4u, 8u, 12u, 16u, 20u, 24u, 32u, 48u, 64u, 100u}) {
    // Of the same length on both sides, of another one, and blocks at a stride.
    const Described one = listed(bytes, 120, random), same = listed(bytes, 120, random),
                    longer = listed(2 * bytes, 60, random), shorter = listed(1, bytes * 120, random);
    Described row{Layout::block(bytes, 1).resized(0, static_cast<std::ptrdiff_t>(bytes) + 5), Offsets(bytes)};
    std::iota(row.offsets.begin(), row.offsets.end(), 0);
    const std::size_t all = bytes * 120;
    check_copies(&one, 1, &same, 1, all, random);
    check_copies(&one, 1, &longer, 1, all, random);
    check_copies(&longer, 1, &one, 1, all, random);
    check_copies(&shorter, 1, &one, 1, all, random);
    check_copies(&one, 1, &row, 120, all, random);
    check_copies(&row, 120, &one, 1, all, random);
    check_copies(&row, 120, nullptr, 0, all, random);
    check_copies(nullptr, 0, &one, 1, all, random);
  }
}

// Nests within nests: as many as a walk has room for, and more.
TEST(Spread, CopiesDeepLayouts) {
  Generator random(13);
  for (int depth = 4; depth <= 9; ++depth) {
    Described deep{Layout::block(4, 1), {0, 1, 2, 3}};
    for (int level = 0; level < depth; ++level) {
      const std::ptrdiff_t stride = deep.layout.last() - deep.layout.first() + 1 + level % 3;
      Offsets offsets = deep.offsets;
      append(offsets, moved(deep.offsets, stride));
      deep = {deep.layout.repeated(2, stride), std::move(offsets)};
    }
    const std::size_t all = deep.layout.bytes() * 3;
    const Described four{Layout::block(4, 1).resized(0, 6), {0, 1, 2, 3}};
    if (overlap(deep, 3)) deep.layout = deep.layout.resized(0, 4 * deep.layout.last());
    check_copies(&deep, 3, nullptr, 0, all, random);
    check_copies(nullptr, 0, &deep, 3, all, random);
    check_copies(&deep, 3, &four, all / 4, all, random);
  }
}

TEST(Spread, CopiesNothing) {
  const Layout none = Layout::block(0, 1);
  copy({nullptr, &none}, {nullptr, nullptr}, 0, 0);
  copy({nullptr, nullptr}, {nullptr, &none}, 0, 0);
}

}  // namespace
}  // namespace kanor::rt
