// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/options.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "memory/segment.hpp"
#include "platform/machine.hpp"
#include "platform/text.hpp"
#include "world/tuning_file.hpp"

namespace kanor::rt {
namespace {

constexpr int most_hang_seconds = 1'000'000, most_host_seconds = 1'000'000;

std::string quoted(const char* name, std::string_view value) {
  return std::string(name) + " is '" + std::string(value) + "': ";
}

bool read_count(const char* name, int least, int most, int& count, std::string& error) {
  const char* const text = std::getenv(name);
  if (!text) return true;
  const auto value = parse_integer(text);
  if (value && *value >= least && *value <= most) {
    count = static_cast<int>(*value);
    return true;
  }
  error = quoted(name, text) + "expected a whole number from " + std::to_string(least) + " to " +
          std::to_string(most);
  return false;
}

bool read_size(const char* name, std::size_t least, std::size_t& bytes, std::string& error) {
  const char* const text = std::getenv(name);
  if (!text) return true;
  const auto value = parse_bytes(text);
  if (value && *value >= least) {
    bytes = *value;
    return true;
  }
  error = quoted(name, text) + "expected a number of bytes such as 65536, 512K, 64M or 2G";
  if (value && least > 1) error += ", at least " + std::to_string(least);
  return false;
}

bool read_switch(const char* name, bool& on, std::string& error) {
  const char* const text = std::getenv(name);
  const std::string_view value = text ? text : "";
  on = value == "1";
  if (on || value.empty() || value == "0") return true;
  error = quoted(name, value) + "expected 1 or 0";
  return false;
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

/// Reads KANOR_DELTA: `pages`, a number of bytes, or both.
bool read_delta(Switches& switches, std::string& error) {
  const char* const text = std::getenv("KANOR_DELTA");
  if (!text) return true;
  const std::string_view all = text, pages = "pages";
  std::string_view bytes = all;
  switches.pages = all == pages || all.starts_with("pages,");
  if (switches.pages) bytes.remove_prefix(std::min(all.size(), pages.size() + 1));
  if (all == pages) return true;
  const auto value = parse_bytes(bytes);
  if (value && *value > 0) {
    switches.increment_bytes = *value;
    return true;
  }
  error = quoted("KANOR_DELTA", all) +
          "expected a number of bytes such as 65536, 512K, 64M or 2G, or pages, or both: pages,64K";
  return false;
}

bool read_switches(Switches& switches, std::string& error) {
  if (!read_delta(switches, error)) return false;
  if (!read_switch("KANOR_CHECK", switches.check, error)) return false;
  if (!read_switch("KANOR_REFERENCE", switches.reference, error)) return false;
  const std::pair<std::string_view, bool&> optimisations[] = {
      {"plan", switches.plan},         {"cache", switches.cache},
      {"patterns", switches.patterns}, {"inline", switches.inline_messages},
      {"sharing", switches.sharing},   {"learning", switches.learning},
      {"repeat", switches.repeat},     {"node-memory", switches.node_memory},
      {"yield", switches.yield},       {"huge-pages", switches.huge_pages},
      {"binding", switches.binding},   {"delta", switches.delta}};
  for (const auto& [name, on] : optimisations) on = !switches.reference;
  // Every rank goes through all bindings, to compare them with those of others.
  if (switches.check) switches.plan = switches.cache = switches.patterns = false;
  const char* const text = std::getenv("KANOR_DISABLE");
  for (std::string_view rest = text ? text : ""; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    const auto* const found = std::find_if(std::begin(optimisations), std::end(optimisations),
                                           [&](const auto& one) { return one.first == word; });
    if (found == std::end(optimisations)) {
      error = quoted("KANOR_DISABLE", text) +
              "expected a comma-separated list of plan, cache, patterns, inline, sharing, learning, "
              "repeat, node-memory, yield, huge-pages, binding, delta";
      return false;
    }
    found->second = false;
  }
  return true;
}

/// Unused memory costs nothing, except under Valgrind, whose leak check reads all that is mapped.
std::size_t default_memory_bytes() {
  constexpr std::size_t under_valgrind = std::size_t{256} << 20;
  const char* const preloaded = std::getenv("LD_PRELOAD");
  if (preloaded != nullptr && std::string_view(preloaded).find("/vgpreload_") != std::string_view::npos)
    return under_valgrind;
  const std::size_t physical = physical_memory_bytes();
  return physical > std::numeric_limits<std::size_t>::max() / 4 ? physical : 4 * physical;
}

}  // namespace

bool read_options(Options& options, std::string& error) {
  options.ranks = std::min(usable_cores(), most_ranks);
  options.inflight_bytes = default_inflight_bytes;
  options.memory_bytes = default_memory_bytes();
  if (!read_count("KANOR_RANKS", 1, most_ranks, options.ranks, error)) return false;
  options.ranks_are_given = std::getenv("KANOR_RANKS") != nullptr;
  if (!read_mode(options.mode, error)) return false;
  if (!read_count("KANOR_THREADS", 1, most_ranks, options.threads_per_process, error)) return false;
  if (!read_size("KANOR_INFLIGHT", 1, options.inflight_bytes, error)) return false;
  if (!read_size("KANOR_MEMORY", Segment::least_bytes, options.memory_bytes, error)) return false;
  if (!read_count("KANOR_HANG_SECONDS", 0, most_hang_seconds, options.hang_seconds, error)) return false;
  if (!read_count("KANOR_HOST_SECONDS", 0, most_host_seconds, options.host_seconds, error)) return false;
  if (!read_switch("KANOR_STATS", options.switches.statistics, error)) return false;
  if (!read_switches(options.switches, error)) return false;
  if (const char* const plugin = std::getenv("KANOR_MPI_PLUGIN")) options.mpi_plugin = plugin;
  options.tuning_notice = read_tuning(options.switches.tuning);
  return true;
}

}  // namespace kanor::rt
