// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/source_record.hpp"

#include <llvm/Support/xxhash.h>

#include <variant>

#include "host/discover/code_digest.hpp"

namespace kanor::driver {
namespace {

std::string escaped(std::string_view field) {
  std::string text;
  for (const char c : field) {
    if (c == '\t' || c == '\n' || c == '\\') text += '\\';
    text += c == '\t' ? 't' : c == '\n' ? 'n' : c;
  }
  return text;
}

std::vector<std::string> split_fields(std::string_view text) {
  std::vector<std::string> fields(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\t') {
      fields.emplace_back();
    } else if (text[at] == '\\' && at + 1 < text.size()) {
      const char c = text[++at];
      fields.back() += c == 't' ? '\t' : c == 'n' ? '\n' : c;
    } else {
      fields.back() += text[at];
    }
  }
  return fields;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string number_of_code(std::string_view bytes) { return std::to_string(host::code_digest(bytes)); }

}  // namespace

std::string digest_of(const host::Discovery& discovery) {
  std::string digests, source;
  for (const auto& file : discovery.files) {
    if (file.is_system) continue;
    digests += number_of_code(file.source->bytes()) + ' ';
    if (source.empty()) source = number_of_code(file.source->bytes());
  }
  return source + '-' + std::to_string(llvm::xxh3_64bits(digests));
}

bool is_source_of(const std::string& digest, std::string_view bytes) {
  return digest.starts_with(number_of_code(bytes) + '-');
}

SourceRecord make_record(const CommandLine& line, const Input& input, const host::Discovery& discovery) {
  SourceRecord record{digest_of(discovery), {}};
  record.words.push_back("--host-cxx=" + joined(line.host));
  for (const Argument& argument : line.arguments)
    if (const auto* flag = std::get_if<Flag>(&argument);
        flag != nullptr && flag->role != Role::link && flag->words[0] != "-v")
      record.words.insert(record.words.end(), flag->words.begin(), flag->words.end());
  if (!input.forced.empty()) record.words.insert(record.words.end(), {"-x", input.forced});
  record.words.push_back("-c");
  record.words.push_back(input.path);
  return record;
}

std::string print_record(const SourceRecord& record) {
  std::string text = record.digest;
  for (const auto& word : record.words) text += '\t' + escaped(word);
  return text;
}

std::optional<SourceRecord> parse_record(std::string_view fields) {
  const auto parts = split_fields(fields);
  if (parts.size() < 2) return std::nullopt;
  return SourceRecord{parts[0], {parts.begin() + 1, parts.end()}};
}

}  // namespace kanor::driver
