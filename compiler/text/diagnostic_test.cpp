// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/diagnostic.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace kanor::text {
namespace {

std::string printed(const Diagnostic& diagnostic, bool colour = false) {
  std::ostringstream out;
  print(diagnostic, out, colour);
  return out.str();
}

TEST(Diagnostics, CountsErrorsAndKeepsTheOrder) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.report({Kind::side_effect, nullptr, {}, "first", {}});
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.report({Kind::host_error, nullptr, {}, "second", {}});
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 1u);
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].message, "first");
}

TEST(Diagnostics, DropsExactRepetitionsOnly) {
  const Source a("a.cpp", "text"), b("b.cpp", "text");
  Diagnostics diagnostics;
  const Diagnostic first{Kind::host_error, &a, {0, 2}, "message", {}};
  diagnostics.report(first);
  diagnostics.report(
      {first.kind, first.source, first.span, first.message, {{nullptr, {}, "a note does not count"}}});
  EXPECT_EQ(diagnostics.all().size(), 1u);
  diagnostics.report({Kind::block_syntax, &a, {0, 2}, "message", {}});
  diagnostics.report({Kind::host_error, &b, {0, 2}, "message", {}});
  diagnostics.report({Kind::host_error, &a, {1, 2}, "message", {}});
  diagnostics.report({Kind::host_error, &a, {0, 3}, "message", {}});
  diagnostics.report({Kind::host_error, &a, {0, 2}, "another", {}});
  EXPECT_EQ(diagnostics.all().size(), 6u);
  EXPECT_EQ(diagnostics.error_count(), 6u);
}

TEST(Diagnostics, KindsHaveNamesAndSeverities) {
  EXPECT_EQ(name(Kind::block_syntax), "block_syntax");
  EXPECT_EQ(name(Kind::command_line), "command_line");
  EXPECT_EQ(severity(Kind::block_syntax), Severity::error);
  EXPECT_EQ(severity(Kind::side_effect), Severity::warning);
  EXPECT_EQ(severity(Kind::host_note), Severity::note);
}

TEST(Print, ShowsTheLineTheCaretAndTheNotes) {
  const Source source("dir/a.cpp", "int x;\n\tfoo(bar);\n");
  const Diagnostic diagnostic{Kind::host_error,
                              &source,
                              {12, 15},
                              "'bar' is unknown",
                              {{&source, {4, 5}, "did you mean 'x'"}, {nullptr, {}, "or include it"}}};
  EXPECT_EQ(printed(diagnostic),
            "dir/a.cpp:2:6: error: 'bar' is unknown\n"
            "\tfoo(bar);\n"
            "\t    ^~~\n"
            "dir/a.cpp:1:5: note: did you mean 'x'\n"
            "int x;\n"
            "    ^\n"
            "kanorc: note: or include it\n");
}

TEST(Print, WithoutASourceNamesTheCompiler) {
  EXPECT_EQ(printed({Kind::command_line, nullptr, {}, "no input files", {}}),
            "kanorc: error: no input files\n");
  EXPECT_EQ(printed({Kind::side_effect, nullptr, {}, "x", {}}), "kanorc: warning: x [-Wkanor-side-effect]\n");
}

TEST(Print, NamesTheOptionOfAWarningThatIsAnError) {
  std::ostringstream out;
  print({Kind::nonuniform, nullptr, {}, "x", {}}, out, false, true);
  EXPECT_EQ(out.str(), "kanorc: error: x [-Werror=kanor-nonuniform]\n");
}

TEST(Diagnostics, WarningsHaveOptions) {
  EXPECT_EQ(warning_option(Kind::side_effect), "kanor-side-effect");
  EXPECT_EQ(warning_of_option("kanor-nonuniform"), Kind::nonuniform);
  EXPECT_EQ(warning_of_option("kanor-conflict"), std::nullopt);
  EXPECT_EQ(warning_of_option("nonuniform"), std::nullopt);
}

TEST(Print, UnderlinesOnlyTheFirstLineOfASpan) {
  const Source source("a.cpp", "one two\nthree\n");
  EXPECT_EQ(printed({Kind::host_error, &source, {4, 13}, "m", {}}),
            "a.cpp:1:5: error: m\none two\n    ^~~\n");
}

TEST(Print, EmptySpansAndTheEndOfTheFileGetACaret) {
  const Source source("a.cpp", "ab\n");
  EXPECT_EQ(printed({Kind::host_error, &source, {1, 1}, "m", {}}), "a.cpp:1:2: error: m\nab\n ^\n");
  EXPECT_EQ(printed({Kind::host_error, &source, {2, 3}, "m", {}}), "a.cpp:1:3: error: m\nab\n  ^\n");
  EXPECT_EQ(printed({Kind::host_error, &source, {3, 3}, "m", {}}), "a.cpp:2:1: error: m\n\n^\n");
}

TEST(Print, ColoursOnRequest) {
  const Diagnostic diagnostic{Kind::command_line, nullptr, {}, "no input files", {}};
  EXPECT_EQ(printed(diagnostic, true),
            "\033[1mkanorc: \033[1;31merror: \033[0m\033[1mno input files\033[0m\n");
}

}  // namespace
}  // namespace kanor::text
