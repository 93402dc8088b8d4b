// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>

#include "sema/facts.hpp"
#include "text/diagnostic.hpp"
#include "text/source.hpp"

namespace kanor::sema {

/// Base of the checkers of statements: reports an error with its place, a way out, and the template
/// instantiation in which it occurs.
class StatementErrors {
 public:
  StatementErrors(const text::Source& source, text::Diagnostics& diagnostics,
                  Instantiation instantiation = {})
      : source_(source), diagnostics_(diagnostics), instantiation_(std::move(instantiation)) {}

 protected:
  void error(text::Kind kind, text::Span span, std::string message, std::string way_out = {}) {
    text::Diagnostic diagnostic{kind, &source_, span, std::move(message), {}};
    if (!way_out.empty()) diagnostic.notes.push_back({nullptr, {}, std::move(way_out)});
    if (!instantiation_.name.empty()) diagnostic.notes.push_back(where(instantiation_));
    for (const Instantiation& outer : instantiation_.outer) diagnostic.notes.push_back(where(outer));
    diagnostics_.report(std::move(diagnostic));
  }

  static text::Note where(const Instantiation& instantiation) {
    return {instantiation.source, instantiation.asked,
            "in the instantiation '" + instantiation.name +
                (instantiation.source != nullptr ? "', which is needed here" : "'")};
  }

  std::string quoted(text::Span span) const { return "'" + std::string(source_.text(span)) + "'"; }

  const text::Source& source_;
  text::Diagnostics& diagnostics_;
  Instantiation instantiation_;
};

}  // namespace kanor::sema
