// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/file_map.hpp"

#include <algorithm>

namespace kanor::host {

FileMap::FileMap(clang::FileManager& files, const Discovery& discovery, const std::vector<Shadow>& shadows) {
  int user_files = 0;
  for (const DiscoveredFile& file : discovery.files) {
    Entry entry{file.source.get(), nullptr, file.is_system ? -1 : user_files++, &file.pragmas};
    for (const Shadow& shadow : shadows)
      if (shadow.source == entry.source) entry.shadow = &shadow;
    if (const auto found = files.getOptionalFileRef(file.source->path()))
      entries_.emplace(&found->getFileEntry(), entry);
  }
}

const FileMap::Entry* FileMap::find(const clang::FileEntry* file) const {
  const auto found = entries_.find(file);
  return found == entries_.end() ? nullptr : &found->second;
}

const FileMap::Entry* FileMap::user_file(const clang::SourceManager& sources, clang::SourceLocation location,
                                         std::uint32_t& offset) const {
  if (location.isInvalid()) return nullptr;
  const auto [id, at] = sources.getDecomposedExpansionLoc(location);
  offset = at;
  const Entry* entry = find(sources.getFileEntryForID(id));
  return entry == nullptr || entry->user_file < 0 ? nullptr : entry;
}

FileMap::BlockPlace FileMap::block_place(const clang::SourceManager& sources,
                                         clang::SourceLocation location) const {
  BlockPlace place;
  place.entry = user_file(sources, location, place.offset);
  if (place.entry == nullptr || place.entry->shadow == nullptr) return {};
  place.block = place.entry->shadow->block_at(place.offset);
  if (place.block >= 0)
    place.begins_block =
        place.entry->shadow->blocks[static_cast<std::size_t>(place.block)].begin == place.offset;
  return place;
}

bool FileMap::may_lock() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const auto& one) {
    const auto* pragmas = one.second.pragmas;
    return pragmas != nullptr && std::any_of(pragmas->begin(), pragmas->end(),
                                             [](const Pragma& pragma) { return pragma.may_lock; });
  });
}

const Pragma* FileMap::pragmas_before(const clang::SourceManager& sources,
                                      clang::SourceLocation location) const {
  std::uint32_t offset = 0;
  const Entry* file = user_file(sources, location, offset);
  if (file == nullptr || file->pragmas == nullptr || file->pragmas->empty()) return nullptr;
  const int block = file->shadow == nullptr ? -1 : file->shadow->block_at(offset);
  const auto begin =
      block >= 0 ? std::optional(file->shadow->ast->blocks[static_cast<std::size_t>(block)].span.begin)
                 : file->original(offset);
  if (!begin) return nullptr;
  const auto found =
      std::lower_bound(file->pragmas->begin(), file->pragmas->end(), *begin,
                       [](const Pragma& one, std::uint32_t wanted) { return one.offset < wanted; });
  return found != file->pragmas->end() && found->offset == *begin ? &*found : nullptr;
}

}  // namespace kanor::host
