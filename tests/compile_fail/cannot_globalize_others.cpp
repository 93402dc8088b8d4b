// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

#include <vector>

[[kanor::globalize]] void no_variable() {}

void exchange([[kanor::globalize]] std::vector<double> given) {
  [[kanor::globalize]] static double kept[1024];
  [[kanor::globalize]] const double same[1024] = {};
  [[kanor::globalize]] auto& other = given;
  double A[1024];
  @communicate { A@1 <<= kept@0; given@1 <<= given@0 }
  @communicate { A@1 <<= same@0 }
}

int main() {
  no_variable();
  exchange({});
}

// CHECK:{{.*}}cannot_globalize_others.cpp:6:27: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:{{\[\[}}kanor::globalize]] void no_variable() {}
// CHECK-NEXT:                          ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: it is a function: only variables that are local to a function are shared
// CHECK-NEXT:{{.*}}cannot_globalize_others.cpp:8:56: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:void exchange({{\[\[}}kanor::globalize]] std::vector<double> given) {
// CHECK-NEXT:                                                       ^~~~~
// CHECK-NEXT:kanorc: note: it is a parameter: only variables that are local to a function are shared
// CHECK-NEXT:{{.*}}cannot_globalize_others.cpp:9:38: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:  {{\[\[}}kanor::globalize]] static double kept[1024];
// CHECK-NEXT:                                     ^~~~
// CHECK-NEXT:kanorc: note: it outlives the function that it is local to
// CHECK-NEXT:{{.*}}cannot_globalize_others.cpp:10:37: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:  {{\[\[}}kanor::globalize]] const double same[1024] = {};
// CHECK-NEXT:                                    ^~~~
// CHECK-NEXT:kanorc: note: it is constant
// CHECK-NEXT:{{.*}}cannot_globalize_others.cpp:11:30: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK-NEXT:  {{\[\[}}kanor::globalize]] auto& other = given;
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: it is a reference

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
