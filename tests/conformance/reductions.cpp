// RUN: %kanorc %s -o %t && %run_everywhere --large %t
// Reductions against an independent fold with the language's bracketing, compared bit for bit: every
// operator, callables of every kind, several values a rank, interleaved senders, element by element or whole.
#include "check.hpp"
#include "fold.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

const int n = kanor::world.size(), me = kanor::world.rank(), last = n - 1;
constexpr int terms = 7;

/// Term k of rank r: magnitudes so different that another bracketing gives other bits.
double term(int r, int k) {
  std::uint64_t h = 0x9e3779b97f4a7c15ull * (31 * r + k + 1);
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9ull;
  h ^= h >> 32;
  const double mantissa = static_cast<double>(h >> 11) / 9007199254740992.0 - 0.5;
  return mantissa * static_cast<double>(1ull << (h % 40));
}

template <class T>
T value(int r, int k) {
  if constexpr (std::is_same_v<T, bool>) {
    return (r + k) % 3 != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<long long>(term(r, k)) * 2 + 1);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(term(r, k));
  } else {
    return T(static_cast<typename T::value_type>(term(r, k)), static_cast<typename T::value_type>(term(k, r)));
  }
}

/// Near one, so that products of many stay finite.
template <class T>
T factor(int r, int k) {
  if constexpr (std::is_integral_v<T>)
    return value<T>(r, k);
  else
    return T(1) + value<T>(r, k) / T(1ull << 41);
}

template <class T>
bool same_bits(const T& a, const T& b) {
  // The ten bytes that carry a long double's value; all bytes of the others.
  return std::memcmp(&a, &b, std::is_same_v<T, long double> ? 10 : sizeof(T)) == 0;
}

/// The orders of contributions that the tests use; `visit(sender, k)` in binding order.
template <class Visit>
void rank_by_rank(Visit visit) {
  for (int s = 0; s < n; ++s)
    for (int k = 0; k < terms; ++k) visit(s, k);
}
template <class Visit>
void term_by_term(Visit visit) {
  for (int k = 0; k < terms; ++k)
    for (int s = 0; s < n; ++s) visit(s, k);
}
/// Runs of different lengths: the sender changes after 3, 2, 3, 2, ... terms.
std::vector<int> uneven_senders() {
  std::vector<int> senders;
  for (int at = 0, s = last; at < 23; ++at) {
    if (at % 5 == 3 || at % 5 == 0) s = (s + 1) % n;
    senders.push_back(s);
  }
  return senders;
}

