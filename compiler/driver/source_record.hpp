// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command_line.hpp"
#include "host/discover/discover.hpp"

/// The record, in an object's note, of how it was compiled: if the link finds that global variables must not
/// be private to ranks, kanorc can compile the source again.
namespace kanor::driver {

/// Holds nothing of the output's name, of temporary files or of the working directory, so that equal
/// compilations make equal objects.
struct SourceRecord {
  std::string digest;              ///< digest_of()
  std::vector<std::string> words;  ///< for parse_command_line(); the last one is the source's path

  bool operator==(const SourceRecord&) const = default;
};

SourceRecord make_record(const CommandLine& line, const Input& input, const host::Discovery& discovery);

/// Two hashes of code (host/discover/code_digest.hpp): of the source, and of all user files of its unit.
std::string digest_of(const host::Discovery& discovery);

/// Returns true if these bytes have the code of the source in that digest.
bool is_source_of(const std::string& digest, std::string_view bytes);

/// The fields of the note's line behind `source<TAB>`, without a line end: tabs separate, and a tab, line end
/// or backslash inside a field has a backslash before it.
std::string print_record(const SourceRecord& record);
std::optional<SourceRecord> parse_record(std::string_view fields);

}  // namespace kanor::driver
