// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace kanor::host {

/// What is known of a pragma from the text of its line, a directive or a `_Pragma`. Of one that a macro
/// spells, that is the macro's name and arguments.
class PragmaText {
 public:
  /// `text` begins with the pragma, and may go on behind its line.
  explicit PragmaText(std::string_view text);

  bool is_about_warnings() const { return is_about_warnings_; }
  /// Returns true for a directive of the compilers' own for the loop behind it. OpenMP's are none: its
  /// threads may execute the loop.
  bool is_for_speed() const { return is_for_speed_; }
  /// Returns true if OpenMP may let one thread at a time execute the statement behind it.
  bool may_lock() const;
  /// Adds the words by which it may name variables to OpenMP.
  void add_openmp_words(std::set<std::string>& words) const;

 private:
  bool skip(std::string_view word);

  std::string_view rest_;
  bool is_about_warnings_ = false, is_for_speed_ = false, is_openmp_ = false, may_be_openmp_ = false;
};

}  // namespace kanor::host
