// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/compile.hpp"
#include "driver/link/link.hpp"
#include "driver/link/object_file.hpp"
#include "driver/source_record.hpp"

/// Compiles the sources of separately compiled objects again, when only the link can tell that their global
/// variables must not be private to ranks.
namespace kanor::driver {

/// The options that differ in the second compilation.
struct OtherGlobals {
  std::string shared_because;              ///< not empty: as with --globals=process (NeedOfSharing::reason)
  std::set<std::string> shared_variables;  ///< linker names
};

/// The source that the object was made of, if it was made by kanorc of one source and nothing else.
std::optional<SourceRecord> only_source(const ObjectFacts& object);

/// Compiles the source of each object again and puts the new one in the place of the old in `inputs`; an
/// archive is replaced by a copy with the new member. The objects are files and archive members of `inputs`.
/// `because` is the clause that the message begins with. False, with every reason printed, if a source is
/// gone, has changed, or does not compile; `inputs` are then unchanged.
bool recompile(const Session& session, const std::vector<const ObjectFacts*>& objects,
               const OtherGlobals& globals, const std::string& because, std::vector<LinkInput>& inputs);

}  // namespace kanor::driver
