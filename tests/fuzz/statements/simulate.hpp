// The oracle of the programs of tests/fuzz/statements: all ranks in one, each a function on a stack of its own, whose
// blocks are carried out by plain loops over plain variables, as LANGUAGE.md section 3 says.
#pragma once

#include <kanor/kanor.hpp>

#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sim {

/// One look at a value: the line of the program's check, and what was there.
struct Seen {
  int where;
  std::size_t size;
  unsigned long long hash;
  double first, last;
};

/// A rank's looks, in order.
using Log = std::vector<Seen>;

/// The log that `look` and `note` write to: the rank's own, or that of the simulated rank which is running.
static thread_local Log* current = nullptr;

/// Simulated ranks, which run in turns; a turn ends in a block.
class Ranks {
 public:
  explicit Ranks(int count) : logs(count), posted(count), _fibres(count) {}
  ~Ranks() {
    for (Fibre& fibre : _fibres)
      if (fibre.stack) munmap(fibre.stack, stack_bytes);
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// Calls `body` for each rank and returns when all have returned.
  void run(void (*body)(int me)) {
    _body = body;
    running = this;
    for (std::size_t rank = 0; rank < _fibres.size(); ++rank) {
      Fibre& fibre = _fibres[rank];
      fibre.stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (fibre.stack == MAP_FAILED) std::abort();
      getcontext(&fibre.context);
      fibre.context.uc_stack.ss_sp = fibre.stack;
      fibre.context.uc_stack.ss_size = stack_bytes;
      fibre.context.uc_link = &_home;
      makecontext(&fibre.context, &Ranks::begin, 0);
    }
    for (bool more = true; more;) {
      more = false;
      for (std::size_t rank = 0; rank < _fibres.size(); ++rank) {
        if (_fibres[rank].ended) continue;
        more = true;
        _turn = static_cast<int>(rank);
        current = &logs[rank];
        swapcontext(&_home, &_fibres[rank].context);
      }
    }
    running = nullptr;
    current = nullptr;
  }

  /// A block: the last rank that comes performs it.
  template <class Block>
  void meet(Block& block) {
    const int me = _turn, before = _blocks;
    posted[me] = &block;
    if (++_arrived == static_cast<int>(posted.size())) {
      std::vector<Block*> all;
      for (void* one : posted) all.push_back(static_cast<Block*>(one));
      perform(all);
      _arrived = 0;
      ++_blocks;
    }
    while (_blocks == before) swapcontext(&_fibres[me].context, &_home);
  }

  static thread_local Ranks* running;
  std::vector<Log> logs;
  std::vector<void*> posted;

 private:
  static constexpr std::size_t stack_bytes = std::size_t{24} << 20;
  struct Fibre {
    ucontext_t context;
    void* stack = nullptr;
    bool ended = false;
  };

  static void begin() {
    const int me = running->_turn;
    running->_body(me);
    running->_fibres[me].ended = true;
  }

  template <class Block>
  static void perform(std::vector<Block*>& all) {
    std::vector<std::function<void()>> updates;
    each(all, updates, std::make_index_sequence<std::tuple_size_v<Block>>());
    for (const auto& update : updates) update();
  }
  template <class Block, std::size_t... Numbers>
  static void each(std::vector<Block*>& all, std::vector<std::function<void()>>& updates, std::index_sequence<Numbers...>) {
    (evaluate<Numbers>(all, updates), ...);
  }
  template <std::size_t Number, class Block>
  static void evaluate(std::vector<Block*>& all, std::vector<std::function<void()>>& updates) {
    std::get<Number>(*all[0]).evaluate([&](int rank) -> auto& { return std::get<Number>(*all[rank]); }, updates);
  }

  std::vector<Fibre> _fibres;
  ucontext_t _home;
  void (*_body)(int) = nullptr;
  int _turn = 0, _arrived = 0, _blocks = 0;
};
inline thread_local Ranks* Ranks::running = nullptr;

/// A copy of a value, of an array too.
template <class T>
struct Held {
  T value;
  explicit Held(const T& from) : value(from) {}
  void put(T& place) const { place = value; }
};
template <class T>
struct Held<kanor::buffer<T>> {
  kanor::buffer<T> value;
  explicit Held(const kanor::buffer<T>& from) : value(from.clone()) {}
  Held(const Held& other) : value(other.value.clone()) {}
  Held(Held&&) = default;
  void put(kanor::buffer<T>& place) const { place = value.clone(); }
};
template <class T, std::size_t Length>
struct Held<T[Length]> {
  T value[Length];
  explicit Held(const T (&from)[Length]) { std::memcpy(value, from, sizeof value); }
  void put(T (&place)[Length]) const { std::memcpy(place, value, sizeof value); }
};

/// a = a op b, element by element.
template <class T, class Operation>
void fold(T& a, const T& b, Operation op) {
  if constexpr (std::is_arithmetic_v<T>) {
    a = op(a, b);
  } else {
    auto at = std::begin(b);
    for (auto& x : a) fold(x, *at++, op);
  }
}

/// A binding: ranks, and the values of the statement's names.
struct Binding {
  int receiver, sender, i, j;
};
using Bindings = std::vector<Binding>;

/// place@receiver <<= value@sender, for each binding; `given`: the value is moved from.
template <class Place, class Value>
struct Put {
  Place place;
  Value value;
  Bindings bindings;
  bool given;

