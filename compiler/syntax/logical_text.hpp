// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.hpp"

namespace kanor::syntax {

/// A file's bytes with its line splices joined (C++'s translation phase 2), and the way back to the
/// file. Offsets are `logical` here and `original` in the file. Without splices nothing is copied.
class LogicalText {
 public:
  /// `bytes` must outlive this.
  explicit LogicalText(std::string_view bytes);
  LogicalText(const LogicalText&) = delete;
  LogicalText& operator=(const LogicalText&) = delete;

  std::string_view text() const { return text_; }
  std::string_view original_bytes() const { return bytes_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }

  /// O(log splices). Offset in the file of the character at `logical`; the file's size at the end.
  std::uint32_t original(std::uint32_t logical) const;
  /// The file's span of these characters: it ends after the last of them, not after a splice behind it.
  text::Span original(text::Span logical) const;
  /// First character at or after `original`, an offset in the file.
  std::uint32_t logical(std::uint32_t original) const;

 private:
  struct Splice {
    std::uint32_t logical;  ///< of the character after it
    std::uint32_t removed;  ///< bytes removed so far, this splice included
  };
  std::string_view bytes_;
  std::string joined_;
  std::string_view text_;
  std::vector<Splice> splices_;
};

struct RawStringEnd {
  std::uint32_t logical = 0;  ///< after the closing quote, or where reading goes on if there is none
  bool closed = false;
};

/// The end of the raw string with its opening quote at `quote`. Splices are no splices inside it.
RawStringEnd raw_string_end(const LogicalText& text, std::uint32_t quote);

/// Returns true if the byte may be part of an identifier, as bytes of multi-byte UTF-8 characters and `$`
/// may.
bool is_identifier_byte(char byte);
bool is_digit(char byte);

}  // namespace kanor::syntax
