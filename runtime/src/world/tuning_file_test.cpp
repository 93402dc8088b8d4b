// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/tuning_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace kanor::rt {
namespace {

constexpr const char* here = "Some CPU, family 1";
const Tuning other{.least_offered_bytes = 70'000,
                   .least_block_in_parts = 300'000,
                   .least_part_bytes = 4096,
                   .most_part_bytes = 4096};

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
  EXPECT_EQ(error_of(with(text, "family 1", "family 2")), "is of another processor: 'Some CPU, family 2'");
  EXPECT_EQ(error_of(with(text, "70000", "7000x")), "has the line 'least_offered_bytes = 7000x'");
  EXPECT_EQ(error_of(with(text, "70000", "-1")), "has the line 'least_offered_bytes = -1'");
  EXPECT_EQ(error_of(with(text, "least_offered_bytes", "least_bytes")), "has the line 'least_bytes = 70000'");
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
  ::unsetenv("KANOR_TUNING");
  ::setenv("HOME", "/users/someone", 1);
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(tuning_path(), "/users/someone/.cache/kanor/tuning");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(tuning_path(), "/users/someone/.cache/kanor/tuning");
  ::setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(tuning_path(), "/cache/kanor/tuning");
  ::unsetenv("HOME");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(tuning_path(), "");
  ::setenv("KANOR_TUNING", "none", 1);
  EXPECT_EQ(tuning_path(), "");
  ::setenv("KANOR_TUNING", "/some/file", 1);
  EXPECT_EQ(tuning_path(), "/some/file");
  ::unsetenv("KANOR_TUNING");
}

TEST(TuningFile, ThatCannotBeUsedIsNamed) {
  const std::string path = ::testing::TempDir() + "kanor-tuning-" + std::to_string(::getpid());
  ::setenv("KANOR_TUNING", path.c_str(), 1);
  Tuning tuning;
  EXPECT_EQ(read_tuning(tuning),
            "KANOR_TUNING names '" + path + "', which cannot be read: the built-in limits are used");
  std::ofstream(path) << tuning_text(other, "Another CPU", "");
  EXPECT_EQ(read_tuning(tuning),
            "the tuning file '" + path +
                "' is of another processor: 'Another CPU': the built-in limits are used; run kanor-tune to "
                "replace it");
  EXPECT_EQ(tuning, Tuning());
  std::ofstream(path) << tuning_text(other, cpu_name(), "");
  EXPECT_EQ(read_tuning(tuning), "");
  EXPECT_EQ(tuning, other);
  EXPECT_FALSE(cpu_name().empty());
  ::unlink(path.c_str());
  ::unsetenv("KANOR_TUNING");
}

}  // namespace
}  // namespace kanor::rt
