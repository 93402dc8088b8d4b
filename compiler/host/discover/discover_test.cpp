// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/discover/discover.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace kanor::host {
namespace {

/// Files in a directory of their own, which goes when the test ends.
class DiscoverTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 ("kanor_discover_" + std::to_string(getpid()) + "_" + test->name());
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& bytes) { std::ofstream(directory_ / name) << bytes; }

  Discovery run(std::vector<std::string> flags = {"-std=c++20"}) {
    Invocation invocation;
    invocation.main_file = (directory_ / "a.cpp").string();
    invocation.flags = std::move(flags);
    EXPECT_TRUE(query_host(invocation, diagnostics_));
    return discover(invocation, diagnostics_);
  }

  std::string listing(const Discovery& discovery) {
    std::ostringstream out;
    print(discovery, out);
    return out.str();
  }

  std::filesystem::path directory_;
  text::Diagnostics diagnostics_;
};

TEST_F(DiscoverTest, SystemHeadersWithBlocksAreTheProgramsOwn) {
  write("a.cpp",
        "#include <with.hpp>\n#include <without.hpp>\n#include <macro.hpp>\n#include <defines.hpp>\n");
  write("with.hpp", "inline void f() { @communicate { a@0 <<= b@1 } }\n");
  write("without.hpp", "inline void g() {}\n");
  write("macro.hpp", "inline void h() { KANOR_COMMUNICATE(a@0 <<= b@1); }\n");
  write("defines.hpp", "#define KANOR_COMMUNICATE(...)\n// KANOR_COMMUNICATE(x)\n");
  const Discovery found = run({"-std=c++20", "-isystem", directory_.string()});
  ASSERT_EQ(found.files.size(), 5u);
  EXPECT_FALSE(found.files[1].is_system);
  EXPECT_TRUE(found.files[2].is_system);
  EXPECT_FALSE(found.files[3].is_system);
  EXPECT_TRUE(found.files[4].is_system);
}

TEST_F(DiscoverTest, WhatIncludesBlocksOrKanorIsTheProgramsOwn) {
  write("a.cpp",
        "#include <all.hpp>\n#include <blocks.hpp>\n#include <again.hpp>\n#include <other.hpp>\n#include "
        "<uses.hpp>\n");
  write("uses.hpp", "#include <kanor.hpp>\ninline int g() { return 1; }\n");
  write("kanor.hpp", "#define KANOR_COMMUNICATE(...)\n#include <other.hpp>\n");
  write("all.hpp", "#include <part.hpp>\n#include <other.hpp>\n");
  write("part.hpp", "#include <blocks.hpp>\n");
  write("blocks.hpp", "#pragma once\ninline void f() { @communicate { a@0 <<= b@1 } }\n");
  write("again.hpp", "#include <blocks.hpp>\n");
  write("other.hpp", "#pragma once\n// for @communicate { }, KANOR_COMMUNICATE() and [[kanor::shared]]\n");
  const Discovery found = run({"-std=c++20", "-isystem", directory_.string()});
  std::set<std::string> own;
  for (const DiscoveredFile& file : found.files)
    if (!file.is_system) own.insert(std::filesystem::path(file.source->path()).filename());
  EXPECT_EQ(own,
            (std::set<std::string>{"a.cpp", "all.hpp", "part.hpp", "blocks.hpp", "again.hpp", "uses.hpp"}));
  // Its text is known as any other file's of the program is.
  ASSERT_EQ(found.files[1].includes.size(), 2u);
  EXPECT_EQ(found.files[1].source->text(found.files[1].includes[0].name), "<part.hpp>");
}

TEST_F(DiscoverTest, NamesTheFilesThatTakePart) {
  write("a.cpp", "#include \"b.hpp\"\n#include <vector>\n@communicate { x@0 <<= y@1 }\n");
  write("b.hpp", "#pragma once\nint b;\n");
  const Discovery found = run();
  EXPECT_FALSE(diagnostics_.has_errors());
  ASSERT_GT(found.files.size(), 3u);
  EXPECT_TRUE(found.files[0].is_main);
  EXPECT_EQ(found.files[1].source->path(), (directory_ / "b.hpp").string());
  EXPECT_FALSE(found.files[1].is_system);
  EXPECT_TRUE(found.files[2].is_system);
  ASSERT_EQ(found.files[0].includes.size(), 2u);
  EXPECT_EQ(found.files[0].source->text(found.files[0].includes[0].name), "\"b.hpp\"");
  EXPECT_EQ(found.files[0].source->text(found.files[0].includes[1].name), "<vector>");
  EXPECT_EQ(found.files[0].includes[0].target_file, 1);
}

