// RUN: %kanorc -Wall -Wextra -Wconversion -Werror -Wno-kanor-nonuniform %s -o %t && %run_everywhere %t
// Aggregates with base classes, bit-fields, unnamed structures and many members, none of them trivially copyable.
#include "aggregates.hpp"
#include "check.hpp"

#include <type_traits>

using namespace aggregates;

namespace {

std::string text(int r) { return std::string(static_cast<std::size_t>(r % 40), 'x') + std::to_string(r); }

template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}
bool same(const Nothing& a, const Nothing& b) { return static_cast<const Named&>(a) == static_cast<const Named&>(b); }
bool same(const Maybe& a, const Maybe& b) {
  return static_cast<const std::optional<std::string>&>(a) == static_cast<const std::optional<std::string>&>(b) &&
         a.otherwise == b.otherwise;
}
bool same(const Table& a, const Table& b) {
  return static_cast<const std::map<int, std::string>&>(a) == static_cast<const std::map<int, std::string>&>(b) &&
         a.rest == b.rest;
}
bool same(const Unnamed& a, const Unnamed& b) {
  return a.name == b.name && a.inner == b.inner && a.more[1] == b.more[1] && a.bits == b.bits;
}

/// `make(r)` is rank r's value.
template <class Make>
void travels(const char* what, Make make) {
  using Value = decltype(make(0));
  static_assert(std::is_aggregate_v<Value>);
  const int n = kanor::world.size(), me = kanor::world.rank();
  const Value mine = make(me);
  Value from_left = make(1000);
  std::vector<Value> everyone(static_cast<std::size_t>(n), make(1001));
  std::map<int, std::vector<Value>> map, sent{{me, {make(me), make(me + 1)}}};
  std::optional<Value> maybe, given = make(me);
  std::variant<int, Value> either, chosen = make(me);
  @communicate {
    from_left@(i + 1) % n <<= mine@i where i in world;
    everyone[static_cast<std::size_t>(i)]@j <<= make(i)@i where i, j in world;
    map@i <<= sent@n - 1 where i in world;
    maybe@i <<= given@(i + 1) % n where i in world;
    either@i <<= chosen@0 where i in world
  }
  check::holds(__FILE__, __LINE__, what, same(from_left, make((me + n - 1) % n)));
  for (int i = 0; i < n; ++i) check::holds(__FILE__, __LINE__, what, same(everyone[static_cast<std::size_t>(i)], make(i)));
  check::holds(__FILE__, __LINE__, what, map.size() == 1 && map[n - 1].size() == 2 && same(map[n - 1][1], make(n)));
  check::holds(__FILE__, __LINE__, what, maybe && same(*maybe, make((me + 1) % n)));
  check::holds(__FILE__, __LINE__, what, either.index() == 1 && same(std::get<1>(either), make(0)));
  Value folded = make(1002);
  @communicate { folded@0 << [](const Value& a, const Value& b) { return same(a, b) ? a : b; } << mine@i where i in world }
  check::holds(__FILE__, __LINE__, what, same(folded, make(me == 0 ? n - 1 : 1002)));
}

Bits bits(int r) {
  return Bits{static_cast<unsigned>(r) & 7u, r % 3 ? -16 : 15, r % 2 == 1, static_cast<Colour>(r % 3), text(r), -(1LL << 40) - r,
              ~std::uint64_t(0) - static_cast<std::uint64_t>(r), static_cast<unsigned char>(r & 255)};
}

void bases() {
  travels("flat base", [](int r) { return Place{{1.0 * r, 2}, text(r)}; });
  travels("several bases", [](int r) { return Tagged{{}, {text(r), {r, r}}, {0, 1.0 * r}, {text(r), "t"}}; });
  travels("base of a base", [](int r) {
    return Deep{{{}, {text(r), {r}}, {}, {text(r)}}, r % 2 ? std::optional(Place{{1.0 * r, 2}, text(r)}) : std::nullopt};
  });
  travels("bases alone", [](int r) { return Nothing{{}, {text(r), {r, 2}}}; });
  travels("in a base's last bytes", [](int r) { return Tight{Padded(r), static_cast<char>('a' + r % 26), text(r)}; });
  travels("vector as a base", [](int r) { return List{std::vector<int>(static_cast<std::size_t>(r % 9), r), text(r)}; });
  travels("optional as a base", [](int r) {
    return Maybe{r % 2 ? std::optional(text(r)) : std::nullopt, text(r + 1)};
  });
  travels("map as a base", [](int r) { return Table{{{r, text(r)}, {r + 1, "next"}}, {text(r), "rest"}}; });
}

