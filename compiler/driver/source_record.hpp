#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command_line.hpp"
#include "host/discover/discover.hpp"

/// How an object came to be, kept in its note: should the link find that global variables must not be private
/// to ranks, kanorc can compile the source again.
namespace kanor::driver {

/// Holds nothing of the output's name or of temporary files, so that equal compilations make equal objects.
struct SourceRecord {
  std::string directory;           ///< absolute; the command was given here
  std::string digest;              ///< of the source and the user's headers
  std::vector<std::string> words;  ///< for parse_command_line(); the last one is the source's path

  bool operator==(const SourceRecord&) const = default;
};

/// Reads the working directory. Throws std::filesystem::filesystem_error.
SourceRecord make_record(const CommandLine& line, const Input& input, const host::Discovery& discovery);

/// A number made of the bytes of all user files of a unit.
std::string digest_of(const host::Discovery& discovery);

/// The fields of the note's line behind `source<TAB>`, without a line end: tabs separate, and a tab, line end
/// or backslash inside a field has a backslash before it.
std::string print_record(const SourceRecord& record);
std::optional<SourceRecord> parse_record(std::string_view fields);

/// The source's path as seen from the working directory, for messages.
std::string source_shown(const SourceRecord& record);

}  // namespace kanor::driver
