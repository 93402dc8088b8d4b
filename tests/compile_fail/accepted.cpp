// RUN: %kanorc -Wno-kanor-nonuniform -Wall -Wextra -Werror -c %s -o %t.o > %t.log 2>&1
// RUN: test ! -s %t.log
// What must not be diagnosed, although it looks like something that is.
#include <kanor/kanor.hpp>
#include <string>
#include <vector>

#if 0
@communicate { not ( even balanced
KANOR_COMMUNICATE(
#endif
#ifdef NEVER_DEFINED
void never() { @communicate { a = b } }
#elif 1
#else
@communicate { a ] (
#endif
// @communicate { in a comment
#define TEXT "@communicate { a@0 <<= b@1 }"
#define WORDS(x) #x

struct Flat {
  int number;
  char letters[3];
};

const char* texts() { return TEXT WORDS(communicate); }

/// A function named like the word, and no block.
inline int communicate(int x) { return x; }

void unused_names(int& a, int b, std::vector<int>& list, Flat& flat) {
  @communicate { a@0 <<= b@1 where i in {3 ... 3} }
  @communicate { a@0 <<= b@1 where let k = b, i, j in world, i < 1 }
  @communicate { list@0 <<= list@1; flat@0 <<= flat@1 }
  @communicate { a@i <<= communicate(b)@i where i in world, i % 2 == 0 ? true : false }
  const int untouched = 3;
  @communicate { a@0 <<= untouched@0 }
  bool filter = true;
  @communicate { a@0 <<= b@0 where (filter) }
  unsigned u = 3;
  long wide = 2;
  @communicate { a@u <<= b@wide % 2; a@i <<= b@i where i in {0u ... wide} }
  int shadowed = 0;
  {
    const int shadowed = 1;
    @communicate { a@0 <<= shadowed@0 }
  }
  @communicate { shadowed@0 <<= b@0 }
  if (a > b)
    @communicate { a@0 <<= b@1 }
  else
    @communicate { b@0 <<= a@1 }
}

template <class T>
void never_instantiated(T* pointer) {
  @communicate { pointer->value@0 <<= pointer->value@1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
