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

  /// The file and line number that messages show for a line of the user's file: its own, unless `#line`
  /// directives in the file say otherwise.
  std::string shown_file(unsigned number) const;
  unsigned shown_line(unsigned number) const;

  /// Writes the user's text, verbatim. If the current line does not count as its own, starts a new one.
  void user(Span span);
  /// Writes blanks in place of the user's text, so that the text after it keeps its line and column.
  void blank(Span span);
  /// Writes emitted words without line ends.
  void words(std::string_view text) { text_ += text; }

  /// Starts a new line that counts as the given line of the user's file, indented like the block plus `depth`
  /// steps.
  void line(unsigned number, int depth);
  /// Goes on in the current line if it counts as the given one and has room for so many characters; else
  /// line().
  void line_or_go_on(unsigned number, int depth, std::size_t characters);

  /// Writes a line, at the begin or end of the file, that is no line of the user's.
  void own_line(std::string_view text);
  /// Writes `#line 1` with the file's name: the user's first line follows.
  void begin_file();
  /// Makes indentation relative, from here on, to the line of the user's file at `offset`.
  void indent_like(std::uint32_t offset);
  /// Goes on with the user's text at `offset`, behind a block, on its own line and column. Returns the offset
  /// to go on from: the next line's if only blanks are left of this one.
  std::uint32_t resume(std::uint32_t offset);

  std::string take() && { return std::move(text_); }

 private:
  void append(std::string_view text);
  void end_line();
  void count_as(unsigned number);
  bool line_is_blank() const;
  /// The renumbering that is in force on a line; null if there is none.
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