TEST_F(DiscoverTest, FollowsLineDirectives) {
  write("a.cpp", "int a;\n#line 40 \"parser.y\"\nint b;\n#if 0\n#line 7\n#endif\n#line 90\nint c;\n");
  const Discovery found = run();
  EXPECT_EQ(found.files[0].renumberings,
            (std::vector<text::Renumbering>{{27, 40, "parser.y"}, {64, 90, "parser.y"}}))
      << listing(found);
}

TEST_F(DiscoverTest, TellsWhatIsSkippedDefinedAndExpanded) {
  write("a.cpp",
        "#if 0\n@communicate { }\n#if 1\n#endif\n#endif\n"
        "#define ONE 1\n#define CALL(f, x) \\\n  f(x)\nint f(int);\nint i = CALL(f, ONE);\n");
  EXPECT_EQ(listing(run()),
            "file " + (directory_ / "a.cpp").string() +
                " main\n  inactive lines 1-5\n  macro definition lines 6-6\n"
                "  macro definition lines 7-8\n  macro expansion lines 10-10\nsystem files 0\n");
}

TEST_F(DiscoverTest, TellsWhatStandsBehindPragmas) {
  write("a.cpp",
        "#define IVDEP _Pragma(\"GCC ivdep\")\n#define TEXT(x) _Pragma(#x)\nvoid f() {\n"
        "#pragma GCC ivdep\n  for (;;);\n  # pragma omp simd\n  for (;;);\n  IVDEP for (;;);\n"
        "  TEXT(omp parallel for)\n  for (;;);\n  _Pragma(\"omp for\") for (;;);\n#pragma unroll\n"
        "  for (;;);\n#if 0\n#pragma omp for\n#endif\n  for (;;);\n"
        "#pragma GCC ivdep\n#pragma omp simd  // both\n#if 1\n  /* and */ for (;;);\n#endif\n"
        "#pragma GCC diagnostic pop\n  for (;;);\n#pragma omp for\n#include \"x.inc\"\n}\n");
  write("x.inc", "\nfor (;;);\n#pragma omp barrier\n");
  const Discovery found = run();
  std::vector<std::pair<int, bool>> pragmas;
  for (const Pragma& one : found.files[0].pragmas)
    pragmas.emplace_back(static_cast<int>(found.files[0].source->line(one.offset)), one.is_for_speed);
  const std::vector<std::pair<int, bool>> expected{{5, true},   {7, false}, {8, false},  {10, false},
                                                   {11, false}, {13, true}, {21, false}, {27, false}};
  EXPECT_EQ(pragmas, expected) << listing(found);
  ASSERT_EQ(found.files[1].pragmas.size(), 1U);
  EXPECT_EQ(found.files[1].pragmas[0].offset, 1U);
}

TEST_F(DiscoverTest, TellsWhichPragmasMayLock) {
  const std::string text =
      "#define LOCK _Pragma(\"omp critical\")\nvoid f() {\n#pragma omp critical\n  {}\n#pragma omp single\n"
      "  {}\n  _Pragma(\"omp critical(a)\") {}\n  _Pragma(\"GCC diagnostic push\") {}\n"
      "  _Pragma(\"omp for\") for (;;);\n  LOCK {}\n}\n";
  for (const bool with_openmp : {false, true}) {
    write("a.cpp", (with_openmp ? "#define _OPENMP 1\n" : "\n") + text);
    const Discovery found = run();
    std::vector<int> locks;
    for (const Pragma& one : found.files[0].pragmas)
      if (one.may_lock) locks.push_back(static_cast<int>(found.files[0].source->line(one.offset)));
    EXPECT_EQ(locks, with_openmp ? (std::vector<int>{5, 8, 11}) : std::vector<int>()) << listing(found);
  }
}

TEST_F(DiscoverTest, AGroupIsInactiveOnlyIfEveryInclusionSkipsIt) {
  write("a.cpp", "#include \"x.inc\"\n#define SECOND\n#include \"x.inc\"\n");
  write("x.inc", "#ifdef SECOND\nint second;\n#else\nint first;\n#endif\n#ifdef THIRD\nint third;\n#endif\n");
  const Discovery found = run();
  ASSERT_EQ(found.files.size(), 2u);
  const DiscoveredFile& included = found.files[1];
  const auto covers = [&](std::string_view text) {
    const auto at = static_cast<std::uint32_t>(included.source->bytes().find(text));
    return std::any_of(included.inactive.begin(), included.inactive.end(),
                       [&](Span span) { return span.begin <= at && at < span.end; });
  };
  EXPECT_FALSE(covers("int first"));
  EXPECT_FALSE(covers("int second"));
  EXPECT_TRUE(covers("int third"));
}

