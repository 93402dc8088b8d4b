// RUN: %check_diagnostics
// The two sides of a statement with sections: counts, element types, and what can be assigned to.
#include <kanor/kanor.hpp>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

std::vector<int> made();
int* pointer();

void f(int x, int (&a)[5], int (&grid)[2][3], std::vector<int> v, const std::vector<int>& constant, std::span<const int> view, std::vector<int*> pointers, std::vector<std::string> words,
       std::vector<std::vector<int>> rows, std::optional<std::vector<int>> maybe, std::vector<std::unique_ptr<int>> owners, const int (&fixed)[3], int n) {
  @communicate { a[0 : 3]@0 <<= v[0 : 4]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'a[0 : 3]' has 3 elements, 'v[0 : 4]' has 4
// CHECK-NEXT:  @communicate { a[0 : 3]@0 <<= v[0 : 4]@1 }
// CHECK-NEXT:                 ^~~~~~~~
  @communicate { a[:]@0 <<= v[n : 4]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'a[:]' has 5 elements, 'v[n : 4]' has 4
// CHECK-NEXT:  @communicate { a[:]@0 <<= v[n : 4]@1 }
// CHECK-NEXT:                 ^~~~
  @communicate { a@0 <<= v[0 : 4]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'a' has 5 elements, 'v[0 : 4]' has 4
// CHECK-NEXT:  @communicate { a@0 <<= v[0 : 4]@1 }
// CHECK-NEXT:                 ^
  @communicate { a[0 : 2]@0 <<= std::array<int, 3>()@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'a[0 : 2]' has 2 elements, 'std::array<int, 3>()' has 3
// CHECK-NEXT:  @communicate { a[0 : 2]@0 <<= std::array<int, 3>()@1 }
// CHECK-NEXT:                 ^~~~~~~~
  @communicate { grid[:][0 : 2]@0 <<= a[:]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'grid[:][0 : 2]' has 4 elements, 'a[:]' has 5
// CHECK-NEXT:  @communicate { grid[:][0 : 2]@0 <<= a[:]@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~
  @communicate { grid@0 <<= a[:]@1; a[:]@1 <<= grid@0 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'grid' has 6 elements, 'a[:]' has 5
// CHECK-NEXT:  @communicate { grid@0 <<= a[:]@1; a[:]@1 <<= grid@0 }
// CHECK-NEXT:                 ^~~~
// CHECK:{{.*}}section_fit.cpp:[[@LINE-4]]:37: error: 'a[:]' has 5 elements, 'grid' has 6
// CHECK-NEXT:  @communicate { grid@0 <<= a[:]@1; a[:]@1 <<= grid@0 }
// CHECK-NEXT:                                    ^~~~
  @communicate { grid[0 : 1]@0 <<= a[0 : 3]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: a section of 'int' cannot be assigned to 'grid[0 : 1]', a section of 'int[3]'
// CHECK-NEXT:  @communicate { grid[0 : 1]@0 <<= a[0 : 3]@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~
  @communicate { a[0 : 3]@0 << + << v[0 : 4]@i where i in world }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'a[0 : 3]' has 3 elements, 'v[0 : 4]' has 4
// CHECK-NEXT:  @communicate { a[0 : 3]@0 << + << v[0 : 4]@i where i in world }
// CHECK-NEXT:                 ^~~~~~~~
  @communicate { constant[0 : 1]@0 <<= v[0 : 1]@1; view[:]@0 <<= v[:]@1; fixed[:]@0 <<= v[:]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'constant[0 : 1]' has const elements, so nothing can be assigned to them
// CHECK-NEXT:  @communicate { constant[0 : 1]@0 <<= v[0 : 1]@1; view[:]@0 <<= v[:]@1; fixed[:]@0 <<= v[:]@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~~
// CHECK:{{.*}}section_fit.cpp:[[@LINE-4]]:52: error: 'view[:]' has const elements, so nothing can be assigned to them
// CHECK-NEXT:  @communicate { constant[0 : 1]@0 <<= v[0 : 1]@1; view[:]@0 <<= v[:]@1; fixed[:]@0 <<= v[:]@1 }
// CHECK-NEXT:                                                   ^~~~~~~
// CHECK:{{.*}}section_fit.cpp:[[@LINE-7]]:74: error: 'fixed[:]' has const elements, so nothing can be assigned to them
// CHECK-NEXT:  @communicate { constant[0 : 1]@0 <<= v[0 : 1]@1; view[:]@0 <<= v[:]@1; fixed[:]@0 <<= v[:]@1 }
// CHECK-NEXT:                                                                         ^~~~~~~~
  @communicate { made()[0 : 1]@0 <<= v[0 : 1]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: 'made()[0 : 1]' are elements of a temporary value, not a place
// CHECK-NEXT:  @communicate { made()[0 : 1]@0 <<= v[0 : 1]@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~
  @communicate { v[0 : 2]@0 <<= pointers[0 : 2]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:33: error: elements of type 'int *' cannot travel: 'int *' is a pointer
// CHECK-NEXT:  @communicate { v[0 : 2]@0 <<= pointers[0 : 2]@1 }
// CHECK-NEXT:                                ^~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: send what it points to, such as 'p[0]' or '*p' for a pointer 'p'
  @communicate { owners[0 : 2]@0 <<= owners[0 : 2]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:38: error: elements of type 'std::unique_ptr<int>' cannot travel: 'std::unique_ptr<int>' is a smart pointer
// CHECK-NEXT:  @communicate { owners[0 : 2]@0 <<= owners[0 : 2]@1 }
// CHECK-NEXT:                                     ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: send the object that it points to
  @communicate { v[0 : 2]@0 <<= words[0 : 2]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: a section of 'std::string' cannot be assigned to 'v[0 : 2]', a section of 'int'
// CHECK-NEXT:  @communicate { v[0 : 2]@0 <<= words[0 : 2]@1 }
// CHECK-NEXT:                 ^~~~~~~~
  @communicate { x@0 <<= v[0 : 1]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: a section of 'int' cannot be assigned to 'x' of type 'int'
// CHECK-NEXT:  @communicate { x@0 <<= v[0 : 1]@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: the other side of a section must be a section, an array or a vector
  @communicate { v[0 : 1]@0 <<= x@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: a value of type 'int' cannot be assigned to 'v[0 : 1]', a section of 'int'
// CHECK-NEXT:  @communicate { v[0 : 1]@0 <<= x@1 }
// CHECK-NEXT:                 ^~~~~~~~
// CHECK-NEXT:kanorc: note: the other side of a section must be a section, an array or a vector
  @communicate { maybe@0 <<= v[:]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: a section of 'int' cannot be assigned to 'maybe' of type 'std::optional<std::vector<int>>'
// CHECK-NEXT:  @communicate { maybe@0 <<= v[:]@1 }
// CHECK-NEXT:                 ^~~~~
// CHECK-NEXT:kanorc: note: the other side of a section must be a section, an array or a vector
  @communicate { rows[0 : 2]@0 <<= v[0 : 2]@1 }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:18: error: a section of 'int' cannot be assigned to 'rows[0 : 2]', a section of 'std::vector<int>'
// CHECK-NEXT:  @communicate { rows[0 : 2]@0 <<= v[0 : 2]@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~
  @communicate { words[0 : 2]@0 << * << words[0 : 2]@i where i in world }
// CHECK:{{.*}}section_fit.cpp:[[@LINE-1]]:36: error: '*' cannot combine two values of type 'std::string' into one of that type
// CHECK-NEXT:  @communicate { words[0 : 2]@0 << * << words[0 : 2]@i where i in world }
// CHECK-NEXT:                                   ^
  @communicate { rows[0 : 1]@0 <<= rows[:]@1; rows@1 <<= rows[0 : n]@0; grid[0 : 1]@0 <<= grid[1 : 1]@1; pointer()[0 : n]@2 <<= made()[:]@1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
