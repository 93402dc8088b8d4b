// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Wconversion -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Wconversion -Werror -I%include -fsyntax-only %t.cpp
// RUN: grep -v '^#line' %t.cpp | %FileCheck --strict-whitespace --match-full-lines %s
// An aggregate that cannot be taken apart without its help is given a function that goes through its parts, if it travels and
// is more than its bytes.
#include <kanor/kanor.hpp>

#include <string>

struct Named {
// CHECK:struct Named {
  std::string name;
};
template <class T>
struct Boxed {
// CHECK:struct Boxed {
  T boxed;
};
template <class T>
struct Labelled : Named, Boxed<T> {
// CHECK:struct Labelled : Named, Boxed<T> { template <class KanorSelf, class KanorPart> static auto kanor_parts(KanorSelf& kanor_self, KanorPart kanor_part) { return kanor_part.template bases<Named, Boxed<T>>(kanor_self).member(kanor_self.label); } void kanor_has_parts() {}{{ }}
  T label;
};
class Flags {
// CHECK:class Flags { public: _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"") template <class KanorSelf, class KanorPart> static auto kanor_parts(KanorSelf& kanor_self, KanorPart kanor_part) { return kanor_part.bits([&] { return kanor_self.low; }, [&](auto kanor_bits) { kanor_self.low = kanor_bits; }).member(kanor_self.text); } _Pragma("GCC diagnostic pop") void kanor_has_parts() {} private:
 public:
  unsigned low : 3;
  unsigned : 2;
  std::string text;
};
struct Flat : Boxed<int> {
// CHECK:struct Flat : Boxed<int> {
  int more;
};
struct Stays : Named {
// CHECK:struct Stays : Named {
  int more;
};

int main() {
  struct Local : Named {
// CHECK:  struct Local : Named { static auto kanor_parts() { return [](auto& kanor_self, auto kanor_part) { return kanor_part.template bases<Named>(kanor_self).member(kanor_self.more); }; } void kanor_has_parts() {}{{ }}
    int more;
  };
  Labelled<int> labelled;
  Flags flags;
  Flat flat;
  Local local;
  @communicate {
    labelled@i <<= labelled@0 where i in world;
    flags@i <<= flags@0 where i in world;
    flat@i <<= flat@0 where i in world;
    local@i <<= local@0 where i in world
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