  template <class Of>
  void evaluate(Of of, std::vector<std::function<void()>>& updates) const {
    using T = std::remove_cvref_t<decltype(value(0, 0))>;
    for (const Binding& b : bindings) {
      T& from = of(b.sender).value(b.i, b.j);
      auto held = std::make_shared<Held<T>>(from);
      if constexpr (requires { from.clear(); })
        if (given) from.clear();
      T* to = &of(b.receiver).place(b.i, b.j);
      updates.push_back([held, to] { held->put(*to); });
    }
  }
};
template <class Place, class Value>
Put<Place, Value> put(Place place, Value value, Bindings bindings, bool given = false) {
  return {place, value, std::move(bindings), given};
}

/// place@receiver << op << value@sender. The values are whole numbers, so that the bracketing does not matter.
template <class Place, class Value, class Operation>
struct Reduce {
  Place place;
  Value value;
  Operation op;
  Bindings bindings;

  template <class Of>
  void evaluate(Of of, std::vector<std::function<void()>>& updates) const {
    using T = std::remove_cvref_t<decltype(value(0, 0))>;
    std::vector<std::pair<T*, std::shared_ptr<Held<T>>>> results;
    for (const Binding& b : bindings) {
      const T& from = of(b.sender).value(b.i, b.j);
      T* to = &of(b.receiver).place(b.i, b.j);
      std::size_t at = 0;
      while (at < results.size() && results[at].first != to) ++at;
      if (at == results.size())
        results.emplace_back(to, std::make_shared<Held<T>>(from));
      else
        fold(results[at].second->value, from, op);
    }
    for (auto& [to, held] : results) updates.push_back([to = to, held = held] { held->put(*to); });
  }
};
template <class Place, class Value, class Operation>
Reduce<Place, Value, Operation> reduce(Place place, Value value, Operation op, Bindings bindings) {
  return {place, value, op, std::move(bindings)};
}

/// Bindings of one name over all ranks for which `filter` holds.
template <class Receiver, class Sender, class Filter>
Bindings one(int n, Receiver receiver, Sender sender, Filter filter) {
  Bindings all;
  for (int i = 0; i < n; ++i)
    if (filter(i)) all.push_back({receiver(i), sender(i), i, 0});
  return all;
}
/// The same of two names, i outermost.
template <class Receiver, class Sender, class Filter>
Bindings two(int n, Receiver receiver, Sender sender, Filter filter) {
  Bindings all;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (filter(i, j)) all.push_back({receiver(i, j), sender(i, j), i, j});
  return all;
}

template <class... Statements>
void block(Statements... statements) {
  std::tuple<Statements...> all(std::move(statements)...);
  Ranks::running->meet(all);
}

/// Runs both and says where they first differ. True if they do not.
inline bool same(int number, int me, int n, void (*real)(), void (*simulated)(int)) {
  Log mine;
  current = &mine;
  real();
  Ranks ranks(n);
  ranks.run(simulated);
  const Log& wanted = ranks.logs[me];
  for (std::size_t at = 0; at < mine.size() || at < wanted.size(); ++at) {
    const bool here = at < mine.size(), there = at < wanted.size();
    if (here && there && mine[at].where == wanted[at].where && mine[at].size == wanted[at].size && mine[at].hash == wanted[at].hash) continue;
    const Seen none{-1, 0, 0, 0, 0};
    const Seen& a = here ? mine[at] : none;
    const Seen& b = there ? wanted[at] : none;
    std::printf("DIFFERENT function %d, rank %d of %d, look %zu: at %d %zu values from %g to %g, expected at %d %zu values from %g to %g\n",
                number, me, n, at, a.where, a.size, a.first, a.last, b.where, b.size, b.first, b.last);
    std::fflush(stdout);
    return false;
  }
  return true;
}

}  // namespace sim

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
