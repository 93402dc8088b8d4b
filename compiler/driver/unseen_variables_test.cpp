// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/unseen_variables.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace kanor::driver {
namespace {

/// The words between `begin` and `end` of the text, which is skipped, as "word@line ".
std::string skipped(const std::string& text, const std::string& begin, const std::string& end) {
  host::DiscoveredFile file;
  file.source = std::make_unique<text::Source>("a.cpp", text);
  file.inactive.push_back(
      {static_cast<std::uint32_t>(text.find(begin)), static_cast<std::uint32_t>(text.find(end))});
  std::string found;
  for (const auto& word : skipped_words(file))
    found += word.word + '@' + word.location.substr(word.location.find(':') + 1) + ' ';
  return found;
}

TEST(UnseenVariables, AreLookedForWhereAFileAsksForItsCompiler) {
  EXPECT_EQ(skipped("#ifdef __clang__\nint a;\n#else\nint b_1 = 2, int;\n#endif\n", "#else", "#endif"),
            "else@3 int@4 b_1@4 ");
  EXPECT_EQ(skipped("  # if MY_GCC\nint a;\n#endif\n", "int", "#endif"), "int@2 a@2 ");
  EXPECT_EQ(skipped("#if VERSION\nint gcc;\n#endif\n", "int", "#endif"), "");
}

}  // namespace
}  // namespace kanor::driver
