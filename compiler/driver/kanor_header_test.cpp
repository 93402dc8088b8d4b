// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/kanor_header.hpp"

#include <gtest/gtest.h>

#include <string>

#include "syntax/syntax.hpp"

namespace kanor::driver {
namespace {

const std::string own = "#if defined(KANOR_ABI_BLOCKS)\n#endif\n";

/// Files whose `#include "n"` leads to file number n; the last one is Kanor's header.
bool kanor_first(const std::vector<std::string>& texts,
                 const std::string& path = "/usr/include/kanor/kanor.hpp") {
  host::Discovery discovery;
  text::Diagnostics diagnostics;
  std::vector<syntax::Ast> asts;
  for (std::size_t at = 0; at < texts.size(); ++at) {
    host::DiscoveredFile file;
    const bool last = at + 1 == texts.size();
    file.is_system = last;
    file.source = std::make_unique<text::Source>(last ? path : std::to_string(at) + ".hpp", texts[at]);
    for (auto quote = texts[at].find("#include \""); quote != std::string::npos;
         quote = texts[at].find("#include \"", quote + 1)) {
      const auto name = static_cast<std::uint32_t>(quote + 9);
      file.includes.push_back({{name, name + 3}, texts[at][name + 1] - '0'});
    }
    asts.push_back(syntax::parse(*file.source, {}, diagnostics));
    discovery.files.push_back(std::move(file));
  }
  return includes_kanor_first(discovery, asts);
}

const std::string block = "inline void f(int& a) { @communicate { a@0 <<= a@1 } }\n";

TEST(KanorHeader, ComesAheadOfTheBlocksOrNot) {
  EXPECT_TRUE(kanor_first({"#include \"1\"\n" + block, own}));
  EXPECT_FALSE(kanor_first({block + "#include \"1\"\n", own}));
  EXPECT_FALSE(kanor_first({block, own}));
}

TEST(KanorHeader, MayBeReachedThroughOtherHeaders) {
  EXPECT_TRUE(kanor_first({"#include \"1\"\n" + block, "#include \"2\"\n" + block, own}));
  EXPECT_FALSE(kanor_first({"#include \"1\"\n#include \"2\"\n" + block, block, own}));
  EXPECT_TRUE(kanor_first({"#include \"1\"\n#include \"2\"\n" + block, "#include \"1\"\nint x;\n", own}));
}

TEST(KanorHeader, IsKanorsOwn) {
  EXPECT_FALSE(kanor_first({"#include \"1\"\n" + block, own}, "/usr/include/other/kanor.hpp"));
  EXPECT_FALSE(kanor_first({"#include \"1\"\n" + block, "int kanors;"}));
}

}  // namespace
}  // namespace kanor::driver
