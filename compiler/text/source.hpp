// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kanor::text {

/// Half-open range of byte offsets into one Source.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool operator==(const Span&) const = default;
  bool empty() const { return begin == end; }
  bool contains(Span inner) const { return begin <= inner.begin && inner.end <= end; }
};

/// One-based line and one-based column, the column in bytes.
struct LineColumn {
  unsigned line = 1;
  unsigned column = 1;
};

/// A `#line` directive in the user's file, as a generator writes it: renumbers the lines from an offset on.
struct Renumbering {
  std::uint32_t offset = 0;
  unsigned line = 1;  ///< the number of the line at `offset`
  std::string file;   ///< and the name of its file

  bool operator==(const Renumbering&) const = default;
};

/// An immutable file: its name as the user or the include search spelled it, its bytes, and a line table.
/// Not copyable: everything that refers to a file does so by the address of its Source.
class Source {
 public:
  Source(std::string path, std::string bytes);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view text(Span span) const { return bytes().substr(span.begin, span.end - span.begin); }

  /// O(log lines). An offset at or past the end gives the position just after the last byte.
  LineColumn line_column(std::uint32_t offset) const;
  unsigned line(std::uint32_t offset) const { return line_column(offset).line; }
  unsigned line_count() const { return static_cast<unsigned>(line_starts_.size()); }
  /// The bytes of a one-based line, without its line end. Empty for a line that does not exist.
  std::string_view line_text(unsigned line) const;
  /// Offset of the first byte of a one-based line.
  std::uint32_t line_begin(unsigned line) const { return line_starts_.at(line - 1); }

 private:
  std::string path_;
  std::string bytes_;
  std::vector<std::uint32_t> line_starts_;
};

}  // namespace kanor::text
