// Any bytes must be parsed without a crash, a hang or a broken tree, and every message must point into the
// file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "syntax/syntax.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kanor;
  const text::Source source("fuzz.cpp", std::string(reinterpret_cast<const char*>(data), size));
  // The last byte chooses whether a middle part counts as skipped by the preprocessor.
  std::vector<text::Span> inactive;
  const auto length = static_cast<std::uint32_t>(size);
  if (size > 0 && data[size - 1] % 4 == 0) inactive.push_back({length / 4, length / 2});

  text::Diagnostics diagnostics;
  const auto ast = syntax::parse(source, inactive, diagnostics);
  syntax::verify(ast);
  std::ostringstream out;
  print(ast, out);
  for (const auto& diagnostic : diagnostics.all()) {
    if (diagnostic.source != &source || diagnostic.span.begin > diagnostic.span.end ||
        diagnostic.span.end > length)
      std::abort();
    print(diagnostic, out, false);
  }
  if (!syntax::may_have_blocks(source) && (!ast.blocks.empty() || !diagnostics.all().empty())) std::abort();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
