// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iosfwd>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "host/discover/invocation.hpp"
#include "text/diagnostic.hpp"
#include "text/source.hpp"

/// Finds the files that take part in a translation unit, and the preprocessor's actions in them. One pass of
/// Clang's preprocessor over the original files; nothing is parsed.
namespace kanor::host {

using text::Span;

struct IncludeDirective {
  Span name;             ///< the header's name with its quotes or brackets; empty if a macro spelled it
  int target_file = -1;  ///< index into Discovery::files
};

/// The pragmas directly before a token, except those about warnings. Each is written as a directive, as
/// `_Pragma`, or by a macro.
struct Pragma {
  std::uint32_t offset = 0;  ///< of the token; for one from a macro, of the macro's name
  bool is_for_speed = true;  ///< true if they may change a loop's speed and nothing else
  bool may_lock = false;     ///< true if only one of the process's threads may execute the statement behind

  void add(const Pragma& other) {
    is_for_speed &= other.is_for_speed;
    may_lock |= other.may_lock;
  }
};

/// Spans are sorted and, except those of expansions, disjoint. A file that is entered several times has a
/// group as inactive only if every inclusion skips it.
struct DiscoveredFile {
  std::unique_ptr<text::Source> source;  ///< path as the include search spelled it
  bool is_main = false;
  bool is_system = false;      ///< in a system directory, without Kanor in it or below it: never rewritten
  std::vector<Span> inactive;  ///< skipped groups, with the directives around them
  std::vector<Span> macro_definitions;  ///< from the macro's name to its last token
  std::vector<Span> macro_expansions;   ///< function-like: from the macro's name to its closing parenthesis
  std::vector<IncludeDirective> includes;
  std::vector<Pragma> pragmas;  ///< by their offsets
  std::vector<text::Renumbering> renumberings;
};

struct Discovery {
  std::vector<DiscoveredFile> files;  ///< the main file first, then in the order of their first inclusion
  /// With OpenMP, the words of its directives, which may be variables' names.
  std::set<std::string> openmp_words;

  /// The index of a source of this discovery, or -1.
  int index_of(const text::Source* source) const;
};

/// Reports what the preprocessor finds wrong (a missing header, an #error) as host_error at the user's line.
/// After an error the result holds what was seen until then.
Discovery discover(const Invocation& invocation, text::Diagnostics& diagnostics);

/// The golden format of `kanorc --dump=discover`: user files with their spans by line, system files counted.
void print(const Discovery& discovery, std::ostream& out);

}  // namespace kanor::host
