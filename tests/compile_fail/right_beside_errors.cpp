// RUN: %kanorc -std=c++20 -fsyntax-only %s 2>&1 | %FileCheck --allow-empty --implicit-check-not=error: %s
// Right programs beside the errors of pending exchanges, many senders and blocks without an @: none is told.
#include <kanor/kanor.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>
#include <array>
using kanor::world;
int g_left = 0;
int shadowed = 0;
namespace other { int left = 0; int mine = 0; }
struct Part { int a = 0; static int count; };
int Part::count = 0;
void wait_for(kanor::pending p) { p.wait(); }
void wait_ref(kanor::pending& p) { p.wait(); }
[[noreturn]] void fatal();

void touch_after(int me, int n, int mine, bool again) {
  int left = 0;
  std::vector<int> v(4), w(4);
  Part part;
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    { x.wait(); left = 3; mine = 2; } }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    x.wait(), left = 3; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    if (x.wait(); left > 2) ++left; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    int y = (x.wait(), left); (void)y; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    for (x.wait(); left < 2; ++left) mine = 2; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    wait_for(std::move(x)); left = 3; mine = 1; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    wait_ref(x); left = 3; mine = 1; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    auto& r = x; r.wait(); left = 3; mine = 1; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    kanor::pending y = std::move(x); y.wait(); left = 3; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    std::vector<kanor::pending> all; all.push_back(std::move(x)); all.clear(); left = 3; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    auto end = [&] { x.wait(); }; end(); left = 3; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    x = kanor::pending(); left = 3; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    if (again) x.wait(); else wait_ref(x);
    left = 3; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world } }
  left = 3; mine = 3;
  // other objects of the name
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    other::left = 3; other::mine = 4; int q = other::left; (void)q; x.wait(); }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    { int left = 3; ++left; int mine = 4; mine += left; } x.wait(); }
  { int shadowed = 0;
    @communicate (async = x) { shadowed@(i + 1) % world.size() <<= mine@i where i in world }
    ::shadowed = 3; x.wait(); }
  int i = 7;
  { @communicate (async = x) { left@(i + 1) % world.size() <<= i@i where i in world }
    i = 3; x.wait(); }
  { @communicate (async = x) { v[i]@0 <<= i@i where i in world }
    i = 4; x.wait(); }
  { @communicate (async = x) { part@(i + 1) % world.size() <<= part@i where i in world }
    part.count = 3; int c = part.count; (void)c; x.wait(); }
  // nobody receives, perhaps
  { const int nobody = kanor::no_rank;
    @communicate (async = x) { left@nobody <<= mine@0 }
    mine = 2; left = 3; x.wait(); }
  { std::vector<int> next(n, kanor::no_rank);
    @communicate (async = x) { left@next[i] <<= mine@i where i in world }
    left = 3; x.wait(); }
  { @communicate (async = x) { left@(i > 5 ? i : kanor::no_rank) <<= mine@i where i in world }
    left = 3; mine = 1; x.wait(); }
  { int a = kanor::no_rank, b = a;
    @communicate (async = x) { left@i <<= mine@0 where i in {a, b} }
    left = 3; mine = 1; x.wait(); }
  // unevaluated
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    std::printf("%zu %d\n", sizeof(left), (int)noexcept(left = 3));
    decltype(left = 3) r = *&i; (void)r; (void)left; (void)&left;
    int* p = &left; int& ref = left; (void)p; (void)ref; x.wait(); }
  { @communicate (async = x) { left@0 <<= mine@1 }
    if (me == 0) fatal();
    left = 3; x.wait(); }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    if constexpr (sizeof(int) == 3) left = 3;
    switch (me) { case 0: x.wait(); left = 3; }
    left = 4; }
  { @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    goto out;
    left = 3;
  out:
    left = 4; (void)again; }
  { @communicate (async = x) { left@0 <<= mine@1 where again }
    left = 3; mine = 3; x.wait(); }
  { @communicate (async = x, knows = sender) { left@(me + 1) % n <<= mine@me }
    left = 3; mine = 3; x.wait(); }
  for (int t = 0; t < 3; ++t) {
    left = 3; mine = 1;
    @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
  }
  { std::string s; @communicate (async = x) { s@0 <<= std::string("a")@1 }
    auto f = [&, s2 = 3] { s = "b"; }; x.wait(); f(); }
  { std::vector<int> sent(3);
    @communicate (async = x) { v@0 <<= std::move(sent)@0 }
    x.wait(); }
  { @communicate (async = x) { left@0 <<= mine + 1@1 }
    mine = 2; x.wait(); }
  { @communicate (async = x) { left@0 <<= int(mine)@1 }
    mine = 2; x.wait(); }
}

struct Holder {
  int left = 0, mine = 0;
  kanor::pending kept;
  void start() {
    @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
    kept = std::move(x);
    left = 2;
  }
  void member_and_global() {
    @communicate (async = x) { g_left@(i + 1) % world.size() <<= mine@i where i in world }
    left = 3;
    this->left = 4;
    x.wait();
  }
  int g_left = 1;
  void hidden() {
    @communicate (async = x) { g_left@(i + 1) % world.size() <<= mine@i where i in world }
    ::g_left = 4;
    x.wait();
  }
};
template <class T> void in_template(T left, T mine) {
  @communicate (async = x) { left@(i + 1) % world.size() <<= mine@i where i in world }
  if constexpr (sizeof(T) > 4) { x.wait(); left = 3; }
  if constexpr (sizeof(T) <= 4) x.wait();
  mine = 2;
}
#define SLOT v[r]
#define RECEIVER r
void senders(int a, int b, int me, int n) {
  std::vector<int> v(world.size());
  int c[64] = {};
  @communicate { SLOT@0 <<= b@r where r in world }
  @communicate { SLOT@0 <<= b@r where r in {0 ... 0} }
  @communicate { a@RECEIVER <<= b@r where r in world }
  @communicate { a@0 <<= b@r where r in world, r == me }
  @communicate { a@0 << + << b@r where r in world }
  @communicate { v[r]@0 <<= b@r where r in world; c[r + 1]@0 <<= b@r where r in world }
  @communicate { c[k]@0 <<= b@r where r in world, let k = r }
  @communicate { a@k <<= b@r where r in world, let k = r }
  { kanor::team world = kanor::world.split(me, 0);
    @communicate (team = world) { a@0 <<= b@r where r in world }
    @communicate (team = world) { a@r <<= b@s where r, s in world }
  }
  kanor::team one = world.split(me, 0);
  @communicate (team = one) { a@0 <<= b@r where r in one }
  @communicate { a@0 <<= b@r where r in one }
  @communicate (knows = sender) { a@me <<= b@r where r in one }
  @communicate { a@r <<= b@(r + 1) % n where r in world }
  @communicate { v[me + r]@0 <<= b@r where r in world }
  { const auto& row = v;
    @communicate { a@0 <<= b@r where r in row } }
  @communicate { a@0 <<= b@world.size() - 1 where r in {0 ... 0} }
}
int communicate(int x) { return x; }
struct Talker {
  int a = 0, b = 0;
  void communicate() { KANOR_COMMUNICATE(a@0 <<= b@1); }
  void communicate(int) { @communicate { a@0 <<= b@1 } }
  void communicate(int, const char* s = "{a@b}") { (void)s; /* a@b */ }
};
int main() { touch_after(0, 0, 0, false); in_template(1, 2); in_template(1l, 2l); senders(1, 1, 1, 1); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
