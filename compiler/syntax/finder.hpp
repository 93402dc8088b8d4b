// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "syntax/logical_text.hpp"
#include "text/source.hpp"

namespace kanor::syntax {

/// The beginning of a block, in logical offsets.
struct Candidate {
  enum class Form { at_sign, macro, in_macro_definition, misspelt, without_at_sign };
  Form form = Form::at_sign;
  text::Span word;  ///< from `@` to the end of `communicate`, or the macro's name
};

/// Returns true if the bytes have an `@` followed by a possible misspelling of `communicate`.
bool mentions_misspelt_block(std::string_view bytes);

/// Reads a C++ file for the words that open a block, past comments, literals, directives and the groups
/// that the preprocessor skips. It knows just enough of C++'s tokens for that; a block's own text is read
/// by its caller, who then tells where to go on.
class Finder {
 public:
  Finder(const LogicalText& text, std::vector<text::Span> inactive_groups);

  std::optional<Candidate> next();
  /// Goes on at this logical offset.
  void resume(std::uint32_t logical);
  /// How many braces were opened so far, less those closed, between the blocks that the caller skipped.
  int open_braces() const { return open_braces_; }

 private:
  enum class Directive { none, define, other };

  char at(std::uint32_t offset) const { return offset < size_ ? text_[offset] : '\0'; }
  bool skip_inactive_group();
  void skip_blanks_and_comments(bool newlines_too);
  void skip_literal(char quote);
  void skip_number();
  std::string_view take_identifier();
  void enter_directive();
  void punctuation();
  std::optional<Candidate> word(std::uint32_t begin);
  std::optional<Candidate> at_sign();
  bool opens_bracket_behind_blanks() const;
  bool opens_statements() const;
  void skip_group();
  void skip_block();
  void skip_token();
  std::optional<Candidate> found(Candidate::Form form, std::uint32_t begin);

  const LogicalText& logical_;
  std::string_view text_;
  std::uint32_t size_;
  std::vector<text::Span> inactive_;  ///< logical offsets, sorted
  std::size_t next_inactive_ = 0;
  std::uint32_t at_ = 0;
  bool line_start_ = true;
  Directive directive_ = Directive::none;
  int open_braces_ = 0;
};

}  // namespace kanor::syntax
