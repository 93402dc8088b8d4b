// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5,8,9 %t
// Exchanges whose partners only the data know: kanor::sparse_exchange, migrate, and exchange_map, compared with what
// plain loops make of all ranks' inputs, which every rank can make.
#include "../conformance/check.hpp"
#include "oracle.hpp"

#include <kanor/std/exchange_map.hpp>
#include <kanor/std/migrate.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using kanor::exchange_map;
using kanor::team;
using kanor::world;
using oracle::Numbers;

struct Parcel {
  int number = -1;
  double weight = 0;
  std::string label;
  bool operator==(const Parcel&) const = default;
};

Parcel operator+(const Parcel& a, const Parcel& b) {
  return {a.number, a.weight + b.weight, a.label + '+' + b.label};
}

void make(int& value, Numbers& random) { value = random.below(1 << 20); }
void make(double& value, Numbers& random) { value = random.real() * 1e6 - 3e5; }
void make(std::string& value, Numbers& random) {
  value.assign(static_cast<unsigned>(random.below(3) * random.below(30)), '.');
  for (char& letter : value) letter = static_cast<char>('a' + random.below(26));
}
void make(std::vector<int>& value, Numbers& random) {
  value.resize(static_cast<unsigned>(random.below(3) * random.below(10)));
  for (int& number : value) number = random.below(1000);
}
void make(Parcel& value, Numbers& random) {
  make(value.number, random);
  make(value.weight, random);
  make(value.label, random);
}

template <class T>
T one(Numbers& random) {
  T value{};
  make(value, random);
  return value;
}

template <class T>
std::vector<T> many(long count, Numbers& random) {
  std::vector<T> values(static_cast<unsigned long>(count));
  for (T& value : values) make(value, random);
  return values;
}

/// A number that differs between most values.
unsigned mark(int value) { return static_cast<unsigned>(value) * 2654435761u >> 7; }
unsigned mark(double value) { return mark(static_cast<int>(value)); }
unsigned mark(const std::string& value) { return mark(std::accumulate(value.begin(), value.end(), 7)); }
unsigned mark(const std::vector<int>& value) { return mark(std::accumulate(value.begin(), value.end(), 7)); }
unsigned mark(const Parcel& value) { return mark(value.number) + mark(value.label); }

