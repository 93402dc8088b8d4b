// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command_line.hpp"
#include "driver/emitted_unit.hpp"

/// Headers that the command line has every source begin with: `-include FILE` and clang's `-include-pch
/// FILE`. What has nothing for kanorc in it is precompiled by the host, and used by it; the rest is read as
/// text.
namespace kanor::driver {

/// The content of a precompiled header that isn't one, because kanorc has to write its text anew for each
/// source.
inline constexpr std::string_view not_precompiled = "kanorc reads this header as text\n";

/// From the argument of an `-include` to the emitted copy of that file; an `-include-pch` that the host must
/// not read is there with nothing. `unit` is null for a source that is compiled as it stands.
std::map<std::string, std::string> forced_copies(const CommandLine& line, const EmittedUnit* unit);

/// The flags with the copies in place of the originals. The headers that emitted text needs come ahead of
/// the first.
std::vector<std::string> with_copies(const std::vector<std::string>& flags,
                                     const std::map<std::string, std::string>& copies,
                                     const std::vector<std::string>& headers);

}  // namespace kanor::driver
