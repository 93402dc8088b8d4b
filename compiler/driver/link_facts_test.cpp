// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "driver/link/c_functions.hpp"
#include "driver/link/foreign_variables.hpp"
#include "driver/link/library_note.hpp"
#include "driver/link/library_safety.hpp"
#include "driver/link/linker_words.hpp"
#include "driver/link/object_file.hpp"
#include "driver/link/own_definitions.hpp"
#include "driver/link/program_facts.hpp"
#include "driver/link/recompile.hpp"
#include "kanor/abi/program_facts.hpp"

namespace kanor::driver {
namespace {

ObjectFacts foreign(std::string shown) {
  ObjectFacts facts;
  facts.shown = std::move(shown);
  return facts;
}

TEST(LinkFacts, TracesOfThreeLinkers) {
  const std::vector<TracedFile> expected{{"a.o", ""}, {"lib.a", "b.o"}, {"/lib/libc.so.6", ""}};
  EXPECT_EQ(parse_trace("a.o\n(lib.a)b.o\n/lib/libc.so.6\n/lib/libc.so.6\n"), expected);
  EXPECT_EQ(parse_trace("a.o\nlib.a(b.o)\n/lib/libc.so.6\n"), expected);
}

TEST(LinkFacts, TheToolchainsStateIsItsOwnBusiness) {
  EXPECT_TRUE(belongs_to_toolchain("/usr/lib/gcc/x86_64-linux-gnu/12/crtbeginS.o"));
  EXPECT_TRUE(belongs_to_toolchain("/usr/lib/x86_64-linux-gnu/libc_nonshared.a"));
  EXPECT_TRUE(belongs_to_toolchain("/lib/x86_64-linux-gnu/crtn.o"));
  EXPECT_FALSE(belongs_to_toolchain("crtool.o"));
  EXPECT_FALSE(belongs_to_toolchain("/usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/libgsl.a"));
  EXPECT_FALSE(belongs_to_toolchain("/usr/lib/x86_64-linux-gnu/libpng16.a"));
}

TEST(LinkFacts, NamesOfLibraries) {
  EXPECT_EQ(library_name("/usr/lib/x86_64-linux-gnu/libz.so.1.2.13"), "z");
  EXPECT_EQ(library_name("libboost_graph.a"), "boost_graph");
  EXPECT_EQ(library_name("ld-linux-x86-64.so.2"), "ld-linux-x86-64");
  EXPECT_EQ(library_name("libc++.so.1"), "c++");
  EXPECT_EQ(library_name("fftw3"), "fftw3");
  EXPECT_EQ(library_name("legacy.o"), "legacy.o");
}

TEST(LinkFacts, TheFirstLineOfTheListDecides) {
  const LibraryList list("# list\nz safe\nboost_python* unsafe one interpreter # really\nboost_* safe\n",
                         {"mesh", "libold.so.2"});
  EXPECT_TRUE(list.is_safe("libz.so.1"));
  EXPECT_FALSE(list.is_safe("libzz.so.1"));
  EXPECT_TRUE(list.is_safe("libboost_graph.so.1.74.0"));
  EXPECT_FALSE(list.is_safe("libboost_python311.so"));
  EXPECT_NE(list.obstacle("libboost_python311.so").reason.find("is not thread-safe: one interpreter"),
            std::string::npos);
  EXPECT_TRUE(list.is_safe("./libmesh.a"));
  EXPECT_TRUE(list.is_safe("libold.so.2"));
  EXPECT_THROW(LibraryList("z maybe\n", {}), std::runtime_error);
}

TEST(LinkFacts, NotesSpeakForTheirLibraries) {
  ObjectFacts own = foreign("./libown.so"), member = foreign("/usr/lib/libgsl.a(err.o)");
  own.is_shared_library = own.has_note = true;
  own.library_name = "libown.so.1";
  member.shared_variables = {"handler"};
  member.thread_starters = {"pthread_create"};
  std::vector<ObjectFacts> objects{own, member};
  judge_libraries({"gsl safe\n", {}}, {"libown.so.1", "libother.so"}, objects);
  EXPECT_TRUE(objects[1].shared_variables.empty());
  EXPECT_TRUE(objects[1].thread_starters.empty());
  const auto obstacles = obstacles_of(objects);
  ASSERT_EQ(obstacles.size(), 1U);
  EXPECT_EQ(obstacles[0].what, "libother.so");
}

TEST(LinkFacts, NotesOfSeveralUnits) {
  ObjectFacts facts;
  using namespace std::string_literals;
  read_note("kanor 1\nprivate\n\0kanor 1\nfuture\tthing\nobstacle\tx\ta.cpp:3\tit has C linkage\n\0"s, facts);
  EXPECT_TRUE(facts.has_note);
  EXPECT_TRUE(facts.has_private_variables);
  EXPECT_EQ(facts.obstacles, (std::vector<LinkObstacle>{{"x", "a.cpp:3", "it has C linkage"}}));
}

TEST(LinkFacts, OnlyAnObjectOfOneSourceCanBeMadeAgain) {
  using namespace std::string_literals;
  const std::string unit = "kanor 1\nprivate\nsource\t7\t-c\ta.cpp\n\0"s;
  ObjectFacts one, merged, unknown;
  read_note(unit, one);
  EXPECT_EQ(only_source(one), (SourceRecord{"7", {"-c", "a.cpp"}}));
  read_note(unit + "kanor 1\n\0"s, merged);
  EXPECT_EQ(only_source(merged), std::nullopt);
  one.is_shared_library = true;
  EXPECT_EQ(only_source(one), std::nullopt);
  one.is_shared_library = false;
  one.files = 2;  // the other one has no note
  EXPECT_EQ(only_source(one), std::nullopt);
  read_note("kanor 1\nprivate\n\0"s, unknown);
  EXPECT_EQ(only_source(unknown), std::nullopt);
}

TEST(LinkFacts, ForeignVariablesAreOneObstacleAnObject) {
  ObjectFacts object = foreign("legacy.o");
  object.shared_variables = {"_ZN1n5countE", "errors"};
  const auto obstacles = obstacles_of({object});
  ASSERT_EQ(obstacles.size(), 1U);
  EXPECT_EQ(
      obstacles[0].reason,
      "'n::count' and 1 other variable in 'legacy.o', which kanorc did not compile, exist once in a process");
  object.has_note = true;
  EXPECT_TRUE(obstacles_of({object}).empty());
}

TEST(LinkFacts, StateOfTheCLibraryIsAnObstacleOnceAnObject) {
  ObjectFacts object;
  object.shown = "a.o";
  object.has_note = true;
  object.symbols.used = {"printf", "rand", "strtok", "localtime", "getenv", "strerror"};
  EXPECT_TRUE(obstacles_of({object}).empty());
  object.symbols.used = {"setenv", "unsetenv", "chdir", "_ZNSt6locale6globalERKS_"};
  const auto obstacles = obstacles_of({object});
  ASSERT_EQ(obstacles.size(), 3U);
  EXPECT_EQ(obstacles[0].reason,
            "'a.o' uses 'std::locale::global(std::locale const&)', and threads share the locale");
  EXPECT_EQ(obstacles[1].what, "setenv");
  EXPECT_EQ(obstacles[1].location, "a.o");
  EXPECT_EQ(obstacles[2].reason, "'a.o' uses 'chdir', and threads share the working directory");
}

TEST(LinkFacts, FunctionsOfTheProgramsOwnAreNotTheCLibrarys) {
  std::vector<ObjectFacts> objects(3);
  objects[0].symbols.used = {"setlocale", "chdir", "umask"};
  objects[1].symbols.defined_functions = {"setlocale", "printf"};
  objects[2].symbols.defined_functions = {"umask"};
  objects[2].is_shared_library = true;
  forget_own_functions(objects);
  EXPECT_EQ(objects[0].symbols.used, (std::set<std::string>{"chdir", "umask"}));
}

TEST(LinkFacts, OwnFunctionsForMemoryAreAnObstacleOnceAnObject) {
  std::vector<ObjectFacts> objects(4);
  objects[0].shown = "heap.o";
  objects[0].symbols.defined_functions = {"free", "malloc", "_ZnwmPv"};
  objects[1].shown = "new.o";
  objects[1].symbols.defined_functions = {"_Znwm"};
  objects[2].symbols.defined_functions = {"_ZnwmPv", "_ZN4PoolnwEm", "mallocate"};
  objects[3].symbols.defined_functions = {"malloc"};
  objects[3].is_shared_library = true;  // of which all have one
  add_own_heaps(objects);
  const auto obstacles = obstacles_of(objects);
  ASSERT_EQ(obstacles.size(), 2U);
  EXPECT_EQ(obstacles[0].reason,
            "'heap.o' defines 'malloc', and the C library would use that of one rank for all");
  EXPECT_EQ(
      obstacles[1].reason,
      "'new.o' defines 'operator new(unsigned long)', and the C library would use that of one rank for all");
}

TEST(LinkFacts, RanksHaveHandlersOfTheirOwnIfNothingElseConcernsSignals) {
  ObjectFacts handles, starts;
  handles.shown = "a.o";
  starts.shown = "b.o";
  handles.symbols.used = {"signal", "sigaction", "__sysv_signal", "siginterrupt",
                          "raise",  "kill",      "alarm",         "pause"};
  EXPECT_TRUE(obstacles_of({handles}).empty());
  starts.symbols.used = {"fork", "system", "sigprocmask"};
  EXPECT_TRUE(obstacles_of({starts}).empty());
  const auto obstacles = obstacles_of({handles, starts});
  ASSERT_EQ(obstacles.size(), 2U);
  EXPECT_EQ(obstacles[0].reason, "'b.o' uses 'sigprocmask', and threads share blocked signals");
  EXPECT_EQ(obstacles[1].reason, "'b.o' uses 'fork', and threads share the signals of children");
  handles.symbols.used = {"sigwait"};
  ASSERT_EQ(obstacles_of({handles}).size(), 1U);
}

TEST(LinkFacts, LibrariesTellWhichFunctionsForSignalsTheyUse) {
  ObjectFacts starts, library, handles;
  read_note("kanor 1\n", starts);
  starts.symbols.used = {"fork", "printf"};
  handles.symbols.used = {"sigaction"};
  const std::string note = missing_note({starts}, {library});
  EXPECT_NE(note.find("uses\tfork\n"), std::string::npos);
  EXPECT_EQ(note.find("printf"), std::string::npos);
  read_note(note, library);
  EXPECT_EQ(missing_note({starts}, {library}), "");
  EXPECT_TRUE(obstacles_of({library}).empty());
  EXPECT_EQ(obstacles_of({library, handles}).size(), 1U);
}

TEST(LinkFacts, WordsOfLinkerNames) {
  EXPECT_TRUE(is_made_of("count", "count"));
  EXPECT_TRUE(is_made_of("_ZL5count", "count"));
  EXPECT_TRUE(is_made_of("_ZL5count.lto_priv.0", "count"));
  EXPECT_TRUE(is_made_of("_ZN3lib2v13inlE", "lib v1 inl"));
  EXPECT_TRUE(is_made_of("_ZN3lib12_GLOBAL__N_14anonE", "lib _GLOBAL__N_1 anon"));
  EXPECT_TRUE(is_made_of("_ZN3lib1SIiE1mE", "lib S m"));
  EXPECT_TRUE(is_made_of("_ZN3lib2vtIiEE", "lib vt"));
  EXPECT_TRUE(is_made_of("_ZZN3lib1fIiEEiT_E1c", "lib f c"));
  EXPECT_TRUE(is_made_of("_ZZN3lib1gB5cxx11EvE1c_0", "lib g c"));
  EXPECT_TRUE(is_made_of("_ZZN3lib1SIiEC4EvE6inctor", "lib S inctor"));
  EXPECT_TRUE(is_made_of("_ZZZN3lib1gB5cxx11EvENKUlvE_clEvE3lam", "lib g lam"));
  EXPECT_TRUE(is_made_of("_ZZN1x1fENS_1cEE1c", "x f c"));
  EXPECT_TRUE(is_made_of("_ZZNKUlvE_clEvE1c", "* c"));
  EXPECT_TRUE(is_made_of("_ZDC2b12b2E", "b1 b2"));

  EXPECT_FALSE(is_made_of("counter", "count"));
  EXPECT_FALSE(is_made_of("_ZN3lib5countE", "count"));
  EXPECT_FALSE(is_made_of("count", "lib count"));
  EXPECT_FALSE(is_made_of("_ZN5other3lib5countE", "lib count"));
  EXPECT_FALSE(is_made_of("_ZN3lib5countE", "lib f count"));
  EXPECT_FALSE(is_made_of("_ZN3lib13a_longer_nameE", "lib a"));
  EXPECT_FALSE(is_made_of("_ZZN3lib1fEN1c1dEE1e", "lib f c"));
}

TEST(LinkFacts, SomeObstaclesNeedAVariable) {
  ObjectFacts object;
  using namespace std::string_literals;
  read_note("kanor 1\nobstacle-if\tn count\tn::count\tn.hpp:1\ta system header defines it\n\0"s, object);
  EXPECT_TRUE(obstacles_of({object}).empty());
  object.shared_variables = {"_ZN1n5countE"};
  const auto obstacles = obstacles_of({object});
  ASSERT_EQ(obstacles.size(), 1U);
  EXPECT_EQ(obstacles[0].reason, "'n::count' (n.hpp:1) exists once in a process: a system header defines it");
}

TEST(LinkFacts, LibrariesAreToldWhatTheirNotesLack) {
  ObjectFacts ours, starter = foreign("pool.o"), legacy = foreign("legacy.o"), library;
  using namespace std::string_literals;
  read_note("kanor 1\nprivate\nobstacle\tx\ta.cpp:3\tit has C linkage\n\0"s, ours);
  starter.thread_starters = {"pthread_create"};
  legacy.shared_variables = {"errors"};
  EXPECT_EQ(missing_note({legacy, starter}, {foreign("l.so")}), "");
  EXPECT_EQ(missing_note({ours}, {ours}), "");
  const std::string note = missing_note({ours, starter, legacy}, {library});
  read_note(note, library);
  EXPECT_TRUE(library.has_private_variables);
  EXPECT_EQ(library.thread_starters, std::vector<std::string>{"pthread_create"});
  EXPECT_EQ(obstacles_of({library}), obstacles_of({ours, starter, legacy}));
  EXPECT_EQ(missing_note({ours, starter, legacy}, {library}), "");
}

TEST(LinkFacts, ThreadsConflictWithPrivateVariables) {
  ObjectFacts starter = foreign("a.cpp"), other = foreign("b.cpp");
  starter.thread_starters = {
      "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"};
  EXPECT_FALSE(need_of_sharing({starter, other}));
  other.has_private_variables = true;
  const auto need = need_of_sharing({other, starter});
  ASSERT_TRUE(need);
  EXPECT_EQ(need->cause, "'a.cpp' starts threads (std::thread)");
}

TEST(LinkFacts, DestructorsOfThreadsConflictWithPrivateVariables) {
  using namespace std::string_literals;
  ObjectFacts ends, other, unknown = foreign("old.o");
  read_note("kanor 1\nthread-end\tcounts::mine\tdir/a.cpp:5\n\0"s, ends);
  other.has_note = other.has_private_variables = true;
  EXPECT_FALSE(need_of_sharing({ends}));
  EXPECT_FALSE(need_of_sharing({other}));
  const auto need = need_of_sharing({other, ends});
  ASSERT_TRUE(need);
  EXPECT_EQ(need->cause,
            "the destructor of 'counts::mine' (dir/a.cpp:5), which is thread_local, may use other variables");
  EXPECT_EQ(need->reason, "a thread_local variable's destructor may use it");
  EXPECT_EQ(obstacles_of({ends}), (std::vector<LinkObstacle>{{"counts::mine", "dir/a.cpp:5", need->cause}}));
  EXPECT_FALSE(need_of_sharing({other, unknown}));
  unknown.symbols.used.insert("__cxa_thread_atexit");
  EXPECT_EQ(need_of_sharing({other, unknown})->cause,
            "the destructor of a variable in 'old.o', which is thread_local, may use other variables");
  ObjectFacts ours = unknown;
  ours.has_note = true;
  EXPECT_FALSE(need_of_sharing({other, ours}));
  // Nor does a library that the user calls thread-safe.
  std::vector<ObjectFacts> objects{other, unknown};
  objects[1].shown = "libsafe.a(old.o)";
  judge_libraries({"", {"other"}}, {}, objects);
  EXPECT_TRUE(need_of_sharing(objects));
  judge_libraries({"", {"safe"}}, {}, objects);
  EXPECT_FALSE(need_of_sharing(objects));
  // A copy of the program's image has all variables until after a rank's thread has ended.
  forget_variables(unknown);
  forget_variables(ends);
  EXPECT_TRUE(obstacles_of({unknown, ends}).empty());
}

TEST(LinkFacts, TheTextFitsTheSection) {
  EXPECT_EQ(facts_text("/lib", {{"x", "a:1", "y"}}),
            KANOR_PROGRAM_FACTS_HEADER "plugins\t/lib\nobstacle\tx\ta:1\ty\n");
  const std::vector<LinkObstacle> many(100, {"name\twith tab", "place", std::string(200, 'r')});
  const std::string text = facts_text("/lib", many);
  EXPECT_LT(text.size(), std::size_t{KANOR_PROGRAM_FACTS_BYTES});
  EXPECT_NE(text.find("\nmore\t"), std::string::npos);
  EXPECT_NE(text.find("\tname with tab\t"), std::string::npos);
}

// Whatever nobody has looked at may have state that ranks would share.
TEST(LinkFacts, UnknownFunctionsOfTheCLibraryAreObstacles) {
  ObjectFacts object = foreign("a.o");
  object.symbols.used = {"strlen",          "__printf_chk", "setlocale", "rand",
                         "__isoc99_sscanf", "ours",         "mystery",   "__mystery_chk"};
  std::vector<ObjectFacts> objects{object};
  const auto harmless = c_functions("# no mystery\nstrlen printf # the end\nsscanf\n");
  EXPECT_EQ(harmless, (std::set<std::string>{"strlen", "printf", "sscanf"}));
  judge_c_functions(
      harmless,
      {"strlen", "__printf_chk", "setlocale", "rand", "__isoc99_sscanf", "mystery", "__mystery_chk"},
      objects);
  ASSERT_EQ(objects[0].known_obstacles.size(), 2U);
  EXPECT_EQ(objects[0].known_obstacles[0].what, "__mystery_chk");
  EXPECT_EQ(objects[0].known_obstacles[1].reason,
            "'a.o' uses 'mystery', and kanorc does not know whether threads share its state (pass "
            "'--thread-safe-library=c' if that does no harm)");
}

// A function's checked form has its state, and no row of its own.
TEST(LinkFacts, CheckedFormsOfFunctionsWithStateAreObstacles) {
  ObjectFacts object = foreign("a.o");
  object.symbols.used = {"__wctomb_chk"};
  std::vector<ObjectFacts> objects{object};
  judge_c_functions({"strlen"}, {"__wctomb_chk"}, objects);
  ASSERT_EQ(objects[0].known_obstacles.size(), 1U);
  EXPECT_EQ(objects[0].known_obstacles[0].what, "__wctomb_chk");
}

TEST(LinkFacts, WithoutACLibraryNothingIsKnownOfIt) {
  std::vector<ObjectFacts> objects{foreign("a.o"), foreign("b.o")};
  judge_c_functions({"strlen"}, {}, objects);
  ASSERT_EQ(objects[0].known_obstacles.size(), 1U);
  EXPECT_EQ(
      objects[0].known_obstacles[0].reason,
      "kanorc does not find the C library among what is linked, and so does not know what is used of it");
  EXPECT_TRUE(objects[1].known_obstacles.empty());
}

TEST(LinkFacts, MismatchesNameBothObjects) {
  ObjectFacts ours = foreign("a.o"), theirs = foreign("b.o");
  ours.symbols.used_per_thread = {"counter"};
  ours.symbols.defined_per_thread = {"level"};
  theirs.symbols.defined_data = {"counter"};
  theirs.symbols.used = {"level", "printf"};
  EXPECT_EQ(find_mismatches({ours, theirs}),
            (std::vector<Mismatch>{{"counter", "a.o", "b.o", true}, {"level", "a.o", "b.o", false}}));
  ours = foreign("a.o"), theirs = foreign("b.o");
  ours.symbols.defined_per_thread = theirs.symbols.defined_data = {"inline_variable"};
  theirs.symbols.used = {"inline_variable"};
  EXPECT_EQ(find_mismatches({ours, theirs}),
            (std::vector<Mismatch>{{"inline_variable", "a.o", "b.o", true}}));
}

}  // namespace
}  // namespace kanor::driver
