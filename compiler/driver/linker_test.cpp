// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/linker.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "driver/host_commands.hpp"
#include "driver/link/link_command.hpp"

namespace kanor::driver {
namespace {

using Words = std::vector<std::string>;

CommandLine parse(Words words, const std::string& host = "gcc") {
  words.push_back("--mpi-ranks=threads");
  return parse_command_line(words, host);
}

Words without(const Words& words, WithoutOptions options) {
  Words kept;
  for (const Argument& argument : parse(words).arguments)
    if (const auto* flag = std::get_if<Flag>(&argument))
      for (std::string& word : options.of(*flag)) kept.push_back(std::move(word));
  return kept;
}

bool has(const Command& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

TEST(Linker, IsGivenOptionsInManyWays) {
  for (const Words& words : {Words{"-Wl,--wrap,f"}, Words{"-Wl,-wrap=f"}, Words{"-Xlinker", "--wrap=f"},
                             Words{"-Wl,--wrap", "-Wl,f"}, Words{"-Xlinker", "-wrap", "-Xlinker", "f"}}) {
    const LinkerOptions options(parse(words));
    EXPECT_TRUE(options.has("wrap"));
    EXPECT_EQ(options.value("wrap"), "f");
  }
  EXPECT_TRUE(LinkerOptions(parse({"-symbolic"})).has("Bsymbolic"));
  EXPECT_TRUE(LinkerOptions(parse({"-Tscript.ld"})).has("T"));
  EXPECT_TRUE(LinkerOptions(parse({"-Wl,-Tscript.ld"})).has("T"));
  EXPECT_TRUE(LinkerOptions(parse({"-T", "script.ld"})).has("T"));
  for (const Words& words : {Words{"-Wl,-z,defs"}, Words{"-z", "defs"}, Words{"-Wl,-zdefs"}})
    EXPECT_TRUE(LinkerOptions(parse(words)).has_keyword("defs"));
}

TEST(Linker, OptionsAreKnownByTheirWholeNames) {
  const LinkerOptions options(
      parse({"-Wl,-Bsymbolic-functions", "-Wl,-rpath,/my-finite-elements", "-Wl,-z,now", "-O2", "defs"}));
  EXPECT_FALSE(options.has("Bsymbolic"));
  EXPECT_FALSE(options.has("fini"));
  EXPECT_FALSE(options.has("O2"));
  EXPECT_FALSE(options.has_keyword("defs"));
  EXPECT_EQ(options.value("rpath"), "/my-finite-elements");
  EXPECT_EQ(options.value("wrap"), std::nullopt);
}

TEST(Linker, OptionsAreLeftOutWithTheirValues) {
  const WithoutOptions some({"version-script", "dependency-file"}, {"pie"});
  EXPECT_EQ(without({"-Wl,--version-script=a", "-pie", "-Wl,-z,now"}, some), Words{"-Wl,-z,now"});
  EXPECT_EQ(without({"-Wl,-rpath,/a,--version-script,b,-s"}, some),
            (Words{"-Xlinker", "-rpath", "-Xlinker", "/a", "-Xlinker", "-s"}));
  EXPECT_EQ(
      without({"-Wl,--dependency-file", "-Wl,d", "-Xlinker", "-version-script", "-Xlinker", "c", "-s"}, some),
      Words{"-s"});
}

TEST(Linker, OfCopiesIsNotAskedForWhatOnlyProgramsHave) {
  const CommandLine line =
      parse({"a.o", "-Wl,--version-script=a", "-Wl,--dependency-file=d", "-Wl,-z,defs", "-pie"});
  const Command command = image_command(line, {}, {{"a.o", "a.o"}}, {}, "own.map", "image.so");
  EXPECT_FALSE(has(command, "-Wl,--version-script=a"));
  EXPECT_FALSE(has(command, "-Wl,--dependency-file=d"));
  EXPECT_FALSE(has(command, "-pie"));
  EXPECT_TRUE(has(command, "-Wl,--version-script=own.map"));
  EXPECT_TRUE(has(link_command(line, {}, {{"a.o", "a.o"}}), "-Wl,--version-script=a"));
}

TEST(Linker, FetchesWhatItMayOverlook) {
  const Command command = link_command(parse({"a.o"}), {}, {{"a.o", "a.o"}});
  EXPECT_TRUE(has(command, "-Wl,-u,main"));
  EXPECT_TRUE(has(command, "-Wl,-u,at_quick_exit"));
}

TEST(Linker, ComplainsInItsOwnWords) {
  EXPECT_EQ(first_complaint("/usr/bin/ld: warning: x.o: missing .note.GNU-stack section\n"
                            "/usr/bin/ld: x.o: relocation R_X86_64_32 can not be used\n"
                            "/usr/bin/ld: failed to set dynamic section sizes: bad value\n"
                            "collect2: error: ld returned 1 exit status\n"),
            "x.o: relocation R_X86_64_32 can not be used");
  EXPECT_EQ(
      first_complaint("/usr/bin/ld: a.o: in function `f':\na.c:(.text+0x5): undefined reference to `g'\n"),
      "a.c:(.text+0x5): undefined reference to `g'");
  EXPECT_EQ(first_complaint("ld.lld: error: cannot open x.o: No such file\n"
                            "clang: error: linker command failed with exit code 1\n"),
            "cannot open x.o: No such file");
  EXPECT_EQ(first_complaint("image.s: Assembler messages:\nimage.s:2: Error: file not found: i\n"),
            "file not found: i");
  EXPECT_EQ(first_complaint("collect2: fatal error: cannot find 'ld'\n"), "cannot find 'ld'");
  EXPECT_EQ(first_complaint(""), "");
}

TEST(Linker, FunctionsOfAProgramMayBeInlined) {
  for (const char* const host : {"gcc", "clang"}) {
    const std::string flag = "-fno-semantic-interposition";
    EXPECT_TRUE(has(mpi_flags(parse({"-O2"}, host), {}), flag));
    EXPECT_FALSE(has(mpi_flags(parse({"-O2", "-fPIC"}, host), {}), flag));
    EXPECT_FALSE(has(mpi_flags(parse({"-fsemantic-interposition"}, host), {}), flag));
  }
}

}  // namespace
}  // namespace kanor::driver
