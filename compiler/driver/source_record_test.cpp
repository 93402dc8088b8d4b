// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/source_record.hpp"

#include <gtest/gtest.h>

namespace kanor::driver {
namespace {

host::Discovery unit(std::string text, std::string system_text = "") {
  host::Discovery discovery;
  discovery.files.resize(2);
  discovery.files[0].source = std::make_unique<text::Source>("a.cpp", std::move(text));
  discovery.files[1].source = std::make_unique<text::Source>("/usr/include/b.hpp", std::move(system_text));
  discovery.files[1].is_system = true;
  return discovery;
}

SourceRecord record(const std::vector<std::string>& words) {
  const CommandLine line = parse_command_line(words, "ccache g++");
  return make_record(line, line.inputs().at(0), unit("int x;"));
}

TEST(SourceRecord, KeepsWhatDecidesTheMeaningOfTheSource) {
  const auto made = record({"-O2", "-I", "inc", "-x", "c++", "a.txt", "-DX=1", "-std=c++23"});
  EXPECT_EQ(made.words, (std::vector<std::string>{"--host-cxx=ccache g++", "-O2", "-I", "inc", "-DX=1",
                                                  "-std=c++23", "-x", "c++", "-c", "a.txt"}));
}

TEST(SourceRecord, EqualCompilationsHaveEqualRecords) {
  EXPECT_EQ(record({"a.cpp", "-o", "one", "-v"}),
            record({"a.cpp", "-c", "-MD", "-MF", "a.d", "-Lx", "-Wl,-s", "-o", "two"}));
  EXPECT_NE(record({"a.cpp"}), record({"a.cpp", "-DX"}));
}

TEST(SourceRecord, TheUsersTextCountsAndTheSystemsDoesNot) {
  EXPECT_EQ(digest_of(unit("int x;", "a")), digest_of(unit("int x;", "b")));
  EXPECT_NE(digest_of(unit("int x;")), digest_of(unit("int y;")));
}

TEST(SourceRecord, AnyCharacterComesBack) {
  const SourceRecord odd{"12", {"-DX=\"\\t\n\"", "", "/tmp/a\tb\\n\n/a b.cpp"}};
  const std::string text = print_record(odd);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(parse_record(text), odd);
  EXPECT_EQ(parse_record("12"), std::nullopt);
}

TEST(SourceRecord, TheSourceIsKnownByItsText) {
  auto discovery = unit("int x;");
  discovery.files[1].is_system = false;
  EXPECT_TRUE(is_source_of(digest_of(discovery), "int x;"));
  EXPECT_FALSE(is_source_of(digest_of(discovery), "int y;"));
}

}  // namespace
}  // namespace kanor::driver
