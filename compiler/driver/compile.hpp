// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>

#include "driver/command_line.hpp"
#include "driver/installation.hpp"
#include "driver/workspace.hpp"

/// One source file from text to object (or to whatever the command line's stage asks for).
namespace kanor::driver {

class MessageUnits;

/// The state that all compilations of one command line share.
struct Session {
  const CommandLine& line;
  const Installation& installation;
  Workspace& workspace;
  /// Linker names that objects of the same command line define or use: no source makes them private to ranks.
  std::set<std::string> foreign_variables;
  /// Why global variables stay one for the process (NeedOfSharing::reason); empty: they don't.
  std::string shared_because = {};
  /// The sources whose messages may pass ownership; null without -fown-messages.
  const MessageUnits* messages = nullptr;
};

/// The result of compiling a source, for the link.
struct CompiledSource {
  int status = 0;      ///< exit status; not 0 if there is no object
  std::string object;  ///< its path; empty for -fsyntax-only
  std::string digest;  ///< of the C++ text (driver/source_record.hpp); empty if the host read it alone
};

/// The output path of a source at the command line's stage: -o, or a name in the working directory, or, on
/// the way to a program, a temporary object.
std::string output_path(const Session& session, const Input& input);

/// Compiles a C++ source through the pipeline, and any other source by the host alone. Prints diagnostics.
CompiledSource compile(const Session& session, const Input& input);

}  // namespace kanor::driver
