// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/image_file.hpp"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace kanor::rt {
namespace {

constexpr std::size_t section_bytes = std::size_t{1} << 20;

template <typename Value>
void append(std::string& text, const Value& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

Elf64_Shdr section(std::uint32_t name, std::uint32_t type, std::uint64_t flags, std::size_t offset,
                   std::size_t bytes) {
  Elf64_Shdr made{};
  made.sh_name = name;
  made.sh_type = type;
  made.sh_flags = flags;
  made.sh_offset = offset;
  made.sh_size = bytes;
  return made;
}

/// A library with a section of text, one of debug information, and one with a name that only begins alike.
std::string make_library() {
  const char names[] = "\0.text\0.debug_info\0.debugger\0.names";
  Elf64_Ehdr header{};
  std::string library(sizeof header, '\0');
  std::vector<Elf64_Shdr> sections{section(0, SHT_NULL, 0, 0, 0)};
  const auto add = [&](std::uint32_t name, std::uint64_t flags, char byte) {
    sections.push_back(section(name, SHT_PROGBITS, flags, library.size(), section_bytes));
    library.append(section_bytes, byte);
  };
  add(1, SHF_ALLOC, 't');
  add(7, 0, 'd');
  add(19, 0, 'o');
  sections.push_back(section(29, SHT_STRTAB, 0, library.size(), sizeof names));
  library.append(names, sizeof names);
  header.e_shoff = library.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<std::uint16_t>(sections.size());
  header.e_shstrndx = static_cast<std::uint16_t>(sections.size() - 1);
  for (const Elf64_Shdr& one : sections) append(library, one);
  std::memcpy(library.data(), &header, sizeof header);
  return library;
}

struct Written {
  std::string text;
  std::size_t memory = 0;
};

Written write(const std::string& library, DebugInformation debug_information) {
  const int file = ::memfd_create("test", MFD_CLOEXEC);
  EXPECT_TRUE(write_library(file, library, debug_information));
  struct stat status {};
  ::fstat(file, &status);
  Written written{std::string(static_cast<std::size_t>(status.st_size), '\0'),
                  static_cast<std::size_t>(status.st_blocks) * 512};
  EXPECT_EQ(::pread(file, written.text.data(), written.text.size(), 0), status.st_size);
  ::close(file);
  return written;
}

TEST(ImageFile, IsTheLibrary) {
  const std::string library = make_library();
  EXPECT_EQ(write(library, DebugInformation::written).text, library);
}

TEST(ImageFile, LeavesOutDebugInformationAlone) {
  const std::string library = make_library();
  const Written written = write(library, DebugInformation::left_out);
  ASSERT_EQ(written.text.size(), library.size());
  EXPECT_LT(written.memory, 2 * section_bytes + section_bytes / 2);
  std::string expected = library;
  expected.replace(sizeof(Elf64_Ehdr) + section_bytes, section_bytes, section_bytes, '\0');
  Elf64_Ehdr header;
  std::memcpy(&header, library.data(), sizeof header);
  const std::uint32_t empty = SHT_NOBITS;
  std::memcpy(&expected[header.e_shoff + 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_type)], &empty,
              sizeof empty);
  EXPECT_TRUE(written.text == expected);
}

TEST(ImageFile, IsWholeIfItsSectionsAreUnknown) {
  std::string library = make_library();
  library.resize(library.size() - 1);
  EXPECT_TRUE(write(library, DebugInformation::left_out).text == library);
  EXPECT_EQ(write("no library", DebugInformation::left_out).text, "no library");
}

TEST(ImageFile, SaysThatItCannotBeWritten) {
  EXPECT_FALSE(write_library(-1, "library", DebugInformation::written));
}

}  // namespace
}  // namespace kanor::rt
