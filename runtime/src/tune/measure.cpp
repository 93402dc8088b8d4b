// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune/measure.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tune/choices.hpp"
#include "world/tuning_file.hpp"

namespace kanor::tune {
namespace {

using rt::Tuning;

constexpr std::size_t kib = 1024, mib = 1024 * kib;
/// Longer than any message here.
constexpr std::size_t never = std::size_t{1} << 40;
constexpr int batches = 7;  ///< of a run
/// What stands before a part's bytes, which is to fit into a power of two with them.
constexpr std::size_t before_part = 256;

const std::vector<std::size_t> thread_lengths{16 * kib,  32 * kib,  64 * kib,  96 * kib, 128 * kib,
                                              192 * kib, 256 * kib, 512 * kib, mib};
const std::vector<std::size_t> block_lengths{128 * kib, 256 * kib, 512 * kib, mib, 2 * mib, 4 * mib};
const std::vector<std::size_t> gap_lengths{256 * kib, 512 * kib, mib, 2 * mib, 4 * mib, 8 * mib};
const std::vector<std::size_t> part_lengths{16 * kib,  32 * kib,  64 * kib, 128 * kib,
                                            256 * kib, 512 * kib, mib};

std::string printed(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string printed(const char* format, ...) {
  char text[200];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

std::string lengths(const std::vector<std::size_t>& all) {
  std::string text;
  for (const std::size_t bytes : all) text += " " + std::to_string(bytes);
  return text;
}

/// The times of one way to send, by length and number of messages, of all rounds.
class Times {
 public:
  void add(const std::vector<Batches>& run) {
    for (const Batches& one : run) {
      auto& all = times_[{one.bytes, one.count}];
      all.insert(all.end(), one.times_us.begin(), one.times_us.end());
    }
  }
  double of(std::size_t bytes) const { return median(times_.at({bytes, 1})); }
  std::vector<Sample> samples() const {
    std::vector<Sample> found;
    for (const auto& [key, times] : times_) found.push_back({key.first, key.second, median(times)});
    return found;
  }

 private:
  std::map<std::pair<std::size_t, int>, std::vector<double>> times_;
};

class Measurement {
 public:
  explicit Measurement(const Probe& probe) : probe_(probe) {
    twice_ = settings_with("twice", {.least_offered_bytes = never});
    once_ = settings_with("once", {.least_offered_bytes = 1});
  }

  void round() {
    for (const char* const kind : {"block", "gaps"}) {
      run(twice_ + " KANOR_MODE=threads", turns(kind, thread_lengths), std::string("twice ") + kind);
      run(once_ + " KANOR_MODE=threads", turns(kind, thread_lengths), std::string("once ") + kind);
    }
    const std::string processes = "KANOR_TUNING=none KANOR_MODE=processes";
    run(processes + " KANOR_DISABLE=delta", turns("block", block_lengths), "whole");
    for (const std::size_t part : part_lengths) {
      const std::string in_parts = processes + " KANOR_DELTA=" + std::to_string(part - before_part);
      run(in_parts, turns("gaps", gap_lengths), "gaps " + std::to_string(part));
      run(in_parts, turns("block", block_lengths), "block " + std::to_string(part));
    }
    for (const char* const mode : {"threads", "processes"})
      run(std::string("KANOR_TUNING=none KANOR_MODE=") + mode, "row " + std::to_string(batches), mode);
    times_["copies"].add(probe_.run(1, "KANOR_TUNING=none", "copies " + std::to_string(batches)));
  }

  Measured result() const {
    Measured made;
    const Tuning built_in;
    made.report += "threads: microseconds of a message that is copied twice, and once\n";
    made.tuning.least_offered_bytes = compared(
        made.report, thread_lengths, built_in.least_offered_bytes, {"block", "gaps"},
        [](auto kind) { return std::pair("twice " + std::string(kind), "once " + std::string(kind)); });
    PartTimes of_parts;
    for (const std::size_t part : part_lengths)
      for (const std::size_t bytes : gap_lengths)
        of_parts[bytes][part] = time("gaps " + std::to_string(part), bytes);
    const PartRange range = best_parts(of_parts, {built_in.least_part_bytes, built_in.most_part_bytes});
    made.tuning.least_part_bytes = range.least;
    made.tuning.most_part_bytes = range.most;
    report_parts(made.report, of_parts, range);
    made.report += "processes: microseconds of a block that is copied whole, and in parts\n";
    made.tuning.least_block_in_parts = compared(
        made.report, block_lengths, built_in.least_block_in_parts, {"block"},
        [](auto) { return std::pair(std::string("whole"), std::string()); }, range);
    report_models(made.report);
    return made;
  }

 private:
  static std::string turns(const char* kind, const std::vector<std::size_t>& all) {
    return std::string("turns ") + kind + " " + std::to_string(batches) + lengths(all);
  }

  std::string settings_with(const std::string& name, const Tuning& tuning) const {
    const std::string path = probe_.path(name);
    std::ofstream(path) << rt::tuning_text(tuning, rt::cpu_name(), "");
    return "KANOR_TUNING=" + path;
  }

  void run(const std::string& settings, const std::string& arguments, const std::string& name) {
    times_[name].add(probe_.run(2, settings, arguments));
  }
  double time(const std::string& name, std::size_t bytes) const { return times_.at(name).of(bytes); }

  /// Reports the times of two ways, and returns the limit between them. `names(kind)` are the two's; without
  /// a second one it is the way in parts of the range.
  template <class Names>
  std::size_t compared(std::string& report, const std::vector<std::size_t>& all, std::size_t built_in,
                       const std::vector<const char*>& kinds, Names names,
                       std::optional<PartRange> parts = std::nullopt) const {
    std::vector<Compared> found;
    for (const std::size_t bytes : all) {
      report += printed("%9zu", bytes);
      for (const char* const kind : kinds) {
        auto [below, above] = names(kind);
        if (parts) above = "block " + std::to_string(part_of(bytes, *parts));
        found.push_back({bytes, time(below, bytes), time(above, bytes)});
        report += printed("   %-5s %8.1f %8.1f", kind, found.back().below, found.back().above);
      }
      report += "\n";
    }
    std::vector<std::size_t> limits = all;
    limits.push_back(never);
    const std::size_t limit = best_limit(found, limits, built_in);
    report += limit == never ? std::string("  -> never the second\n")
                             : printed("  -> the second from %zu bytes on\n", limit);
    return limit;
  }

  static std::size_t part_of(std::size_t bytes, PartRange range) {
    std::size_t part = part_lengths.front();
    for (const std::size_t one : part_lengths)
      if (one <= bytes / 8) part = one;
    return std::clamp(part, range.least, range.most);
  }

  static void report_parts(std::string& report, const PartTimes& times, PartRange range) {
    report += "processes: microseconds of messages with gaps, by the length of their parts\n         ";
    for (const std::size_t part : part_lengths) report += printed(" %5zu KiB", part / kib);
    report += "\n";
    for (const auto& [bytes, by_part] : times) {
      report += printed("%9zu", bytes);
      for (const auto& [part, time_us] : by_part) report += printed(" %9.1f", time_us);
      report += "\n";
    }
    report += printed("  -> an eighth, from %zu to %zu KiB\n", range.least / kib, range.most / kib);
  }

  void report_models(std::string& report) const {
    report += "t = L + n o + G bytes, for n messages in a row and an answer\n";
    const auto copies = times_.at("copies");
    for (const char* const mode : {"threads", "processes"}) {
      const auto model = fit(times_.at(mode).samples());
      if (!model) throw Failed("the times of messages fit no model");
      report += printed("%9s: L %.2f us, o %.3f us, G %.4f ns, R2 %.3f\n", mode, model->latency_us,
                        model->overhead_us, model->byte_us * 1e3, model->r2);
      report += "           a message, compared with a copy:";
      for (const std::size_t bytes : {std::size_t{1024}, std::size_t{32000}, std::size_t{800000}})
        report += printed(
            " %.1f with %zu B",
            (model->overhead_us + model->byte_us * static_cast<double>(bytes)) / copies.of(bytes), bytes);
      report += "\n";
    }
  }

  const Probe& probe_;
  std::string twice_, once_;
  std::map<std::string, Times> times_;
};

}  // namespace

Measured measure(const Probe& probe, int rounds, const std::function<void(int round)>& begin_round) {
  Measurement measurement(probe);
  for (int round = 0; round < rounds; ++round) {
    begin_round(round);
    measurement.round();
  }
  return measurement.result();
}

}  // namespace kanor::tune
