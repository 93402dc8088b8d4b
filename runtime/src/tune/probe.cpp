// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune/probe.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "tune/probe_source.hpp"

namespace kanor::tune {
namespace {

/// The word as the shell takes it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char one : word) text += one == '\'' ? std::string("'\\''") : std::string(1, one);
  return text + "'";
}

/// Takes out Kanor's own variables, but for those of its compilers, and those by which a program finds that
/// an MPI launcher or Slurm has started it: the probe is a job of its own.
void clean_environment() {
  std::vector<std::string> others;
  for (char** setting = environ; *setting; ++setting) {
    const std::string name(*setting, std::strcspn(*setting, "="));
    const auto begins = [&](const char* text) { return name.starts_with(text); };
    if ((begins("KANOR_") && !name.ends_with("_HOST")) || begins("PMI") || begins("OMPI_") ||
        begins("SLURM_") || begins("MPIEXEC_"))
      others.push_back(name);
  }
  for (const std::string& name : others) ::unsetenv(name.c_str());
}

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

Probe::Probe(std::string tools) : tools_(std::move(tools)) {
  clean_environment();
  std::error_code error;
  const std::string parent = std::filesystem::temp_directory_path(error).string();
  if (error) throw Failed("TMPDIR names no folder");
  std::string pattern = parent + "/kanor-tune-XXXXXX";
  if (!::mkdtemp(pattern.data()))
    throw Failed("cannot make a folder in " + parent + ": " + std::generic_category().message(errno));
  folder_ = pattern;
  try {
    output_of(quoted(tools_ + "/kanor-mpicc") + " -O2 " + quoted(write("probe.c", probe_source)) + " -o " +
                  quoted(path("probe")),
              "the compilation of the probe by kanor-mpicc");
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    throw;
  }
}

Probe::~Probe() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Probe::write(const std::string& name, const std::string& text) const {
  std::ofstream file(path(name));
  if (!(file << text) || !file.flush()) throw Failed("cannot write '" + path(name) + "'");
  return path(name);
}

/// Runs a command of the shell. Returns what it prints; throws with all of that, and its errors, if it fails.
std::string Probe::output_of(const std::string& command, const std::string& what) const {
  // Without a shell between, this waits for the command itself, which removes its own files if it is stopped.
  std::FILE* const pipe = ::popen(("exec " + command + " 2> " + quoted(path("errors"))).c_str(), "re");
  if (!pipe) throw Failed("cannot start a shell for " + what);
  std::string text;
  char some[4096];
  for (std::size_t bytes; (bytes = std::fread(some, 1, sizeof some, pipe)) > 0;) text.append(some, bytes);
  if (const int status = ::pclose(pipe); !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Failed(what + " has failed:\n" + text + content_of(path("errors")));
  return text;
}

std::vector<Batches> Probe::run(int ranks, const Settings& settings, const std::string& arguments) const {
  std::string command = "env";
  for (const std::string& setting : settings) command += " " + quoted(setting);
  command += " " + quoted(tools_ + "/kanor-mpiexec") + " -n " + std::to_string(ranks) + " " +
             quoted(path("probe")) + " " + arguments;
  std::istringstream lines(output_of(command, "a run of the probe (" + arguments + ")"));
  std::vector<Batches> found;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Batches one;
    words >> one.bytes >> one.count;
    for (double time_us; words >> time_us;) one.times_us.push_back(time_us);
    if (one.times_us.empty() || !words.eof()) throw Failed("the probe has printed: " + line);
    found.push_back(std::move(one));
  }
  return found;
}

}  // namespace kanor::tune
