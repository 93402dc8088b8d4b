// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_DISABLE=plan,patterns,sharing %run_everywhere --unchecked --keep KANOR_DISABLE --ranks 3,5 %t
// Sections of listed elements, `base[indices]`: every kind of base and of list, in several dimensions, as
// places and values, in reductions, in the superstep, of all lengths.
#include "check.hpp"
#include "fold.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using kanor::world;
using Longs = std::vector<long>;

/// Element `at` of a rank's list: no two of any rank are the same.
int mark(int rank, int at) { return 1000 * rank + at; }

template <class List>
void fill(List& list, int rank) {
  for (std::size_t at = 0; at < std::size(list); ++at) {
    list[at] = static_cast<std::ranges::range_value_t<List>>(mark(rank, static_cast<int>(at)));
  }
}

template <class List>
Longs longs(const List& list) {
  Longs all;
  for (const auto& each : list) all.push_back(static_cast<long>(each));
  return all;
}

/// `length` elements that are -1, but for those at `places`: there, in that order, a rank's `values`.
Longs expected(std::size_t length, const std::vector<int>& places, const std::vector<int>& values, int rank) {
  Longs all(length, -1);
  for (std::size_t k = 0; k < places.size(); ++k) {
    all.at(static_cast<std::size_t>(places[k])) = mark(rank, values.at(k));
  }
  return all;
}

void bases(int n, int me, int left) {
  int array[6], array_got[6], behind[6], behind_got[6], seen[6], seen_got[6];
  std::array<long, 6> fixed, fixed_got;
  std::vector<double> vector(6), vector_got(6, -1);
  std::vector<int> flat(6), flat_got(6, -1);
  const std::span<int> view(seen), view_got(seen_got);
  int* pointer = behind;
  int* const pointer_got = behind_got;
  kanor::buffer<int> buffer(6), buffer_got(6);
  std::string text = "abcdef", text_got = "------";
  text[0] = static_cast<char>('A' + me);
  std::vector<bool> bits{me % 2 == 0, false, true, me % 3 == 0, true, false}, bits_got(6);
  fill(array, me), fill(behind, me), fill(seen, me), fill(fixed, me), fill(vector, me), fill(flat, me);
  fill(buffer, me);
  std::ranges::fill(array_got, -1), std::ranges::fill(behind_got, -1), std::ranges::fill(seen_got, -1);
  std::ranges::fill(fixed_got, -1), std::ranges::fill(buffer_got, -1);
  const std::vector<int> to{4, 0, 5}, from{1, 1, 3};
  @communicate {
    array_got[to]@(i + 1) % n <<= array[from]@i where i in world;
    fixed_got[to]@(i + 1) % n <<= fixed[from]@i where i in world;
    vector_got[to]@(i + 1) % n <<= vector[from]@i where i in world;
    pointer_got[to]@(i + 1) % n <<= pointer[from]@i where i in world;
    view_got[to]@(i + 1) % n <<= view[from]@i where i in world;
    buffer_got[to]@(i + 1) % n <<= buffer[from]@i where i in world;
    text_got[to]@(i + 1) % n <<= text[std::vector<int>{0, 2, 2}]@i where i in world;
    bits_got[to]@(i + 1) % n <<= bits[std::vector<int>{3, 0, 4}]@i where i in world;
    kanor::section(flat_got, 6)[to]@(i + 1) % n <<= kanor::section(flat, 6)[from]@i where i in world
  }
  const Longs right = expected(6, to, from, left);
  CHECK_EQ(longs(array_got), right);
  CHECK_EQ(longs(fixed_got), right);
  CHECK_EQ(longs(vector_got), right);
  CHECK_EQ(longs(behind_got), right);
  CHECK_EQ(longs(seen_got), right);
  CHECK_EQ(longs(buffer_got), right);
  CHECK_EQ(longs(flat_got), right);
  CHECK_EQ(text_got, std::string{'c', '-', '-', '-', static_cast<char>('A' + left), 'c'});
  CHECK_EQ(bits_got, (std::vector<bool>{left % 2 == 0, false, false, false, left % 3 == 0, true}));

  // Each kind of base to another one, as whole lists, slices and lists; and before a pointer's element.
  std::vector<int> grown{7};
  std::array<short, 3> whole{};
  pointer += 3;
  @communicate {
    grown@(i + 1) % n <<= array[from]@i where i in world;
    whole@(i + 1) % n <<= pointer[(std::vector<int>{-3, 2, -1})]@i where i in world;
    vector_got[to]@(i + 1) % n <<= whole@i where i in world;
    fixed_got[1 : 2 : 3]@(i + 1) % n <<= view[(std::array{5, 3})]@i where i in world;
    array_got[(std::list<short>{5, 1})]@(i + 1) % n <<= vector[0 : 2 : 5]@i where i in world
  }
  CHECK_EQ(longs(grown), (Longs{mark(left, 1), mark(left, 1), mark(left, 3)}));
  CHECK_EQ(longs(whole), (Longs{mark(left, 0), mark(left, 5), mark(left, 2)}));
  CHECK_EQ(longs(vector_got), (Longs{0, -1, -1, -1, 0, 0}));
  CHECK_EQ(fixed_got[1], mark(left, 5));
  CHECK_EQ(fixed_got[4], mark(left, 3));
  CHECK_EQ(array_got[5], mark(left, 0));
  CHECK_EQ(array_got[1], mark(left, 5));
}

