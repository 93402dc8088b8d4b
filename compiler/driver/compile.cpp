#include "driver/compile.hpp"

#include <iostream>

#include "driver/dependency_file.hpp"
#include "driver/host_commands.hpp"
#include "driver/terminal.hpp"

namespace kanor::driver {
namespace {

std::string stem(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

CompiledSource run_host(const Session& session, const CompileJob& job) {
  const Command command = compile_command(session.line, session.installation, job);
  if (session.line.shows_commands || session.line.verbose) std::cerr << quoted(command) << '\n';
  CompiledSource result{0, job.output.value_or("")};
  if (session.line.shows_commands) return result;
  const Outcome outcome = run(command);
  result.status = outcome.status;
  if (outcome.signal != 0)
    print_error("'" + command[0] + "' was ended by signal " + std::to_string(outcome.signal),
                session.line.colour);
  return result;
}

/// The host compiles the original, and writes its dependency file itself.
CompiledSource compile_unchanged(const Session& session, const Input& input) {
  CompileJob job{
      input.path, input.forced, input.language, output_path(session, input), input.language == Language::cxx,
      {}};
  if (session.line.dependencies.wanted)
    job.extra = dependency_flags(session.line.dependencies, dependency_rule(session, input));
  return run_host(session, job);
}

}  // namespace

std::string output_path(const Session& session, const Input& input) {
  const CommandLine& line = session.line;
  if (line.stage == Stage::program) {
    const std::string object = stem(input.path) + ".o";
    if (line.shows_commands) return "/tmp/kanorc-XXXXXX/" + object;
    if (!line.places_files_beside_object) return session.workspace.path(object);
    return line.output.value_or("a") + "-" + object;
  }
  if (line.output) return *line.output;
  return stem(input.path) + (line.stage == Stage::assembly ? ".s" : ".o");
}

CompiledSource compile(const Session& session, const Input& input) {
  return compile_unchanged(session, input);
}

}  // namespace kanor::driver
