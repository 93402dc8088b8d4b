// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "driver/host_commands.hpp"
#include "driver/option_table.hpp"
#include "driver/precompiled.hpp"

namespace kanor::driver {
namespace {

CommandLine parse(std::string_view words) {
  std::istringstream in{std::string(words)};
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return parse_command_line(list, "g++");
}

std::vector<std::string> paths(const CommandLine& line) {
  std::vector<std::string> found;
  for (const Input& input : line.inputs()) found.push_back(input.path);
  return found;
}

using Words = std::vector<std::string>;

TEST(CommandLine, InputsKeepTheirOrderAmongLibraries) {
  const auto line = parse("a.cpp -lfoo b.o -l bar c.a -o prog -L dir");
  EXPECT_EQ(paths(line), (Words{"a.cpp", "-lfoo", "b.o", "-lbar", "c.a"}));
  EXPECT_EQ(line.output, "prog");
  EXPECT_EQ(line.stage, Stage::program);
}

TEST(CommandLine, AFlagsArgumentIsNoInput) {
  for (const char* flag : {"-I",
                           "-D",
                           "-U",
                           "-isystem",
                           "-iquote",
                           "-idirafter",
                           "-include",
                           "-imacros",
                           "-MF",
                           "-MT",
                           "-MQ",
                           "-L",
                           "-T",
                           "-u",
                           "-z",
                           "-Xlinker",
                           "-Xpreprocessor",
                           "-Xassembler",
                           "-aux-info",
                           "-arch",
                           "--param",
                           "-framework",
                           "-B",
                           "-wrapper",
                           "-o",
                           "-x",
                           "--sysroot"}) {
    const auto line = parse(std::string(flag) + " c++ a.cpp");
    EXPECT_EQ(paths(line), Words{"a.cpp"}) << flag;
    EXPECT_THROW(parse(std::string("a.cpp ") + flag), UsageError) << flag;
  }
}

TEST(CommandLine, LanguagesComeFromEndingsAndFromX) {
  for (const char* name : {"a.cpp", "a.cc", "a.cxx", "a.C", "a.c++", "a.cp", "dir.o/a.cpp"})
    EXPECT_EQ(language_of(name, ""), Language::cxx) << name;
  for (const char* name : {"a.c", "a.s", "a.S", "a.f90", "a.ii"})
    EXPECT_EQ(language_of(name, ""), Language::host) << name;
  for (const char* name : {"a.h", "a.hpp", "dir.o/a.hxx"})
    EXPECT_EQ(language_of(name, ""), Language::header) << name;
  EXPECT_EQ(language_of("a.cxx", "c++-header"), Language::header);
  for (const char* name : {"a.o", "a.a", "a.so", "a.so.1", "a", "dir.cpp/a"})
    EXPECT_EQ(language_of(name, ""), Language::linker) << name;
  const auto inputs = parse("-x c++ a.txt -xc b.cpp -x none c.cpp d.o").inputs();
  EXPECT_EQ(inputs[0].language, Language::cxx);
  EXPECT_EQ(inputs[1].language, Language::host);
  EXPECT_EQ(inputs[2].language, Language::cxx);
  EXPECT_EQ(inputs[2].forced, "");
  EXPECT_EQ(inputs[3].language, Language::linker);
}

TEST(CommandLine, TheEarliestStageWins) {
  EXPECT_EQ(parse("-c a.cpp").stage, Stage::object);
  EXPECT_EQ(parse("-c -S a.cpp").stage, Stage::assembly);
  EXPECT_EQ(parse("-S -fsyntax-only -c a.cpp").stage, Stage::check);
  EXPECT_EQ(parse("-E -c a.cpp").stage, Stage::preprocess);
  EXPECT_EQ(parse("-MM a.cpp").stage, Stage::preprocess);
  EXPECT_EQ(parse("-MD a.cpp").stage, Stage::program);
}

TEST(CommandLine, Dependencies) {
  const auto line = parse("-c a.cpp -MMD -MP -MFx.d -MT t -MQ u$v");
  EXPECT_TRUE(line.dependencies.wanted);
  EXPECT_FALSE(line.dependencies.system_headers);
  EXPECT_TRUE(line.dependencies.phony_targets);
  EXPECT_EQ(line.dependencies.file, "x.d");
  EXPECT_EQ(line.dependencies.targets, (Words{"t", "u$$v"}));
  EXPECT_EQ(parse("-c a.cpp -Wp,-MMD,y.d").dependencies.file, "y.d");
}

TEST(CommandLine, UnknownFlagsGoToTheHostInTheirPlace) {
  const auto line = parse("-fnew-thing a.cpp --odd=1 -c");
  const auto command =
      compile_command(line, {"/inc", "/lib"}, {"a.cpp", "", Language::cxx, "a.o", false, {}, {}, {}, {}});
  EXPECT_EQ(command, (Words{"g++", "-std=gnu++20", "-fnew-thing", "--odd=1", "-D__KANORC__=1", "-UKANOR_IDE",
                            "-idirafter", "/inc", "-c", "a.cpp", "-o", "a.o"}));
}

TEST(CommandLine, ASlipOfAnOptionIsNotTheHosts) {
  EXPECT_EQ(nearest_own_option("--explian"), "--explain");
  EXPECT_EQ(nearest_own_option("--globalise-from=9"), "--globalize-from=");
  EXPECT_EQ(nearest_own_option("--dmp=plan"), "--dump=");
  for (const char* word : {"--explain", "--verbose", "--sysroot=/x", "--param", "--odd=1", "-explian", "--"})
    EXPECT_EQ(nearest_own_option(word), "") << word;
}

TEST(CommandLine, CopiesStandForHeadersThatEverySourceBeginsWith) {
  const std::vector<std::string> flags{"-O2",     "-include", "a.hpp",   "-Xclang",  "-include-pch",
                                       "-Xclang", "b.pch",    "-Xclang", "-include", "-Xclang",
                                       "b.hpp",   "-include", "c.hpp"};
  const std::vector<std::string> headers{"kanor/abi/block.hpp", "kanor/abi/cereal.hpp"};
  EXPECT_EQ(with_copies(flags, {}, headers), flags);
  EXPECT_EQ(with_copies(flags, {{"b.pch", ""}, {"b.hpp", "/tmp/b.hpp"}, {"c.hpp", "/tmp/c.hpp"}}, headers),
            (Words{"-O2", "-include", "a.hpp", "-include", "kanor/abi/block.hpp", "-include",
                   "kanor/abi/cereal.hpp", "-Xclang", "-include", "-Xclang", "/tmp/b.hpp", "-include",
                   "/tmp/c.hpp"}));
}

TEST(CommandLine, ACompileCommandHasNoLinkFlags) {
  const auto line =
      parse("-Wl,--as-needed -Xlinker -x -static -L/l -rdynamic -Wall -O2 -undef -pthread -std=c++23 a.cpp");
  const auto command =
      compile_command(line, {"/inc", "/lib"}, {"a.cpp", "", Language::cxx, "a.o", false, {}, {}, {}, {}});
  EXPECT_EQ(command, (Words{"g++", "-Wall", "-O2", "-undef", "-pthread", "-std=c++23", "-D__KANORC__=1",
                            "-UKANOR_IDE", "-idirafter", "/inc", "-c", "a.cpp", "-o", "a.o"}));
}

TEST(CommandLine, ResponseFiles) {
  const std::string file = testing::TempDir() + "/options.rsp";
  std::ofstream(file) << "-DNAME='a b'\n\"c d.cpp\" -c\n";
  const auto line = parse("@" + file + " -O2");
  EXPECT_EQ(paths(line), Words{"c d.cpp"});
  EXPECT_EQ(line.stage, Stage::object);
  EXPECT_EQ(line.words, (Words{"-DNAME=a b", "c d.cpp", "-c", "-O2"}));
}

TEST(CommandLine, KanorsOwnOptions) {
  const auto line = parse("--host-cxx=mpicxx --dump=sema -### a.cpp");
  EXPECT_EQ(line.host, Words{"mpicxx"});
  EXPECT_EQ(line.listing.dump, "sema");
  EXPECT_TRUE(line.shows_commands);
  EXPECT_EQ(line.words, Words{"a.cpp"});
  EXPECT_THROW(parse("--dump=nothing a.cpp"), UsageError);
  EXPECT_THROW(parse("--emit-cpp a.cpp b.cpp -o x"), UsageError);
  EXPECT_THROW(parse("-c a.cpp b.cpp -o x"), UsageError);
  EXPECT_EQ(parse("-print-search-dirs").action, CommandLine::Action::ask_host);
}

TEST(CommandLine, HelpFitsAScreen) {
  const std::string_view text = help_text();
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace kanor::driver
