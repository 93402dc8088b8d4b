// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "syntax/logical_text.hpp"
#include "text/diagnostic.hpp"
#include "text/source.hpp"

namespace kanor::syntax {

/// What the room's parts share while they read one file: its text, and where their messages go.
/// Spans are logical; what the diagnostics get are spans of the file.
struct Reporter {
  const text::Source& source;
  const LogicalText& logical;
  text::Diagnostics& diagnostics;

  std::string_view text(text::Span span) const {
    return logical.text().substr(span.begin, span.end - span.begin);
  }
  text::Note note_at(text::Span span, std::string message) const {
    return {&source, logical.original(span), std::move(message)};
  }
  static text::Note note(std::string message) { return {nullptr, {}, std::move(message)}; }
  void error(text::Kind kind, text::Span span, std::string message,
             std::vector<text::Note> notes = {}) const {
    diagnostics.report({kind, &source, logical.original(span), std::move(message), std::move(notes)});
  }
};

}  // namespace kanor::syntax
