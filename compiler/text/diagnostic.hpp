// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "text/source.hpp"

namespace kanor::text {

enum class Severity { note, warning, error };

/// The kind of a diagnostic: one enumerator for each line of diagnostic_kinds.def, which the tests' coverage
/// check reads too.
enum class Kind {
#define KANOR_DIAGNOSTIC(name, severity) name,
#include "text/diagnostic_kinds.def"
#undef KANOR_DIAGNOSTIC
};

std::string_view name(Kind kind);
Severity severity(Kind kind);

/// The name of a kind of warning after `-W` on the command line: `kanor-side-effect`.
std::string warning_option(Kind kind);
/// The kind of warning with this name; nothing if there is none.
std::optional<Kind> warning_of_option(std::string_view option);

/// A second place that explains the first, or the way out. Without a source it is a bare sentence.
struct Note {
  const Source* source = nullptr;
  Span span;
  std::string message;
};

/// One message at one place. Wording: lower case, no full stop, the user's names in quotes.
struct Diagnostic {
  Kind kind;
  const Source* source = nullptr;
  Span span;
  std::string message;
  std::vector<Note> notes;
};

/// Collects what the phases report, in order, dropping exact repetitions (a template's instantiations
/// report the same thing many times). Not thread-safe.
class Diagnostics {
 public:
  void report(Diagnostic diagnostic);
  bool has_errors() const { return errors_ != 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  using Identity = std::tuple<Kind, const Source*, std::uint32_t, std::uint32_t, std::string>;
  std::vector<Diagnostic> all_;
  std::set<Identity> seen_;
  std::size_t errors_ = 0;
};

/// Writes `path:line:column: error: message`, the line, a caret line and the notes, as clang and g++ do. A
/// warning's message ends with the option that switches it; it is called an error if `as_error`.
void print(const Diagnostic& diagnostic, std::ostream& out, bool colour, bool as_error = false);

}  // namespace kanor::text
