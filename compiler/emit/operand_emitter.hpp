// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "emit/copy_user_text.hpp"
#include "emit/line_writer.hpp"
#include "plan/plan.hpp"

namespace kanor::emit {

/// Writes the places and values of one statement. All that it is given outlives it.
class OperandEmitter {
 public:
  OperandEmitter(const plan::StatementPlan& planned, const text::Source& source, LineWriter& out,
                 const CopyUserText& copy)
      : planned_(planned), source_(source), out_(out), copy_(copy) {}

  /// The emitted name of what takes a place or a value, and checks its indices.
  struct Sink {
    std::string_view name;
    bool is_of_place;
  };

  /// Writes a place or a value. `section`: what an element generator makes of it, or null.
  void operand(const syntax::Operand& operand, Sink sink,
               const plan::ElementSection* section = nullptr) const;
  /// Writes an argument of a call: parenthesised if a comma would split it.
  void argument(Span span) const;

 private:
  /// Writes the beginning of a call that makes the list of a section's indices.
  void indices_of(Sink sink) const;
  void elements(const plan::ElementSection& section, Sink sink) const;
  void section(const syntax::Operand& operand, Sink sink) const;
  /// Writes an argument, with its subscripts as calls that check the index in checked mode.
  void with_checks(Span span, Sink sink) const;

  const plan::StatementPlan& planned_;
  const text::Source& source_;
  LineWriter& out_;
  const CopyUserText& copy_;
};

}  // namespace kanor::emit
