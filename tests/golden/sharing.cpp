// RUN: %kanorc --dump=analysis %s | %FileCheck --check-prefix=ANALYSIS %s
// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: grep -v '^//' %t.cpp | %FileCheck --check-prefix=EMIT %s
// RUN: %kanorc --no-globalize --emit-cpp %s -o %t.copied.cpp
// RUN: grep -v '^//' %t.copied.cpp | %FileCheck --check-prefix=COPIED %s
// RUN: %kanorc --explain %s | %FileCheck --check-prefix=EXPLAIN %s
// Which variables ranks share, and what becomes of them in C++: consume what has come, overwrite, consume.
#include <kanor/kanor.hpp>

#include <vector>

using kanor::world;

double consume(const double* values);
double total(const double (&values)[1024]) {
  double sum = 0;
  for (const double x : values) sum += x;
  return sum;
}

double consume_overwrite_consume() {
  double A[1024], x = 1, B[1024] = {2};
// EMIT: ::kanor::abi::globalised<double[1024]> kanor_shared_A({"{{.*}}sharing.cpp", [[@LINE-1]], "A"}); {{\[\[}}maybe_unused]] ::kanor::abi::pointer_to<double[1024]> A = kanor_shared_A.get(); double  x = 1;
// EMIT-SAME: ::kanor::abi::globalised<double[1024]> kanor_shared_B({"{{.*}}sharing.cpp", [[@LINE-2]], "B"}, [&](void* kanor_at) { ::new (kanor_at) double[1024] {2}; });
// EMIT-SAME: ::kanor::abi::pointer_to<double[1024]> B = kanor_shared_B.get();
// COPIED: double A[1024], x = 1, B[1024] = {2};
  double seen = 0;
  for (int turn = 0; turn < 9; ++turn) {
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
// EMIT: { ::kanor::abi::exchange({"{{.*}}sharing.cpp", 31, __func__}, {},{{$}}
// EMIT: is shift"}, {world.size()}, kanor_shared_A, kanor_shared_B, [&](auto& kanor_bind) {
// EMIT: kanor_bind.send(kanor_shared_B)
// EMIT: kanor_bind.assign(kanor_shared_A, kanor_sent
// EMIT: {{^}}      A = kanor_shared_A.get(); }
    seen += total(A);
// EMIT-NEXT: {{^}}    seen += total((*A));
    for (int i = 0; i < 1024; ++i) A[i] = i + x;
// EMIT-NEXT: {{^}}    A = kanor_shared_A.overwrite(); for (int i = 0; i < 1024; ++i) (*A)[i] = i + x;
    seen += total(A);
// EMIT-NEXT: {{^}}    seen += total((*A)); A = kanor_shared_A.release();
    B[turn] = seen;
// EMIT-NEXT: {{^}}    B = kanor_shared_B.acquire(); (*B)[turn] = seen;
  }
  return seen + sizeof A;
// EMIT: return seen + sizeof (*A);
}

double refused() {
  double small[8] = {}, kept[1024] = {};
  [[kanor::local]] double local[1024] = {};
  std::vector<double> once(1000);
  consume(kept);
  for (int turn = 0; turn < 9; ++turn)
    @communicate { small@1 <<= small@0; kept@1 <<= kept@0; local@1 <<= local@0 }
  @communicate { once@1 <<= once@0 }
  return small[0] + local[0] + once[0];
}

double tried_in_a_loop() {
  double seen = 0;
  for (int round = 0; round < 9; ++round) {
    try {
      double A[1024], B[1024] = {};
      for (int turn = 0; turn < 9; ++turn) {
        @communicate { A@i <<= B@0 where i in world }
        for (int k = 0; k < 1024; ++k) B[k] += A[1023 - k];
// EMIT: {{^}}        B = kanor_shared_B.acquire(); for (int k = 0; k < 1024; ++k) (*B)[k] += (*A)[1023 - k];
        if (turn == round) throw round;
      }
    } catch (int at) {
      seen += at;
    }
  }
  return seen;
}

static bool wanted(int rank) { return rank % 2 != 0; }

double not_repeated() {
  double A[1024] = {}, B[1024] = {}, seen = 0;
  for (int turn = 0; turn < 9; ++turn) {
    @communicate { A@i <<= B@0 where i in world, wanted(i) }
    seen += total(A);
    @communicate { A@i <<= B@0 where i in world; B@i <<= A@0 where i in world }
    seen += total(A);
  }
  return seen;
// EMIT-NOT: ::kanor::abi::exchange
}

// ANALYSIS:      function consume_overwrite_consume
// ANALYSIS-NEXT:   candidate A: globalised
// ANALYSIS-NEXT:     locking set 10 11 12 13
// ANALYSIS-NEXT:     component 10 11 12 13 in 9->10 out 13->14
// ANALYSIS-NEXT:     overwrite before 5 "for (int i = 0; i < 1024; ++i) A[i] = i + x;"
// ANALYSIS-NEXT:     release after 7 "seen += total(A);"
// ANALYSIS-NEXT:   candidate B: globalised
// ANALYSIS:          acquire before 8 "B[turn] = seen;"
// ANALYSIS-NEXT: function refused
// ANALYSIS-NEXT:   candidate small: not globalised
// ANALYSIS-NEXT:     too small: 64 bytes "small[8] = {}"
// ANALYSIS:        candidate kept: not globalised
// ANALYSIS-NEXT:     escapes: 'consume' gets it, but its body is not visible "consume(kept)"
// ANALYSIS:        candidate local: not globalised
// ANALYSIS-NEXT:     not asked "local[1024] = {}"
// ANALYSIS:        candidate once: not globalised
// ANALYSIS-NEXT:     not in a loop "once"

// EXPLAIN: remark: 'A' takes over the memory that it receives from a rank that shares it [-Rpass=kanor]
// EXPLAIN: remark: 'B' shares its memory with ranks that can: a rank that writes it while others need it copies it first [-Rpass=kanor]
// EXPLAIN: remark: 'small' is copied: its 64 bytes are sent faster as a copy [-Rpass-missed=kanor]
// EXPLAIN: remark: 'kept' is copied: 'consume' gets it, but its body is not visible [-Rpass-missed=kanor]
// EXPLAIN: remark: 'local' is copied: sharing is switched off ('--no-globalize', or {{\[\[}}kanor::local]] on the variable) [-Rpass-missed=kanor]
// EXPLAIN: remark: 'once' is copied: no loop communicates it [-Rpass-missed=kanor]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