std::vector<unsigned short> two_and(int last) { return {2, static_cast<unsigned short>(last)}; }

struct Lists {
  std::vector<std::int64_t> of_rows{5, 1};
  const std::vector<std::int64_t>& rows() const { return of_rows; }
};

#define CHECK_TAKEN(got, ...) CHECK_EQ(longs(got), longs(std::vector<int>{__VA_ARGS__}))

void ranges(int n, int me, int left) {
  std::vector<int> value(6);
  fill(value, me);
  const int c_array[] = {5, 0};
  const unsigned long long large[] = {3, 3};
  const signed char small[] = {4, 0};
  const std::forward_list<int> forward{1, 5, 0};
  const std::set<int> sorted{4, 1};
  const std::initializer_list<int> braces = {3, 2};
  const std::span<const int> view(c_array);
  const auto odd = [](int k) { return k % 2 == 1; };
  const Lists lists;
  const std::map<int, std::vector<int>> of_names{{7, {2, 5}}};
  std::vector<int> a, b, c, d, e, f, g, h, j, k, l, m;
  @communicate {
    a@(i + 1) % n <<= value[c_array]@i where i in world;
    b@(i + 1) % n <<= value[large]@i where i in world;
    c@(i + 1) % n <<= value[small]@i where i in world;
    d@(i + 1) % n <<= value[forward]@i where i in world;
    e@(i + 1) % n <<= value[sorted]@i where i in world;
    f@(i + 1) % n <<= value[braces]@i where i in world;
    g@(i + 1) % n <<= value[view]@i where i in world;
    h@(i + 1) % n <<= value[std::views::iota(0, 6) | std::views::filter(odd)]@i where i in world;
    j@(i + 1) % n <<= value[lists.rows()]@i where i in world;
    k@(i + 1) % n <<= value[of_names.at(7)]@i where i in world;
    l@(i + 1) % n <<= value[two_and(i % 6)]@i where i in world;
    m@(i + 1) % n <<= value[std::views::reverse(sorted)]@i where i in world
  }
  const auto of_left = [&](int at) { return mark(left, at); };
  CHECK_TAKEN(a, of_left(5), of_left(0));
  CHECK_TAKEN(b, of_left(3), of_left(3));
  CHECK_TAKEN(c, of_left(4), of_left(0));
  CHECK_TAKEN(d, of_left(1), of_left(5), of_left(0));
  CHECK_TAKEN(e, of_left(1), of_left(4));
  CHECK_TAKEN(f, of_left(3), of_left(2));
  CHECK_TAKEN(g, of_left(5), of_left(0));
  CHECK_TAKEN(h, of_left(1), of_left(3), of_left(5));
  CHECK_TAKEN(j, of_left(5), of_left(1));
  CHECK_TAKEN(k, of_left(2), of_left(5));
  CHECK_TAKEN(l, of_left(2), of_left(left % 6));
  CHECK_TAKEN(m, of_left(4), of_left(1));

  // The same as places, and the ranges of the language: intervals with steps, teams.
  const auto size = static_cast<std::size_t>(n);
  std::vector<int> up(6, -1), down(6, -1), at_lists(6, -1), at_set(6, -1);
  std::vector<int> ranks(size), turned(size), of_all(size);
  fill(ranks, me);
  const kanor::team backwards = world.split(0, -me);
  @communicate {
    up[kanor::range(1, 6, 2)]@(i + 1) % n <<= value[range(0, 3)]@i where i in world;
    down[range(5, -1, -2)]@(i + 1) % n <<= value[std::views::iota(0u, 3u)]@i where i in world;
    at_lists[lists.of_rows]@(i + 1) % n <<= value[std::deque<unsigned char>{0, 1}]@i where i in world;
    at_set[sorted]@(i + 1) % n <<= value[c_array]@i where i in world;
    turned[kanor::range(n - 1, -1, -1)]@(i + 1) % n <<= ranks[world]@i where i in world;
    of_all[kanor::world]@(i + 1) % n <<= ranks[backwards]@i where i in world
  }
  CHECK_EQ(longs(up), expected(6, {1, 3, 5}, {0, 1, 2}, left));
  CHECK_EQ(longs(down), expected(6, {5, 3, 1}, {0, 1, 2}, left));
  CHECK_EQ(longs(at_lists), expected(6, {5, 1}, {0, 1}, left));
  CHECK_EQ(longs(at_set), expected(6, {1, 4}, {5, 0}, left));
  for (int r = 0; r < n; ++r) {
    CHECK_EQ(turned[static_cast<std::size_t>(r)], mark(left, n - 1 - r));
    CHECK_EQ(of_all[static_cast<std::size_t>(r)], mark(left, r));
  }
}

