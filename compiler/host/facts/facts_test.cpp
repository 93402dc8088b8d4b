// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/facts.hpp"

#include "host/facts/test_front_end.hpp"

namespace kanor::host {
namespace {

class FactsTest : public FrontEndTest {
 protected:
  /// The listing without the first line, which names the temporary file.
  std::string listing() const {
    std::ostringstream out;
    for (const auto& file : facts_.files) {
      for (const auto& declaration : file.private_declarations) {
        const auto rest = file.source->bytes().substr(declaration.insert_at);
        out << "private " << declaration.name << " before " << rest.substr(0, rest.find_first_of(" ;(="))
            << '\n';
      }
      for (const Span attribute : file.attributes)
        out << "attribute " << file.source->text(attribute) << '\n';
    }
    for (const auto& name : facts_.initialisers) out << "initialiser " << name << '\n';
    if (facts_.has_unnamed_initialisers) out << "unnamed initialisers\n";
    for (const auto& obstacle : facts_.obstacles)
      out << "obstacle " << obstacle.variable << ": " << obstacle.reason
          << (obstacle.linker_words.empty() ? "" : " if " + obstacle.linker_words) << '\n';
    return out.str();
  }

  const sema::StatementFacts& only(std::size_t block = 0) {
    static const sema::StatementFacts none;
    if (facts_.files.empty() || facts_.files[0].blocks.size() <= block) return none;
    const auto& statements = facts_.files[0].blocks[block].statements;
    return statements.empty() || statements[0].size() != 1 ? none : statements[0][0];
  }
};

TEST_F(FactsTest, ClangsErrorsStandAtTheUsersPlace) {
  run("#include <kanor/kanor.hpp>\n"
      "struct S { int v; } s;\nvoid f() {\n"
      "  @communicate {\n"
      "    lost@0 <<=\n"
      "      s.w@(1 +) where k in world, q(k)\n"
      "  }\n"
      "  int after = unheard_of;\n}\n");
  EXPECT_EQ(messages(),
            "5:5 [lost] use of undeclared identifier 'lost'\n"
            "6:9 [w] no member named 'w' in 'S'\n"
            "6:15 [)] expected expression\n"
            "6:35 [q] use of undeclared identifier 'q'\n"
            "8:15 [unheard_of] use of undeclared identifier 'unheard_of'\n");
}

TEST_F(FactsTest, NoMessageNamesWhatTheShadowAdds) {
  run("#include <kanor/kanor.hpp>\nvoid nothing();\nint over(int); int over(double);\nvoid f(int x) {\n"
      "  @communicate { x@i <<= x@i where i in nothing() }\n"
      "  @communicate { x@i <<= x@i where i in over }\n"
      "  @communicate { x@i <<= x@i where i in {nothing(), 2} }\n}\n");
  EXPECT_EQ(messages(),
            "5:41 [nothing()] 'nothing()' is not a range of integers\n"
            "6:41 [over] 'over' is not a range of integers\n"
            "7:41 [{nothing(), 2}] '{nothing(), 2}' is not a range of integers\n");
  for (const auto& diagnostic : diagnostics_.all())
    for (const auto& note : diagnostic.notes)
      EXPECT_EQ(note.message.find("kanor_"), std::string::npos) << note.message;
}

TEST_F(FactsTest, ABlockOutsideAFunctionIsOneError) {
  run("#include <kanor/kanor.hpp>\nint x;\n@communicate { x@0 <<= x@1 }\nstruct S {\n  @communicate { x@0 "
      "<<= x@1 }\n};\n"
      "void f() @communicate { x@0 <<= x@1 }\nint y = @communicate { x@0 <<= x@1 };\n");
  const std::string text =
      " [@communicate] a communicate block is only allowed as a statement in a function\n";
  EXPECT_EQ(messages(), "3:1" + text + "5:3" + text + "7:10" + text + "8:9" + text);
}

TEST_F(FactsTest, ABlockInAMacrosArgumentIsRefused) {
  run("#include <kanor/kanor.hpp>\n#define TWICE(x) x x\nvoid f(int x) { TWICE(@communicate { x@0 <<= x@1 }) "
      "}\n");
  EXPECT_EQ(messages(), "3:23 [@communicate] a macro argument cannot contain a communicate block\n");
}

TEST_F(FactsTest, BothSpellingsAndUnbracedStatements) {
  run("#include <kanor/kanor.hpp>\nvoid f(int x, bool b) {\n  if (b) @communicate { x@0 <<= x@1 } else "
      "@communicate { x@1 <<= x@0 }\n"
      "  if (b) KANOR_COMMUNICATE(x@0 <<= x@1); else KANOR_COMMUNICATE(x@1 <<= x@0;);\n"
      "  for (;;) @communicate { x@0 <<= x@1 }\n  auto g = [&] { @communicate { x@0 <<= x@1 } };\n  "
      "g();\n}\n");
  EXPECT_EQ(messages(), "");
  ASSERT_EQ(facts_.files[0].blocks.size(), 6u);
  for (const auto& block : facts_.files[0].blocks) EXPECT_EQ(block.statements[0].size(), 1u);
}

TEST_F(FactsTest, WordsAreKanorsUnlessTheProgramHasItsOwn) {
  run("#include <kanor/kanor.hpp>\nnamespace mine { int world() { return 3; } }\nint range = 2;\n"
      "void f(int x) {\n  @communicate { x@range <<= x@i where i in world }\n"
      "  using namespace mine;\n  @communicate { x@no_rank <<= x@world() }\n}\n");
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(facts_.files[0].blocks[0].words, std::vector<std::string>{"world"});
  EXPECT_EQ(facts_.files[0].blocks[1].words, std::vector<std::string>{"no_rank"});
}

TEST_F(FactsTest, ExchangesArePendingUntilTheirNameIsUsed) {
  run(R"(#include <kanor/kanor.hpp>
void keep(kanor::pending&);
void f(int a, bool b) {
  @communicate (async = p) { a@0 <<= a@1 }
  @communicate (async = q) { a@1 <<= a@2 }
  @communicate { a@2 <<= a@3 }
  p.wait();
  { @communicate { a@3 <<= a@4 } }
  @communicate { a@4 <<= a@5 }
  if (b) q.wait();
  @communicate { a@5 <<= a@6 }
  p.wait();
  [&] {
    @communicate (async = p) { a@0 <<= a@1 }
    @communicate { a@6 <<= a@7 }
    keep(p);
    p.wait();
    p.wait();
  }();
  switch (a) {
    default:
      @communicate { a@7 <<= a@8 }
  }
})");
  EXPECT_EQ(messages(), "");
  std::vector<std::vector<int>> pending;
  for (const auto& block : facts_.files.at(0).blocks) pending.push_back(block.pending);
  EXPECT_EQ(pending, (std::vector<std::vector<int>>{{}, {0}, {0, 1}, {}, {1}, {}, {}, {6}, {}}));
  ASSERT_EQ(facts_.files[0].second_waits.size(), 1u);
  const auto& wait = facts_.files[0].second_waits[0];
  const text::Source& source = *facts_.files[0].source;
  EXPECT_EQ(wait.name, "p");
  EXPECT_EQ(source.line(wait.first.begin), 7u);
  EXPECT_EQ(source.line(wait.span.begin), 12u);
  EXPECT_EQ(source.text(wait.span), "p.wait()");
}

TEST_F(FactsTest, AMissingHeaderIsSuggested) {
  run("void f(int x) { @communicate { x@0 <<= x@i where i in world } }\n");
  EXPECT_EQ(messages(), "1:55 [world] use of undeclared identifier 'world'\n");
  ASSERT_EQ(diagnostics_.all()[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics_.all()[0].notes[0].message, "kanor's own is declared in <kanor/kanor.hpp>");
}

TEST_F(FactsTest, TheOutsideWorldIsUnknownOutsideOfBlocks) {
  run("#include <kanor/kanor.hpp>\nint f() { return world.size(); }\n");
  EXPECT_NE(messages().find("use of undeclared identifier 'world'"), std::string::npos);
}

TEST_F(FactsTest, ASetsExpressionDoesNotSeeItsName) {
  run("#include <kanor/kanor.hpp>\n#include <vector>\nvoid f(int x, std::vector<int> p, "
      "std::vector<std::vector<int>> q) {\n"
      "  @communicate { x@p <<= x@0 where p in p }\n"
      "  @communicate { x@b <<= x@0 where i in {0 ... 1}, let b = i + 1, j, k in {b, 7}, (j < k), b != 3 "
      "}\n}\n");
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(only(0).receiver.type, "int");
  EXPECT_EQ(only(1).clauses.size(), 6u);
}

TEST_F(FactsTest, EveryInstantiationHasItsFacts) {
  run("#include <kanor/kanor.hpp>\ntemplate <class T> struct S { T v; void f() { @communicate { v@0 <<= v@1 "
      "} } };\n"
      "template <class T> void g(T x) { auto h = [&](auto y) { @communicate { x@0 << + << y@1 } }; h(1); "
      "h(2.5); }\n"
      "void k() { S<int>().f(); S<double>().f(); g('c'); }\n");
  EXPECT_EQ(messages(), "");
  const auto& blocks = facts_.files[0].blocks;
  ASSERT_EQ(blocks[0].statements[0].size(), 2u);
  EXPECT_EQ(blocks[0].statements[0][1].value.type, "double");
  ASSERT_EQ(blocks[1].statements[0].size(), 2u);
  EXPECT_EQ(blocks[1].statements[0][1].value.type, "double");
  EXPECT_EQ(blocks[1].statements[0][0].place.type, "char");
}

TEST_F(FactsTest, RealHeadersParse) {
  invocation_.host_compiler = "mpicxx";
  invocation_.system_directories.clear();
  ASSERT_TRUE(query_host(invocation_, diagnostics_));
  run("#include <algorithm>\n#include <chrono>\n#include <eigen3/Eigen/Dense>\n#include <iostream>\n#include "
      "<mpi.h>\n"
      "#include <ranges>\n#include <regex>\n#include <thread>\n#include <vector>\n#include "
      "<immintrin.h>\n#include <kanor/kanor.hpp>\n"
      "void f(std::vector<double> v) {\n  Eigen::Matrix3d m; (void)m.inverse();\n"
      "  @communicate { v@i <<= v@0 where i in std::views::iota(0, 4) | std::views::filter([](int n) { "
      "return n % 2; }) }\n"
      "  std::cout << std::regex_match(\"a\", std::regex(\"a\")) << MPI_COMM_WORLD;\n  "
      "std::ranges::sort(v);\n}\n");
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(only().travel.verdict, sema::Travel::contiguous);
}

TEST_F(FactsTest, MutableVariablesArePrivate) {
  run("#include <string>\nint a = 1, *b = nullptr;\nstatic double c;\nextern int d;\nconst int e = "
      "4;\nconstexpr int f = 5;\n"
      "namespace n { std::string s = \"x\"; namespace { std::string t = s; } }\ninline int g = 1;\n"
      "struct S { static int h; inline static std::string i = \"i\"; private: static std::string j; };\nint "
      "S::h = 2;\nstd::string S::j = \"j\";\n"
      "template <class T> struct V { static T k; };\ntemplate <class T> T V<T>::k = 1;\ntemplate <class T> T "
      "l = 1;\n"
      "[[maybe_unused]] static int m;\nint count() { static int calls = 0; static const int big[] = {1, 2}; "
      "return ++calls + big[0]; }\n"
      "thread_local int already;\n[[kanor::shared]] int common;\nint other [[kanor::shared, "
      "maybe_unused]];\n");
  EXPECT_EQ(messages(), "");
  EXPECT_EQ(listing(),
            "private a before int\nprivate c before static\nprivate d before extern\nprivate n::s before "
            "std::string\n"
            "private n::(anonymous namespace)::t before std::string\nprivate g before inline\nprivate S::h "
            "before static\n"
            "private S::i before inline\nprivate S::j before static\nprivate S::h before int\nprivate S::j "
            "before std::string\n"
            "private V::k before static\nprivate V::k before T\nprivate l before T\nprivate m before static\n"
            "private calls before static\nattribute [[kanor::shared]]\nattribute kanor::shared, \n"
            "initialiser ::n::s\ninitialiser ::n::t\ninitialiser ::S::i\nunnamed initialisers\n");
}

TEST_F(FactsTest, ConstantsThatDependOnARankArePrivate) {
  run("#include <string>\nint f();\nint counter;\nint* const p = &counter;\nint& r = counter;\nint* const& q "
      "= p;\nconst int dynamic = f();\n"
      "const std::string name = \"a long name that is not a constant expression\";\nconst char* const text = "
      "\"t\";\n"
      "struct Cached { int v; mutable int hits; };\nconst Cached cached{1, 2};\nextern const int "
      "elsewhere;\nstatic const int fixed = 7;\n");
  EXPECT_EQ(
      listing(),
      "private counter before int\nprivate p before int*\nprivate r before int&\nprivate q before int*\n"
      "private dynamic before const\nprivate name before const\nprivate cached before const\nprivate "
      "elsewhere before extern\n"
      "initialiser ::p\ninitialiser ::r\ninitialiser ::q\ninitialiser ::dynamic\ninitialiser ::name\n");
}

TEST_F(FactsTest, EveryRankDestroysItsOwn) {
  run("struct D { int n; ~D() {} };\nD one{1}, row[2];\nstatic D never_used;\nstruct P { int n; } "
      "plain{1};\n");
  EXPECT_EQ(listing(),
            "private one before D\nprivate never_used before static\nprivate plain before struct\n"
            "initialiser ::one\ninitialiser ::row\ninitialiser ::never_used\n");
}

// The names are g++'s; all instances of a template are one declaration.
TEST_F(FactsTest, WhatAnotherObjectSharesStaysShared) {
  invocation_.foreign_variables = {"_ZZ3allB5cxx11vE5lines", "_ZN3boxIiE4madeE", "_Z3oneIcE", "ticks",
                                   "_ZN3boxIiE4keptE"};
  run("namespace std { inline namespace __cxx11 __attribute__((__abi_tag__(\"cxx11\"))) { struct s {}; } }\n"
      "inline std::s all() { static std::s lines; return lines; }\n"
      "template <class T> struct box { static int made; static inline int kept = 0, fine = 0; };\n"
      "template <class T> int box<T>::made = 0;\n"
      "template <class T> int one = 0;\ninline int ticks = 0;\ninline int tocks = 0;\n"
      "int sum() { all(); return box<int>::made + box<long>::made + box<int>::kept + one<char> + ticks; }\n");
  const std::string why = ": another object has it as one variable for the whole process\n";
  EXPECT_EQ(listing(), "private tocks before inline\nobstacle lines" + why + "obstacle box::made" + why +
                           "obstacle box::kept" + why + "obstacle box::fine: it is declared together with " +
                           "'kept', which is one for the process\nobstacle one" + why + "obstacle ticks" +
                           why + "obstacle box<int>::made" + why);
}

// A constant whose initialiser runs may differ between ranks, and a reference leads to what does.
TEST_F(FactsTest, ConstantsThatAnotherObjectSharesAreObstacles) {
  invocation_.foreign_variables = {"V", "W", "K", "N"};
  run("int f();\nint x;\nextern int& V;\nint& V = x;\nextern int* const W;\nint* const W = new int(3);\n"
      "extern const int K;\nconst int K = f();\nextern const int N;\nconst int N = 5;\n");
  const std::string why = ": another object has it as one variable for the whole process\n";
  EXPECT_EQ(listing(), "private x before int\nobstacle V" + why + "obstacle W" + why + "obstacle K" + why);
}

TEST_F(FactsTest, WhatOpenMPMayNameOrLockIsAnObstacle) {
  const std::string openmp = "#define _OPENMP 201511\n";
  run(openmp +
      "int total, other;\nvoid f() {\n#pragma omp parallel for \\\n  reduction(+ : total)\n"
      "  for (int k = 0; k < 9; ++k) total += k;\n}\n");
  EXPECT_EQ(listing(),
            "obstacle total: an OpenMP directive may name it, which takes no thread_local variables\n"
            "obstacle other: it is declared together with 'total', which is one for the process\n");
}

TEST_F(FactsTest, StreamsOfTheCLibraryMayBeReadAlone) {
  run("#include <cstdio>\nvoid f(std::FILE* to) { std::fputs(\"a\", stdout); if (to == (stderr)) "
      "std::fflush(stdout); }\n");
  EXPECT_EQ(listing(), "");
  run("#include <cstdio>\nvoid f(std::FILE* to) { (stdout) = to; std::FILE*& other = stdin; }\nvoid "
      "g(std::FILE** to);\n"
      "void h() { g(&stderr); }\n");
  const std::string why = ": the program may assign to it\n";
  EXPECT_EQ(listing(), "obstacle stdout" + why + "obstacle stdin" + why + "obstacle stderr" + why);
}

TEST_F(FactsTest, WhatCannotBePrivateIsAnObstacle) {
  invocation_.foreign_variables = {"taken", "_ZN1n5takenE"};
  run("extern \"C\" { int in_c; extern int declared_in_c; }\nint target;\ntemplate <int*> struct T "
      "{};\nT<&target> t;\n"
      "int aimed;\nconstexpr int* aim = &aimed;\nextern int taken;\nnamespace n { extern int taken; }\n"
      "#define DEFINE(name) int name##_one; int name##_two\nDEFINE(made);\n#define BOTH(type, name) type "
      "name##_1; type name##_2\nBOTH(int, both);\n#define STATIC static\nSTATIC int by_macro;\n"
      "extern char** environ;\n");
  EXPECT_EQ(listing(),
            "private t before T<&target>\nprivate made_one before DEFINE\nprivate both_1 before "
            "int,\nprivate by_macro before STATIC\n"
            "obstacle in_c: it has C linkage\nobstacle target: its address is part of a constant expression\n"
            "obstacle aimed: its address is part of a constant expression\n"
            "obstacle taken: another object has it as one variable for the whole process\n"
            "obstacle n::taken: another object has it as one variable for the whole process\n"
            "obstacle made_two: a macro spells its declaration\n");
}

// g++ leaves thread_local ones uninitialised unless another variable of the unit is touched first.
TEST_F(FactsTest, TemplatesWhoseInitialisersRunHaveThemTouched) {
  run("template <class T> int constant = 1;\ntemplate <> int constant<char> = 2;\n"
      "int g() { return constant<int> + constant<char>; }\n");
  EXPECT_EQ(listing(), "private constant before int\nprivate constant before int\n");
  run("int f();\ntemplate <class T> int runs = f();\nint g() { return runs<int>; }\n");
  EXPECT_EQ(listing(), "private runs before int\nunnamed initialisers\n");
  run("int f();\ntemplate <class T> int special = 3;\ntemplate <> int special<char> = f();\n");
  EXPECT_EQ(listing(), "private special before int\nprivate special before int\nunnamed initialisers\n");
  run("int f();\ntemplate <class T> struct S { static inline int member = f(); };\n");
  EXPECT_EQ(listing(), "private S::member before static\nunnamed initialisers\n");
}

TEST_F(FactsTest, ClassesThatNeedAFunctionForTheirParts) {
  run("#include <kanor/kanor.hpp>\n#include <string>\n"
      "struct Base { std::string s; };\n"
      "template <class... Ts> class All : public Ts... { public: unsigned low : 3, : 2; struct { int in; }; "
      "};\n"
      "extern \"C\" { struct C : Base {}; }\n"
      "#define DEFINE(name) struct name : Base {}\nDEFINE(M);\n"
      "void f(All<Base> all, Base base, C c, M m) {\n"
      "  struct Local : Base {} local;\n"
      "  @communicate { all@0 <<= all@1; base@0 <<= base@1; c@0 <<= c@1; m@0 <<= m@1; local@0 <<= local@1 }\n"
      "}\n");
  std::string found;
  for (const auto& parts : facts_.files[0].aggregates) {
    found += parts.name + (parts.may_have_templates ? "" : " (no templates)") +
             (parts.begins_private ? " (private)" : "") + ":";
    for (const auto& base : parts.bases) found += ' ' + base;
    for (const auto& member : parts.members)
      found += ' ' + member.name + (member.is_bit_field ? " bits" : "");
    found += '\n';
  }
  EXPECT_EQ(found,
            "All (private): Ts... low bits in\n"
            "C (no templates): Base\n"
            "Local (no templates): Base\n");
}

TEST_F(FactsTest, VariablesOfTheStandardLibraryAndOfLibcAreLeftAlone) {
  run("#include <iostream>\n#include <regex>\n#include <random>\n#include <thread>\n#include <unistd.h>\n"
      "#include <ext/rope>\nint main() { std::cout << optind; }\n");
  EXPECT_EQ(listing(), "");
}

/// A system header of which all is included.
class HeaderVariablesTest : public FactsTest {
 protected:
  void SetUp() override {
    FactsTest::SetUp();
    std::filesystem::create_directories(directory_ / "sys");
    invocation_.flags.insert(invocation_.flags.end(), {"-isystem", (directory_ / "sys").string()});
  }
  std::string listing_with(const std::string& header, const std::string& main = "") {
    write("sys/sys.hpp", header);
    run("#include <sys.hpp>\n" + main);
    std::string lines = listing();
    const std::string reason = ": a system header defines it";
    for (auto at = lines.find(reason); at != std::string::npos; at = lines.find(reason))
      lines.erase(at, reason.size());
    return lines;
  }
};

TEST_F(HeaderVariablesTest, AreObstaclesWhereTheObjectHasThem) {
  EXPECT_EQ(listing_with("inline int a;\nstatic int b;\nnamespace n { inline namespace v { inline int c; } "
                         "namespace { int d; } }\nextern \"C\" { inline int e; }\n"
                         "template <class T> struct S { static T f; static inline T g; };\n"
                         "template <class T> T S<T>::f;\ntemplate <class T> T h;\n"
                         "static union { int u; char v; };\nint i asm(\"label\");\n"),
            "obstacle a if a\nobstacle b if b\nobstacle n::c if n v c\n"
            "obstacle n::(anonymous namespace)::d if n _GLOBAL__N_1 d\nobstacle e if e\n"
            "obstacle S::g if S g\nobstacle S::f if S f\nobstacle h if h\nobstacle (anonymous) if u\n"
            "obstacle i if label\n");
}

TEST_F(HeaderVariablesTest, WhatCannotChangeIsNone) {
  EXPECT_EQ(listing_with("const int a = 1;\nconstexpr int b = 2;\nextern int c;\ninline thread_local int d;\n"
                         "static int e();\ninline const char* const f = \"\";\ninline int& g = *new int;\n"
                         "struct Tag {};\ninline Tag h;\ninline auto i = [] {};\n"
                         "namespace std { inline int j; }\nnamespace __gnu_cxx { inline int k; }\n"
                         "namespace kanor { inline int l; }\n"),
            "");
}

TEST_F(HeaderVariablesTest, OfFunctionsAreReadFromTheirText) {
  EXPECT_EQ(
      listing_with("inline int f(int n = 0) { static int a; { static int a = n; } return a; }\n"
                   "struct S {\n  int m;\n  S() : m{1} { static int b{2}, c(3), d[4]; }\n"
                   "  int operator()() const try { static int* const e = nullptr, *g; return 0; }\n"
                   "  catch (...) { static const char* h = \"\"; return 1; }\n};\n"
                   "template <class T> T i() { const auto l = [] { static T j; return j; }; return l(); }\n"
                   "#define K(name) inline int name() { \\\n static int k; return k; }\nK(made)\n"
                   "inline auto m() { static int n; return n; }\n"
                   "inline void (*o())() { static void (*p)() = nullptr; return p; }\n"
                   "inline int q(int n) { static std::map<int, const int> r; static ALIGN(8) int s; static "
                   "decltype(n)* t; return 0; }\n"),
      "obstacle f()::a if f a\nobstacle f()::a if f a\n"
      "obstacle S::S()::b if S b\nobstacle S::S()::c if S c\nobstacle S::S()::d if S d\n"
      "obstacle S::operator()()::g if S g\nobstacle S::operator()()::h if S h\n"
      "obstacle i()::j if i j\nobstacle made()::k if made k\nobstacle n if m n\n"
      "obstacle o()::p if o p\nobstacle o()::void if o void\nobstacle q()::r if q r\n"
      "obstacle q()::ALIGN if q ALIGN\nobstacle q()::s if q s\nobstacle q()::t if q t\n");
  EXPECT_EQ(listing_with(
                "inline int f() { static const int a = 1; constexpr static int b = 2; const static int c = 3,"
                " d = 4; static thread_local int e; static int& g = *new int; return a; }\n"
                "int h(); inline int i() { static_assert(true); return static_cast<int>('\"'); }\n"),
            "");
}

TEST_F(HeaderVariablesTest, WhatTheProgramDefinesForAHeaderIsAnObstacle) {
  EXPECT_EQ(
      listing_with("extern int wanted, other;\nextern const int fixed;\nstruct S { static int member; };\n",
                   "int wanted = 1;\nextern int other;\nconst int fixed = 2;\nint S::member;\n"
                   "[[kanor::shared]] int mine;\n"),
      "attribute [[kanor::shared]]\n"
      "obstacle wanted: a system header declares it\nobstacle S::member: a system header declares it\n");
}

TEST_F(HeaderVariablesTest, OfAHeaderThatKnowsOfSharingArePrivate) {
  write("sys/kan.hpp", "#pragma once\n[[kanor::shared]] inline int ours;\ninline int mine;\n");
  run("#include <kan.hpp>\n");
  EXPECT_EQ(listing(), "private mine before inline\nattribute [[kanor::shared]]\n");
}

TEST_F(FactsTest, VariablesOfOneDeclarationStayTogether) {
  invocation_.foreign_variables = {"total"};
  run("int count = 0, total = 1, *where = &total;\nint other = 0;\nextern int other, second;\nint second = "
      "2;\n"
      "int a [[kanor::shared]] = 0, b = 0;\nextern int b, c;\nint c = 0, d = 0;\n");
  const std::string foreign = ": another object has it as one variable for the whole process\n";
  const auto with = [](const std::string& name, const std::string& other) {
    return "obstacle " + name + ": it is declared together with '" + other +
           "', which is one for the process\n";
  };
  EXPECT_EQ(listing(),
            "private other before int\nprivate other before extern\nprivate second before int\n"
            "attribute [[kanor::shared]]\n" +
                with("count", "total") + "obstacle total" + foreign + with("where", "total") +
                with("b", "a") + with("c", "b") + with("d", "c"));
}

TEST_F(FactsTest, DestructorsOfThreadsThatOnlyFreeMemoryDontCount) {
  const std::string head =
      "#include <functional>\n#include <map>\n#include <memory>\n#include <string>\n#include <vector>\n"
      "int total;\n"
      "struct Adds { int n = 0; ~Adds() { total += n; } };\n"
      "struct Holds { std::string name; std::vector<std::map<int, double>> maps; };\n"
      "struct Derived : Holds { Adds last; };\n"
      "struct Base { virtual ~Base() = default; };\n"
      "template <typename T> struct Own : std::allocator<T> { void deallocate(T*, std::size_t); };\n"
      "template <typename T> T& scratch() { static thread_local T it; return it; }\n"
      "struct Node { int n; std::unique_ptr<Node> next; };\n"
      "struct Tree { std::vector<Tree> children; std::map<std::string, Tree> named; };\n"
      "struct Mixed { std::unique_ptr<Mixed> next; Adds last; };\n";
  const auto end = [&](const std::string& more) {
    run(head + more);
    EXPECT_EQ(messages(), "");
    return facts_.thread_end ? facts_.thread_end->variable : "none";
  };
  EXPECT_EQ(
      end("thread_local int a; thread_local Adds* b; thread_local std::string c; thread_local Holds d, "
          "e[3];\n"
          "thread_local std::unique_ptr<Holds[]> f; thread_local std::pair<int, std::vector<Holds>> g;\n"
          "thread_local Node h; thread_local Tree i;"),
      "none");
  for (const char* const type :
       {"Adds", "Derived", "Adds[2]", "std::vector<Adds>", "std::unique_ptr<Base>", "std::shared_ptr<int>",
        "std::function<void()>", "std::vector<int, Own<int>>", "Mixed", "std::vector<Mixed>"})
    EXPECT_EQ(end("using T = " + std::string(type) + "; thread_local T it;"), "it") << type;
  EXPECT_EQ(end("int f() { return ++scratch<int>() + (int)scratch<Holds>().name.size(); }"), "none");
  EXPECT_EQ(end("int f() { return ++scratch<Adds>().n; }"), "it");
  EXPECT_EQ(end("auto f = [](auto x) { thread_local decltype(x) it; return &it; }; auto p = f(Adds());"),
            "it");
  EXPECT_EQ(end("struct S { static thread_local Adds it; };\n"), "S::it");
  EXPECT_EQ(end("thread_local const Adds& it = Adds();"), "it");
  EXPECT_EQ(end("thread_local const int& it = Adds().n;"), "it");
  EXPECT_EQ(end("Adds one; thread_local Adds& it = one;"), "none");
  EXPECT_EQ(end("thread_local Adds it; int a; thread_local Adds other; void f() { thread_local Adds last; }"),
            "it");
  EXPECT_EQ(end("static Adds it; void f() { static Adds inner; }"), "none");
}

}  // namespace
}  // namespace kanor::host
