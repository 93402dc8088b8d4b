// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/sections.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/ELF.h>
#include <llvm/ObjCopy/ConfigManager.h>
#include <llvm/ObjCopy/ObjCopy.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "driver/workspace.hpp"

namespace kanor::driver {
namespace {

namespace object = llvm::object;

/// An ELF file, or null.
struct ElfFile {
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::unique_ptr<object::ObjectFile> file;
  object::ELFObjectFileBase* elf = nullptr;
};

ElfFile open_elf(const std::string& path) {
  ElfFile opened;
  auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer) return opened;
  opened.bytes = std::move(*buffer);
  if (!opened.bytes->getBuffer().starts_with(llvm::ELF::ElfMagic)) return opened;
  auto file = object::ObjectFile::createELFObjectFile(opened.bytes->getMemBufferRef());
  if (!file) {
    llvm::consumeError(file.takeError());
    return opened;
  }
  opened.file = std::move(*file);
  opened.elf = llvm::dyn_cast<object::ELFObjectFileBase>(opened.file.get());
  return opened;
}

void check(const std::string& path, llvm::Error error) {
  if (error) throw std::runtime_error("cannot change '" + path + "': " + llvm::toString(std::move(error)));
}

void change(const std::string& path, const llvm::objcopy::ConfigManager& config) {
  const std::string bytes = read_file(path);
  auto binary = object::ObjectFile::createELFObjectFile({bytes, path});
  check(path, binary.takeError());
  llvm::SmallVector<char, 0> copy;
  llvm::raw_svector_ostream out(copy);
  check(path, llvm::objcopy::executeObjcopyOnBinary(config, **binary, out));
  write_file(path, {copy.data(), copy.size()});
}

}  // namespace

bool is_object(const std::string& path) {
  const ElfFile opened = open_elf(path);
  return opened.elf != nullptr && opened.elf->getEType() == llvm::ELF::ET_REL;
}

std::vector<std::string> archive_members(const std::string& path, std::string_view name) {
  std::vector<std::string> found;
  const auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer) return found;
  auto archive = object::Archive::create((*buffer)->getMemBufferRef());
  if (!archive) {
    llvm::consumeError(archive.takeError());
    return found;
  }
  auto error = llvm::Error::success();
  for (const auto& child : (*archive)->children(error)) {
    auto member = child.getMemoryBufferRef();
    if (!member)
      llvm::consumeError(member.takeError());
    else if (auto own = child.getName(); own && *own == llvm::StringRef(name.data(), name.size()))
      found.push_back(member->getBuffer().str());
    else
      llvm::consumeError(own.takeError());
  }
  llvm::consumeError(std::move(error));
  return found;
}

std::vector<std::string> exported_names(const std::string& path) {
  std::vector<std::string> names;
  const ElfFile opened = open_elf(path);
  if (opened.elf == nullptr || opened.elf->getEType() != llvm::ELF::ET_DYN) return names;
  for (const object::ELFSymbolRef symbol : opened.elf->getDynamicSymbolIterators()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (flags && name && (*flags & object::BasicSymbolRef::SF_Undefined) == 0) names.push_back(name->str());
    llvm::consumeError(flags.takeError());
    llvm::consumeError(name.takeError());
  }
  return names;
}

std::string section_text(const std::string& path, std::string_view section) {
  const ElfFile opened = open_elf(path);
  if (opened.elf == nullptr || opened.elf->getEType() == llvm::ELF::ET_REL) return {};
  for (const object::SectionRef& one : opened.elf->sections()) {
    auto name = one.getName();
    if (name && *name == llvm::StringRef(section.data(), section.size()))
      if (auto text = one.getContents()) return text->str();
    if (!name) llvm::consumeError(name.takeError());
  }
  return {};
}

void add_section(const std::string& path, std::string_view section, std::string_view text) {
  llvm::objcopy::ConfigManager config;
  config.Common.AddSection.emplace_back(
      llvm::StringRef(section.data(), section.size()),
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size())));
  change(path, config);
}

void rename_sections(const std::string& path, const std::vector<std::pair<std::string, std::string>>& names) {
  llvm::objcopy::ConfigManager config;
  for (const auto& [old_name, name] : names)
    config.Common.SectionsToRename[old_name] = {old_name, name, std::nullopt};
  change(path, config);
}

void keep_global(const std::string& path, const std::vector<std::string>& names) {
  llvm::objcopy::ConfigManager config;
  for (const std::string& name : names)
    check(path, config.Common.SymbolsToKeepGlobal.addMatcher(llvm::objcopy::NameOrPattern::create(
                    name, llvm::objcopy::MatchStyle::Literal, [](llvm::Error error) { return error; })));
  change(path, config);
}

}  // namespace kanor::driver