#define SAME(place, order, T, op) SAME_OF(value, place, order, T, op)
#define SAME_OF(value, place, order, T, op)                                                     \
  do {                                                                                         \
    std::vector<fold::Contribution<T>> arrived;                                                \
    order([&](int s, int k) { arrived.push_back({s, value<T>(s, k)}); });                      \
    const T wanted = fold::reduced(arrived, op);                                               \
    check::equal(__FILE__, __LINE__, #order " " #T " " #op, place, wanted);                    \
    check::holds(__FILE__, __LINE__, "same bits: " #order " " #T " " #op, same_bits(place, wanted)); \
  } while (false)

const auto smaller = [](const auto& a, const auto& b) { return b < a ? b : a; };
const auto larger = [](const auto& a, const auto& b) { return a < b ? b : a; };

template <class T>
void arithmetic() {
  const auto senders = uneven_senders();
  const auto uneven = [&](auto visit) {
    for (std::size_t at = 0; at < senders.size(); ++at) visit(senders[at], static_cast<int>(at));
  };
  T ranked{}, mixed{}, runs{}, product{};
  @communicate {
    ranked@i << + << value<T>(s, k)@s where i in world, s in world, k in {0 ... terms - 1};
    mixed@i << + << value<T>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world;
    runs@i << + << value<T>(senders[at], at)@senders[at] where i in world, at in {0 ... 22};
    product@i << * << factor<T>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world
  }
  SAME(ranked, rank_by_rank, T, std::plus<>());
  SAME(mixed, term_by_term, T, std::plus<>());
  SAME(runs, uneven, T, std::plus<>());
  SAME_OF(factor, product, term_by_term, T, std::multiplies<>());
}

template <class T>
void ordered() {
  T low{}, high{};
  @communicate {
    low@i << min << value<T>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world;
    high@i << max << value<T>(s, k)@s where i in world, s in world, k in {0 ... terms - 1}
  }
  SAME(low, term_by_term, T, smaller);
  SAME(high, rank_by_rank, T, larger);
}

template <class T>
void bitwise() {
  T both{}, any{}, odd{}, all_true{}, some_true{};
  @communicate {
    both@i << & << value<T>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world;
    any@i << | << value<T>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world;
    odd@i << ^ << value<T>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world;
    all_true@i << && << value<T>(s, k)@s where i in world, s in world, k in {0 ... terms - 1};
    some_true@i << || << value<T>(s, k)@s where i in world, s in world, k in {0 ... terms - 1}
  }
  SAME(both, term_by_term, T, std::bit_and<>());
  SAME(any, term_by_term, T, std::bit_or<>());
  SAME(odd, term_by_term, T, std::bit_xor<>());
  SAME(all_true, rank_by_rank, T, std::logical_and<>());
  SAME(some_true, rank_by_rank, T, std::logical_or<>());
}

// Callables -------------------------------------------------------------------------------------------------------

double hypotenuse_like(double a, double b) { return a + b * 1.0000001; }

struct Scaled {
  double factor;
  double operator()(double a, double b) const { return (a + b) * factor; }
};

/// x -> slope x + offset; composition is associative and does not commute.
struct Affine {
  long slope = 1, offset = 0;
  bool operator==(const Affine&) const = default;
  friend Affine operator*(const Affine& second, const Affine& first) {
    return {second.slope * first.slope % 1009, (second.slope * first.offset + second.offset) % 1009};
  }
};

void callables() {
  // These operations are not associative on purpose: only the stated bracketing gives the stated bits.
  double by_function = 0, by_object = 0, by_lambda = 0, by_name = 0, by_pointer = 0, by_std = 0;
  int divisor = 0;
  const auto named = [](double a, double b) { return a / 2 + b; };
  double (*pointer)(double, double) = hypotenuse_like;
  const double captured = 0.75;
  const Scaled scaled{1.125};
  @communicate {
    by_function@i << hypotenuse_like << value<double>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world;
    by_object@i << scaled << value<double>(s, k)@s where i in world, k in {0 ... terms - 1}, s in world;
    by_lambda@i << [&](double a, double b) { return a - captured * b; } << value<double>(s, k)@s where i in world, s in world, k in {0 ... terms - 1};
    by_name@i << named << value<double>(s, k)@s where i in world, s in world, k in {0 ... terms - 1};
    by_pointer@i << pointer << value<double>(s, k)@s where i in world, s in world, k in {0 ... terms - 1};
    by_std@i << std::minus<>{} << value<double>(s, k)@s where i in world, s in world, k in {0 ... terms - 1};
    divisor@i << std::gcd << 12 * (i + s + 1) * (k + 2)@s where i in world, s in world, k in {1, 3}
  }
  SAME(by_function, term_by_term, double, hypotenuse_like);
  SAME(by_object, term_by_term, double, scaled);
  SAME(by_lambda, rank_by_rank, double, ([&](double a, double b) { return a - captured * b; }));
  SAME(by_name, rank_by_rank, double, named);
  SAME(by_pointer, rank_by_rank, double, hypotenuse_like);
  SAME(by_std, rank_by_rank, double, std::minus<>());
  int wanted = 0;
  for (int s = 0; s < n; ++s)
    for (const int k : {1, 3}) wanted = std::gcd(wanted, 12 * (me + s + 1) * (k + 2));
  CHECK_EQ(divisor, wanted);

  Affine composed;
  @communicate { composed@last << * << Affine{s + 2, k}@s where s in world, k in {0 ... 2} }
  Affine wanted_affine;
  for (int s = 0; s < n; ++s)
    for (int k = 0; k < 3; ++k) wanted_affine = wanted_affine * Affine{s + 2, k};
  CHECK(composed == (me == last ? wanted_affine : Affine()));

  // The user's own min and an overload set.
  const auto min = [](int a, int b) { return a * 10 + b; };
  int digits = 0, smallest = 0;
  @communicate {
    digits@0 << (min) << s % n@s % n where s in {1 ... 1};
    smallest@0 << min << s + 5@s where s in world
  }
  if (me == 0) {
    CHECK_EQ(digits, 1 % n);
    CHECK_EQ(smallest, 5);
  }
}

// What folds element by element, and what folds whole --------------------------------------------------------------

std::vector<double> longer(const std::vector<double>& a, const std::vector<double>& b) { return a.size() < b.size() ? b : a; }

void elements_and_wholes() {
  // Arrays of all kinds fold element by element, each with the same bracketing.
  double row[terms], sums[terms] = {};
  std::array<float, 3> triple{}, triple_sums{};
  std::vector<double> list(terms), list_sums(100, -1.0), list_low;
  long table[2][3] = {}, table_any[2][3] = {};
  std::array<std::array<double, 2>, 2> nested{}, nested_sums{};
  for (int k = 0; k < terms; ++k) row[k] = list[k] = term(me, k);
  for (int k = 0; k < 3; ++k) triple[k] = value<float>(me, k);
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c) table[r][c] = 1L << (me + r + c);
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) nested[r][c] = term(me, 2 * r + c);
  @communicate {
    sums@i << + << row@s where i, s in world;
    triple_sums@i << + << triple@s where i, s in world;
    list_sums@i << + << list@s where i, s in world;
    list_low@i << hypotenuse_like << list@s where i, s in world;
    table_any@i << | << table@s where i, s in world;
    nested_sums@i << std::plus<>() << nested@s where i, s in world
  }
  CHECK_EQ(list_sums.size(), static_cast<std::size_t>(terms));
  for (int k = 0; k < terms; ++k) {
    const auto column = [&](auto visit) {
      for (int s = 0; s < n; ++s) visit(s, k);
    };
    SAME(sums[k], column, double, std::plus<>());
    SAME(list_sums[k], column, double, std::plus<>());
    SAME(list_low[k], column, double, hypotenuse_like);
    if (k < 3) SAME(triple_sums[k], column, float, std::plus<>());
    if (k < 4) SAME(nested_sums[k / 2][k % 2], column, double, std::plus<>());
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c) CHECK_EQ(table_any[r][c], ((1L << n) - 1) << (r + c));

  // A callable that accepts two whole values folds them whole; strings are whole values.
  std::vector<double> mine(me % 4 + 1, me), longest;
  std::string word = std::string(1, static_cast<char>('a' + me)) + ' ', sentence, greatest;
  std::map<std::string, int> mine_counted{{word, 1}, {"all", 1}}, counted;
  const auto merged = [](std::map<std::string, int> a, const std::map<std::string, int>& b) {
    for (const auto& [key, count] : b) a[key] += count;
    return a;
  };
  @communicate {
    longest@i << longer << mine@s where i, s in world;
    sentence@i << + << word@s where i in world, k in {0, 1}, s in world;
    greatest@i << max << word@s where i, s in world;
    counted@i << merged << mine_counted@s where i, s in world
  }
  std::vector<fold::Contribution<std::vector<double>>> lists;
  std::vector<fold::Contribution<std::string>> words;
  for (int k = 0; k < 2; ++k)
    for (int s = 0; s < n; ++s) words.push_back({s, std::string(1, static_cast<char>('a' + s)) + ' '});
  for (int s = 0; s < n; ++s) lists.push_back({s, std::vector<double>(s % 4 + 1, s)});
  CHECK_EQ(longest, fold::reduced(lists, longer));
  CHECK_EQ(sentence, fold::reduced(words, std::plus<>()));
  CHECK_EQ(greatest, std::string(1, static_cast<char>('a' + last)) + ' ');
  CHECK_EQ(counted.at("all"), n);
  CHECK_EQ(counted.size(), n + 1u);
}

