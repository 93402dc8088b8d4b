// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/missing_headers.hpp"

#include <clang/Tooling/Inclusions/StandardLibrary.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <vector>

namespace kanor::host {
namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Returns true if a line of a header declares the name outside of functions: as a function or as a class.
/// The headers are formatted, so what is inside of a function is indented.
bool declares(std::string_view line, std::string_view name) {
  if (line.empty() || !is_letter(line.front())) return false;
  for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const auto end = at + name.size();
    if (at == 0 || line[at - 1] != ' ') continue;
    const std::string_view before = line.substr(0, at - 1);
    const bool is_class = before.ends_with("class") || before.ends_with("struct");
    if (end < line.size() && line[end] == '(') return true;
    if (is_class && (end == line.size() || !is_letter(line[end]))) return true;
  }
  return false;
}

std::string header_in_std(std::string_view name) {
  const auto symbol = clang::tooling::stdlib::Symbol::named("std::", name);
  const auto header = symbol ? symbol->header() : std::nullopt;
  return header ? header->name().str() : std::string();
}

std::string header_in_kanor(std::string_view name, const Invocation& invocation) {
  const std::filesystem::path known = find_header(invocation, "kanor/std/collectives.hpp");
  if (known.empty()) return {};
  std::error_code error;
  std::vector<std::filesystem::path> headers;
  for (const auto& entry : std::filesystem::directory_iterator(known.parent_path(), error))
    if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
  std::sort(headers.begin(), headers.end());
  for (const auto& header : headers) {
    std::ifstream file(header);
    for (std::string line; std::getline(file, line);)
      if (declares(line, name)) return "<kanor/std/" + header.filename().string() + ">";
  }
  return {};
}

}  // namespace

std::string missing_header(std::string_view message, const Invocation& invocation) {
  if (message.starts_with("use of undeclared identifier 'kanor'")) return "<kanor/kanor.hpp>";
  constexpr std::array<std::string_view, 3> beginnings{"no member named '", "no template named '",
                                                       "no type named '"};
  const auto begins = std::find_if(beginnings.begin(), beginnings.end(),
                                   [&](std::string_view one) { return message.starts_with(one); });
  if (begins == beginnings.end()) return {};
  message.remove_prefix(begins->size());
  const std::string_view name = message.substr(0, message.find('\''));
  message.remove_prefix(name.size());
  if (message.starts_with("' in namespace 'std'")) return header_in_std(name);
  if (message.starts_with("' in namespace 'kanor'")) return header_in_kanor(name, invocation);
  return {};
}

}  // namespace kanor::host
