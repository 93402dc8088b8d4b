#pragma once
// Aggregates that are taken apart with kanorc's help, in a header that has no block.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace aggregates {

struct Empty {
  bool operator==(const Empty&) const = default;
};
struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};
struct Named {
  std::string name;
  std::vector<int> numbers;
  bool operator==(const Named&) const = default;
};

/// A base class that is flat, one that is not, an empty one; bases of bases.
struct Place : Point {
  std::string town;
  bool operator==(const Place&) const = default;
};
struct Tagged : Empty, Named, Point {
  bool operator==(const Tagged&) const = default;
  std::vector<std::string> tags;
};
struct Deep : Tagged {
  std::optional<Place> place;
  bool operator==(const Deep&) const = default;
};
struct Nothing : Empty, Named {};

/// What follows a base class may lie in its last bytes.
struct Padded {
  Padded(int value = 0) : number(value) {}
  bool operator==(const Padded&) const = default;
  int number;
  char tag = 'p';
};
struct Tight : Padded {
  char last = 'l';
  std::string text;
  bool operator==(const Tight&) const = default;
};

/// Made from what the library has.
struct List : std::vector<int> {
  std::string title;
  bool operator==(const List&) const = default;
};
struct Maybe : std::optional<std::string> {
  std::string otherwise;
};
struct Table : std::map<int, std::string> {
  std::vector<std::string> rest;
};

/// What a base class writes itself says nothing of what comes with it.
struct Written {
  std::string text;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text);
  }
  bool operator==(const Written&) const = default;
};
struct AfterWritten : Written {
  std::vector<int> more;
  bool operator==(const AfterWritten&) const = default;
};
struct Half {
  int whole = 0;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(whole);
  }
  bool operator==(const Half&) const = default;
};
struct AfterHalf : Half {
  int other = 0;
  bool operator==(const AfterHalf&) const = default;
};

enum class Colour : std::uint8_t { red, green, blue };

struct Bits {
  unsigned low : 3;
  int negative : 5;
  bool flag : 1;
  Colour colour : 2;
  unsigned : 0;
  std::string name;
  long long wide : 47;
  std::uint64_t all : 64;
  unsigned char byte : 8 = 7;
  bool operator==(const Bits&) const = default;
};
struct MoreBits : Bits {
  int small : 2;
  std::vector<Bits> nested;
  bool operator==(const MoreBits&) const = default;
};

#define TEN(letter) \
  letter##0, letter##1, letter##2, letter##3, letter##4, letter##5, letter##6, letter##7, letter##8, letter##9
struct Many32 {
  int TEN(a), TEN(b);
  std::string TEN(c), last[1];
  long after;
  bool operator==(const Many32&) const = default;
};
struct Many33 {
  int TEN(a), TEN(b);
  std::string TEN(c), last[2];
  long before, after;
  bool operator==(const Many33&) const = default;
};
struct Many100 {
  std::string TEN(a);
  double TEN(b), TEN(c), TEN(d), TEN(e);
  std::vector<int> TEN(f), TEN(g);
  int TEN(h), TEN(i);
  std::string TEN(j);
  bool operator==(const Many100&) const = default;
};
#undef TEN

struct Unnamed {
  std::string name;
  struct {
    int inner;
    double more[2];
    unsigned bits : 4;
  };
};

/// Templates, packs of base classes, and a class that only its owner can name.
template <class A, class B = int>
struct Pair : A, std::map<B, A> {
  B second{};
  bool operator==(const Pair&) const = default;
};
template <class T>
struct Box {
  T boxed{};
  bool operator==(const Box&) const = default;
};
template <class... Ts>
struct All : Box<Ts>... {
  std::string text;
  bool operator==(const All&) const = default;
};
template <class T>
struct Chosen {
  using type = Box<T>;
};
template <class T>
struct Dependent : Chosen<T>::type {
  std::string text;
  bool operator==(const Dependent&) const = default;
};
/// Specialisations that are unlike the template.
template <class T>
struct Special : Named {
  T value{};
  bool operator==(const Special&) const = default;
};
template <>
struct Special<int> : Box<std::string> {
  unsigned bits : 2 = 0;
  bool operator==(const Special&) const = default;
};
template <class T>
struct Special<T*> : Box<T> {
  unsigned pointed : 5 = 0;
  bool operator==(const Special&) const = default;
};
/// Names of its base classes' own come first in a class.
namespace older {
struct Named : aggregates::Named {
  int version = 0;
  bool operator==(const Named&) const = default;
};
}  // namespace older
struct Renewed : older::Named, Box<int>, Box<std::string> {
  std::string text;
  bool operator==(const Renewed&) const = default;
};
class Owner {
 public:
  auto make(int r) const {
    Inner inner;
    inner.name = "inner " + std::to_string(r);
    inner.hidden = static_cast<unsigned>(r) & 7u;
    return inner;
  }

 private:
  class Inner : public Named {
   public:
    unsigned hidden : 3 = 0;
    bool operator==(const Inner&) const = default;
  };
};

}  // namespace aggregates

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
