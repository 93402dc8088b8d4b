// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

namespace kanor::text {
namespace {

struct KindRow {
  std::string_view name;
  Severity severity;
};

constexpr std::array kinds{
#define KANOR_DIAGNOSTIC(name, severity) KindRow{#name, Severity::severity},
#include "text/diagnostic_kinds.def"
#undef KANOR_DIAGNOSTIC
};

/// The line below with the caret. Tabs stay tabs, so that it is below its column whatever the tab stops are.
std::string caret_line(std::string_view line, unsigned column, std::size_t width) {
  std::string carets;
  for (std::size_t at = 0; at + 1 < column; ++at) carets += at < line.size() && line[at] == '\t' ? '\t' : ' ';
  carets += '^';
  const std::size_t room = line.size() >= column ? line.size() - column : 0;
  carets.append(std::min(width > 0 ? width - 1 : 0, room), '~');
  return carets;
}

void print_at(const Source* source, Span span, std::string_view label, std::string_view label_colour,
              std::string_view message, std::ostream& out, bool colour) {
  const std::string_view bold = colour ? "\033[1m" : "", reset = colour ? "\033[0m" : "";
  out << bold;
  LineColumn at;
  if (source != nullptr) {
    at = source->line_column(span.begin);
    out << source->path() << ':' << at.line << ':' << at.column << ": ";
  } else {
    out << "kanorc: ";
  }
  out << (colour ? label_colour : "") << label << ": " << reset << bold << message << reset << '\n';
  if (source == nullptr) return;
  const auto line = source->line_text(at.line);
  out << line << '\n'
      << (colour ? "\033[1;32m" : "") << caret_line(line, at.column, span.end - span.begin) << reset << '\n';
}

}  // namespace

std::string_view name(Kind kind) { return kinds[static_cast<std::size_t>(kind)].name; }
Severity severity(Kind kind) { return kinds[static_cast<std::size_t>(kind)].severity; }

std::string warning_option(Kind kind) {
  std::string option = "kanor-" + std::string(name(kind));
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

std::optional<Kind> warning_of_option(std::string_view option) {
  for (std::size_t at = 0; at < kinds.size(); ++at) {
    const auto kind = static_cast<Kind>(at);
    if (severity(kind) == Severity::warning && warning_option(kind) == option) return kind;
  }
  return std::nullopt;
}

void Diagnostics::report(Diagnostic diagnostic) {
  const auto& [kind, source, span, message, notes] = diagnostic;
  if (!seen_.emplace(kind, source, span.begin, span.end, message).second) return;
  if (severity(diagnostic.kind) == Severity::error) ++errors_;
  all_.push_back(std::move(diagnostic));
}

void print(const Diagnostic& diagnostic, std::ostream& out, bool colour, bool as_error) {
  constexpr std::array<std::string_view, 3> labels{"note", "warning", "error"};
  constexpr std::array<std::string_view, 3> colours{"\033[1;36m", "\033[1;35m", "\033[1;31m"};
  const bool is_warning = severity(diagnostic.kind) == Severity::warning;
  const auto level = static_cast<std::size_t>(as_error ? Severity::error : severity(diagnostic.kind));
  std::string message = diagnostic.message;
  if (is_warning) message += (as_error ? " [-Werror=" : " [-W") + warning_option(diagnostic.kind) + ']';
  print_at(diagnostic.source, diagnostic.span, labels[level], colours[level], message, out, colour);
  for (const Note& note : diagnostic.notes)
    print_at(note.source, note.span, labels[0], colours[0], note.message, out, colour);
}

}  // namespace kanor::text
