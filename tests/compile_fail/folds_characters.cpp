// RUN: %kanorc -Wno-kanor-nonuniform -c %s -o %t.o 2>&1 | %check_output
// A string literal is an array of characters, which a reduction combines one by one; hardly anybody means that.
#include <kanor/kanor.hpp>
#include <string>

#define LETTER "x"

using kanor::world;
using namespace std::string_literals;

void join(std::string& text, char (&letters)[2]) {
  @communicate { text@0 << + << "x"@i where i in world }
// CHECK:{{.*}}folds_characters.cpp:[[@LINE-1]]:33: warning: a string literal is an array, whose characters are combined one by one [-Wkanor-folds-characters]
// CHECK-NEXT:  @communicate { text@0 << + << "x"@i where i in world }
// CHECK-NEXT:                                ^~~
// CHECK-NEXT:kanorc: note: to combine strings, write 'std::string("x")'
  @communicate { text@0 << max << R"(a)" "c"@i where i in world }
// CHECK-NEXT:{{.*}}folds_characters.cpp:[[@LINE-1]]:35: warning: a string literal is an array, whose characters are combined one by one [-Wkanor-folds-characters]
// CHECK-NEXT:  @communicate { text@0 << max << R"(a)" "c"@i where i in world }
// CHECK-NEXT:                                  ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: to combine strings, write 'std::string(R"(a)" "c")'
  @communicate { text@0 << + << (LETTER)@i where i in world }
// CHECK-NEXT:{{.*}}folds_characters.cpp:[[@LINE-1]]:33: warning: a string literal is an array, whose characters are combined one by one [-Wkanor-folds-characters]
// CHECK-NEXT:  @communicate { text@0 << + << (LETTER)@i where i in world }
// CHECK-NEXT:                                ^~~~~~~~
// CHECK-NEXT:kanorc: note: to combine strings, write 'std::string((LETTER))'
  // Whole strings, one character, and an array of the program's.
  @communicate { text@0 << + << "x"s@i where i in world }
  @communicate { letters[0]@0 << max << "x"[0]@i where i in world }
  @communicate { letters@0 << max << letters@i where i in world }
  // As it is assigned, it is text.
  @communicate { text@0 <<= "x"@1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
