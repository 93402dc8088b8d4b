// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune/probe.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
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

/// Runs a command of the shell. Returns what it prints; throws with its last lines if it fails.
std::string output_of(const std::string& command, const std::string& what) {
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "re");
  if (!pipe) throw Failed("cannot start a shell for " + what);
  std::string text;
  char some[4096];
  for (std::size_t bytes; (bytes = std::fread(some, 1, sizeof some, pipe)) > 0;) text.append(some, bytes);
  if (const int status = ::pclose(pipe); !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Failed(what + " has failed:\n" + text);
  return text;
}

}  // namespace

Probe::Probe(std::string tools) : tools_(std::move(tools)) {
  std::string pattern = (std::filesystem::temp_directory_path() / "kanor-tune-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw Failed("cannot make a folder in " + pattern);
  folder_ = pattern;
  try {
    std::ofstream(path("probe.c")) << probe_source;
    output_of(
        quoted(tools_ + "/kanor-mpicc") + " -O2 " + quoted(path("probe.c")) + " -o " + quoted(path("probe")),
        "the compilation of the probe by kanor-mpicc");
  } catch (...) {
    std::filesystem::remove_all(folder_);
    throw;
  }
}

Probe::~Probe() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::vector<Batches> Probe::run(int ranks, const std::string& settings, const std::string& arguments) const {
  const std::string command =
      "env -u KANOR_DELTA -u KANOR_DISABLE -u KANOR_CHECK -u KANOR_REFERENCE -u KANOR_STATS " + settings +
      " " + quoted(tools_ + "/kanor-mpiexec") + " -n " + std::to_string(ranks) + " " + quoted(path("probe")) +
      " " + arguments;
  std::istringstream lines(output_of(command, "a run of the probe (" + settings + ", " + arguments + ")"));
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
