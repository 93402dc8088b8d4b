// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command_line.hpp"
#include "driver/emitted_unit.hpp"

/// Headers that the command line puts ahead of every source: `-include FILE` and clang's `-include-pch FILE`.
/// A header that kanorc need not rewrite is precompiled and used by the host; others are read as text.
namespace kanor::driver {

/// The content of the placeholder for a precompiled header whose text kanorc has to rewrite for each source.
inline constexpr std::string_view not_precompiled = "kanorc reads this header as text\n";

/// A map from the argument of an `-include` to the emitted copy of that file; to nothing for an
/// `-include-pch` that the host must not read. `unit` is null for a source that is compiled as it stands.
std::map<std::string, std::string> forced_copies(const CommandLine& line, const EmittedUnit* unit);

/// The flags with the copies in place of the originals. The headers that emitted text needs come ahead of
/// the first.
std::vector<std::string> with_copies(const std::vector<std::string>& flags,
                                     const std::map<std::string, std::string>& copies,
                                     const std::vector<std::string>& headers);

}  // namespace kanor::driver
