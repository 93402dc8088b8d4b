// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <ostream>
#include <string_view>

#include "host/discover/discover.hpp"

namespace kanor::host {
namespace {

void print_spans(const text::Source& source, const std::vector<Span>& spans, std::string_view what,
                 std::ostream& out) {
  for (const Span span : spans)
    out << "  " << what << " lines " << source.line(span.begin) << '-' << source.line(span.end) << '\n';
}

}  // namespace

void print(const Discovery& discovery, std::ostream& out) {
  for (const DiscoveredFile& file : discovery.files) {
    if (file.is_system) continue;
    out << "file " << file.source->path() << (file.is_main ? " main" : "") << '\n';
    print_spans(*file.source, file.inactive, "inactive", out);
    print_spans(*file.source, file.macro_definitions, "macro definition", out);
    print_spans(*file.source, file.macro_expansions, "macro expansion", out);
    for (const Pragma& pragma : file.pragmas)
      out << "  pragma before line " << file.source->line(pragma.offset)
          << (pragma.is_for_speed ? " for speed" : "") << (pragma.may_lock ? " may lock" : "") << '\n';
    for (const text::Renumbering& renumbering : file.renumberings)
      out << "  line " << file.source->line(renumbering.offset) << " counts as line " << renumbering.line
          << " of " << renumbering.file << '\n';
    for (const IncludeDirective& include : file.includes) {
      const DiscoveredFile& target = discovery.files[static_cast<std::size_t>(include.target_file)];
      out << "  include " << file.source->text(include.name) << (target.is_system ? " system" : "") << '\n';
    }
  }
  const auto systems = std::count_if(discovery.files.begin(), discovery.files.end(),
                                     [](const DiscoveredFile& file) { return file.is_system; });
  out << "system files " << systems << '\n';
}

}  // namespace kanor::host
