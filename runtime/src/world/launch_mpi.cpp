// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <link.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/machine.hpp"
#include "platform/thread.hpp"
#include "transport/machine/machine_transport.hpp"
#include "transport/machine/shared_local.hpp"
#include "world/early_rank.hpp"
#include "world/host_watch.hpp"
#include "world/launch.hpp"
#include "world/watcher.hpp"

namespace kanor::rt {
namespace {

Network* network = nullptr;

/// Returns true if no dynamic linker has started the program.
bool is_static() {
  bool asks_for_linker = false;
  ::dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* asks) {
        for (int i = 0; i < program->dlpi_phnum; ++i)
          if (program->dlpi_phdr[i].p_type == PT_INTERP) *static_cast<bool*>(asks) = true;
        return 1;  // the program comes first
      },
      &asks_for_linker);
  return !asks_for_linker;
}

/// An MPI transport, opened or not.
struct Plugin {
  explicit Plugin(std::string file)
      : path(std::move(file)), handle(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle) error = ::dlerror();
  }

  std::string path;
  void* handle;
  std::string error;
};

Plugin plugin_of(const MpiKind& kind, const Facts& facts) {
  // The name alone is looked for in the program's run path, which kanor.pc and Kanor::kanor set.
  const std::string name(kind.plugin);
  return Plugin(facts.plugin_directory.empty() ? name : facts.plugin_directory + "/" + name);
}

/// Opens the plug-in that the user, the program's own MPI library or the launcher asks for.
Plugin open_plugin(const MpiLauncher& launcher, const Options& options, const Facts& facts) {
  const std::string started = std::string(launcher.name) + " started this program (" +
                              std::string(launcher.variable) + " is set), but ";
  if (!options.mpi_plugin.empty()) {
    Plugin plugin(options.mpi_plugin);
    if (!plugin.handle)
      refuse(started + "the MPI transport '" + plugin.path +
             "', which KANOR_MPI_PLUGIN names, cannot be opened (" + plugin.error +
             "): unset it, and Kanor looks for the transport that fits the launcher");
    return plugin;
  }
  std::vector<const MpiKind*> kinds = launcher.may;
  if (const MpiKind* const linked = linked_mpi()) {
    // Another library's processes would each be a job of their own.
    if (std::find(kinds.begin(), kinds.end(), linked) == kinds.end())
      refuse(started + "the program is linked with " + std::string(linked->name) + ": start it with " +
             std::string(linked->launcher) + ", or link it with " + std::string(kinds.front()->name));
    kinds = {linked};
  }
  std::string error;
  for (const MpiKind* const kind : kinds) {
    Plugin plugin = plugin_of(*kind, facts);
    if (plugin.handle) return plugin;
    if (error.empty()) error = plugin.error;
  }
  const MpiKind& missing = *kinds.front();
  const MpiKind& other = &missing == &mpich ? open_mpi : mpich;
  const bool other_way = !linked_mpi() && plugin_of(other, facts).handle;
  refuse(
      started + "Kanor's transport for " + std::string(missing.name) + " cannot be opened (" + error +
      "): install " + std::string(missing.package) +
      " and build Kanor with it, set KANOR_MPI_PLUGIN to the transport's path, or start the program with " +
      (other_way ? std::string(other.launcher) : "kanorrun"));
}

/// Opens the plug-in and joins the network; refuses with the reason where that is impossible.
Network* open_network(const MpiLauncher& launcher, const Options& options, const Facts& facts,
                      Arguments& arguments) {
  if (is_static())
    refuse(std::string(launcher.name) + " started this program (" + std::string(launcher.variable) +
           " is set), but it is linked statically (-static), and cannot open the MPI transport: link it "
           "without -static, or start it with kanorrun on one machine");
  const Plugin plugin = open_plugin(launcher, options, facts);
  const auto open = reinterpret_cast<NetworkOpen*>(::dlsym(plugin.handle, network_open_symbol));
  if (!open) refuse("'" + plugin.path + "' is not an MPI transport of Kanor: " + ::dlerror());
  char error[500] = "no reason given";
  Network* const opened = open(network_interface_version, options.threads_per_process, options.switches.yield,
                               &arguments.count, &arguments.values, error, sizeof error);
  if (!opened) refuse(std::string("the MPI transport cannot start: ") + error);
  return opened;
}

/// Makes the Local in memory that all processes of this machine share, where that is possible; else in this
/// process's.
std::unique_ptr<Local> make_local(const Local::Sizes& own, bool shared) {
  if (std::unique_ptr<Local> local = share_local(*network, own, shared)) return local;
  auto local = std::make_unique<Local>(Sharing::within_process, own);
  if (!local->ok()) refuse("cannot map any message memory (KANOR_MEMORY sets its size)");
  return local;
}

}  // namespace

Network* active_network() { return network; }

RanksMain begin_mpi(const MpiLauncher& launcher, const Options& options, const Facts& facts,
                    Arguments arguments) {
  const int threads = options.threads_per_process;
  const std::string obstacle = obstacle_words(facts);
  if (threads > 1 && !obstacle.empty())
    refuse("KANOR_THREADS is " + std::to_string(threads) + ", but ranks cannot be threads: " + obstacle);
  if (threads == 1) leave_signals_to_rank();
  static Control& control = *new Control(Sharing::with_forked_processes, -1, threads);
  const int watcher = start_watcher(control);
  network = open_network(launcher, options, facts, arguments);
  if (network->process() == 0) say_unheeded_settings(true);
  if (network->process() == std::max(network->first_here(), 0)) say_tuning_notice(options, host_name());
  // A line comes out whole, although several processes write to one terminal. MPI has just
  // taken the buffer away, and nothing but a new one brings lines back.
  static std::array<char, BUFSIZ> line_buffer;
  std::setvbuf(stdout, line_buffer.data(), _IOLBF, line_buffer.size());
  const int first = network->process() * threads;
  const int ranks = network->processes() * threads;
  control.set_place(first, network->processes_here() < network->processes() ? host_name() : "");
  watch_hosts(*network, watcher, options.host_seconds);
  static Local& local = *make_local({.first = first,
                                     .count = threads,
                                     .ranks = ranks,
                                     .memory_bytes = options.memory_bytes,
                                     .inflight_bytes = options.inflight_bytes,
                                     .huge_pages = options.switches.huge_pages},
                                    options.switches.node_memory)
                             .release();
  static MachineTransport& transport = *new MachineTransport(local, threads);
  // Processes may be bound to cores of their own, and how a block goes on must be decided by all alike.
  const bool spare_cores = network->all_here(network->processes_here() * threads <= usable_cores());
  static Home& home = *new Home{.control = control,
                                .local = local,
                                .transport = transport,
                                .network = network,
                                .spare_cores = spare_cores,
                                .switches = options.switches};
  // Ranks that wait for the network sleep for some microseconds at a time; by default the kernel adds 50.
  // Threads inherit this.
  if (home.has_remote()) ::prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0);
  watch_over_threads(home, options);
  // Several ranks have variables of their own, and MPI programs communicate in main at the earliest.
  EarlyRank* const early = threads == 1 && !facts.is_mpi_program ? new EarlyRank(home) : nullptr;
  take_signals();
  return [=](const Arguments& given) {
    if (threads == 1) leave_signals_to_rank();
    // MPI may have taken arguments of its own away.
    return run_rank_threads(home, options, {arguments.count, arguments.values, given.environment},
                            early ? early->leave() : nullptr);
  };
}

}  // namespace kanor::rt