void dimensions(int n, int me, int left) {
  int grid[4][5], grid_got[4][5], cube[3][2][4];
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 5; ++c) grid[r][c] = mark(me, 10 * r + c), grid_got[r][c] = -1;
  for (int at = 0; at < 24; ++at) (&cube[0][0][0])[at] = mark(me, at);
  std::vector<std::vector<int>> rows{{mark(me, 0), mark(me, 1)}, {}, {mark(me, 2), mark(me, 3), mark(me, 4)}};
  const std::vector<int> columns{4, 0, 2};
  std::array<int, 6> six{};
  std::vector<int> of_cube, of_rows, face(6, -1), flat(12);
  fill(flat, me);
  int rows_got[2][5] = {};
  const std::vector<std::vector<int>> needs{{1, 0}, {3}, {}};
  @communicate {
    grid_got[1 : 2][columns]@(i + 1) % n <<= grid[2 : 2][std::vector<int>{1, 1, 3}]@i where i in world;
    grid_got[0][columns]@(i + 1) % n <<= grid[3][range(0, 3)]@i where i in world;
    six@(i + 1) % n <<= grid[0 : 2 : 3][columns]@i where i in world;
    of_cube@(i + 1) % n <<= cube[0 : 2 : 2][:][std::vector<unsigned>{3, 0}]@i where i in world;
    of_rows@(i + 1) % n <<= rows[0 : 2 : 2][(std::array{1, 0, 1})]@i where i in world;
    face@(i + 1) % n <<= kanor::section(flat, 2, 3, 2)[:][:][std::vector<int>{1}]@i where i in world;
    rows_got@(i + 1) % n <<= grid[std::vector<long>{3, 1}]@i where i in world
  }
  for (int r = 0; r < 2; ++r) {
    CHECK_EQ(longs(grid_got[1 + r]), (Longs{mark(left, 20 + 10 * r + 1), -1, mark(left, 20 + 10 * r + 3), -1,
                                            mark(left, 20 + 10 * r + 1)}));
  }
  CHECK_EQ(longs(grid_got[0]), (Longs{mark(left, 31), -1, mark(left, 32), -1, mark(left, 30)}));
  CHECK_EQ(longs(grid_got[3]), (Longs(5, -1)));
  const auto of_left = [&](int at) { return mark(left, at); };
  CHECK_TAKEN(six, of_left(4), of_left(0), of_left(2), of_left(34), of_left(30), of_left(32));
  CHECK_TAKEN(of_cube, of_left(3), of_left(0), of_left(7), of_left(4), of_left(19), of_left(16), of_left(23),
              of_left(20));
  CHECK_TAKEN(of_rows, of_left(1), of_left(0), of_left(1), of_left(3), of_left(2), of_left(3));
  CHECK_TAKEN(face, of_left(1), of_left(3), of_left(5), of_left(7), of_left(9), of_left(11));
  for (int c = 0; c < 5; ++c) {
    CHECK_EQ(rows_got[0][c], mark(left, 30 + c));
    CHECK_EQ(rows_got[1][c], mark(left, 10 + c));
  }
  // Lists from lists, of the names' own: row k of the place takes what need k of the sender lists.
  int taken[3][4];
  for (auto& row : taken) std::ranges::fill(row, -1);
  @communicate {
    taken[k][needs[2 - k]]@(i + 1) % n <<= grid[k][needs[2 - k]]@i where i in world, k in {0 ... 2};
    kanor::section(flat, 2, 6)[0 : 2][(std::vector<int>{5, 0})]@(i + 1) % n
        <<= kanor::section(flat, 3, 4)[1 : 2][(std::vector<int>{2, 3})]@i where i in world
  }
  CHECK_EQ(longs(taken[0]), (Longs(4, -1)));
  CHECK_EQ(longs(taken[1]), (Longs{-1, -1, -1, mark(left, 13)}));
  CHECK_EQ(longs(taken[2]), (Longs{mark(left, 20), mark(left, 21), -1, -1}));
  CHECK_EQ(flat[5], mark(left, 6));
  CHECK_EQ(flat[0], mark(left, 7));
  CHECK_EQ(flat[11], mark(left, 10));
  CHECK_EQ(flat[6], mark(left, 11));
  CHECK_EQ(flat[1], mark(me, 1));
}

