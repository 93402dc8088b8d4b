// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.hpp"

namespace kanor::emit {

using text::Span;

/// Puts an emitted text together and knows at every point which line of the user's file the host compiler
/// takes it for. Two kinds of text go in: the user's, which must stand on its own line, and emitted words,
/// which need not. A `#line` is written only where the count would be wrong.
class LineWriter {
 public:
  /// `renumberings` are the file's, by offset; both outlive the writer.
  LineWriter(const text::Source& source, const std::vector<text::Renumbering>& renumberings)
      : source_(source), renumberings_(renumberings) {}

  /// What messages call a line of the user's file, given its number in the file: itself, unless `#line`
  /// directives of the file say otherwise.
  std::string shown_file(unsigned number) const;
  unsigned shown_line(unsigned number) const;

  /// The user's text, verbatim. If the current line counts as another than its own, it starts a new one.
  void user(Span span);
  /// Blanks in place of the user's text, so that what follows keeps its line and column.
  void blank(Span span);
  /// Emitted words without line ends.
  void words(std::string_view text) { text_ += text; }

  /// Starts a new line that counts as the given line of the user's file, indented like the block plus `depth`
  /// steps.
  void line(unsigned number, int depth);
  /// Goes on in the current line if it counts as the given one and has room for so many characters; else
  /// line().
  void line_or_go_on(unsigned number, int depth, std::size_t characters);

  /// Lines at the begin or end of the file that are no line of the user's.
  void own_line(std::string_view text);
  /// `#line 1` with the file's name: the user's first line follows.
  void begin_file();
  /// From here on indentation is relative to the line of the user's file on which `offset` stands.
  void indent_like(std::uint32_t offset);
  /// The user's text goes on at `offset`, behind a block: it will stand on its own line and column. Returns
  /// the offset to go on from, which is the next line's if nothing but blanks is left of this one.
  std::uint32_t resume(std::uint32_t offset);

  std::string take() && { return std::move(text_); }

 private:
  void append(std::string_view text);
  void end_line();
  void count_as(unsigned number);
  bool line_is_blank() const;
  /// What is in force on a line; null where nothing is.
  const text::Renumbering* renumbering(unsigned number) const;

  const text::Source& source_;
  const std::vector<text::Renumbering>& renumberings_;
  std::string text_;
  std::string indentation_;
  std::size_t line_begin_ = 0;  ///< offset in text_ of the current line
  unsigned current_ = 1;        ///< the user's line that the current line counts as
  int depth_ = 0;
};

}  // namespace kanor::emit
