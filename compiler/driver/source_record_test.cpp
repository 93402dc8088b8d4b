#include "driver/source_record.hpp"

#include <gtest/gtest.h>

#include <filesystem>

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
  EXPECT_EQ(made.directory, std::filesystem::current_path().string());
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
  const SourceRecord odd{"/tmp/a\tb\\n\n", "12", {"-DX=\"\\t\n\"", "", "a b.cpp"}};
  const std::string text = print_record(odd);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(parse_record(text), odd);
  EXPECT_EQ(parse_record("/tmp\t12"), std::nullopt);
}

TEST(SourceRecord, ASourceElsewhereIsNamedWithItsDirectory) {
  EXPECT_EQ(source_shown({std::filesystem::current_path().string(), "1", {"-c", "sub/a.cpp"}}), "sub/a.cpp");
  EXPECT_EQ(source_shown({"/elsewhere", "1", {"-c", "sub/a.cpp"}}), "/elsewhere/sub/a.cpp");
  EXPECT_EQ(source_shown({"/elsewhere", "1", {"-c", "/abs/a.cpp"}}), "/abs/a.cpp");
}

}  // namespace
}  // namespace kanor::driver
