// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "analysis/decisions.hpp"
#include "plan/plan.hpp"

namespace kanor::report {

/// A remark on a statement, as in LLVM: an optimisation that was made, one that was missed, or an analysis.
struct Remark {
  enum class Kind { passed, missed, analysis };
  /// Together the values are the message.
  struct Part {
    std::string key;  ///< see words()
    std::string value;
  };
  Kind kind = Kind::analysis;
  std::string name;
  text::Span span;
  std::vector<Part> parts;

  std::string message() const;
  /// The message with its first reason, and each further reason by itself.
  std::vector<std::string> lines() const;
};

/// The words around what has a key of its own.
inline Remark::Part words(std::string text) { return {"String", std::move(text)}; }

/// Prints a remark as a compiler does, with its line of the source.
void print(const Remark& remark, const text::Source& source, std::ostream& out);

/// The remarks on one of the block's statements: its pattern, which rank goes through which bindings, how
/// many messages and bytes, and what ranks that share memory share instead of copying it.
std::vector<Remark> remarks(const plan::BlockPlan& block, const plan::StatementPlan& statement,
                            const text::Source& source, const analysis::Sharing& sharing);

}  // namespace kanor::report
