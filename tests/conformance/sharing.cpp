// RUN: %kanorc --globalize-from=0 %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE %t
// RUN: %kanorc --no-globalize %s -o %t.copied && %run_everywhere %t.copied
// Ranks that share memory share and hand over whole variables: no program can tell. Each function ends with what plain copies
// would have left.
#include "check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

using kanor::world;

namespace {

/// A function, since a variable that a macro's argument names is not shared.
void same(double actual, double expected, int line = __builtin_LINE()) {
  check::equal(__FILE__, line, "value", actual, expected);
}

int me() { return world.rank(); }
int size() { return world.size(); }
int left_of(int rank, int by = 1) { return ((rank - by) % size() + size()) % size(); }

/// A value that goes around is read and changed by each rank on its way.
void handed_over() {
  long A[2048];
  for (int i = 0; i < 2048; ++i) A[i] = 10000 * me() + i;
  for (int turn = 0; turn < 6; ++turn) {
    @communicate { A@(i + 1) % world.size() <<= A@i where i in world }
    A[turn] += 1 + me();
  }
  const int origin = left_of(me(), 6);
  for (int turn = 0; turn < 6; ++turn)
    same(A[turn], 10000L * origin + turn + 1 + left_of(me(), 5 - turn));
  same(A[2047], 10000L * origin + 2047);
}

/// The root writes at once, while the others may still read what it sent.
void copied_on_conflict() {
  std::vector<long> A(5000, 7), B;
  long sum = 0;
  for (int turn = 0; turn < 8; ++turn) {
    @communicate { B@i <<= A@0 where i in world }
    A[turn] = -turn;
    sum = std::accumulate(B.begin(), B.end(), 0L);
    same(sum, 35000L - 7 * turn - turn * (turn - 1) / 2);
    same(B[turn], 7L);
  }
}

/// All of the variable is overwritten while others still hold it.
void renamed() {
  std::array<int, 1500> A, B{};
  for (int turn = 0; turn < 8; ++turn) {
    for (int i = 0; i < 1500; ++i) A[i] = i + turn + me();
    @communicate { B@i <<= A@(i + 1) % world.size() where i in world }
    A.fill(-1);
    same(B[1000], 1000 + turn + (me() + 1) % size());
    same(A[1000], -1);
  }
  B[3] = 12;
  same(B[3], 12);
}

/// What one rank writes after an exchange no other sees, though all hold the same memory.
void written_by_some() {
  double A[40][30] = {};
  for (int turn = 0; turn < 5; ++turn) {
    @communicate { A@i <<= A@turn % world.size() where i in world }
    if (me() % 2 == turn % 2)
      for (int j = 0; j < 30; ++j) A[turn][j] = me() + 1;
  }
  // Row 4 is the last that was written, by the ranks of its turn; the others have what the roots wrote.
  for (int turn = 0; turn < 4; ++turn) {
    double expected = 0;
    // The root of the next turn passes on its own row `turn`, and so do those after it.
    const int next = (turn + 1) % size();
    if (next % 2 == turn % 2) expected = next + 1;
    same(A[turn][29], expected);
  }
  same(A[4][0], me() % 2 == 0 ? me() + 1.0 : 0.0);
  same(sizeof A, 40 * 30 * sizeof(double));
}

/// Leaves early, on all ranks alike, with others still holding its memory.
int left_early(int turns) {
  std::vector<int> A(3000, me());
  for (int turn = 0; turn < 5; ++turn) {
    @communicate { A@(i + 1) % world.size() <<= A@i where i in world }
    if (turn == turns) return A[2999];
    A[0] = A[1];
  }
  return A[0];
}

/// Without its own value a rank keeps what it had.
void kept_where_nothing_comes() {
  std::array<long, 1200> A, B;
  A.fill(me());
  B.fill(100 + me());
  for (int turn = 0; turn < 4; ++turn) {
    @communicate { A@i + 1 <<= B@i where i in {0 ... world.size() - 2}, i % 2 == turn % 2 }
    same(A[7], me() > 0 && (turn > 0 || (me() - 1) % 2 == 0) ? 99L + me() : static_cast<long>(me()));
    B[turn] = -1;
  }
  same(A[1199], me() > 0 ? 99L + me() : 0L);
}

/// Values that are exchanged in one block are those before it.
void swapped() {
  std::vector<int> A(2000, 1), B(2000, 2);
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { A@i <<= B@i where i in world; B@i <<= A@i where i in world }
    same(A[1999], turn % 2 ? 1 : 2);
    same(B[0], turn % 2 ? 2 : 1);
  }
  A[0] = 5;
  same(B[0], 1);
  same(A[0] + A[1], 7);
}

