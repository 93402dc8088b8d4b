// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that cross between ranks without common addresses, and archives that are not what they should be.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "exchange/test_job.hpp"
#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

struct Point {
  int x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

struct Empty {
  bool operator==(const Empty&) const = default;
};

enum class Colour : unsigned char { red = 1, green = 7 };

/// An aggregate of all kinds of fields.
struct Record {
  int number = 0;
  std::string name;
  double samples[3] = {};
  std::string words[2];
  char matrix[2][2] = {};
  std::vector<Point> points;
  std::optional<std::string> note;
  std::variant<std::monostate, int, std::string> choice;
  std::map<std::string, std::vector<int>> index;
  Empty nothing;
  Colour colour = Colour::red;
  std::vector<bool> bits;
  bool operator==(const Record&) const = default;
};

/// An aggregate that says itself how it is archived: only half of it.
struct Own {
  std::vector<int> kept;
  std::string dropped;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(kept);
  }
};

/// Not an aggregate; split functions, private, versioned by nothing.
class Account {
 public:
  Account() = default;
  Account(std::string owner, long balance) : owner_(std::move(owner)), balance_(balance) {}
  bool operator==(const Account&) const = default;

 private:
  friend class cereal::access;
  template <class Archive>
  void save(Archive& archive) const {
    archive(CEREAL_NVP(owner_), balance_);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(CEREAL_NVP(owner_), balance_);
  }
  std::string owner_;
  long balance_ = 0;
};

/// Archived with an operator, and as the base of another.
struct Base {
  std::string tag;
  template <class Archive>
  void serialize(Archive& archive) {
    archive& tag;
  }
  bool operator==(const Base&) const = default;
};
struct Derived : Base {
  std::list<int> items;
  bool operator==(const Derived&) const = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(cereal::base_class<Base>(this), items);
  }
};

/// Archived by a function outside.
struct Outside {
  std::string s;
  bool operator==(const Outside&) const = default;
};
template <class Archive>
void serialize(Archive& archive, Outside& value, std::uint32_t version) {
  archive(value.s, version);
}

/// Archived as one string.
struct Text {
  std::string text;
  bool operator==(const Text&) const = default;
};
template <class Archive>
std::string save_minimal(const Archive&, const Text& value) {
  return value.text;
}
template <class Archive>
void load_minimal(const Archive&, Text& value, const std::string& text) {
  value.text = text;
}

/// Trivially copyable, but what it points to is its value.
struct Slot {
  const int* value = nullptr;
  template <class Archive>
  int save_minimal(const Archive&) const {
    return *value;
  }
  template <class Archive>
  void load_minimal(const Archive&, const int& loaded) {
    static const int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    value = &numbers[loaded];
  }
  bool operator==(const Slot& other) const {
    return value == other.value || (value && other.value && *value == *other.value);
  }
};
struct Slots {
  Slot two[2];
  int n = 0;
  bool operator==(const Slots&) const = default;
};
/// Its own function is asked, although its bytes would do.
struct Pixel {
  int x = 0;
  std::optional<float> y;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(x);
  }
  bool operator==(const Pixel&) const = default;
};
/// Cannot be taken apart.
struct Mixed {
  int tag = 0;
  union {
    int i = 0;
    float f;
  };
  int bits : 4 = 0;
  int grid[2][2] = {};
};
struct AfterMixed {
  Mixed mixed;
  std::array<int, 2> a{};
  Slots slots;
};
/// Nobody knows what is private in it.
class Sealed {
 public:
  int opened() const { return value_ + extra_; }
  void fill(int value) { value_ = extra_ = value; }

 private:
  friend class cereal::access;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(value_);
  }
  int value_ = 0;
  int extra_ = 0;
};

template <class T>
struct Holder {
  T first;
  std::vector<T> rest;
  bool operator==(const Holder&) const = default;
};

/// Thirty-two fields.
struct Wide {
  std::string a;
  int b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1;
  std::string last;
  bool operator==(const Wide&) const = default;
};

struct WithBase : Empty {
  std::string s;
};
union Either {
  int i;
  std::string s;
};

static_assert(abi::field_count<Point>() == 2 && abi::field_count<Record>() == 12 &&
              abi::field_count<Wide>() == 32);
static_assert(abi::field_count<Empty>() == 0 && abi::field_count<Holder<int>>() == 2);
static_assert(abi::field_count<WithBase>() == -1 && abi::field_count<Account>() == -1);
static_assert(abi::field_count<Either>() == -1 && abi::field_count<int>() == -1);
static_assert(std::is_trivially_copyable_v<Slots> && !abi::flat<Slot> && !abi::flat<Slot[2]> &&
              !abi::flat<Slots>);
