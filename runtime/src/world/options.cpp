#include "world/options.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "platform/machine.hpp"
#include "platform/text.hpp"

namespace kanor::rt {
namespace {

std::string quoted(const char* name, std::string_view value) {
  return std::string(name) + " is '" + std::string(value) + "': ";
}

bool read_count(const char* name, int most, int& count, std::string& error) {
  const char* const text = std::getenv(name);
  if (!text) return true;
  const auto value = parse_integer(text);
  if (value && *value >= 1 && *value <= most) {
    count = static_cast<int>(*value);
    return true;
  }
  error = quoted(name, text) + "expected a whole number from 1 to " + std::to_string(most);
  return false;
}

bool read_size(const char* name, std::size_t& bytes, std::string& error) {
  const char* const text = std::getenv(name);
  if (!text) return true;
  const auto value = parse_bytes(text);
  if (value && *value > 0) {
    bytes = *value;
    return true;
  }
  error = quoted(name, text) + "expected a number of bytes such as 65536, 512K, 64M or 2G";
  return false;
}

/// A switch: anything but nothing and 0 sets it.
bool is_set(const char* name) {
  const char* const text = std::getenv(name);
  return text && *text && std::string_view(text) != "0";
}

bool read_mode(Mode& mode, std::string& error) {
  const char* const text = std::getenv("KANOR_MODE");
  if (!text) return true;
  const std::string_view value = text;
  if (value == "auto") {
    mode = Mode::automatic;
  } else if (value == "threads") {
    mode = Mode::threads;
  } else if (value == "processes") {
    mode = Mode::processes;
  } else {
    error = quoted("KANOR_MODE", value) + "expected auto, threads or processes";
    return false;
  }
  return true;
}

}  // namespace

bool read_options(Options& options, std::string& error) {
  options.ranks = std::min(usable_cores(), most_ranks);
  options.inflight_bytes = default_inflight_bytes;
  options.memory_bytes = physical_memory_bytes() > std::numeric_limits<std::size_t>::max() / 4
                             ? physical_memory_bytes()
                             : 4 * physical_memory_bytes();
  if (!read_count("KANOR_RANKS", most_ranks, options.ranks, error)) return false;
  if (!read_mode(options.mode, error)) return false;
  if (!read_count("KANOR_THREADS", most_ranks, options.threads_per_process, error)) return false;
  if (!read_size("KANOR_INFLIGHT", options.inflight_bytes, error)) return false;
  if (!read_size("KANOR_MEMORY", options.memory_bytes, error)) return false;
  options.statistics = is_set("KANOR_STATS");
  options.check = is_set("KANOR_CHECK");
  if (const char* const plugin = std::getenv("KANOR_MPI_PLUGIN")) options.mpi_plugin = plugin;
  return true;
}

const char* mpi_launcher_variable() {
  for (const char* name : {"PMI_RANK", "PMI_FD", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"})
    if (std::getenv(name)) return name;
  return nullptr;
}

}  // namespace kanor::rt
