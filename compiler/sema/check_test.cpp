// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/check.hpp"

#include "host/facts/test_front_end.hpp"

namespace kanor::sema {
namespace {

/// Blocks in `void f()`, with declarations before them: the messages, whose lines count from the block's.
class CheckTest : public host::FrontEndTest {
 protected:
  void check(const std::string& main_text) {
    run(main_text);
    program_ = sema::check(discovery_, asts_, facts_, diagnostics_);
  }

  std::string of_block(const std::string& declarations, const std::string& statements) {
    check(
        "#include <kanor/kanor.hpp>\n#include <array>\n#include <map>\n#include <memory>\n#include <string>\n"
        "#include <vector>\n" +
        declarations +
        "\nvoid f() {\n  int i = 0, x = 0; double d = 0; (void)i; (void)d;\n"
        "#line 1\n@communicate { " +
        statements + " }\n}\n");
    return messages();
  }

  std::string listing() const {
    std::ostringstream out;
    print(program_, out);
    return out.str();
  }

  Program program_;
};

/// Columns and lines of messages() count the file's own lines, not those of #line: the block is on line 11.
TEST_F(CheckTest, AGoodBlockHasNoMessage) {
  EXPECT_EQ(of_block("", "x@(i + 1) % world.size() <<= i@i where i in world"), "");
  ASSERT_EQ(program_.files.size(), 1u);
  ASSERT_EQ(program_.files[0].blocks.size(), 1u);
  EXPECT_EQ(program_.files[0].blocks[0].kanor_words, std::vector<std::string>{"world"});
  EXPECT_FALSE(program_.needs_cereal());
}

TEST_F(CheckTest, ATypeThatHasAPointerCannotTravel) {
  EXPECT_EQ(of_block("struct Node { int v; Node* next; }; Node n;", "n@0 <<= n@1"),
            "11:24 [n] a value of type 'Node' cannot travel: member 'next' of 'Node' is a pointer\n");
}

TEST_F(CheckTest, ANestedMemberIsNamed) {
  EXPECT_EQ(of_block("struct In { std::vector<int*> p; }; struct Out { In in; }; Out n;", "n@0 <<= n@1"),
            "11:24 [n] a value of type 'Out' cannot travel: member 'p' of 'In' has type 'std::vector<int "
            "*>', and 'int *' is a pointer\n");
}

TEST_F(CheckTest, PointersViewsAndSmartPointersCannotTravel) {
  EXPECT_EQ(of_block("int* p; std::string_view v; std::shared_ptr<int> s; std::unique_ptr<int> u;",
                     "p@0 <<= p@1; v@0 <<= v@1; s@0 <<= s@1; u@0 <<= u@1"),
            "11:24 [p] a value of type 'int *' cannot travel: 'int *' is a pointer\n"
            "11:37 [v] a value of type 'std::string_view' cannot travel: 'std::string_view' is a "
            "view of "
            "elements that it does not own\n"
            "11:50 [s] a value of type 'std::shared_ptr<int>' cannot travel: 'std::shared_ptr<int>' is a "
            "smart pointer\n"
            "11:63 [u] a value of type 'std::unique_ptr<int>' cannot travel: 'std::unique_ptr<int>' is a "
            "smart pointer\n");
}

TEST_F(CheckTest, WhatTheLanguageListsTravels) {
  EXPECT_EQ(
      of_block("struct P { double x, y; }; struct Q { std::string name; std::vector<P> points; int a[3]; };\n"
               "template <class T> struct Opaque { Opaque() = default; Opaque(int); Opaque(const Opaque&); "
               "template <class A> "
               "void serialize(A&); };\n"
               "P p; Q q; std::map<std::string, std::vector<int>> m; std::array<P, 3> a; int c[2][3];\n"
               "std::vector<bool> b; Opaque<int> o(1);\n"
               "struct [[kanor::same_address_space]] Near { int* p; }; Near near;",
               "p@0 <<= p@1; q@0 <<= q@1; m@0 <<= m@1; a@0 <<= a@1; c@0 <<= c@1; b[0]@0 <<= b[1]@1;"
               "b@1 <<= b@0; o@0 <<= o@1; near@0 <<= near@1"),
      "");
  EXPECT_TRUE(program_.needs_cereal());
}

TEST_F(CheckTest, ClassesThatDoNotTravelSayWhy) {
  EXPECT_EQ(of_block("struct Base { int b; }; struct Derived : virtual Base { std::string s; }; Derived d1;\n"
                     "class Closed { public: Closed(); private: std::string s; }; Closed c;\n"
                     "struct NoDefault { NoDefault(int); std::string s; template <class A> void "
                     "serialize(A&); }; NoDefault n(1);\n"
                     "struct Alone { Alone() = default; Alone(const Alone&) = delete; }; Alone a;",
                     "d1@0 <<= d1@1; c@0 <<= c@1; n@0 <<= n@1; a@0 <<= a@1"),
            "14:25 [d1] a value of type 'Derived' cannot travel: 'Derived' is neither trivially copyable nor "
            "an aggregate\n"
            "14:39 [c] a value of type 'Closed' cannot travel: 'Closed' is neither trivially copyable nor an "
            "aggregate\n"
            "14:52 [n] a value of type 'NoDefault' cannot travel: 'NoDefault' has no default constructor\n"
            "14:65 [a] a value of type 'Alone' cannot travel: 'Alone' cannot be copied\n");
}

TEST_F(CheckTest, ClassesThatTravelByTheirPartsAreWrittenTo) {
  EXPECT_EQ(of_block("struct Base { int b; }; struct Derived : Base { std::string s; }; Derived d1;",
                     "d1@0 <<= d1@1"),
            "");
  EXPECT_TRUE(program_.needs_cereal());
  ASSERT_EQ(program_.files[0].aggregates.size(), 1u);
  EXPECT_EQ(program_.files[0].aggregates[0].name, "Derived");
  EXPECT_EQ(program_.files[0].aggregates[0].bases, std::vector<std::string>{"Base"});
}

TEST_F(CheckTest, FlatTypesNeedNoCereal) {
  EXPECT_EQ(
      of_block("struct P { double x[3]; }; std::vector<P> p; std::string s;", "p@0 <<= p@1; s@0 <<= s@1"),
      "");
  EXPECT_FALSE(program_.needs_cereal());
}

TEST_F(CheckTest, PlacesMustBeModifiable) {
  EXPECT_EQ(of_block("const int c = 1; struct B { int b : 3; } b; int g();",
                     "c@0 <<= 1@1; b.b@0 <<= 1@1; g()@0 <<= 1@1; g@0 <<= 1@1"),
            "11:16 [c] 'c' is const, so nothing can be assigned to it\n"
            "11:29 [b.b] 'b.b' is a bit-field, which cannot be a place\n"
            "11:44 [g()] 'g()' is a temporary value of type 'int', not a place\n"
            "11:59 [g] 'g' is a function, not a place\n");
}

TEST_F(CheckTest, ValuesMustFitTheirPlaces) {
  EXPECT_EQ(of_block("struct S {} s; int a[3], b[4]; std::array<int, 2> c; std::array<int, 3> e;",
                     "x@0 <<= s@1; a@0 <<= b@1; c@0 <<= e@1; x@0 <<= a@1; d@0 <<= x@1"),
            "11:16 [x] a value of type 'S' cannot be assigned to 'x' of type 'int'\n"
            "11:29 [a] 'a' has 3 elements, 'b' has 4\n"
            "11:42 [c] 'c' has 2 elements, 'e' has 3\n"
            "11:55 [x] a value of type 'int[3]' cannot be assigned to 'x' of type 'int'\n");
}

TEST_F(CheckTest, RanksAreIntegers) {
  EXPECT_EQ(of_block("enum E { e }; enum class F { f }; struct C { operator int() const; } c;",
                     "x@d <<= x@1; x@e <<= x@true; x@F::f <<= x@c; x@-1 <<= x@0; x@no_rank <<= x@0u"),
            "11:18 [d] a rank must be an integer, but 'd' has type 'double'\n"
            "11:47 [F::f] a rank must be an integer, but 'F::f' has type 'F'\n"
            "11:58 [c] a rank must be an integer, but 'c' has type 'C'\n"
            "11:63 [-1] there is no rank -1\n");
}

TEST_F(CheckTest, SetsAreRangesOfIntegers) {
  EXPECT_EQ(
      of_block("std::vector<double> v; std::vector<int> w; int a[3];",
               "x@i <<= x@i where i in d; x@0 <<= x@1 where k in v; x@k <<= x@1 where k in w, j in a; "
               "x@0 <<= x@1 where k in {1, 2.5}; x@k <<= x@1 where k in {0 ... x}, i, j in range(0, k)"),
      "11:39 [d] a set must be a range of integers, but 'd' has type 'double'\n"
      "11:65 [v] a set must be a range of integers, but the elements of 'v' have type 'double'\n"
      "11:129 [2.5] the members of a set must be integers, but '2.5' has type 'double'\n");
  EXPECT_EQ(program_.files[0].blocks[0].kanor_words, std::vector<std::string>{"range"});
}

TEST_F(CheckTest, FiltersConvertToBool) {
  EXPECT_EQ(of_block("struct S {} s; std::unique_ptr<int> p;", "x@k <<= x@0 where k in world, (s), p, k > 1"),
            "11:46 [(s)] a filter must convert to 'bool', but '(s)' has type 'S'\n");
}

TEST_F(CheckTest, OperatorsCombineTwoValues) {
  EXPECT_EQ(of_block("struct S { int v; } s; S join(S, S); std::vector<double> v; std::string t;\n"
                     "double mean(double, double); int one(int);",
                     "s@0 << + << s@1; s@0 << join << s@1; v@0 << + << v@1; v@0 << mean << v@1; v@0 << ^ << "
                     "v@1; t@0 << + << t@1;"
                     "x@0 << one << x@1; x@0 << [](auto a, auto b) { return a + b; } << x@1; x@0 << "
                     "(std::max<int>) << x@1;"
                     "x@0 << std::plus<int> << x@1; x@0 << std::max << x@1; x@0 << [](int) { return 0; } << "
                     "x@1; x@0 << std::plus<>() << x@1;"
                     "v@0 << [](auto a, auto b) { return a + b; } << v@1"),
            "12:23 [+] '+' cannot combine two values of type 'S' into one of that type\n"
            "12:97 [^] '^' cannot combine two values of type 'double' into one of that type\n"
            "12:130 [one] 'one' cannot combine two values of type 'int' into one of that type\n"
            "12:231 [std::plus<int>] 'std::plus<int>' is a type, not a value that can be called\n"
            "12:285 [[](int) { return 0; }] '[](int) { return 0; }' cannot combine two values of type 'int' "
            "into one of that type\n");
  const auto& statements = program_.files[0].blocks[0].statements;
  EXPECT_TRUE(statements[8].callable_is_overload_set);
  EXPECT_TRUE(statements[10].callable_is_overload_set);
  EXPECT_FALSE(statements[1].callable_is_overload_set);
}

TEST_F(CheckTest, UpdatesThatAreSureToMeetConflict) {
  EXPECT_EQ(of_block("", "x@0 <<= 1@1; x@0 << + << 2@k where k in {1, 1}; x@1 <<= 3@1"),
            "11:29 [x] 'x' of rank 0 is updated more than once in this block\n");
}

TEST_F(CheckTest, UpdatesThatMayBeApartDoNotConflict) {
  EXPECT_EQ(
      of_block(
          "int a[4]; int& some();",
          "x@0 <<= 1@1; x@1 <<= 1@1; x@0 <<= 2@i; x@0 <<= 2@1 where i == 1; x@0 <<= 2@1 where k in {1 ... i};"
          "x@0 <<= 1@no_rank; a[1]@0 <<= 1@1; a[k]@0 <<= 1@1 where k in {2 ... 3}; some()@0 <<= 1@1; "
          "some()@0 <<= 1@1; x@2 << + << 1@1 where k in {0 ... 9}"),
      "");
}

TEST_F(CheckTest, WhatEveryRankReceivesMeetsWhatOneOfThemReceives) {
  const std::string of_0 = "'x' of rank 0 is updated more than once in this block\n";
  EXPECT_EQ(of_block("", "x@k <<= x@0 where k in world; x@0 <<= 7@1"), "11:46 [x] " + of_0);
  EXPECT_EQ(of_block("", "x@0 <<= 7@1; x@(k + 1) % world.size() <<= x@k where k in world"),
            "11:29 [x] " + of_0);
  EXPECT_EQ(of_block("", "x@k <<= x@0 where k in world; x@world.size() - 1 << + << 1@j where j in world"),
            "11:46 [x] 'x' of rank 'world.size() - 1' is updated more than once in this block\n");
  EXPECT_EQ(of_block("", "x@k <<= x@0 where k in world; x@j <<= 1@0 where j in {1 ... 2}"),
            "11:46 [x] 'x' of rank 'j' is updated more than once in this block\n");
  EXPECT_EQ(of_block("int a[4];", "a[1]@0 <<= 7@1; a@k <<= a@0 where k in world"),
            "11:32 [a] 'a' and 'a[1]' of rank 0 overlap, and both are updated in this block\n");
}

TEST_F(CheckTest, WhatSomeRanksReceiveMayMissTheOthers) {
  // A filter, an end that is not known, a rank that may be no_rank, places that names choose, a rank alone.
  EXPECT_EQ(of_block("int n;",
                     "x@k <<= x@0 where k in world, k > 0; x@0 <<= 7@1; x@k <<= 1@0 where k in {1 ... n}"),
            "");
  EXPECT_EQ(of_block("int n;", "x@k <<= x@0 where k in world; x@n <<= 7@1"), "");
  EXPECT_EQ(of_block("", "x@k <<= x@0 where k in world; x@j <<= 7@1 where j in {no_rank}"), "");
  EXPECT_EQ(of_block("int a[9];", "a[k]@k <<= x@0 where k in world; a[0]@1 <<= 7@1"), "");
  EXPECT_EQ(
      of_block("int a[9];", "a[l]@k <<= x@0 where k in world, let l = k; a[l]@0 <<= 7@1 where l in {0}"), "");
  EXPECT_EQ(of_block("kanor::team t = kanor::world.split(0, 0);", "x@k <<= x@0 where k in t; x@0 <<= 7@1"),
            "");
}

TEST_F(CheckTest, SideEffectsAreWarnedOf) {
  EXPECT_EQ(of_block("", "x@i++ <<= (x = 3)@0; x@0 <<= [] { int n = 0; ++n; return n; }()@1"),
            "11:18 [i++] '++' in a block: on which ranks it happens, and how often, is not defined\n"
            "11:27 [x = 3] '=' in a block: on which ranks it happens, and how often, is not defined\n");
  EXPECT_FALSE(diagnostics_.has_errors());
}

TEST_F(CheckTest, SectionsGoThroughWhatHasThem) {
  EXPECT_EQ(of_block("int a[4];", "a[0 : 2]@0 <<= a[2 : 2]@1"), "");
  EXPECT_EQ(of_block("int a[4]; int* p = a;", "p[0 : 2]@0 <<= p[:]@1"),
            "11:32 [[:]] 'p' is a pointer, which does not say how many elements '[:]' are\n");
  EXPECT_EQ(of_block("int a[4], x;", "a[0 : 2]@0 <<= x[0 : 2]@1"),
            "11:31 [x] 'x' has type 'int', which cannot have sections\n");
  EXPECT_EQ(of_block("int a[4], b[3];", "b[0 : 3]@0 <<= a[2 : 3]@1"),
            "11:32 [[2 : 3]] the section reaches element 4, but 'a' has 4 elements, counted from 0\n");
  EXPECT_EQ(of_block("int a[4]; double d = 0;", "a[0 : 2]@0 <<= a[d : 2]@1"),
            "11:33 [d] the first element of a section must be an integer, but 'd' has type 'double'\n");
  EXPECT_EQ(of_block("int a[4];", "a[0 : 2]@0 <<= a[0 : 3]@1"),
            "11:16 [a[0 : 2]] 'a[0 : 2]' has 2 elements, 'a[0 : 3]' has 3\n");
}

TEST_F(CheckTest, EachInstantiationIsChecked) {
  check(
      "#include <kanor/kanor.hpp>\ntemplate <class T> void f(T v) { @communicate { v@0 <<= v@1 } }\n"
      "void g() { f(1); f(1.5); int i; f(&i); }\n");
  EXPECT_EQ(messages(), "2:57 [v] a value of type 'int *' cannot travel: 'int *' is a pointer\n");
  ASSERT_FALSE(diagnostics_.all().empty());
  EXPECT_EQ(diagnostics_.all()[0].notes.back().message,
            "in the instantiation 'f<int *>', which is needed here");
}

TEST_F(CheckTest, EveryInstantiationUpToTheProgramIsNamed) {
  check(
      "#include <kanor/kanor.hpp>\n"
      "template <class T> void f(T v) { @communicate { v@0 <<= v@1 } }\n"
      "template <class T> struct S { void g(T v) { auto h = [&] { f(v); }; h(); } };\n"
      "template <class T> void k(T v) { auto h = [&](auto w) { S<T>().g(w); }; h(v); }\n"
      "void m(int* i) { k(i); }\n");
  ASSERT_EQ(diagnostics_.all().size(), 1u);
  std::string where;
  for (const auto& note : diagnostics_.all()[0].notes)
    if (note.source != nullptr)
      where += std::to_string(note.source->line(note.span.begin)) + " " + note.message + "\n";
  EXPECT_EQ(where,
            "3 in the instantiation 'f<int *>', which is needed here\n"
            "4 in the instantiation 'S<int *>::g', which is needed here\n"
            "5 in the instantiation 'k<int *>', which is needed here\n");
}

TEST_F(CheckTest, AConflictOfSomeInstantiationsIsLeftToTheProgram) {
  const std::string text =
      "#include <kanor/kanor.hpp>\ntemplate <int n, class T> void f(T x) { @communicate { x@0 <<= 1@1 where "
      "k in {1 "
      "... n} } "
      "}\n";
  check(text + "void g() { f<2>(0); f<1>(0); }\n");
  EXPECT_EQ(messages(), "");
  check(text + "void g() { f<2>(0); f<3>(0); }\n");
  EXPECT_EQ(messages(), "2:56 [x] 'x' of rank 0 is updated more than once in this block\n");
}

TEST_F(CheckTest, FilesThatLeadToEditedOnesThroughOthersAreEdited) {
  write("block.hpp",
        "#pragma once\n#include <kanor/kanor.hpp>\ninline void b(int x) { @communicate { x@0 <<= x@1 } }\n");
  write("between.hpp", "#pragma once\n#include \"block.hpp\"\n");
  write("outer.hpp", "#pragma once\n#include \"between.hpp\"\n");
  check("#include \"outer.hpp\"\n");
  const std::string path = directory_.string() + "/";
  EXPECT_NE(listing().find("file " + path + "outer.hpp\n  include \"between.hpp\" is file 2\n"),
            std::string::npos)
      << listing();
}

TEST_F(CheckTest, FilesThatLeadToEditedOnesAreEdited) {
  write("block.hpp",
        "#pragma once\n#include <kanor/kanor.hpp>\ninline void b(int x) { @communicate { x@0 <<= x@1 } }\n");
  write("between.hpp", "#pragma once\n#include \"block.hpp\"\n");
  write("plain.hpp", "#pragma once\nint plain();\n");
  check("#include \"plain.hpp\"\n#include \"between.hpp\"\nint counter;\n");
  const std::string path = directory_.string() + "/";
  EXPECT_EQ(listing(), "file " + path +
                           "a.cpp main\n  private counter line 3\n  include \"between.hpp\" is file 1\n"
                           "file " +
                           path +
                           "between.hpp\n  include \"block.hpp\" is file 2\n"
                           "file " +
                           path + "block.hpp\n  block line 3\n    x@0 <<= x@1\nhas private variables\n");
}

}  // namespace
}  // namespace kanor::sema
