// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Sections and symbols of files that the linker has made, read and changed.
namespace kanor::driver {

/// Returns true for an object file: what the linker takes whole, no archive and no library.
bool is_object(const std::string& path);

/// The bytes of an archive's members of this name.
std::vector<std::string> archive_members(const std::string& path, std::string_view name);

/// The names that a shared library shows; empty for other files.
std::vector<std::string> exported_names(const std::string& path);

/// A section's bytes; empty if the file has no such section, or is no linked file.
std::string section_text(const std::string& path, std::string_view section);

/// Adds a section that is not loaded to a linked file. Throws std::runtime_error that names the file.
void add_section(const std::string& path, std::string_view section, std::string_view text);

/// Gives sections of an object file other names: pairs of the old and the new one. Throws std::runtime_error
/// that names the file.
void rename_sections(const std::string& path, const std::vector<std::pair<std::string, std::string>>& names);

/// Makes all of an object file's symbols its own but these. Throws std::runtime_error that names the file.
void keep_global(const std::string& path, const std::vector<std::string>& names);

}  // namespace kanor::driver
