// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/image_file.hpp"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace kanor::rt {
namespace {

/// A section with debug information, and the place of its header.
struct DebugSection {
  std::size_t header_at = 0;
  Elf64_Shdr header{};

  std::size_t begin() const { return header.sh_offset; }
  std::size_t end() const { return header.sh_offset + header.sh_size; }
};

/// Reads what stands at a place. Returns false if the library ends before.
template <typename Value>
bool read(std::string_view library, std::size_t at, Value& value) {
  if (at > library.size() || library.size() - at < sizeof value) return false;
  std::memcpy(&value, library.data() + at, sizeof value);
  return true;
}

bool is_debug_information(const Elf64_Shdr& header, std::string_view name) {
  return header.sh_type == SHT_PROGBITS && !(header.sh_flags & SHF_ALLOC) &&
         (name.starts_with(".debug_") || name.starts_with(".zdebug_"));
}

/// The sections with debug information, in the order of their places; none if the library is not as expected.
std::vector<DebugSection> debug_sections(std::string_view library) {
  Elf64_Ehdr header;
  Elf64_Shdr names;
  const auto place = [&](std::size_t number) { return header.e_shoff + number * sizeof(Elf64_Shdr); };
  if (!read(library, 0, header) || header.e_shentsize != sizeof(Elf64_Shdr) ||
      !read(library, place(header.e_shstrndx), names) || names.sh_offset > library.size())
    return {};
  const std::string_view texts = library.substr(names.sh_offset, names.sh_size);
  std::vector<DebugSection> found;
  for (std::size_t number = 0; number < header.e_shnum; ++number) {
    DebugSection one{place(number), {}};
    if (!read(library, one.header_at, one.header) || one.header.sh_name >= texts.size()) return {};
    const std::string_view name = texts.substr(one.header.sh_name);
    if (!is_debug_information(one.header, name.substr(0, name.find('\0')))) continue;
    if (one.begin() > library.size() || library.size() - one.begin() < one.header.sh_size) return {};
    found.push_back(one);
  }
  std::sort(found.begin(), found.end(),
            [](const DebugSection& left, const DebugSection& right) { return left.begin() < right.begin(); });
  return found;
}

bool write_at(int file, std::size_t at, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::pwrite(file, data, bytes, static_cast<off_t>(at));
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
    data += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

bool write_library(int file, std::string_view library, DebugInformation debug_information) {
  std::vector<DebugSection> left_out;
  if (debug_information == DebugInformation::left_out) left_out = debug_sections(library);
  std::size_t at = 0;
  for (const DebugSection& section : left_out) {
    if (section.begin() > at && !write_at(file, at, library.data() + at, section.begin() - at)) return false;
    at = std::max(at, section.end());
  }
  if (!write_at(file, at, library.data() + at, library.size() - at)) return false;
  return std::all_of(left_out.begin(), left_out.end(), [&](DebugSection& section) {
    section.header.sh_type = SHT_NOBITS;
    section.header.sh_flags = 0;
    return write_at(file, section.header_at, reinterpret_cast<const char*>(&section.header),
                    sizeof section.header);
  });
}

}  // namespace kanor::rt