/// What is let go of after a loop is there for all of it, though the loop ends where the statement in it does.
void released_after_a_loop() {
  std::array<int, 1500> A{}, B{}, C{};
  for (int turn = 0; turn < 4; ++turn) {
    for (int i = 0; i < 1500; ++i) A[i] = i + turn;
    @communicate { B@i <<= A@(i + 1) % world.size() where i in world }
    for (int i = 0; i < 1500; ++i)
      if (B[i] % 2 == 0) C[i] += B[i];
    @communicate { C@(i + 1) % world.size() <<= C@i where i in world }
  }
  same(C[10], 22);
  same(C[11], 26);
}

/// A sum reads the others' memory where it lies, and leaves it as it was.
void summed() {
  std::vector<long> A(2500, me() + 1), B(2500);
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { B@i << + << A@j where i, j in world }
    same(B[2499], size() * (size() + 1L) / 2 + static_cast<long>(turn) * size());
    for (long& x : A) x += 1;
  }
  same(A[0], me() + 4L);
  B[0] = 0;
  same(A[0], me() + 4L);
}

/// One side is shared, the other is not.
void mixed() {
  int A[3000], plain[3000] = {};
  int* const fixed = plain;
  for (int i = 0; i < 3000; ++i) A[i] = i * me();
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { plain@i <<= A@(i + 1) % world.size() where i in world }
    same(fixed[11], 11 * ((me() + 1) % size()) + (turn > 0 ? turn : 0));
    A[11] += 1;
    @communicate { A@i <<= A@i where i in world }
  }
  @communicate { A@i <<= plain@0 where i in world }
  same(A[11], 11 * (1 % size()) + 2);
}

/// Sums and maxima take the place of their terms, of few bytes and of many, alone, as whole vectors, and converted.
template <class T>
void reduced_in_place() {
  for (const std::size_t length : {std::size_t{10}, 8192 / sizeof(T) - 1, 8192 / sizeof(T), std::size_t{20000}}) {
    std::vector<T> A(length), B(length), C(length), D;
    std::array<double, 1024> E{};
    for (int turn = 0; turn < 3; ++turn) {
      for (std::size_t k = 0; k < length; ++k) A[k] = B[k] = static_cast<T>(me() + static_cast<int>(k % 8) + turn);
      C.assign(length + me(), static_cast<T>(turn));
      D.assign(1024, static_cast<T>(turn));
      @communicate { A@i << + << A@j where i, j in world }
      @communicate { B@i << max << B@j where i, j in world }
      @communicate { C@i << [](const std::vector<T>& a, const std::vector<T>& b) { return a.size() < b.size() ? b : a; } << C@j where i, j in world }
      @communicate { E@i << + << D@j where i, j in world }
      const int first = size() * (size() - 1) / 2 + size() * turn;
      same(A.front(), first);
      same(A[length - 1], first + size() * static_cast<int>((length - 1) % 8));
      same(B.front(), size() - 1 + turn);
      same(B[length / 2], size() - 1 + turn + static_cast<int>(length / 2 % 8));
      same(C.size(), length + size() - 1);
      same(C.back(), turn);
      same(E.back(), size() * turn);
    }
  }
}

void scale(std::vector<double>& v, double by) {
  for (double& x : v) x *= by;
}
double first(const double* p) { return p[0]; }

template <class T>
T in_template(T start) {
  std::vector<T> v(1000, start + static_cast<T>(me()));
  T seen = 0;
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { v@i <<= v@0 where i in world }
    if constexpr (sizeof(T) == 8) scale(v, 2);
    seen += v[999];
    v[0] += 1;
  }
  return seen;
}

/// Functions of the program change it, and look at it.
void used_by_functions() {
  std::vector<double> v(4000, 1 + me()), w(4000);
  for (int turn = 0; turn < 3; ++turn) {
    @communicate { w@(i + 1) % world.size() <<= v@i where i in world }
    scale(v, 2);
    same(first(w.data()), (1 + left_of(me())) * static_cast<double>(1 << turn));
    w = v;
    w.resize(10);
    same(w.size(), 10);
    w.assign(4000, 0);
  }
  same(in_template(1.0), 2.0 + 4.0 + 8.0);
  same(in_template(5), 15);
}

