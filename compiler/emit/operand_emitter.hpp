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

  /// Writes a place or a value. `sink` is the emitted name of what takes it, which checks indices. `section`:
  /// what an element generator makes of it, or null.
  void operand(const syntax::Operand& operand, std::string_view sink,
               const plan::ElementSection* section = nullptr) const;
  /// Writes an argument of a call: parenthesised if a comma would split it.
  void argument(Span span) const;

 private:
  void elements(const plan::ElementSection& section, std::string_view sink) const;
  void section(const syntax::Operand& operand, std::string_view sink) const;
  /// Writes an argument, with its subscripts as calls that check the index in checked mode.
  void with_checks(Span span, std::string_view sink) const;

  const plan::StatementPlan& planned_;
  const text::Source& source_;
  LineWriter& out_;
  const CopyUserText& copy_;
};

}  // namespace kanor::emit
