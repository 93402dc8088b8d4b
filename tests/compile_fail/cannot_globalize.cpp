// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

#include <string>
#include <vector>

void unseen(double*);

[[kanor::globalize]] double everywhere[1024];

int main() {
  [[kanor::globalize]] double A[1024], B[1024] = {};
  [[kanor::globalize]] std::vector<std::string> words;
  [[kanor::globalize]] std::vector<double> alone(3);
  [[kanor::local]] double C[1024] = {};
  unseen(A);
  for (int n = 0; n < 3; ++n) {
    @communicate { A@1 <<= B@0; C@1 <<= C@0 }
    @communicate { B[n]@1 <<= n@0; words@1 <<= words@0 }
  }
}

// CHECK:{{.*}}cannot_globalize.cpp:12:31: error: 'A' is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:  {{\[\[}}kanor::globalize]] double A[1024], B[1024] = {};
// CHECK-NEXT:                              ^~~~~~~
// CHECK-NEXT:{{.*}}cannot_globalize.cpp:16:3: note: 'unseen' gets it, but its body is not visible
// CHECK-NEXT:  unseen(A);
// CHECK-NEXT:  ^~~~~~~~~
// CHECK-NEXT:{{.*}}cannot_globalize.cpp:12:40: error: 'B' is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:  {{\[\[}}kanor::globalize]] double A[1024], B[1024] = {};
// CHECK-NEXT:                                       ^~~~~~~~~~~~
// CHECK-NEXT:{{.*}}cannot_globalize.cpp:19:20: note: a part of it is a block's place
// CHECK-NEXT:    @communicate { B[n]@1 <<= n@0; words@1 <<= words@0 }
// CHECK-NEXT:                   ^
// CHECK-NEXT:{{.*}}cannot_globalize.cpp:9:29: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:{{\[\[}}kanor::globalize]] double everywhere[1024];
// CHECK-NEXT:                            ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: it is not local to a function: only variables that are local to a function are shared
// CHECK-NEXT:{{.*}}cannot_globalize.cpp:13:49: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:  {{\[\[}}kanor::globalize]] std::vector<std::string> words;
// CHECK-NEXT:                                                ^~~~~
// CHECK-NEXT:kanorc: note: it is not an array, std::array, std::vector or kanor::buffer of elements that are plain bytes
// CHECK-NEXT:{{.*}}cannot_globalize.cpp:14:44: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:  {{\[\[}}kanor::globalize]] std::vector<double> alone(3);
// CHECK-NEXT:                                           ^~~~~
// CHECK-NEXT:kanorc: note: no block has the whole variable as its place or value

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