struct Named {
  std::string name;
  std::map<int, int> values;
};

void types(int n, int me, int left) {
  const std::vector<int> ints{me, 100 + me, 200 + me};
  std::vector<double> reals(4, 0.5);
  const std::vector<float> floats{1.75f, -2.25f};
  std::array<long long, 3> whole{};
  const std::string x_es(300, 'x');
  std::vector<std::string> words{"zero " + std::to_string(me), x_es, "two"}, got{"a", "b", "c", "d"};
  std::vector<std::vector<int>> lists{{me}, {}, {me, 1, 2}}, lists_got(3);
  std::vector<bool> flags(3);
  Named named[2] = {{"n" + std::to_string(me), {{1, me}}}, {"other", {}}}, named_got[3];
  const std::vector<int> turned{2, 0};
  const int* const first = ints.data();
  @communicate {
    reals[std::vector<int>{3, 1, 0}]@(i + 1) % n <<= ints[std::vector<int>{0, 1, 2}]@i where i in world;
    whole[turned]@(i + 1) % n <<= floats[range(1, -1, -1)]@i where i in world;
    got[std::vector<int>{3, 0, 1}]@(i + 1) % n <<= words[std::vector<int>{1, 0, 0}]@i where i in world;
    lists_got[turned]@(i + 1) % n <<= lists[turned]@i where i in world;
    flags[turned]@(i + 1) % n <<= first[std::vector<int>{2, 0}]@i where i in world;
    named_got[turned]@(i + 1) % n <<= named[std::vector<int>{0, 0}]@i where i in world
  }
  CHECK_EQ(reals, (std::vector<double>{200.0 + left, 100.0 + left, 0.5, 1.0 * left}));
  CHECK_EQ(whole, (std::array<long long, 3>{1, 0, -2}));
  const std::string zero = "zero " + std::to_string(left);
  CHECK_EQ(got, (std::vector<std::string>{zero, zero, "c", x_es}));
  CHECK_EQ(lists_got, (std::vector<std::vector<int>>{{left}, {}, {left, 1, 2}}));
  CHECK_EQ(flags, (std::vector<bool>{left != 0, false, true}));
  CHECK_EQ(named_got[2].name, "n" + std::to_string(left));
  CHECK_EQ(named_got[0].values.at(1), left);
  CHECK_EQ(named_got[1].name, "");
}