static_assert(!abi::flat<std::array<Slot, 2>> && !abi::flat<std::optional<Slot>> && !abi::flat<Sealed>);
static_assert(!abi::flat<Pixel> && abi::flat<Point> && abi::flat<std::optional<int>> && abi::flat<Empty>);
static_assert(!abi::flat<std::array<Pixel, 3>> && !abi::flat<std::variant<int, Pixel>>);
static_assert(abi::flat<Mixed> && abi::flat<Mixed[2]> && !abi::flat<AfterMixed>);
static_assert(abi::archived_as<Own> == abi::form::own && abi::archived_as<Record> == abi::form::fields);
static_assert(abi::archived_as<Account> == abi::form::own && abi::archived_as<Text> == abi::form::own);
static_assert(abi::archived_as<Point> == abi::form::bytes &&
              abi::archived_as<std::shared_ptr<int>> == abi::form::none);

/// Sends a value from the last rank to all, with and without common addresses, and answers rank 0's.
template <class T>
std::array<T, 2> sent(const T& value) {
  std::array<T, 2> arrived{};
  for (const bool shares_addresses : {true, false}) {
    TestJob(2, shares_addresses).run([&] {
      T place{}, mine = value;
      abi::block block({"archive_test.cpp", 1, "sent"});
      block.assign({1, "place@i <<= mine@1", "i"}, [&](auto& bind) {
        for (const auto i : abi::each(world))
          binding(
              bind, i, [&](auto at) { return at(place); }, 1, [&](auto send) { return send(mine); }, i);
      });
      block.run();
      if (world.rank() == 0) arrived[shares_addresses] = std::move(place);
    });
  }
  return arrived;
}

template <class T>
void round_trip(const T& value) {
  const std::array<T, 2> arrived = sent(value);
  EXPECT_EQ(arrived[0], value);
  EXPECT_EQ(arrived[1], value);
}

const Record record{3,
                    "three",
                    {1.5, -2.5, 1e300},
                    {"one", std::string(1000, 'x')},
                    {{'a', 'b'}, {'c', 'd'}},
                    {{1, 2}, {3, 4}},
                    "note",
                    std::string("chosen"),
                    {{"k", {1, 2, 3}}, {"", {}}},
                    {},
                    Colour::green,
                    {true, false, true}};

TEST(Archive, StandardTypes) {
  using namespace std::chrono_literals;
  round_trip(std::pair<std::string, int>("a", 2));
  round_trip(std::tuple<int, std::string, double>(1, "b", 2.5));
  round_trip(std::optional<std::string>("c"));
  round_trip(std::optional<std::string>());
  round_trip(std::variant<int, std::string>("d"));
  round_trip(std::map<std::string, int>{{"x", 1}, {"y", 2}});
  round_trip(std::set<std::string>{"p", "q"});
  round_trip(std::unordered_map<std::string, double>{{"x", 1}, {"y", 2}});
  round_trip(std::unordered_set<int>{1, 2, 3});
  round_trip(std::list<std::string>{"l", "m"});
  round_trip(std::deque<int>{1, 2});
  round_trip(std::array<std::string, 2>{"s", "t"});
  round_trip(std::vector<std::string>{"", "u", std::string(5000, 'v')});
  round_trip(std::vector<std::vector<std::vector<int>>>{{{1}, {}}, {}, {{2, 3}}});
  round_trip(std::vector<std::vector<bool>>{{true}, {false, true}});
  round_trip(std::vector<std::optional<int>>{1, std::nullopt});
  round_trip(std::map<Colour, std::complex<double>>{{Colour::green, {1, -1}}});
  round_trip(std::vector<std::pair<std::chrono::nanoseconds, std::bitset<70>>>{{5ns, 9}});
  round_trip(std::vector<Empty>(100000));
  round_trip(std::vector<std::monostate>(100000));
  round_trip(std::vector<std::tuple<>>(3));
}

TEST(Archive, Aggregates) {
  round_trip(record);
  round_trip(std::vector<Record>(20, record));
  round_trip(std::map<int, Record>{{4, record}});
  round_trip(Holder<Record>{record, {record, Record()}});
  round_trip(Holder<Holder<std::string>>{{"a", {"b"}}, {}});
  Wide wide{};
  wide.a = "first";
  wide.e1 = 31;
  wide.last = "last";
  round_trip(wide);
  struct Local {
    std::string s;
    struct Inner {
      std::vector<std::string> v;
      bool operator==(const Inner&) const = default;
    } inner[2];
    bool operator==(const Local&) const = default;
  };
  round_trip(Local{"s", {{{"a"}}, {{"b", "c"}}}});
}

TEST(Archive, OwnFunctionsComeFirst) {
  const auto arrived = sent(Own{{1, 2}, "half"});
  for (const Own& one : arrived) {
    EXPECT_EQ(one.kept, (std::vector{1, 2}));
    EXPECT_EQ(one.dropped, "") << "by its own function, whether the ranks share addresses or not";
  }
  round_trip(Account("ann", 12));
  round_trip(std::vector<Account>{{"bob", 1}, {"eve", 2}});
  Derived derived;
  derived.tag = "base";
  derived.items = {1, 2, 3};
  round_trip(derived);
  round_trip(std::vector<Derived>{derived, derived});
  round_trip(std::map<int, Text>{{1, {"minimal"}}});
  round_trip(std::vector<Outside>{{"a"}, {"b"}});
}

