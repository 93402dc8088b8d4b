// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "text/source.hpp"

namespace kanor::emit {

/// A change of a few characters of a user's file.
struct SmallEdit {
  text::Span span;  ///< empty: an insertion
  std::string replacement;
  bool blanks = false;  ///< the span becomes blanks
};

}  // namespace kanor::emit
