// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/launch.hpp"

#include <unistd.h>

#include <string>

#include "job/failure.hpp"
#include "platform/heap.hpp"
#include "platform/output.hpp"
#include "platform/placement.hpp"
#include "platform/text.hpp"
#include "world/image.hpp"
#include "world/own_libraries.hpp"
#include "world/settings.hpp"
#include "world/started_threads.hpp"

namespace kanor::rt {

RanksMain begin_job(const Arguments& arguments) {
  keep_rank_of_started_threads();
  Options options;
  std::string error;
  if (!read_options(options, error)) refuse(error);
  keep_freed_memory(options.switches.pages);
  Facts facts = program_facts();
  compare_own_libraries(facts);
  if (facts.needs_image && !Image::is_there())
    facts.obstacles.push_back({"", "", "the section with the program's copy is missing: link it again"});
  if (facts.is_mpi_program && !options.ranks_are_given) options.ranks = 1;

  if (const MpiLauncher launcher = mpi_launcher(); launcher.started_this())
    return begin_mpi(launcher, options, facts, arguments);
  say_unheeded_settings(false);
  say_tuning_notice(options);

  const std::string obstacle = obstacle_words(facts);
  if (!obstacle.empty() && options.mode == Mode::threads)
    refuse("KANOR_MODE is 'threads', but ranks cannot be threads: " + obstacle);
  if (!obstacle.empty() && options.mode == Mode::automatic)
    Line().text("kanor: running ranks as processes: ").text(obstacle).write_to(STDERR_FILENO);

  // Globals are private to thread ranks only where kanorc has seen the whole program; of another one the user
  // may say that its ranks can be threads.
  const bool can_be_threads = facts.linked_by_kanorc && obstacle.empty();
  const bool threads = options.mode == Mode::threads || (options.mode == Mode::automatic && can_be_threads);
  if (!threads) return begin_processes(options, facts);
  return [options](const Arguments& given) { return launch_threads(options, given); };
}

std::vector<Processors> places_of_ranks(const Options& options) {
  // A single one may use all of the machine.
  if (!options.switches.binding || options.ranks == 1) return {};
  return place_ranks(this_machine(), options.ranks);
}

void advise_crashes(const std::string& other_ways, bool checked) {
  const std::string check = checked ? "" : "with KANOR_CHECK=1 blocks check elements and lengths";
  if (other_ways.empty() && checked) return;
  static std::string& advice = *new std::string;  // for as long as the process can crash
  advice = "kanor: " + other_ways + (other_ways.empty() || checked ? "" : "; ") + check;
  advise_at_crash(advice.c_str());
}

void say_unheeded_settings(bool under_launcher) {
  for (const auto& line : unheeded_settings(under_launcher))
    Line().text("kanor: ").text(line).write_to(STDERR_FILENO);
}

void say_tuning_notice(const Options& options, const std::string& host) {
  if (options.tuning_notice.empty()) return;
  const std::string where = host.empty() ? "" : " (host " + host + ")";
  Line().text("kanor: ").text(options.tuning_notice).text(where).write_to(STDERR_FILENO);
}

void refuse(std::string_view text) {
  Line().text("kanor: ").text(text).write_to(STDERR_FILENO);
  end_process(bad_launch);
}

}  // namespace kanor::rt
