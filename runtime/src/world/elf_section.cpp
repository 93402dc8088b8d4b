// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/elf_section.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <vector>

namespace kanor::rt {
namespace {

bool read_at(int file, void* into, std::size_t bytes, std::size_t offset) {
  return ::pread(file, into, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
}

}  // namespace

Section find_section(int file, const char* name) {
  Elf64_Ehdr header;
  if (!read_at(file, &header, sizeof header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return {};
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (sections.empty() || header.e_shstrndx >= sections.size() ||
      !read_at(file, sections.data(), sections.size() * sizeof(Elf64_Shdr), header.e_shoff))
    return {};
  const Elf64_Shdr& names = sections[header.e_shstrndx];
  std::string text(names.sh_size, '\0');
  if (!read_at(file, text.data(), text.size(), names.sh_offset)) return {};
  for (const Elf64_Shdr& section : sections)
    if (section.sh_name < text.size() && std::strcmp(&text[section.sh_name], name) == 0)
      return {static_cast<off_t>(section.sh_offset), section.sh_size};
  return {};
}

std::string section_text(const char* path, const char* name) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const Section section = find_section(file, name);
  std::string text(section.bytes, '\0');
  if (!read_at(file, text.data(), text.size(), static_cast<std::size_t>(section.offset))) text.clear();
  ::close(file);
  return text;
}

}  // namespace kanor::rt