/// Neither commutative nor associative.
struct Combine {
  int operator()(int a, int b) const { return a % 10000 * 3 + b; }
  double operator()(double a, double b) const { return a / 3 + b; }
  std::string operator()(const std::string& a, const std::string& b) const { return '(' + a + b + ')'; }
  std::vector<int> operator()(std::vector<int> a, const std::vector<int>& b) const {
    a.push_back(-1);
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  Parcel operator()(const Parcel& a, const Parcel& b) const { return {a.number / 2 + b.number, a.weight, b.label}; }
};

template <class T>
void check_sparse(const std::vector<std::map<int, T>>& all, const team& members) {
  std::map<int, T> expected;
  for (int sender = 0; sender < members.size(); ++sender) {
    const auto found = all[static_cast<unsigned>(sender)].find(members.rank());
    if (found != all[static_cast<unsigned>(sender)].end()) expected[sender] = found->second;
  }
  CHECK(kanor::sparse_exchange(all[static_cast<unsigned>(members.rank())], members) == expected);
}

template <class T>
void sparse(const team& members, Numbers random) {
  const int n = members.size();
  const auto nothing = std::vector<std::map<int, T>>(static_cast<unsigned>(n));
  // From nobody, from a few, from about half, from everyone to everyone.
  for (const int quarters : {0, 1, 2, 4}) {
    auto all = nothing;
    for (auto& outgoing : all)
      for (int receiver = 0; receiver < n; ++receiver)
        if (random.below(4) < quarters) make(outgoing[receiver], random);
    check_sparse(all, members);
  }
  // Everyone to one rank, that one to everyone, everyone to itself.
  const int middle = random.below(n);
  auto to_one = nothing, from_one = nothing, to_self = nothing;
  for (int rank = 0; rank < n; ++rank) {
    make(to_one[static_cast<unsigned>(rank)][middle], random);
    make(from_one[static_cast<unsigned>(middle)][rank], random);
    make(to_self[static_cast<unsigned>(rank)][rank], random);
  }
  check_sparse(to_one, members);
  check_sparse(from_one, members);
  check_sparse(to_self, members);
}

enum class Way { anywhere, to_one, nowhere, stay, on, back };

/// Who gets an item that this rank has.
struct Owner {
  Way way;
  int rank, size, middle;
  template <class T>
  int operator()(const T& item) const {
    const unsigned n = static_cast<unsigned>(size);
    const unsigned any = mark(item) % (n + 1);
    if (way == Way::anywhere) return any == n ? kanor::no_rank : static_cast<int>(any);
    if (way == Way::to_one) return middle;
    if (way == Way::nowhere) return kanor::no_rank;
    if (way == Way::on) return (rank + 1) % size;
    if (way == Way::back) return (rank + size - 1) % size;
    return rank;
  }
};

template <class T>
std::vector<std::vector<T>> migrated(const std::vector<std::vector<T>>& all, Way way, int middle) {
  std::vector<std::vector<T>> result(all.size());
  for (std::size_t sender = 0; sender < all.size(); ++sender) {
    const Owner owner{way, static_cast<int>(sender), static_cast<int>(all.size()), middle};
    for (const T& item : all[sender])
      if (owner(item) != kanor::no_rank) result[static_cast<unsigned>(owner(item))].push_back(item);
  }
  return result;
}

template <class T>
void migrate(const team& members, Numbers random) {
  const unsigned n = static_cast<unsigned>(members.size()), me = static_cast<unsigned>(members.rank());
  for (int round = 0; round < 2; ++round) {
    std::vector<std::vector<T>> all(n);
    // Every third rank has nothing; in the second round there is more.
    for (auto& items : all) items = many<T>(random.below(3) ? random.below(round == 0 ? 12 : 200) : 0, random);
    // The items of one step are where the step before has left them.
    std::vector<T> mine = all[me];
    for (const Way way : {Way::anywhere, Way::on, Way::stay, Way::back, Way::to_one, Way::anywhere, Way::nowhere}) {
      const int middle = random.below(members.size());
      kanor::migrate(mine, Owner{way, members.rank(), members.size(), middle}, members);
      all = migrated(all, way, middle);
      CHECK(mine == all[me]);
    }
  }
}

/// A distributed vector, and what each rank needs of it.
struct Plan {
  std::vector<long> owned;
  std::vector<std::vector<long>> needed;

