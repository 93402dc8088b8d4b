// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <climits>
#include <functional>
#include <string>
#include <thread>

#include "c_library/library_state.hpp"
#include "kanor/abi/hidden_state.hpp"

#define KANOR_DECLARED(name) extern "C" decltype(name) __wrap_##name;
KANOR_OWN_STATE(KANOR_DECLARED)

namespace kanor::rt {
namespace {

/// The functions by both of their makers.
struct Functions {
#define KANOR_FIELD(name) decltype(&::name) name;
  KANOR_OWN_STATE(KANOR_FIELD)
};

Functions own() {
  Functions functions{};
#define KANOR_OWN(name) functions.name = &__wrap_##name;
  KANOR_OWN_STATE(KANOR_OWN)
  return functions;
}

/// The C library's: behind this program's, which carries its names.
Functions of_c_library() {
  Functions functions{};
#define KANOR_NEXT(name) functions.name = reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name));
  KANOR_OWN_STATE(KANOR_NEXT)
  return functions;
}

/// What some calls of each function answer.
std::string values_of(const Functions& f, int seed) {
  std::string text;
  const auto say = [&](auto value) { text += std::to_string(value) + ' '; };
  say(f.rand());
  say(f.random());
  f.srand(static_cast<unsigned>(seed));
  say(f.rand());
  f.srandom(static_cast<unsigned>(seed + 1));
  say(f.random());
  for (const std::size_t bytes : {8, 32, 64, 128, 256}) {
    static thread_local char table[256];
    char* const before = f.initstate(static_cast<unsigned>(seed), table, bytes);
    for (int i = 0; i < 40; ++i) say(f.random());
    EXPECT_EQ(f.setstate(before), table);
    say(f.rand());
  }
  char small[4];
  EXPECT_EQ(f.initstate(1, small, sizeof small), nullptr);
  say(f.drand48());
  f.srand48(seed);
  say(f.drand48());
  say(f.lrand48());
  say(f.mrand48());
  unsigned short x[3] = {static_cast<unsigned short>(seed), 2, 3};
  say(f.erand48(x));
  say(f.nrand48(x));
  say(f.jrand48(x));
  say(f.seed48(x)[1]);
  say(f.lrand48());
  unsigned short parameters[7] = {1, 2, 3, 4, 5, 6, 7};
  f.lcong48(parameters);
  say(f.mrand48());
  say(f.erand48(x));
  char words[] = ",a,b;;c";
  text += f.strtok(words, ",");
  text += f.strtok(nullptr, ";,");
  text += f.strtok(nullptr, ";");
  EXPECT_EQ(f.strtok(nullptr, ";"), nullptr);
  for (const time_t when : {time_t{0}, time_t{1'234'567'890} * seed, time_t{1} << 40}) {
    text += f.ctime(&when);
    text += f.asctime(f.gmtime(&when));
    EXPECT_EQ(f.localtime(&when), f.gmtime(&when)) << "one object";
  }
  const time_t never = LONG_MAX;
  EXPECT_EQ(f.gmtime(&never), nullptr);
  EXPECT_EQ(f.ctime(&never), nullptr);
  tm odd{};
  odd.tm_wday = 9;
  odd.tm_mon = -1;
  odd.tm_year = INT_MAX - 1900;
  text += f.asctime(&odd);
  odd.tm_year = INT_MAX;
  EXPECT_EQ(f.asctime(&odd), nullptr);
  EXPECT_EQ(f.asctime(nullptr), nullptr);
  EXPECT_NE(f.hcreate(4), 0);
  char key[] = "key";
  ENTRY entry{key, &entry};
  EXPECT_EQ(f.hsearch(entry, FIND), nullptr);
  EXPECT_EQ(f.hsearch(entry, ENTER)->data, &entry);
  EXPECT_EQ(f.hsearch({key, nullptr}, FIND)->data, &entry);
  f.hdestroy();
  return text;
}

TEST(HiddenState, HasTheValuesOfTheCLibrary) {
  const std::string expected = values_of(of_c_library(), 5);
  EXPECT_EQ(values_of(own(), 5), expected) << "the process's";
  LibraryState state;
  enter_library_state(&state);
  EXPECT_EQ(values_of(own(), 5), expected) << "a rank's";
  enter_library_state(nullptr);
}

TEST(HiddenState, IsEachRanksOwnAlsoWhereLibrariesCall) {
  LibraryState one, other;
  enter_library_state(&one);
  const int first = ::rand();
  char words[] = "a b";
  EXPECT_STREQ(::strtok(words, " "), "a");
  std::thread([&] {
    enter_library_state(&other);
    EXPECT_EQ(::rand(), first);
    char others[] = "c d";
    EXPECT_STREQ(::strtok(others, " "), "c");
  }).join();
  EXPECT_STREQ(::strtok(nullptr, " "), "b");
  int found = 0;
  for_each_library_state([&](LibraryState& state) { found += &state == &one || &state == &other; });
  EXPECT_EQ(found, 2);
  enter_library_state(nullptr);
}

}  // namespace
}  // namespace kanor::rt