/// Teams and loops of several kinds.
void in_teams() {
  const kanor::team half = world.split(me() % 2, me());
  long A[1024];
  int turn = 0;
  for (long& x : A) x = me();
  do {
    @communicate (team = half) { A@i <<= A@(i + 1) % half.size() where i in half }
    switch (turn % 2) {
      case 0:
        A[3] += 2;
        break;
      default:
        std::memset(A, 0, sizeof A);
        A[1] = half.rank();
    }
  } while (++turn < 4);
  same(A[1], static_cast<long>(half.rank()));
  same(A[3], 0L);
}

/// Variables with the names that emitted blocks use for themselves, with `kanor_` before.
void with_names_of_emitted_blocks() {
  long block[512], bind[512], at[512], send[512], carry[512], site[512], a[512], b[512];
  for (int i = 0; i < 512; ++i) block[i] = bind[i] = at[i] = send[i] = carry[i] = site[i] = a[i] = b[i] = me() * 1000 + i;
  for (int turn = 0; turn < 3; ++turn) {
    @communicate {
      block@(i + 1) % size() <<= block@i where i in world;
      at@(bind + 1) % size() <<= send@bind where bind in world, bind >= 0;
      carry@i <<= site@i where i in world, let at = 4, at == 4;
      bind@(i + 1) % size() <<= bind@i where i in world
    }
    @communicate { a@(i + 1) % size() <<= b@i where i in world }
    block[1] += 7;
    b[0] += a[0];
  }
  const int from = left_of(me(), 3);
  same(block[511], from * 1000 + 511);
  same(block[1], from * 1000 + 1 + 21);
  same(bind[5], from * 1000 + 5);
  same(at[5], left_of(me()) * 1000 + 5);
  same(carry[6], me() * 1000 + 6);
}

/// Ranks that loops have in common, folded values, and statements beside each other have names of their own.
void with_names_of_ranks_and_values() {
  long sent[512], sender[512], receiver[512], operation[512], sum = 0;
  for (int i = 0; i < 512; ++i) sent[i] = sender[i] = receiver[i] = operation[i] = me() * 1000 + i;
  for (int turn = 0; turn < 2; ++turn) {
    @communicate {
      sender@(i + 1) % size() <<= sent@i where i in world;
      receiver@(i + 2) % size() <<= operation@i where i in world, k in {0 ... 0}
    }
    @communicate { sum@i << + << sent[i + 5] + k@0 where i in world, k in {1 ... 2} }
    sent[turn] += sender[turn];
  }
  same(sender[300], left_of(me()) * 1000 + 300);
  same(receiver[300], left_of(me(), 2) * 1000 + 300);
  same(sent[0], me() * 1000 + left_of(me()) * 1000);
  same(operation[1], me() * 1000 + 1);
  same(sum, 2 * (me() + 5) + 3);
}

/// Sections are folded into a whole variable that ranks share.
void sections_folded() {
  const int n = world.size();
  std::vector<long> sums(1000), parts(2000);
  for (int t = 0; t < 3; ++t) {
    for (int k = 0; k < 1000; ++k) sums[k] += t;
    for (int k = 0; k < 2000; ++k) parts[k] = 10 * me() + k + t;
    @communicate { sums@i << max << parts[500 : 1000]@j where i in world, j in {i, (i + 1) % n} }
    for (int k = 0; k < 1000; k += 37) same(sums[k], 10L * std::max(me(), (me() + 1) % n) + 500 + k + t);
    @communicate { sums@(i + 1) % n <<= sums@i where i in world }
  }
}

}  // namespace

int main() {
  with_names_of_emitted_blocks();
  with_names_of_ranks_and_values();
  handed_over();
  copied_on_conflict();
  renamed();
  written_by_some();
  same(left_early(2), left_of(me(), 3));
  same(left_early(9), left_of(me(), 5));
  kept_where_nothing_comes();
  swapped();
  released_after_a_loop();
  summed();
  mixed();
  reduced_in_place<long>();
  reduced_in_place<float>();
  reduced_in_place<std::uint16_t>();
  used_by_functions();
  in_teams();
  sections_folded();
  return check::finish("sharing");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