  long first(std::size_t rank) const {
    return std::accumulate(owned.begin(), owned.begin() + static_cast<std::ptrdiff_t>(rank), 0l);
  }
  long all() const { return first(owned.size()); }
};

enum class Need { some, nothing, own, others, one, reversed, no_elements, of_one_rank };
constexpr int needs = 8;

Plan make_plan(Need need, int size, Numbers& random) {
  const unsigned n = static_cast<unsigned>(size);
  Plan plan{std::vector<long>(n), std::vector<std::vector<long>>(n)};
  if (need == Need::no_elements) return plan;
  if (need != Need::of_one_rank)
    for (long& count : plan.owned) count = random.below(3) ? random.below(9) : 0;
  plan.owned[static_cast<unsigned>(random.below(size))] = 11;
  const long favourite = random.below(static_cast<int>(plan.all()));
  for (unsigned rank = 0; rank < n; ++rank) {
    const long begin = plan.first(rank), end = plan.first(rank + 1);
    auto& needed = plan.needed[rank];
    if (need == Need::reversed)
      for (long index = plan.all(); index-- > 0;) needed.push_back(index);
    if (need == Need::reversed || need == Need::nothing || random.below(4) == 0) continue;
    for (int k = random.below(20); k >= 0; --k) {
      const long index = need == Need::one ? favourite : random.below(static_cast<int>(plan.all()));
      const bool is_own = begin <= index && index < end;
      if ((need == Need::own && !is_own) || (need == Need::others && is_own)) continue;
      needed.push_back(index);
      if (random.below(5) == 0) needed.push_back(index);
    }
  }
  return plan;
}

/// The elements that a rank owns, of all.
template <class T>
std::vector<T> part(const std::vector<T>& all, const Plan& plan, unsigned rank) {
  return std::vector<T>(all.begin() + plan.first(rank), all.begin() + plan.first(rank + 1));
}

/// What the elements become by all ranks' ghosts.
template <class T, class Operation>
std::vector<T> scattered(std::vector<T> all, const std::vector<std::vector<T>>& ghosts, const Plan& plan,
                         Operation operation) {
  for (std::size_t rank = 0; rank < ghosts.size(); ++rank)
    for (std::size_t k = 0; k < ghosts[rank].size(); ++k) {
      T& element = all[static_cast<unsigned long>(plan.needed[rank][k])];
      element = operation(element, ghosts[rank][k]);
    }
  return all;
}

template <class T>
void use(const exchange_map& map, const Plan& plan, int rank, Numbers& random) {
  const unsigned me = static_cast<unsigned>(rank);
  CHECK_EQ(map.owned(), static_cast<std::size_t>(plan.owned[me]));
  CHECK_EQ(map.needed(), plan.needed[me].size());

  const auto all = many<T>(plan.all(), random);
  std::vector<T> needed;
  for (const long index : plan.needed[me]) needed.push_back(all[static_cast<unsigned long>(index)]);
  std::vector<T> own = part(all, plan, me), ghosts = many<T>(random.below(20), random);
  map.gather(own, ghosts);
  CHECK(ghosts == needed);
  CHECK(own == part(all, plan, me));

  std::vector<std::vector<T>> sent;
  for (const auto& indices : plan.needed) sent.push_back(many<T>(static_cast<long>(indices.size()), random));
  ghosts = sent[me];
  map.scatter(own, ghosts, Combine());
  const auto combined = scattered(all, sent, plan, Combine());
  CHECK(own == part(combined, plan, me));
  CHECK(ghosts == sent[me]);
  if constexpr (requires { own[0] + own[0]; }) {
    map.scatter_add(own, ghosts);
    CHECK(own == part(scattered(combined, sent, plan, std::plus<T>()), plan, me));
  }
}

/// A map for each way to need elements, all alive at once, used by turns and for values of all types.
void maps(const team& members, Numbers random) {
  std::vector<Plan> plans;
  std::vector<exchange_map> maps;
  for (int need = 0; need < needs; ++need) {
    const Plan& plan = plans.emplace_back(make_plan(static_cast<Need>(need), members.size(), random));
    const unsigned me = static_cast<unsigned>(members.rank());
    maps.emplace_back(plan.owned[me], plan.needed[me], members);
  }
  // Each for all types, then any for any type.
  for (int turn = 0; turn < 2 * needs; ++turn) {
    const unsigned chosen = static_cast<unsigned>(turn < needs ? turn : random.below(needs));
    const auto with = [&]<class T>(T) {
      if (turn < needs || random.below(3) == 0) use<T>(maps[chosen], plans[chosen], members.rank(), random);
    };
    with(0);
    with(0.0);
    with(std::string());
    with(Parcel());
    with(std::vector<int>());
  }
}

/// Copies do as the map does that they are copies of, also where that one or its team's object is no more.
void copies(Numbers random) {
  const int me = world.rank(), colour = me % 2, size = (world.size() + 1 - colour) / 2;
  const Plan plan = make_plan(Need::some, size, random), other = make_plan(Need::reversed, size, random);
  const unsigned mine = static_cast<unsigned>(size - 1 - me / 2);
  // Its team, of every second rank in reversed order, lives as long as the call.
  auto original = std::make_unique<exchange_map>(plan.owned[mine], plan.needed[mine], world.split(colour, -me));
  const exchange_map copy = *original;
  exchange_map assigned(other.owned[mine], other.needed[mine], world.split(colour, -me));
  use<int>(assigned, other, static_cast<int>(mine), random);
  use<std::string>(*original, plan, static_cast<int>(mine), random);
  use<std::string>(copy, plan, static_cast<int>(mine), random);
  assigned = *original;
  original.reset();
  use<Parcel>(copy, plan, static_cast<int>(mine), random);
  use<Parcel>(assigned, plan, static_cast<int>(mine), random);
  const exchange_map moved = std::move(assigned);
  use<double>(moved, plan, static_cast<int>(mine), random);
}

/// Without a team the world is meant.
void defaults() {
  const int me = world.rank(), n = world.size();
  const int from = (me + n - 1) % n;
  CHECK(kanor::sparse_exchange(std::map<int, int>{{(me + 1) % n, me}}) == std::map<int, int>{{from, from}});
  std::vector<int> items{3 * me, 3 * me + 1};
  kanor::migrate(items, [n](int item) { return (item / 3 + 1) % n; });
  CHECK_EQ(items, (std::vector<int>{3 * from, 3 * from + 1}));
  const exchange_map map(1, {(me + 1l) % n, me});
  map.gather(std::vector<int>{7 * me}, items);
  CHECK_EQ(items, (std::vector<int>{7 * ((me + 1) % n), 7 * me}));
  // One vector as both.
  const exchange_map next(1, {(me + 1l) % n});
  std::vector<int> both{7 * me};
  next.gather(both, both);
  CHECK_EQ(both, (std::vector<int>{7 * ((me + 1) % n)}));
  next.scatter_add(both, both);
  CHECK_EQ(both, (std::vector<int>{7 * ((me + 1) % n) + 7 * me}));
}

/// Messages of more than a megabyte, of which one rank gets all.
void large() {
  const int n = world.size();
  const auto length = [](int rank) { return 100000ul + 50000 * static_cast<unsigned>(rank); };
  const std::vector<int> values(length(world.rank()), world.rank());
  const auto received = kanor::sparse_exchange(std::map<int, std::vector<int>>{{n - 1, values}});
  std::vector<std::vector<int>> items{values, {}, values};
  kanor::migrate(items, [n](const std::vector<int>& item) { return item.empty() ? 0 : n - 1; });
  const bool is_last = world.rank() == n - 1;
  std::size_t place = world.rank() == 0 && n > 1 ? static_cast<unsigned>(n) : 0;
  CHECK_EQ(received.size(), is_last ? static_cast<unsigned>(n) : 0ul);
  CHECK_EQ(items.size(), place + (is_last ? (n > 1 ? 2 : 3) * static_cast<unsigned>(n) : 0ul));
  for (int rank = 0; rank < n && is_last; ++rank) {
    const std::vector<int> expected(length(rank), rank);
    CHECK(received.at(rank) == expected);
    CHECK(items[place++] == expected);
    if (n == 1) CHECK(items[place++].empty());
    CHECK(items[place++] == expected);
  }
}

void everything(const team& members, unsigned seed) {
  const auto with = [&]<class T>(T) {
    sparse<T>(members, Numbers(seed));
    migrate<T>(members, Numbers(seed + 1));
  };
  with(0);
  with(0.0);
  with(std::string());
  with(Parcel());
  with(std::vector<int>());
  maps(members, Numbers(seed + 2));
}

}  // namespace

int main() {
  const int me = world.rank();
  defaults();
  large();
  everything(world, 100);
  everything(world.split(me % 2, -me), 200);
  everything(world.split(me * 3 / world.size(), me), 300);
  copies(Numbers(400));
  return check::finish("stdlib_irregular");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
