// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/tuning_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace kanor::rt {
namespace {

constexpr const char* here = "Some CPU #3, family 1";
const Tuning other{.least_offered_block = 70'000,
                   .least_offered_with_gaps = 80'000,
                   .least_block_in_parts = 300'000,
                   .least_part_bytes = 4096,
                   .most_part_bytes = 4096};

/// Variables of the environment, which get their values back.
class Environment {
 public:
  Environment() {
    for (const char* const name : names)
      if (const char* const value = std::getenv(name)) values_[name] = value;
    for (const char* const name : names) ::unsetenv(name);
  }
  ~Environment() {
    for (const char* const name : names) ::unsetenv(name);
    for (const auto& [name, value] : values_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static constexpr const char* names[] = {"KANOR_TUNING", "HOME", "XDG_CACHE_HOME"};
  std::map<std::string, std::string> values_;
};

/// The text with one part of it replaced.
std::string with(std::string text, const std::string& part, const std::string& instead) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), instead);
}

/// What is wrong with a text; empty: it was read.
std::string error_of(const std::string& text) {
  Tuning tuning;
  std::string error;
  const bool is_read = parse_tuning(text, here, tuning, error);
  EXPECT_EQ(is_read, error.empty());
  EXPECT_EQ(tuning == Tuning(), !error.empty()) << "what cannot be used changes nothing";
  return error;
}

TEST(TuningFile, IsReadAsItWasWritten) {
  const std::string text = tuning_text(other, here, "measured today\n\nby hand");
  Tuning tuning;
  std::string error;
  ASSERT_TRUE(parse_tuning(text, here, tuning, error)) << error;
  EXPECT_EQ(tuning, other);
  EXPECT_NE(text.find("# measured today\n"), std::string::npos);
  EXPECT_EQ(error_of(with(text, "cpu = ", "\r\n  cpu=\t")), "") << "blanks do not matter";
}

TEST(TuningFile, IsNotUsedIfItIsDamaged) {
  const std::string text = tuning_text(other, here, "");
  EXPECT_EQ(error_of(""), "does not begin with 'kanor-tune 1'");
  EXPECT_EQ(error_of(with(text, "tune 1", "tune 2")), "does not begin with 'kanor-tune 1'");
  EXPECT_EQ(error_of(with(text, "family 1", "family 2")), "is of another processor: 'Some CPU #3, family 2'");
  EXPECT_EQ(error_of(with(text, "70000", "7000x")), "has the line 'least_offered_block = 7000x'");
  EXPECT_EQ(error_of(with(text, "70000", "-1")), "has the line 'least_offered_block = -1'");
  EXPECT_EQ(error_of(with(text, "least_offered_block", "least_bytes")), "has the line 'least_bytes = 70000'");
  EXPECT_EQ(error_of(text + "most_part_bytes = 8192\n"), "has the line 'most_part_bytes = 8192'") << "twice";
  EXPECT_EQ(error_of(with(text, "least_block_in_parts = 300000\n", "")), "is incomplete");
  EXPECT_EQ(error_of(with(text, "cpu = ", "# ")), "is incomplete");
  EXPECT_EQ(error_of(with(text, "most_part_bytes = 4096", "most_part_bytes = 4095")),
            "has parts from 4096 to 4095 bytes");
  EXPECT_EQ(error_of(with(text, "least_part_bytes = 4096", "least_part_bytes = 4095")),
            "has parts from 4095 to 4096 bytes");
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    EXPECT_NE(error_of(text.substr(0, length)), "") << length;
}

TEST(TuningFile, IsTheUsers) {
  const Environment environment;
  EXPECT_EQ(tuning_path(), "");
  ::setenv("HOME", "/users/someone", 1);
  EXPECT_EQ(tuning_path(), "/users/someone/.cache/kanor/tuning");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(tuning_path(), "/users/someone/.cache/kanor/tuning");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(tuning_path(), "/cache/kanor/tuning");
  ::setenv("KANOR_TUNING", "none", 1);
  EXPECT_EQ(tuning_path(), "");
  ::setenv("KANOR_TUNING", "/some/file", 1);
  EXPECT_EQ(tuning_path(), "/some/file");
  ::setenv("KANOR_TUNING", "", 1);
  EXPECT_EQ(tuning_path(), "/cache/kanor/tuning");
}

TEST(TuningFile, ThatCannotBeUsedIsNamed) {
  const Environment environment;
  const std::string path = ::testing::TempDir() + "kanor-tuning-" + std::to_string(::getpid());
  const std::string instead = ": the built-in limits are used; kanor-tune replaces it";
  Tuning tuning;
  ::setenv("KANOR_TUNING", path.c_str(), 1);
  EXPECT_EQ(read_tuning(tuning),
            "cannot read the tuning file '" + path + "' (No such file or directory)" + instead);
  ::setenv("KANOR_TUNING", "/proc", 1);
  EXPECT_EQ(read_tuning(tuning), "cannot read the tuning file '/proc' (Is a directory)" + instead);
  ::setenv("KANOR_TUNING", "", 1);
  ::setenv("HOME", path.c_str(), 1);
  EXPECT_EQ(read_tuning(tuning), "") << "the user has none";
  ::setenv("KANOR_TUNING", path.c_str(), 1);
  std::ofstream(path) << tuning_text(other, "Another CPU", "");
  EXPECT_EQ(read_tuning(tuning),
            "the tuning file '" + path + "' is of another processor: 'Another CPU'" + instead);
  EXPECT_EQ(tuning, Tuning());
  std::ofstream(path) << tuning_text(other, cpu_name(), "");
  EXPECT_EQ(read_tuning(tuning), "");
  EXPECT_EQ(tuning, other);
  EXPECT_GT(cpu_name().size(), 3u);
  ::unlink(path.c_str());
}

}  // namespace
}  // namespace kanor::rt