double term(int rank, int at) { return 1.0 / (3 + rank + 31 * at); }

void reductions(int n, int me) {
  const auto difference = [](double a, double b) { return a - b; };
  std::vector<double> terms(7), sums(6, -1), differences(6, -1);
  for (int at = 0; at < 7; ++at) terms[static_cast<std::size_t>(at)] = term(me, at);
  // Each rank contributes other elements, in an order of its own; each receiver has an order of its own.
  const std::vector<int> mine{me % 7, (me + 3) % 7, 6};
  const std::vector<int> places = me % 2 ? std::vector<int>{5, 0, 2} : std::vector<int>{1, 4, 3};
  @communicate {
    sums[places]@t << + << terms[mine]@s where t, s in world;
    differences[range(5, 2, -1)]@t << difference << terms[std::vector<int>{k, 6 - k, s % 7}]@s
        where t, s in world, k in {0, 2, 0}
  }
  std::vector<double> sums_right(6, -1), differences_right(6, -1);
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<fold::Contribution<double>> to_sum, to_difference;
    for (int s = 0; s < n; ++s) {
      to_sum.push_back({s, term(s, std::array{s % 7, (s + 3) % 7, 6}[k])});
      for (const int name : {0, 2, 0}) {
        to_difference.push_back({s, term(s, std::array{name, 6 - name, s % 7}[k])});
      }
    }
    sums_right[static_cast<std::size_t>(places[k])] = fold::reduced(to_sum, std::plus<double>());
    differences_right[5 - k] = fold::reduced(to_difference, difference);
  }
  CHECK_EQ(sums, sums_right);
  CHECK_EQ(differences, differences_right);

  // Operators that do not commute, elements that fold whole, arrays and vectors on the other side.
  std::vector<std::string> words{"<" + std::to_string(me), ">"}, joined(3, "kept");
  const std::vector<int> votes{me % 2, 1, me};
  std::array<long, 2> most{};
  std::vector<double> real(5, 0.5);
  std::vector<bool> flags{me == 0, me == n - 1, false}, any(3, true);
  std::vector<int> both;
  @communicate {
    joined[std::vector<int>{2, 0}]@0 << + << words[std::vector<int>{0, 1}]@s where s in world;
    most@0 << max << votes[std::vector<int>{2, 1}]@s where s in world;
    real[std::vector<int>{4, 0, 2}]@0 << + << votes@s where s in world;
    any[std::vector<int>{1, 2}]@0 << && << flags[std::vector<int>{0, 2}]@s where s in world;
    both@0 << + << votes[std::vector<int>{2, 2, 0}]@s where s in world
  }
  if (me == 0) {
    std::string all;
    for (int s = 0; s < n; ++s) all += "<" + std::to_string(s);
    const int sum = n * (n - 1) / 2;
    CHECK_EQ(joined, (std::vector<std::string>{std::string(static_cast<std::size_t>(n), '>'), "kept", all}));
    CHECK_EQ(most, (std::array<long, 2>{n - 1, 1}));
    CHECK_EQ(real, (std::vector<double>{1.0 * n, 0.5, 1.0 * sum, 0.5, 1.0 * (n / 2)}));
    CHECK_EQ(any, (std::vector<bool>{true, n == 1, false}));
    CHECK_EQ(both, (std::vector<int>{sum, sum, n / 2}));
  }

  // One section for each rank, and a place at which nothing arrives.
  std::vector<int> table(static_cast<std::size_t>(2 * n), -1), counts{me, 10 * me, 7};
  const std::vector<int> back{1, 0};
  @communicate {
    table[std::vector<int>{t, n + t}]@0 << + << counts[back]@s where t in world, s in {t ... n - 1}
  }
  for (int t = 0; t < n && me == 0; ++t) {
    int sum = 0;
    for (int s = t; s < n; ++s) sum += s;
    CHECK_EQ(table[static_cast<std::size_t>(t)], 10 * sum);
    CHECK_EQ(table[static_cast<std::size_t>(n + t)], sum);
  }
  @communicate { counts[std::vector<int>{0, 2}]@0 << + << counts[back]@s where s in world, s < 0 }
  CHECK_EQ(counts, (std::vector<int>{me, 10 * me, 7}));
}

