#include "driver/link/link.hpp"

#include <iostream>

#include "driver/link/link_command.hpp"
#include "driver/process.hpp"
#include "driver/workspace.hpp"

namespace kanor::driver {

int link_program(const Session& session, const std::vector<LinkInput>& objects) {
  const CommandLine& line = session.line;
  const Command command = link_command(line, session.installation, objects);
  if (line.shows_commands || line.verbose) std::cerr << quoted(command) << '\n';
  if (line.shows_commands) return 0;
  PendingOutput output(line.output.value_or("a.out"));
  const Outcome linked = run(command, Capture::standard_output);
  if (linked.status != 0) return linked.status;
  output.keep();
  return 0;
}

}  // namespace kanor::driver
