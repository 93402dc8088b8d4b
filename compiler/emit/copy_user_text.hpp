// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

#include "text/source.hpp"

namespace kanor::emit {

using text::Span;

/// Writes the user's text of a span, with the small edits that fall into it.
struct CopyUserText {
  std::function<void(Span)> write;
  std::function<bool(Span)> is_edited;  ///< returns true if an edit falls into the span
  /// The function that a place or a value with this span goes through; empty: none.
  std::function<std::string(Span)> function_around;

  void operator()(Span span) const { write(span); }
};

}  // namespace kanor::emit
