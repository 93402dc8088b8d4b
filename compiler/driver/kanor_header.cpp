// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/kanor_header.hpp"

#include <cstdint>
#include <limits>
#include <set>
#include <string_view>

namespace kanor::driver {
namespace {

enum class First { kanor, block, neither };

class Walk {
 public:
  Walk(const host::Discovery& discovery, const std::vector<syntax::Ast>& asts)
      : discovery_(discovery), asts_(asts) {}

  /// Returns what comes first in the file and the files that it includes, in the order in which a compiler
  /// reads them.
  First through(int index) {
    if (!entered_.insert(index).second) return First::neither;
    const auto& file = discovery_.files.at(static_cast<std::size_t>(index));
    if (is_kanors(*file.source)) return First::kanor;
    const std::uint32_t block = first_block(file.source.get());
    for (const auto& include : file.includes) {
      if (include.target_file < 0 || include.name.empty()) continue;
      if (include.name.begin > block) break;
      if (const First found = through(include.target_file); found != First::neither) return found;
    }
    return block == none ? First::neither : First::block;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Returns true if the file is Kanor's own header. Its name is not enough: a program may have its own
  /// folder `kanor`.
  static bool is_kanors(const text::Source& source) {
    return source.path().ends_with("/kanor/kanor.hpp") &&
           source.bytes().find("KANOR_ABI_BLOCKS") != std::string_view::npos;
  }

  std::uint32_t first_block(const text::Source* source) const {
    for (const auto& ast : asts_)
      if (ast.source == source && !ast.blocks.empty()) return ast.blocks.front().span.begin;
    return none;
  }

  const host::Discovery& discovery_;
  const std::vector<syntax::Ast>& asts_;
  std::set<int> entered_;
};

}  // namespace

bool includes_kanor_first(const host::Discovery& discovery, const std::vector<syntax::Ast>& asts) {
  return !discovery.files.empty() && Walk(discovery, asts).through(0) == First::kanor;
}

}  // namespace kanor::driver
