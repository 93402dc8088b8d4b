#include "words.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

std::vector<std::string> files_below(const fs::path& directory) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory, fs::directory_options::skip_permission_denied))
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

void count_words(std::string_view text, Counts& counts) {
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) ++counts[word];
    word.clear();
  };
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 'A' && byte <= 'Z')
      word += static_cast<char>(byte - 'A' + 'a');
    else if ((byte >= 'a' && byte <= 'z') || byte >= 0x80)
      word += letter;
    else
      finish();
  }
  finish();
}

Reading count_file(const std::string& path, Counts& counts) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Reading::failed;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return Reading::failed;
  if (text.find('\0') != std::string::npos) return Reading::binary;
  count_words(text, counts);
  return Reading::text;
}

std::size_t hash_word(std::string_view word) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char letter : word) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  return hash;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