// Templates and generic lambdas ----------------------------------------------------------------------------------------

struct Add {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

template <class T>
T product(const T& a, const T& b) {
  return a * b;
}

/// Takes any two values, as far as its own text goes.
struct ByProduct {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return product(a, b);
  }
};

template <class Value, class Operation>
Value folded(const Value& value, Operation operation) {
  Value result = value;
  @communicate { result@i << operation << value@s where i, s in world }
  return result;
}

/// Their bodies decide whether they take a whole list; who does not gets its elements.
void templates() {
  const auto joined = [](const auto& a, const auto& b) {
    auto both = a;
    both.insert(both.end(), b.begin(), b.end());
    return both;
  };
  const auto greater = [](auto a, auto b) { return a < b ? b : a; };
  const std::vector<int> pair{me, -me};
  const std::vector<std::vector<int>> rows{{me}, {1, me}};
  std::vector<int> all, sums, products, greatest, halves;
  std::vector<std::vector<int>> all_rows, row_sums;
  @communicate {
    all@i << joined << pair@s where i, s in world;
    all_rows@i << joined << rows@s where i, s in world;
    greatest@i << greater << pair@s where i, s in world;
    sums@i << Add{} << pair@s where i, s in world;
    row_sums@i << [](auto a, auto b) { return a + b; } << rows@s where i, s in world;
    products@i << product << pair@s where i, s in world;
    halves@i << greater << pair[0 : 2]@s where i, s in world
  }
  CHECK_EQ(all.size(), 2u * static_cast<unsigned>(n));
  CHECK_EQ(all[2 * static_cast<std::size_t>(last) + 1], -last);
  CHECK_EQ(all_rows.size(), 2u * static_cast<unsigned>(n));
  CHECK(all_rows.back() == (std::vector<int>{1, last}));
  CHECK(greatest == (std::vector<int>{last, -last}));
  CHECK(sums == (std::vector<int>{n * last / 2, -n * last / 2}));
  CHECK(row_sums == (std::vector<std::vector<int>>{{n * last / 2}, {n, n * last / 2}}));
  CHECK_EQ(products.front(), n > 1 ? 0 : me);
  CHECK(halves == (std::vector<int>{last, 0}));
  // What it calls in turn does not take a list, and is compiled once.
  std::vector<int> first, second, third;
  @communicate {
    first@i << ByProduct{} << pair@s where i, s in world;
    second@i << ByProduct{} << pair@s where i, s in world;
    third@i << [](const auto& a, const auto& b) { return Add{}(a, b); } << pair@s where i, s in world
  }
  CHECK(first == products);
  CHECK(second == products);
  CHECK(third == sums);
  // In a template each value has its own depth, and callables that say what they take are asked.
  CHECK_EQ(folded(me, Add{}), n * last / 2);
  CHECK(folded(pair, Add{}) == sums);
  CHECK(folded(pair, std::plus<>()) == sums);
  CHECK(folded(pair, [](const std::vector<int>& a, const std::vector<int>& b) { return std::max(a, b); }) == greatest);
}

