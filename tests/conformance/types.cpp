// RUN: %kanorc %s -o %t && %run_everywhere %t
// Every kind of type that travels, through one template: round a ring, from one rank to all, and gathered.
#include "check.hpp"
#include "types.hpp"

#include <algorithm>
#include <complex>
#include <deque>
#include <forward_list>
#include <list>
#include <chrono>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>

namespace {

/// `make(r)` is rank r's value.
template <class Make>
void travels(const char* what, Make make) {
  using Value = decltype(make(0));
  const int n = kanor::world.size(), me = kanor::world.rank();
  const Value mine = make(me);
  Value from_left = make(1000), from_last = make(1001);
  std::vector<Value> everyone(n, make(1002));
  @communicate {
    from_left@(i + 1) % n <<= mine@i where i in world;
    from_last@i <<= mine@n - 1 where i in world;
    everyone[i]@j <<= make(i)@i where i, j in world
  }
  check::holds(__FILE__, __LINE__, what, from_left == make((me + n - 1) % n));
  check::holds(__FILE__, __LINE__, what, from_last == make(n - 1));
  for (int i = 0; i < n; ++i) check::holds(__FILE__, __LINE__, what, everyone[i] == make(i));
  check::holds(__FILE__, __LINE__, what, mine == make(me));
}

std::string text(int r) { return "rank " + std::to_string(r); }
std::string long_text(int r) { return std::string(300 + r, static_cast<char>('a' + r % 26)) + std::string(2, '\0') + "\xff"; }

void flat_types() {
  using namespace types;
  travels("char", [](int r) { return static_cast<char>(r); });
  travels("double", [](int r) { return r / 3.0; });
  travels("complex", [](int r) { return std::complex<double>(r, -r); });
  travels("plain enum", [](int r) { return r % 2 ? zero : one; });
  travels("scoped enum", [](int r) { return r % 2 ? Scoped::off : Scoped::on; });
  travels("flat struct", [](int r) { return Flat{'x', -r, {{1.0 * r, 2}, {3, 4}}, Scoped::on, {0.5f, 1, 2}}; });
  travels("no default constructor", [](int r) { return Made(r); });
  travels("vector without default constructor", [](int r) { return std::vector<Made>(r % 4, Made(r)); });
  travels("array without default constructor", [](int r) { return std::array<Made, 2>{Made(r), Made(-r)}; });
  travels("optional without default constructor", [](int r) { return r % 2 ? std::optional(Made(r)) : std::nullopt; });
  travels("variant without default constructor", [](int r) { return std::variant<Made, int>(Made(r)); });
  travels("full to the last byte", [](int r) { return Tight(r); });
  travels("derived struct", [](int r) { return Derived{{1, 2}, r}; });
  travels("empty struct", [](int) { return Empty{}; });
  travels("union", [](int r) { return Bits{static_cast<float>(r)}; });
  travels("private members", [](int r) { return WithPrivate(r); });
  travels("array", [](int r) { return std::array<Point, 3>{{{1.0 * r, 0}, {0, 2.0 * r}, {0, 0}}}; });
  travels("duration", [](int r) { return std::chrono::milliseconds(r); });
  travels("vector of flat", [](int r) { return std::vector<Point>(r % 5, Point{1.0 * r, 2}); });
  travels("vector of bool", [](int r) { return std::vector<bool>(r % 70 + 3, r % 2 == 0); });
  travels("string", text);
  travels("long string", long_text);
  travels("wide string", [](int r) { return std::u32string(r % 9, U'\u00e9'); });
}

void containers() {
  using namespace types;
  travels("pair", [](int r) { return std::pair(text(r), r); });
  travels("pair of flat", [](int r) { return std::pair(1.5, r); });
  travels("tuple", [](int r) { return std::tuple(r, text(r), std::vector<int>(3, r)); });
  travels("empty tuple", [](int) { return std::tuple<>(); });
  travels("optional", [](int r) { return r % 2 ? std::optional(text(r)) : std::nullopt; });
  travels("flat optional", [](int r) { return r % 2 ? std::optional(r) : std::nullopt; });
  travels("variant", [](int r) {
    using Either = std::variant<int, std::string, std::vector<double>>;
    return r % 3 == 0 ? Either(r) : r % 3 == 1 ? Either(text(r)) : Either(std::vector<double>(4, r));
  });
  travels("map", [](int r) {
    std::map<std::string, std::vector<int>> map;
    for (int k = 0; k < r % 4 + 1; ++k) map[text(k)] = std::vector<int>(k, r);
    return map;
  });
  travels("set", [](int r) { return std::set<std::string>{text(r), text(r + 1)}; });
  travels("multimap", [](int r) { return std::multimap<int, std::string>{{1, text(r)}, {1, "again"}}; });
  travels("unordered map", [](int r) { return std::unordered_map<std::string, int>{{text(r), r}, {"all", -1}}; });
  travels("unordered set", [](int r) { return std::unordered_set<int>{r, r + 10}; });
  travels("list", [](int r) { return std::list<std::string>(2, text(r)); });
  travels("forward list", [](int r) { return std::forward_list<int>{r, 2 * r, 3 * r}; });
  travels("deque", [](int r) { return std::deque<double>(5, r); });
  // Compared by what it has: its == compares element by element.
  struct Numbers {
    std::valarray<double> all;
    bool operator==(const Numbers& o) const { return all.size() == o.all.size() && std::equal(std::begin(all), std::end(all), std::begin(o.all)); }
  };
  travels("valarray", [](int r) { return Numbers{std::valarray<double>(r / 3.0, static_cast<std::size_t>(r % 5))}; });
  travels("nested vector", [](int r) {
    std::vector<std::vector<std::string>> rows(r % 3 + 1);
    for (auto& row : rows) row.assign(2, long_text(r));
    return rows;
  });
  travels("array of strings", [](int r) { return std::array<std::string, 2>{text(r), "second"}; });
}

void classes() {
  using namespace types;
  travels("aggregate", [](int r) { return Named{long_text(r), r, std::vector<Point>(r % 4, Point{1, 2})}; });
  travels("nested aggregate", [](int r) {
    return Tree{{"root", r, {}}, {{text(r), 1, {{3, 4}}}, {"", 2, {}}}, {{"none", std::nullopt}, {"some", Flat{'c', r, {}, Scoped::on, {}}}},
                {{1, 2, 3}, {4, 5, 1.0 * r}}};
  });
  travels("members in each other's padding", [](int r) {
    return Packed{{}, text(r), Filled(r), static_cast<char>('a' + r % 26), std::vector<Made>(r % 3, Made(r))};
  });
  travels("vector of empty in a pair", [](int r) { return std::pair(std::vector<Empty>(r % 3), text(r)); });
  travels("template aggregate", [](int r) { return Entry<std::string, std::optional<int>>{text(r), {r, std::nullopt}}; });
  travels("vector of aggregates", [](int r) { return std::vector<Entry<int, std::string>>(2, {r, {text(r)}}); });
  travels("serialize", [](int r) { return Counter(text(r)); });
  travels("save and load", [](int r) { return Split(r); });
  travels("serialize outside", [](int r) {
    Outside outside;
    outside.lines = {text(r), "end"};
    return outside;
  });
  travels("map of serialisable", [](int r) { return std::map<int, Counter>{{r, Counter("a")}, {-1, Counter("b")}}; });
  struct Local {
    int number;
    std::string name;
    bool operator==(const Local&) const = default;
  };
  travels("local aggregate", [](int r) { return Local{r, text(r)}; });
  struct LocalFlat {
    short a;
    long b;
    bool operator==(const LocalFlat&) const = default;
  };
  travels("vector of local flat", [](int r) { return std::vector<LocalFlat>(3, {1, r}); });
}

/// C arrays of what is not flat, and a pointer's elements.
void arrays() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;
  types::Named named[2] = {{text(me), me, {}}, {"second", 2, {{1, 1.0 * me}}}}, got[2];
  std::vector<std::string> rows[2][2] = {{{"a"}, {}}, {{}, {text(me), "z"}}}, rows_got[2][2];
  types::Named* p = got;
  @communicate {
    rows_got@(i + 1) % n <<= rows@i where i in world;
    p[k]@(i + 1) % n <<= named[k]@i where i in world, k in {0 ... 1}
  }
  CHECK(got[0] == (types::Named{text(left), left, {}}));
  CHECK(got[1] == (types::Named{"second", 2, {{1, 1.0 * left}}}));
  CHECK_EQ(rows_got[1][1], (std::vector<std::string>{text(left), "z"}));
  CHECK_EQ(rows_got[0][0].size(), 1u);
}

/// Assigning to a part of an object leaves the other parts alone, also where they share its bytes.
void parts() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;
  types::Tight tight(me);
  types::Made& base = tight;
  types::Packed packed{{}, text(me), types::Filled(me), 'z', {}};
  @communicate {
    base@(i + 1) % n <<= types::Made(100 + i)@i where i in world;
    packed.filled@(i + 1) % n <<= types::Filled(100 + i)@i where i in world;
    packed.empty@(i + 1) % n <<= types::Empty()@i where i in world
  }
  CHECK_EQ(tight.number, 100 + left);
  CHECK_EQ(tight.last, 'a' + me % 26);
  CHECK_EQ(packed.filled.number, 100 + left);
  CHECK_EQ(packed.last, 'z');
  CHECK_EQ(packed.name, text(me));
}

}  // namespace

int main() {
  flat_types();
  containers();
  classes();
  arrays();
  parts();
  return check::finish("types");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