void superstep(int n, int me, int left) {
  {  // the list is a place of the same block: the old one says which elements
    std::vector<int> list{2, 0}, values{mark(me, 0), mark(me, 1), mark(me, 2)}, got(4, -1);
    @communicate {
      list@(i + 1) % n <<= (std::vector<int>{1, 3, i})@i where i in world;
      got[list]@(i + 1) % n <<= values[list]@i where i in world;
      values@(i + 1) % n <<= list@i where i in world
    }
    CHECK_EQ(list, (std::vector<int>{1, 3, left}));
    CHECK_EQ(got, (std::vector<int>{mark(left, 0), -1, mark(left, 2), -1}));
    CHECK_EQ(values, (std::vector<int>{2, 0}));
  }
  {  // the list's elements are permuted by the list itself
    std::vector<int> list{2, 0, 1};
    @communicate { list[list]@i <<= list[:]@i where i in world }
    CHECK_EQ(list, (std::vector<int>{0, 1, 2}));
    std::vector<int> turn{1, 2, 0};
    @communicate { turn[:]@(i + 1) % n <<= turn[turn]@i where i in world }
    CHECK_EQ(turn, (std::vector<int>{2, 0, 1}));
  }
  {  // a swap of two ranks' elements, and of one rank's
    const int last = n - 1;
    std::vector<int> x{mark(me, 0), mark(me, 1), mark(me, 2)}, y{mark(me, 3), mark(me, 4), mark(me, 5)};
    const std::vector<int> p{2, 0}, q{1, 2};
    const std::vector<int> old_x = x, old_y = y;
    @communicate { x[p]@0 <<= y[q]@last; y[q]@last <<= x[p]@0 }
    if (me == 0) CHECK_EQ(x, (std::vector<int>{mark(last, 5), mark(0, 1), mark(last, 4)}));
    if (me == last) CHECK_EQ(y, (std::vector<int>{mark(last, 3), mark(0, 2), mark(0, 0)}));
    if (me != 0) CHECK_EQ(x, old_x);
    if (me != last) CHECK_EQ(y, old_y);
  }
  {  // places and values of one rank overlap
    int ring[6] = {0, 1, 2, 3, 4, 5};
    std::string letters = "abcdef";
    const std::vector<int> order{5, 3, 1, 0, 2, 4};
    @communicate {
      ring[order]@i <<= ring[0 : 6]@i where i in world;
      letters[order]@i <<= letters[range(5, -1, -1)]@i where i in world
    }
    CHECK_TAKEN(ring, 3, 2, 4, 1, 5, 0);
    CHECK_EQ(letters, "cdbeaf");
  }
  {  // values of a vector that an earlier statement resizes, and a list that another one resizes
    std::vector<int> v{mark(me, 0), mark(me, 1)}, longer(5000, me), got(3, -1), list{1, 0};
    @communicate {
      v@(i + 1) % n <<= longer@i where i in world;
      got[list]@(i + 1) % n <<= v[list]@i where i in world;
      list@(i + 1) % n <<= longer[range(0, 4000)]@i where i in world
    }
    CHECK_EQ(v, std::vector<int>(5000, left));
    CHECK_EQ(got, (std::vector<int>{mark(left, 0), mark(left, 1), -1}));
    CHECK_EQ(list, std::vector<int>(4000, left));
  }
}

