#pragma once
// What the generated programs include: their types, the functions that their expressions call, the
// parameters that all ranks know, the digest of a rank's state, and the loop over a schedule of blocks.
// model.py says the same in Python; a change here is a change there.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fuzz {

struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state >> 11;
  }
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
};

// Types ------------------------------------------------------------------------------------------------------------

enum class Colour { red, green, blue };

struct Point {
  int x;
  double y;
  friend Point operator+(const Point& a, const Point& b) { return {(a.x + b.x) & 0xffff, a.y + b.y}; }
  friend bool operator<(const Point& a, const Point& b) { return a.x < b.x; }
};
struct Flat {
  short tag;
  int cells[2];
};
struct Record {
  std::string name;
  std::vector<int> marks;
  std::optional<int> extra;
};

// Functions of expressions -----------------------------------------------------------------------------------------

inline int opaque(int a, int b) { return (a * 7 + b * 13 + 5) & 1023; }
inline int ring(int i, int n) { return (i + 1) % n; }
inline int spread(int a) { return a % 2 ? 3 * a + 1 : a / 2; }
inline bool chosen(int a) { return a % 3 != 1; }
/// Into 0 .. 1024, so that numbers stay small however often they are added.
inline double tame(double x) { return std::fabs(x) < 1e15 ? x - std::floor(x / 1024.0) * 1024.0 : 1.0; }
inline int whole(double x) { return static_cast<int>(tame(x)); }
inline std::string text(int e) {
  e &= 1023;
  std::string letters;
  for (int k = 0; k <= (e & 7); ++k) letters += static_cast<char>('a' + (e + k) % 26);
  return letters;
}
inline std::vector<int> sequence(int e, int length) {
  std::vector<int> numbers;
  for (int k = 0; k < length; ++k) numbers.push_back(e + 3 * k);
  return numbers;
}
inline std::vector<double> series(int e, int length) {
  std::vector<double> numbers;
  for (int k = 0; k < length; ++k) numbers.push_back((e + k) * 0.37);
  return numbers;
}
inline std::vector<std::string> words(int e, int length) {
  std::vector<std::string> texts;
  for (int k = 0; k < length; ++k) texts.push_back(text((e & 1023) + k));
  return texts;
}
inline std::vector<bool> bits(int e, int length) {
  std::vector<bool> all;
  for (int k = 0; k < length; ++k) all.push_back((e >> k) & 1);
  return all;
}
inline std::vector<int> some_ranks(int e, int n) {
  std::vector<int> ranks;
  for (int r = 0; r < n; ++r)
    if ((r * 5 + e) % 3 != 0) ranks.push_back(r);
  return ranks;
}
inline std::optional<double> maybe(int e, double x) { return e % 2 ? std::optional<double>(x) : std::nullopt; }
inline std::variant<int, std::string> either(int e) {
  if (e % 2) return text(e);
  return e;
}
inline std::map<std::string, int> table(int e, int length) {
  std::map<std::string, int> all;
  for (int k = 0; k < length; ++k) all[text((e & 1023) + 2 * k)] = e + k;
  return all;
}
inline int look_up(const std::map<std::string, int>& all, const std::string& key) {
  const auto found = all.find(key);
  return found == all.end() ? -7 : found->second % 997;
}
inline std::set<int> several(int e, int length) {
  std::set<int> all;
  for (int k = 0; k < length; ++k) all.insert((e + 5 * k) & 31);
  return all;
}
/// `count` different indices of a list of that length.
template <class List>
List picks(int e, int count, int length) {
  int step = 1 + e % 5;
  while (std::gcd(step, length) != 1) ++step;
  List list{};
  if constexpr (requires { list.resize(1); }) list.resize(static_cast<std::size_t>(count));
  int k = 0;
  for (auto& at : list) at = static_cast<std::remove_reference_t<decltype(at)>>((e + k++ * step) % length);
  return list;
}
/// The numbers as indices of a list of that length.
template <class List>
std::vector<int> within(const List& list, int length) {
  std::vector<int> indices;
  for (const int number : list) indices.push_back((number % length + length) % length);
  return indices;
}
template <class List>
int element(const List& list, int at) {
  return list.empty() ? -3 : static_cast<int>(list[static_cast<std::size_t>(at) % list.size()] % 997);
}
inline kanor::buffer<int> buffer_of(const std::vector<int>& list) { return {list.begin(), list.end()}; }
template <class T, std::size_t size>
T& pick(std::array<T, size>& list, int at) {
  return list[static_cast<std::size_t>(at)];
}
template <class T>
T& pick(std::vector<T>& list, int at) {
  return list[static_cast<std::size_t>(at)];
}

