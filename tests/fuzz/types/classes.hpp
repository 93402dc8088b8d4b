// Classes of the programs that fuzz.py makes: those that travel, and those that must not.
#pragma once
#include <kanor/kanor.hpp>

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <coroutine>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <forward_list>
#include <functional>
#include <future>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <stack>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <typeindex>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>

#include <pthread.h>
#include <semaphore.h>

namespace cereal {
class access;
}

struct Random {
  std::uint64_t state;
  std::uint64_t operator()() {
    std::uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
};

template <class T>
T make(Random& random);

// Classes that travel.
enum Plain { zero, one = 1000 };
enum class Scoped : std::uint8_t { off, on = 255 };
struct Point {
  double x, y;
  bool operator==(const Point&) const = default;
  static Point make(Random& random) { return {double(random() % 1000) / 8, -double(random() % 77)}; }
};
struct Bits {
  unsigned a : 3, : 2, b : 9;
  signed c : 5;
  bool operator==(const Bits& o) const { return a == o.a && b == o.b && c == o.c; }
  static Bits make(Random& random) {
    Bits bits{};
    bits.a = random() % 8, bits.b = random() % 512, bits.c = static_cast<int>(random() % 32) - 16;
    return bits;
  }
};
struct FlatUnion {
  int tag;
  union {
    float real;
    std::uint32_t word;
  };
  bool operator==(const FlatUnion& o) const { return tag == o.tag && word == o.word; }
  static FlatUnion make(Random& random) {
    FlatUnion made{};
    made.tag = static_cast<int>(random());
    made.word = static_cast<std::uint32_t>(random());
    return made;
  }
};
class Hidden {
 public:
  bool operator==(const Hidden&) const = default;
  static Hidden make(Random& random) {
    Hidden hidden;
    hidden.number_ = static_cast<int>(random());
    hidden.point_ = Point::make(random);
    return hidden;
  }

 private:
  int number_ = 0;
  Point point_{};
};
struct Leaf : Point {
  short more;
  bool operator==(const Leaf&) const = default;
  static Leaf make(Random& random) { return {Point::make(random), static_cast<short>(random())}; }
};
struct Named {
  std::string name;
  Point point;
  bool operator==(const Named&) const = default;
  static Named make(Random& random);
};
struct NamedBits : Named {
  unsigned low : 4;
  unsigned high : 12;
  struct {
    int inner;
    short other;
  };
  std::vector<int> list;
  bool operator==(const NamedBits& o) const {
    return Named::operator==(o) && low == o.low && high == o.high && inner == o.inner && other == o.other && list == o.list;
  }
  static NamedBits make(Random& random);
};
class Serialised {
 public:
  bool operator==(const Serialised& o) const { return text_ == o.text_ && number_ == o.number_; }
  static Serialised make(Random& random);
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text_, number_);
  }
  Serialised() = default;
  Serialised(const Serialised&) = default;
  Serialised& operator=(const Serialised&) = default;
  virtual ~Serialised() = default;

 private:
  std::string text_;
  long number_ = 0;
};
class Split {
 public:
  bool operator==(const Split&) const = default;
  static Split make(Random& random);
  Split() = default;
  Split(const Split&) = default;
  Split& operator=(const Split&) = default;

 private:
  friend class cereal::access;
  template <class Archive>
  void save(Archive& archive, const std::uint32_t) const {
    archive(values_);
  }
  template <class Archive>
  void load(Archive& archive, const std::uint32_t) {
    archive(values_);
  }
  std::map<int, std::string> values_;
};
class Outside {
 public:
  Outside() {}
  Outside(const Outside& o) : lines(o.lines) {}
  Outside& operator=(const Outside&) = default;
  bool operator==(const Outside& o) const { return lines == o.lines; }
  static Outside make(Random& random);
  std::vector<std::string> lines;
};
template <class Archive>
void save(Archive& archive, const Outside& outside) {
  archive(outside.lines);
}
template <class Archive>
void load(Archive& archive, Outside& outside) {
  archive(outside.lines);
}
struct SameOutside : Outside {
  SameOutside() {}
  static SameOutside make(Random& random) {
    SameOutside made;
    static_cast<Outside&>(made) = Outside::make(random);
    return made;
  }
};
/// A function that is called save and has nothing to do with archives.
struct SavesToFile {
  int number;
  void save(const std::string&) const {}
  bool operator==(const SavesToFile&) const = default;
  static SavesToFile make(Random& random) { return {static_cast<int>(random())}; }
};
template <class T>
struct Wrapped {
  T value;
  int tail;
  bool operator==(const Wrapped&) const = default;
  static Wrapped make(Random& random) { return {::make<T>(random), static_cast<int>(random())}; }
};
template <class T, class U>
struct Both : Wrapped<T> {
  U more[2];
  bool operator==(const Both& o) const {
    return Wrapped<T>::operator==(o) && more[0] == o.more[0] && more[1] == o.more[1];
  }
  static Both make(Random& random) {
    Wrapped<T> first = Wrapped<T>::make(random);
    U second = ::make<U>(random), third = ::make<U>(random);
    return {first, {second, third}};
  }
};
template <class T>
struct Stateless : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Stateless<U>;
  };
  Stateless() = default;
  template <class U>
  Stateless(const Stateless<U>&) {}
};
struct Downwards {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

// Classes that must not: each would lose something where ranks share no addresses.
template <class T>
struct Stateful {
  using value_type = T;
  int arena = 1;
  Stateful(int number = 1) : arena(number) {}
  template <class U>
  Stateful(const Stateful<U>& o) : arena(o.arena) {}
  T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
  void deallocate(T* p, std::size_t n) { std::allocator<T>().deallocate(p, n); }
  template <class U>
  bool operator==(const Stateful<U>& o) const {
    return arena == o.arena;
  }
};
struct Either {
  bool down = false;
  bool operator()(int a, int b) const { return down ? b < a : a < b; }
  std::size_t operator()(int a) const { return down ? 1 : static_cast<std::size_t>(a); }
};
struct RefMember {
  int& number;
};
struct ConstMember {
  const std::string text;
};
struct NeedsArgument {
  explicit NeedsArgument(int);
  std::string text;
};
class OwnCopy {
 public:
  OwnCopy(const OwnCopy&);
  OwnCopy();
  int* number;
};
struct Virtual {
  virtual int f();
  int number;
};
struct AnonymousUnion {
  std::string text;
  union {
    int a;
    float b;
  };
};
class SavesOnly {
 public:
  SavesOnly();
  SavesOnly(const SavesOnly&);
  template <class Archive>
  void save(Archive& archive) const;
};
class SavesElsewhere {
 public:
  SavesElsewhere();
  SavesElsewhere(const SavesElsewhere&);
  void save(const std::string& path) const;
  void load(const std::string& path);
};
class PrivateSerialize {
 public:
  PrivateSerialize();
  PrivateSerialize(const PrivateSerialize&);

 private:
  template <class Archive>
  void serialize(Archive& archive);
};
class AddsToSerialised : public Serialised {
 public:
  AddsToSerialised();
  int more;
};
struct Handle {
  const int* number = nullptr;
  template <class Archive>
  void serialize(Archive& archive);
};
union UnionOfHandle {
  Handle handle;
  long word;
};
class AddsToHandle : public Handle {
 public:
  AddsToHandle();
  int more;
};
using Bound = decltype(std::bind(std::less<int>(), std::placeholders::_1, 3));
using Order = bool (*)(int, int);
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