void lengths(int n, int me, int left) {
  for (const std::size_t length : {0u, 1u, 2u, 3u, 511u, 1024u, 1025u, 3000u, 16384u, 20011u}) {
    // A permutation, every other element, and one element so many times.
    std::vector<double> value(length + 1), mixed(length, -1), every(2 * length + 1, -1), same(length, -1);
    for (std::size_t k = 0; k <= length; ++k) value[k] = 100000.0 * me + static_cast<double>(k);
    std::vector<std::size_t> order(length), evens(length);
    for (std::size_t k = 0; k < length; ++k) order[k] = k * 7919 % length, evens[k] = 2 * k;
    const std::vector<int> once(length, static_cast<int>(length));
    std::vector<int> small;
    @communicate {
      mixed[order]@(i + 1) % n <<= value[range(std::size_t{0}, length)]@i where i in world;
      every[evens]@(i + 1) % n <<= value[order]@i where i in world;
      same@(i + 1) % n <<= value[once]@i where i in world;
      small@(i + 1) % n <<= value[order]@i where i in world
    }
    int wrong = 0;
    for (std::size_t k = 0; k < length; ++k) {
      wrong += mixed[order[k]] != 100000.0 * left + static_cast<double>(k);
      wrong += every[2 * k] != 100000.0 * left + static_cast<double>(order[k]) || every[2 * k + 1] != -1;
      wrong += same[k] != 100000.0 * left + static_cast<double>(length);
      wrong += small[k] != 100000 * left + static_cast<int>(order[k]);
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(same.size(), length);
    CHECK_EQ(small.size(), length);
  }
  // A block that is executed again and again, with other lists of other lengths.
  std::vector<int> place(64), value(64);
  fill(value, me);
  for (int turn = 0; turn < 50; ++turn) {
    std::ranges::fill(place, -1);
    std::vector<int> to, from;
    for (int k = 0; k < turn % 9 + turn / 25 * 20; ++k) {
      to.push_back((11 * k + turn) % 64);
      from.push_back((turn * k + 3) % 64);
    }
    @communicate { place[to]@(i + 1) % n <<= value[from]@i where i in world }
    CHECK_EQ(longs(place), expected(64, to, from, left));
  }
}

// Lists that the block itself changes, and lists that the program changes while a block is pending.
void changed_lists(int n, int me, int left) {
  std::vector<int> place(9, -1), value(9);
  fill(value, me);
  Longs to{8, 0, 3, 1, 5}, from{2, 2, 7, 0, 8};
  const Longs to_before = to, from_before = from, next{1, 2, 3, 4, 6};
  @communicate {
    to@(i + 1) % n <<= next@i where i in world;
    from@(i + 1) % n <<= next@i where i in world;
    place[to]@(i + 1) % n <<= value[from]@i where i in world
  }
  CHECK_EQ(longs(place), expected(9, {8, 0, 3, 1, 5}, {2, 2, 7, 0, 8}, left));
  CHECK_EQ(to, next);
  CHECK_EQ(from, next);

  to = to_before, from = from_before;
  std::ranges::fill(place, -1);
  @communicate (async = pending) { place[to]@(i + 1) % n <<= value[from]@i where i in world }
  std::ranges::fill(to, 2);
  std::ranges::fill(from, 4);
  pending.wait();
  CHECK_EQ(longs(place), expected(9, {8, 0, 3, 1, 5}, {2, 2, 7, 0, 8}, left));
}

}  // namespace

int main() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n;
  bases(n, me, left);
  ranges(n, me, left);
  dimensions(n, me, left);
  types(n, me, left);
  reductions(n, me);
  superstep(n, me, left);
  lengths(n, me, left);
  changed_lists(n, me, left);
  return check::finish("listed_sections");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