// Callables of reductions. Most are not associative, so that only the language's bracketing gives their results.
inline int mix(int a, int b) { return (a * 31 + b) & 0xffff; }
inline double weigh(double a, double b) { return 0.5 * a + b; }
inline std::string join(const std::string& a, const std::string& b) { return a.substr(0, 9) + "," + b.substr(0, 9); }
inline Point merge(const Point& a, const Point& b) { return {(a.x * 3 + b.x) & 0xfff, a.y * 0.5 - b.y}; }
inline std::vector<int> longer(const std::vector<int>& a, const std::vector<int>& b) { return a.size() < b.size() ? b : a; }
inline std::map<std::string, int> unite(const std::map<std::string, int>& a, const std::map<std::string, int>& b) {
  std::map<std::string, int> both = a;
  for (const auto& [key, value] : b) both[key] = value;
  return both;
}
inline std::optional<double> prefer(const std::optional<double>& a, const std::optional<double>& b) { return a ? a : b; }
using Labelled = std::pair<int, std::string>;
inline Labelled later(const Labelled& a, const Labelled& b) { return {(a.first + 2 * b.first) & 0xfff, b.second}; }
struct Scaled {
  int factor;
  int operator()(int a, int b) const { return (a * factor + b) & 0x7fff; }
};

// Digest -----------------------------------------------------------------------------------------------------------

inline std::string hex(std::uint64_t bits, int digits) {
  char room[32];
  std::snprintf(room, sizeof room, "%0*llx;", digits, static_cast<unsigned long long>(bits));
  return room;
}

template <class T>
void show(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, double>) {
    out += hex(std::bit_cast<std::uint64_t>(value), 16);
  } else if constexpr (std::is_same_v<T, float>) {
    out += hex(std::bit_cast<std::uint32_t>(value), 8);
  } else if constexpr (std::is_enum_v<T>) {
    out += std::to_string(static_cast<int>(value)) + ';';
  } else if constexpr (std::is_integral_v<T>) {
    out += std::to_string(value) + ';';
  } else if constexpr (std::is_same_v<T, std::string>) {
    out += std::to_string(value.size()) + ':' + value + ';';
  } else if constexpr (std::is_same_v<T, Point>) {
    show(out += '(', value.x), show(out, value.y), out += ')';
  } else if constexpr (std::is_same_v<T, Flat>) {
    show(out += '(', value.tag), show(out, value.cells), out += ')';
  } else if constexpr (std::is_same_v<T, Record>) {
    show(out += '(', value.name), show(out, value.marks), show(out, value.extra), out += ')';
  } else if constexpr (requires { value.has_value(); }) {
    if (value.has_value())
      show(out += '+', *value);
    else
      out += '-';
  } else if constexpr (requires { value.valueless_by_exception(); }) {
    out += std::to_string(value.index()) + '/';
    std::visit([&](const auto& held) { show(out, held); }, value);
  } else if constexpr (requires { std::tuple_size<T>::value; } && !requires { value.size(); }) {
    out += '(';
    std::apply([&](const auto&... part) { (show(out, part), ...); }, value);
    out += ')';
  } else {
    out += '[';
    for (const auto& each : value) show(out, static_cast<const std::remove_cvref_t<decltype(each)>&>(each));
    out += ']';
  }
}
inline void show(std::string& out, const std::vector<bool>& value) {
  out += '[';
  for (const bool each : value) show(out, each);
  out += ']';
}

inline std::uint32_t crc32(const std::string& bytes) {
  static const auto remainders = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t at = 0; at < 256; ++at) {
      std::uint32_t word = at;
      for (int bit = 0; bit < 8; ++bit) word = word & 1 ? word >> 1 ^ 0xedb88320u : word >> 1;
      made[at] = word;
    }
    return made;
  }();
  std::uint32_t word = ~0u;
  for (const char byte : bytes) word = word >> 8 ^ remainders[(word ^ static_cast<unsigned char>(byte)) & 255];
  return ~word;
}

/// Collects a rank's variables after a block; with `full` it keeps a line for each.
struct Digest {
  bool full = false;
  std::string bytes, lines;
  template <class T>
  void add(const char* name, const T& value) {
    const std::size_t begin = bytes.size();
    show(bytes, value);
    if (full) lines += std::string("  ") + name + " " + bytes.substr(begin) + "\n";
  }
};

// First values -----------------------------------------------------------------------------------------------------