// Places -----------------------------------------------------------------------------------------------------------

void places() {
  // The old value takes no part; nothing arrived keeps it; the fold is in the value's type, then it converts.
  int kept = 42, halves = 9, wrapped = 0;
  double real = 7;
  bool truth = false;
  @communicate {
    kept@i << + << 1@i where i in world, i < 0;
    halves@0 << + << 0.5@s where s in world;
    real@0 << + << s@s where s in world;
    wrapped@0 << + << static_cast<unsigned char>(100)@0 where k in {1 ... 3};
    truth@0 << + << s@s where s in world
  }
  CHECK_EQ(kept, 42);
  CHECK_EQ(halves, me == 0 ? n / 2 : 9);
  CHECK_EQ(real, me == 0 ? n * (n - 1) / 2.0 : 7.0);
  CHECK_EQ(wrapped, me == 0 ? 44 : 0);
  CHECK_EQ(truth, me == 0 && n > 1);

  // One statement, many places: each place has its own fold, whatever is between its contributions.
  std::vector<long> histogram(5, -1);
  std::vector<bool> seen(3);
  std::map<std::string, int> table;
  @communicate {
    histogram[(s + k) % 5]@(s + k) % n << + << 1000L * s + k@s where s in world, k in {0 ... 12};
    seen[(s + k) % 3]@i << || << (s + k) % 2 == 0@s where i, s in world, k in {0 ... 3};
    table[k % 2 == 0 ? "even" : "odd"]@i << + << k@s where i, s in world, k in {1 ... 4}
  }
  std::vector<long> wanted(5, -1);
  std::vector<bool> wanted_seen(3);
  for (int s = 0; s < n; ++s) {
    for (int k = 0; k <= 12; ++k)
      if ((s + k) % n == me) {
        long& bin = wanted[(s + k) % 5];
        bin = (bin == -1 ? 0 : bin) + 1000L * s + k;
      }
    for (int k = 0; k <= 3; ++k)
      if ((s + k) % 2 == 0) wanted_seen[(s + k) % 3] = true;
  }
  CHECK_EQ(histogram, wanted);
  CHECK(seen == wanted_seen);
  CHECK_EQ(table["even"], 6 * n);
  CHECK_EQ(table["odd"], 4 * n);

  // A prefix sum: the receivers get different numbers of contributions.
  int before = -1;
  @communicate { before@i << + << s + 1@s where i in world, s in {0 ... i - 1} }
  CHECK_EQ(before, me == 0 ? -1 : me * (me + 1) / 2);
}

}  // namespace

int main() {
  arithmetic<double>();
  arithmetic<float>();
  arithmetic<long double>();
  arithmetic<std::complex<double>>();
  arithmetic<unsigned>();
  arithmetic<unsigned char>();
  ordered<double>();
  ordered<int>();
  bitwise<unsigned>();
  bitwise<bool>();
  callables();
  templates();
  elements_and_wholes();
  places();
  return check::finish("reductions");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
