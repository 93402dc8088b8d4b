// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/line_writer.hpp"

#include <algorithm>
#include <iterator>

#include "emit/spelling.hpp"

namespace kanor::emit {
namespace {

constexpr std::size_t line_width = 110;

}  // namespace

const text::Renumbering* LineWriter::renumbering(unsigned number) const {
  const auto after =
      std::find_if(renumberings_.begin(), renumberings_.end(),
                   [&](const text::Renumbering& at) { return source_.line(at.offset) > number; });
  return after == renumberings_.begin() ? nullptr : &*std::prev(after);
}

std::string LineWriter::shown_file(unsigned number) const {
  const auto* in_force = renumbering(number);
  return in_force != nullptr ? in_force->file : source_.path();
}

unsigned LineWriter::shown_line(unsigned number) const {
  const auto* in_force = renumbering(number);
  return in_force != nullptr ? in_force->line + number - source_.line(in_force->offset) : number;
}

void LineWriter::append(std::string_view text) {
  text_ += text;
  const auto last = text.rfind('\n');
  if (last == std::string_view::npos) return;
  current_ += static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
  line_begin_ = text_.size() - text.size() + last + 1;
}

bool LineWriter::line_is_blank() const {
  return text_.find_first_not_of(" \t", line_begin_) == std::string::npos;
}

/// Ends the line; if it has only blanks, restarts it instead.
void LineWriter::end_line() {
  if (line_is_blank())
    text_.resize(line_begin_);
  else
    append("\n");
}

void LineWriter::count_as(unsigned number) {
  if (current_ == number) return;
  text_ += "#line " + std::to_string(shown_line(number)) + '\n';
  line_begin_ = text_.size();
  current_ = number;
}

void LineWriter::user(Span span) {
  if (span.empty()) return;
  if (const unsigned number = source_.line(span.begin); number != current_) line(number, depth_ + 1);
  append(source_.text(span));
}

void LineWriter::blank(Span span) {
  std::string blanks(source_.text(span));
  for (char& c : blanks)
    if (c != '\n' && c != '\r' && c != '\t') c = ' ';
  append(blanks);
}

void LineWriter::line(unsigned number, int depth) {
  end_line();
  count_as(number);
  text_ += indentation_;
  text_.append(2 * static_cast<std::size_t>(depth), ' ');
  depth_ = depth;
}

void LineWriter::line_or_go_on(unsigned number, int depth, std::size_t characters) {
  if (current_ == number && text_.size() - line_begin_ + characters < line_width)
    text_ += ' ';
  else
    line(number, depth);
}

void LineWriter::own_line(std::string_view text) {
  end_line();
  text_ += text;
  text_ += '\n';
  line_begin_ = text_.size();
  ++current_;
}

void LineWriter::begin_file() {
  text_ += "#line 1 " + string_literal(source_.path()) + '\n';
  line_begin_ = text_.size();
  current_ = 1;
}

void LineWriter::indent_like(std::uint32_t offset) {
  const auto line = source_.line_text(source_.line(offset));
  indentation_ = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

std::uint32_t LineWriter::resume(std::uint32_t offset) {
  const auto bytes = source_.bytes();
  const auto text = bytes.find_first_not_of(" \t\r", offset);
  if (text == std::string_view::npos) return static_cast<std::uint32_t>(bytes.size());
  const auto at = source_.line_column(offset);
  end_line();
  if (bytes[text] == '\n') {
    count_as(at.line + 1);
    return static_cast<std::uint32_t>(text + 1);
  }
  count_as(at.line);
  for (const char c : source_.line_text(at.line).substr(0, at.column - 1)) text_ += c == '\t' ? '\t' : ' ';
  return offset;
}

}  // namespace kanor::emit
