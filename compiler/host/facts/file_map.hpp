// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Basic/FileManager.h>

#include <unordered_map>

#include "host/discover/clang_session.hpp"
#include "host/discover/discover.hpp"
#include "host/shadow/shadow.hpp"

namespace kanor::host {

/// Maps each file that Clang has read to its Source, and to its Shadow if it has one.
class FileMap {
 public:
  struct Entry {
    const text::Source* source = nullptr;
    const Shadow* shadow = nullptr;
    int user_file = -1;  ///< counts the discovery's user files; -1 for a system file
    const std::vector<Pragma>* pragmas = nullptr;  ///< those in the source

    /// The offset in the source of one in what Clang has read; nothing for text of the shadow's own.
    std::optional<std::uint32_t> original(std::uint32_t offset) const {
      return shadow != nullptr ? shadow->original(offset) : std::optional(offset);
    }
  };

  FileMap(clang::FileManager& files, const Discovery& discovery, const std::vector<Shadow>& shadows);

  /// Null for built-in text and files that the discovery did not see.
  const Entry* find(const clang::FileEntry* file) const;
  /// The user file behind a location, and the offset in what Clang has read of it; for code from a macro the
  /// place of the expansion. Null for other files.
  const Entry* user_file(const clang::SourceManager& sources, clang::SourceLocation location,
                         std::uint32_t& offset) const;

  /// A place in a file that has a shadow, and the block whose shadow it is in.
  struct BlockPlace {
    const Entry* entry = nullptr;  ///< null in other files
    std::uint32_t offset = 0;      ///< in the shadow
    int block = -1;                ///< -1 between blocks
    bool begins_block = false;
  };
  BlockPlace block_place(const clang::SourceManager& sources, clang::SourceLocation location) const;
  /// The pragmas directly before what begins at a location, be it a block; null: none.
  const Pragma* pragmas_before(const clang::SourceManager& sources, clang::SourceLocation location) const;
  /// Returns true if any pragma may lock.
  bool may_lock() const;

 private:
  std::unordered_map<const clang::FileEntry*, Entry> entries_;
};

}  // namespace kanor::host