template <class T>
void fill(T& value, Random& random, int length = 0) {
  if constexpr (std::is_same_v<T, bool>) {
    value = random.below(2) != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    const double mantissa = static_cast<double>(random.next()) / 4503599627370496.0 - 1.0;
    value = static_cast<T>(mantissa * (1 << random.below(14)));
  } else if constexpr (std::is_enum_v<T>) {
    value = static_cast<T>(random.below(3));
  } else if constexpr (std::is_integral_v<T>) {
    value = static_cast<T>(random.below(2000) - (std::is_signed_v<T> ? 1000 : 0));
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = text(random.below(1024));
  } else if constexpr (std::is_same_v<T, Point>) {
    fill(value.x, random), fill(value.y, random);
  } else if constexpr (std::is_same_v<T, Flat>) {
    fill(value.tag, random), fill(value.cells, random);
  } else if constexpr (std::is_same_v<T, Record>) {
    fill(value.name, random);
    const int e = random.below(50);
    value.marks = sequence(e, random.below(4));
    value.extra = random.below(9);
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    const int e = random.below(2);
    value = maybe(e, random.below(100));
  } else if constexpr (std::is_same_v<T, std::variant<int, std::string>>) {
    value = either(random.below(1000));
  } else if constexpr (std::is_same_v<T, std::map<std::string, int>>) {
    const int e = random.below(500);
    value = table(e, random.below(4));
  } else if constexpr (std::is_same_v<T, std::set<int>>) {
    const int e = random.below(500);
    value = several(e, random.below(5));
  } else if constexpr (requires { std::tuple_size<T>::value; } && !requires { value.size(); }) {
    std::apply([&](auto&... part) { (fill(part, random), ...); }, value);
  } else {
    if constexpr (requires { value.resize(1); }) value.resize(static_cast<std::size_t>(length ? length : random.below(5)));
    if constexpr (std::is_same_v<T, std::vector<bool>>) {
      for (std::size_t at = 0; at < value.size(); ++at) value[at] = random.below(2) != 0;
    } else {
      for (auto& each : value) fill(each, random, 2);  // vectors in vectors have two elements
    }
  }
}

/// `count` different indices below `bound`; any number of them for 0.
template <class List>
void fill_indices(List& list, Random& random, int count, int bound) {
  std::vector<int> order(static_cast<std::size_t>(bound));
  std::iota(order.begin(), order.end(), 0);
  if (count == 0) count = random.below(bound + 1);
  for (int at = 0; at < count; ++at) {
    std::swap(order[static_cast<std::size_t>(at)], order[static_cast<std::size_t>(at + random.below(bound - at))]);
  }
  if constexpr (requires { list.resize(1); }) list.resize(static_cast<std::size_t>(count));
  auto from = order.begin();
  for (auto& index : list) index = static_cast<std::remove_reference_t<decltype(index)>>(*from++);
}

// Parameters that all ranks know -------------------------------------------------------------------------------------

struct Data {
  std::uint64_t seed = 0;
  std::array<int, 16> c{};             ///< 0 .. 30
  std::vector<int> perm;               ///< a permutation of the ranks
  std::vector<int> goal;               ///< a rank for each rank
  std::vector<int> list;               ///< some ranks, repeated ones among them
  std::vector<std::vector<int>> rows;  ///< for each rank a list of ranks
  std::array<bool, 4> flag{};
};

inline Data make_data(std::uint64_t seed, int n) {
  Random random{seed * 1000003 + 17};
  for (int round = 0; round < 4; ++round) random.next();
  Data data;
  data.seed = seed;
  for (int& number : data.c) number = random.below(31);
  for (bool& flag : data.flag) flag = random.below(2) != 0;
  for (int r = 0; r < n; ++r) data.perm.push_back(r);
  for (int r = n - 1; r > 0; --r) std::swap(data.perm[r], data.perm[random.below(r + 1)]);
  for (int r = 0; r < n; ++r) data.goal.push_back(random.below(n));
  for (int k = random.below(2 * n + 1); k > 0; --k) data.list.push_back(random.below(n));
  data.rows.resize(n);
  for (auto& row : data.rows)
    for (int k = random.below(4); k > 0; --k) row.push_back(random.below(n));
  return data;
}

// The program --------------------------------------------------------------------------------------------------------

/// main's work: PROGRAM SEED BLOCKS [full]. BLOCKS are numbers with commas between; after each block a line
/// `STEP RANK BLOCK DIGEST`, with `full` followed by the variables.
template <class State>
int run(int argc, char** argv, void (*block)(int, State&, const Data&), void (*describe)(const State&, Digest&)) {
  if (argc < 3) return 2;
  const int me = kanor::world.rank();
  const auto seed = std::strtoull(argv[1], nullptr, 10);
  const Data data = make_data(seed, kanor::world.size());
  Random random{seed * 7919 + static_cast<std::uint64_t>(me) * 104729 + 1};
  for (int round = 0; round < 4; ++round) random.next();
  auto state = std::make_unique<State>(random);
  int step = 0;
  const char* rest = argv[2];
  while (*rest != '\0') {
    char* end = nullptr;
    const int number = static_cast<int>(std::strtol(rest, &end, 10));
    rest = *end == ',' ? end + 1 : end;
    block(number, *state, data);
    Digest digest{argc > 3, {}, {}};
    describe(*state, digest);
    std::printf("%d %d %d %08x\n%s", step, me, number, crc32(digest.bytes), digest.lines.c_str());
    ++step;
  }
  return 0;
}

}  // namespace fuzz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
