#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using Counts = std::map<std::string, long>;

/// All regular files below `directory`, sorted by name; symbolic links are left out, so that a file with
/// two names counts once. Throws std::filesystem::filesystem_error where it is no readable directory.
std::vector<std::string> files_below(const std::filesystem::path& directory);

/// Adds the words of a text to `counts`. A word is a run of letters, in lower case; bytes outside ASCII
/// are letters, so that words in UTF-8 stay whole.
void count_words(std::string_view text, Counts& counts);

enum class Reading { text, binary, failed };

/// Adds a file's words to `counts`, unless it cannot be read or has a zero byte and so is no text.
Reading count_file(const std::string& path, Counts& counts);

/// FNV-1a, 64 bits. Its own, because std::hash may differ from one machine to the next.
std::size_t hash_word(std::string_view word);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
