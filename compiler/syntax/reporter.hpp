// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "syntax/logical_text.hpp"
#include "text/diagnostic.hpp"
#include "text/source.hpp"

namespace kanor::syntax {

/// The text of the file that is being read, and the sink for messages; shared by all parts of syntax/. Spans
/// are logical; in the diagnostics they are spans of the file.
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
