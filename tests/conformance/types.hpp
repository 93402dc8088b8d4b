#pragma once
// The types that the travelling tests send; in a header, as real programs have them.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace types {

enum Plain { zero, one = 1000 };
enum class Scoped : std::uint8_t { off, on = 255 };

struct Point {
  double x, y;
  bool operator==(const Point&) const = default;
};
struct Flat {
  char tag;
  std::int64_t number;
  Point corners[2];
  Scoped state;
  std::array<float, 3> weights;
  bool operator==(const Flat&) const = default;
};
struct Derived : Point {
  int extra;
  bool operator==(const Derived&) const = default;
};
struct Empty {
  bool operator==(const Empty&) const = default;
};
union Bits {
  float real;
  std::uint32_t word;
  bool operator==(const Bits& other) const { return word == other.word; }
};
/// Flat, and a receiver cannot make one but by its bytes.
struct Made {
  explicit Made(int value) : number(value) {}
  bool operator==(const Made&) const = default;
  int number;
  char tag = 'm';
};
/// What comes next may lie in the last bytes of a `Made`, or where an empty member is.
struct Tight : Made {
  explicit Tight(int value) : Made(value), last(static_cast<char>('a' + value % 26)) {}
  bool operator==(const Tight&) const = default;
  char last;
};
struct Filled {
  int number = 0;
  char tag = 'f';
  Filled(int value = 0) : number(value) {}
  bool operator==(const Filled&) const = default;
};
struct Packed {
  [[no_unique_address]] Empty empty;
  std::string name;
  [[no_unique_address]] Filled filled;
  char last;
  std::vector<Made> made;
  bool operator==(const Packed&) const = default;
};
struct WithPrivate {
  explicit WithPrivate(int value) : hidden(value) {}
  WithPrivate() = default;
  bool operator==(const WithPrivate&) const = default;

 private:
  int hidden = 0;
};

/// Aggregates that are not flat: nothing is written for them by hand.
struct Named {
  std::string name;
  int number;
  std::vector<Point> path;
  bool operator==(const Named&) const = default;
};
struct Tree {
  Named root;
  std::vector<Named> leaves;
  std::map<std::string, std::optional<Flat>> table;
  double rows[2][3];
  bool operator==(const Tree& other) const {
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 3; ++c)
        if (rows[r][c] != other.rows[r][c]) return false;
    return root == other.root && leaves == other.leaves && table == other.table;
  }
};
template <class Key, class Value>
struct Entry {
  Key key;
  std::vector<Value> values;
  bool operator==(const Entry&) const = default;
};

/// Classes that serialise themselves, in cereal's three ways.
class Counter {
 public:
  Counter() = default;
  explicit Counter(std::string label) : label_(std::move(label)) {}
  template <class Archive>
  void serialize(Archive& archive) {
    archive(label_);
    ++trips_;
  }
  bool operator==(const Counter& other) const { return label_ == other.label_; }

 private:
  std::string label_;
  int trips_ = 0;
};
class Split {
 public:
  Split() = default;
  explicit Split(int value) : value_(value), label_(std::to_string(value)) {}
  template <class Archive>
  void save(Archive& archive) const {
    archive(value_, label_);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(value_, label_);
  }
  bool operator==(const Split&) const = default;

 private:
  int value_ = 0;
  std::string label_;
};
class Outside {
 public:
  std::vector<std::string> lines;
  virtual ~Outside() = default;
  bool operator==(const Outside& other) const { return lines == other.lines; }
};
template <class Archive>
void serialize(Archive& archive, Outside& outside) {
  archive(outside.lines);
}

}  // namespace types

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