TEST_F(DiscoverTest, AMissingHeaderIsReportedWhereItIsNamed) {
  write("a.cpp", "int a;\n#include \"nowhere.hpp\"\n");
  const Discovery found = run();
  ASSERT_EQ(diagnostics_.all().size(), 1u);
  const auto& diagnostic = diagnostics_.all()[0];
  EXPECT_EQ(diagnostic.message, "'nowhere.hpp' file not found");
  EXPECT_EQ(diagnostic.source, found.files[0].source.get());
  EXPECT_EQ(found.files[0].source->text(diagnostic.span), "\"nowhere.hpp\"");
}

TEST_F(DiscoverTest, FlagsOfTheHostCompilerAloneDoNoHarm) {
  write("a.cpp",
        "#ifndef ANSWER\n#error no answer\n#endif\n#ifndef _OPENMP\n#error no openmp\n#endif\n#include "
        "<omp.h>\n");
  run({"-std=gnu++20", "-DANSWER=42", "-fno-tree-vectorize", "-Wduplicated-cond", "-mtune=native", "-fopenmp",
       "-g3", "--param", "max-inline=3"});
  for (const auto& diagnostic : diagnostics_.all()) ADD_FAILURE() << diagnostic.message;
}

/// The error about a host compiler whose listing begins with these lines.
class HostVersionTest : public DiscoverTest {
 protected:
  std::string message(const std::string& lines, bool is_c = false, int status = 0) {
    write("host", "#!/bin/sh\necho '" + lines + "'\necho '#include <...> search starts here:'\nexit " +
                      std::to_string(status) + "\n");
    Invocation invocation;
    invocation.host_compiler = (directory_ / "host").string();
    invocation.is_c = is_c;
    std::filesystem::permissions(invocation.host_compiler, std::filesystem::perms::owner_all);
    text::Diagnostics diagnostics;
    const bool is_right = query_host(invocation, diagnostics);
    EXPECT_EQ(is_right, diagnostics.all().empty());
    return diagnostics.all().empty() ? std::string() : diagnostics.all()[0].message;
  }
};

TEST_F(HostVersionTest, AnOldHostCompilerIsNamed) {
  const std::string begin = "the host compiler '" + (directory_ / "host").string() + "' is ";
  EXPECT_EQ(message("Debian clang version 14.0.6"),
            begin + "clang 14.0.6, but Kanor needs clang 16 or later");
  EXPECT_EQ(message("clang version 9.0.1-12"), begin + "clang 9.0.1, but Kanor needs clang 16 or later");
  EXPECT_EQ(message("gcc version 11.4.0 (Debian 11.4.0-1)"),
            begin + "g++ 11.4.0, but Kanor needs g++ 12 or later");
}

TEST_F(HostVersionTest, OtherHostCompilersAreNot) {
  EXPECT_EQ(message("Debian clang version 16.0.0"), "");
  EXPECT_EQ(message("gcc version 12.2.0 (Debian 12.2.0-14)"), "");
  EXPECT_EQ(message("clang version trunk"), "");
  EXPECT_EQ(message("another compiler, version 1.0"), "");
  EXPECT_EQ(message("Debian clang version 14.0.6", true), "");
}

TEST_F(HostVersionTest, AHostCompilerThatFailsSaysWhy) {
  const std::string begin = "the host compiler '" + (directory_ / "host").string() + "' ";
  EXPECT_EQ(message("Using built-in specs.\ng++: error: unrecognized option -std=c++27\nmore", false, 1),
            begin + "fails: g++: error: unrecognized option -std=c++27");
  EXPECT_EQ(message("Killed", false, 1), begin + "fails: Killed");
  EXPECT_EQ(message("Debian clang version 14.0.6\nerror: invalid value c++23", false, 1),
            begin + "is clang 14.0.6, but Kanor needs clang 16 or later");
}

TEST_F(DiscoverTest, AHostCompilerThatIsNotThereIsNamed) {
  Invocation invocation;
  invocation.host_compiler = "no-such-compiler";
  EXPECT_FALSE(query_host(invocation, diagnostics_));
  ASSERT_EQ(diagnostics_.all().size(), 1u);
  EXPECT_EQ(diagnostics_.all()[0].message, "the host compiler 'no-such-compiler' can't be run");
}

TEST_F(DiscoverTest, AnUnreadableMainFileIsAnError) {
  run();
  EXPECT_TRUE(diagnostics_.has_errors());
}

}  // namespace
}  // namespace kanor::host