void bases_with_functions() {
  travels("base that writes itself", [](int r) { return AfterWritten{{text(r)}, {r, r + 1}}; });
  travels("flat base that writes itself", [](int r) { return AfterHalf{{r}, -r}; });
}

void bit_fields() {
  travels("bit-fields", bits);
  travels("bit-fields in a base", [](int r) {
    return MoreBits{bits(r), r % 2 ? 1 : -2, {bits(r + 1), bits(r + 2)}};
  });
  travels("unnamed structure", [](int r) {
    Unnamed made{};
    made.name = text(r);
    made.inner = r;
    made.more[1] = r / 3.0;
    made.bits = static_cast<unsigned>(r) & 15u;
    return made;
  });
}

/// As many as are found without kanorc's help, most_fields, and more.
void many_members() {
  travels("32 members", [](int r) {
    Many32 made{};
    made.a0 = r;
    made.c9 = text(r);
    made.last[0] = text(r + 1);
    made.after = -r;
    return made;
  });
  travels("33 members", [](int r) {
    Many33 made{};
    made.a0 = r;
    made.c9 = text(r);
    made.last[1] = text(r + 1);
    made.after = -r;
    return made;
  });
  travels("100 members", [](int r) {
    Many100 made{};
    made.a0 = text(r);
    made.e9 = r / 3.0;
    made.g9 = {r, r};
    made.h0 = r;
    made.j9 = text(r + 1);
    return made;
  });
}

struct Hidden : Named {
  int more = 0;
  bool operator==(const Hidden&) const = default;
};

/// Where a type has no name outside.
void nameless() {
  travels("template", [](int r) {
    Pair<Named> made;
    made.name = text(r);
    made.insert({r, Named{text(r), {r}}});
    made.second = r;
    return made;
  });
  travels("template of another", [](int r) {
    Pair<Box<std::string>, std::string> made;
    made.boxed = text(r);
    made.second = text(r + 1);
    return made;
  });
  travels("pack of bases", [](int r) { return All<int, std::string, Place>{{r}, {text(r)}, {Place{{1, 2}, text(r)}}, "t"}; });
  travels("dependent base", [](int r) { return Dependent<int>{{r}, text(r)}; });
  travels("template's own", [](int r) { return Special<double>{{text(r), {}}, 1.0 * r}; });
  travels("specialisation", [](int r) { return Special<int>{{text(r)}, static_cast<unsigned>(r) & 3u}; });
  travels("partial specialisation",
          [](int r) { return Special<std::string*>{{text(r)}, static_cast<unsigned>(r) & 31u}; });
  travels("base of the same name", [](int r) { return Renewed{{{text(r), {r}}, r}, {r}, {text(r)}, "t"}; });
  travels("private class", [](int r) { return Owner().make(r); });
  travels("unnamed namespace", [](int r) { return Hidden{{text(r), {r}}, r}; });
  struct Local : Named {
    unsigned bits : 7 = 0;
    bool operator==(const Local&) const = default;
  };
  travels("local class", [](int r) { return Local{{text(r), {}}, static_cast<unsigned>(r) & 127u}; });
  struct : Place {
    int number = 0;
  } unnamed{{{1, 2}, text(kanor::world.rank())}, kanor::world.rank()};
  @communicate { unnamed@i <<= unnamed@0 where i in world }
  CHECK(unnamed.number == 0 && unnamed.town == "0");
}

template <class T>
void local_in_template(T number) {
  struct Local : Box<T> {
    std::string text;
    bool operator==(const Local&) const = default;
  };
  travels("local class of a template", [&](int r) { return Local{{static_cast<T>(number + static_cast<T>(r))}, text(r)}; });
}

/// The block stands before the class that it sends.
struct Solver {
  void exchange() {
    const int n = kanor::world.size(), me = kanor::world.rank();
    halo.name = text(me);
    halo.number = static_cast<unsigned>(me) & 15u;
    @communicate { halo@(i + 1) % n <<= halo@i where i in world }
    CHECK(halo.name == text((me + n - 1) % n) && halo.number == (static_cast<unsigned>((me + n - 1) % n) & 15u));
  }
  struct Halo : Named {
    unsigned number : 4;
  };
  Halo halo;
};

}  // namespace

int main() {
  bases();
  bases_with_functions();
  bit_fields();
  many_members();
  nameless();
  local_in_template(3);
  local_in_template(0.25);
  Solver().exchange();
  return check::finish("aggregates");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