TEST(Archive, OwnFunctionsComeBeforeBytes) {
  const int three = 3, four = 4;
  // Where the pointers lead is gone when the values arrive.
  round_trip(Slot{&three});
  round_trip(Slots{{{&three}, {&four}}, 7});
  // Also where a copy could reach what is the sender's.
  for (const auto& slots : sent(std::vector<Slot>{{&three}, {&four}})) {
    EXPECT_NE(slots[0].value, &three);
    EXPECT_EQ(*slots[1].value, 4);
  }
  for (const auto& slots : sent(std::map<int, Slots>{{1, {{{&three}, {&four}}, 7}}}))
    EXPECT_NE(slots.at(1).two[1].value, &four);
  Sealed sealed;
  sealed.fill(5);
  EXPECT_EQ(sent(sealed)[0].opened(), 5);  // by its own function
  EXPECT_EQ(sent(sealed)[1].opened(), 5);
  EXPECT_EQ(sent(Pixel{1, 2.5f})[0], (Pixel{1, {}}));
  EXPECT_EQ(sent(Pixel{1, 2.5f})[1], (Pixel{1, {}}));
}

TEST(Archive, KeepsTheOrderOfEqualAndHashedElements) {
  std::multimap<int, std::string> map;
  for (int i = 0; i < 30; ++i) map.emplace(i % 3, std::to_string(i));
  for (const auto& arrived : sent(map))
    EXPECT_TRUE(std::equal(arrived.begin(), arrived.end(), map.begin(), map.end()));
  std::unordered_map<std::string, int> hashed;
  std::unordered_multiset<int> set;
  hashed.max_load_factor(0.7f);
  for (int i = 0; i < 1000; ++i) {
    hashed[std::to_string(i * 7919)] = i;
    set.insert(i % 50);
  }
  for (int i = 0; i < 900; ++i) hashed.erase(std::to_string(i * 7919));
  for (const auto& arrived : sent(hashed)) {
    EXPECT_TRUE(std::equal(arrived.begin(), arrived.end(), hashed.begin(), hashed.end()));
    EXPECT_EQ(arrived.bucket_count(), hashed.bucket_count());
  }
  for (const auto& arrived : sent(set))
    EXPECT_TRUE(std::equal(arrived.begin(), arrived.end(), set.begin(), set.end()));
}

// Malformed archives.

/// The bytes of a record's archive, as they lie in a message.
std::vector<std::byte> archive_of_record() {
  std::vector<std::byte> bytes;
  TestJob(2, false).run([&] {
    if (world.rank() == 1) {
      Record place, mine = record;
      abi::block block({"archive_test.cpp", 1, "f"});
      block.assign({1, "place@0 <<= mine@1", ""}, [&](auto& bind) {
        binding(
            bind, 0, [&](auto at) { return at(place); }, 1, [&](auto send) { return send(mine); });
      });
      block.run();
    } else {
      const Buffer message = receive(here(), 1, 0, 0);
      bytes.assign(message.data() + 16, message.data() + message.bytes());  // after the head and the length
    }
  });
  return bytes;
}

/// Decodes in a child process and answers its wait status; 0 if it was accepted.
int decode_in_child(const std::vector<std::byte>& bytes) {
  const pid_t child = fork();
  if (child == 0) {
    std::fclose(stderr);
    TestJob(1).run_rank(0, [&] {
      void* decoded = abi::new_from_archive<Record>(bytes.data(), bytes.size());
      abi::delete_object<Record>(decoded);
    });
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(MalformedArchive, IsAcceptedOnlyWhole) {
  std::vector<std::byte> bytes = archive_of_record();
  ASSERT_GT(bytes.size(), 1000u);
  EXPECT_EQ(decode_in_child(bytes), 0);
  for (std::size_t length = 0; length < bytes.size(); length += length < 150 ? 7 : 97) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    const int status = decode_in_child(cut);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << length << " bytes: " << status;
  }
  bytes.push_back({});
  EXPECT_EQ(WEXITSTATUS(decode_in_child(bytes)), 1);
}

TEST(MalformedArchive, NeverCrashes) {
  const std::vector<std::byte> bytes = archive_of_record();
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    std::vector<std::byte> changed = bytes;
    for (int changes = 0; changes < 3; ++changes)
      changed[random() % (round % 2 ? 60 : changed.size())] = static_cast<std::byte>(random());
    const int status = decode_in_child(changed);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << "round " << round << ": " << status;
  }
}

TEST(MalformedArchive, IsExplained) {
  const std::byte few[3] = {};
  EXPECT_EXIT(TestJob(1).run_rank(0, [&] { abi::new_from_archive<Record>(few, 3); }),
              testing::ExitedWithCode(1), "archive cannot be read: it ends too early \\(at byte 0 of 3\\)");
}

}  // namespace
}  // namespace kanor::rt
