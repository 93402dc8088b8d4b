// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tune/measure.hpp"

#include <cstdarg>
#include <cstdio>
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

const std::vector<std::size_t> thread_messages{16 * kib,  32 * kib,  64 * kib,  96 * kib, 128 * kib,
                                               192 * kib, 256 * kib, 512 * kib, mib,      4 * mib};
const std::vector<std::size_t> block_messages{128 * kib, 256 * kib, 512 * kib, mib, 2 * mib, 4 * mib};
const std::vector<std::size_t> gap_messages{256 * kib, 512 * kib, mib, 2 * mib, 4 * mib, 8 * mib};
const std::vector<std::size_t> parts{16 * kib, 32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib, mib};

std::string printed(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string printed(const char* format, ...) {
  char text[200];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

std::string words_of(const std::vector<std::size_t>& all) {
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
  Measurement(const Probe& probe, std::function<void()> before_run)
      : probe_(probe),
        before_run_(std::move(before_run)),
        twice_(file("twice", {.least_offered_block = never, .least_offered_with_gaps = never})),
        once_(file("once", {.least_offered_block = 1, .least_offered_with_gaps = 1})) {}

  void round() {
    const std::string none = "KANOR_TUNING=none", threads = "KANOR_MODE=threads",
                      processes = "KANOR_MODE=processes";
    for (const char* const kind : {"block", "gaps"}) {
      run({twice_, threads}, turns(kind, thread_messages), std::string("twice ") + kind);
      run({once_, threads}, turns(kind, thread_messages), std::string("once ") + kind);
    }
    run({none, processes, "KANOR_DISABLE=delta"}, turns("block", block_messages), "whole");
    for (const std::size_t part : parts) {
      const std::string in_parts = "KANOR_DELTA=" + std::to_string(part - Tuning::before_part);
      run({none, processes, in_parts}, turns("gaps", gap_messages), "gaps " + std::to_string(part));
      run({none, processes, in_parts}, turns("block", block_messages), "block " + std::to_string(part));
    }
    for (const auto& [mode, name] : {std::pair(threads, "threads"), std::pair(processes, "processes")})
      run({none, mode}, "row " + std::to_string(batches), name);
    run({none}, "copies " + std::to_string(batches), "copies", 1);
  }

  Measured result() const {
    Measured made;
    const Tuning built_in;
    made.report += "threads: microseconds of a block that is copied twice (a long one in parts), and once\n";
    made.tuning.least_offered_block =
        limit_of(made.report, thread_messages, built_in.least_offered_block, "twice block", "once block");
    made.report += "threads: the same with gaps\n";
    made.tuning.least_offered_with_gaps =
        limit_of(made.report, thread_messages, built_in.least_offered_with_gaps, "twice gaps", "once gaps");
    PartTimes of_parts;
    for (const std::size_t part : parts)
      for (const std::size_t bytes : gap_messages)
        of_parts[bytes][part] = time("gaps " + std::to_string(part), bytes);
    made.tuning = best_parts(of_parts, made.tuning);
    report_parts(made.report, of_parts, made.tuning);
    made.report += "processes: microseconds of a block that is copied whole, and in parts\n";
    made.tuning.least_block_in_parts =
        limit_of(made.report, block_messages, built_in.least_block_in_parts, "whole", "block", made.tuning);
    report_models(made.report);
    return made;
  }

 private:
  static std::string turns(const char* kind, const std::vector<std::size_t>& all) {
    return std::string("turns ") + kind + " " + std::to_string(batches) + words_of(all);
  }

  /// The setting by which programs have these limits.
  std::string file(const std::string& name, const Tuning& tuning) const {
    return "KANOR_TUNING=" + probe_.write(name, rt::tuning_text(tuning, rt::cpu_name(), ""));
  }

  void run(const Settings& settings, const std::string& arguments, const std::string& name, int ranks = 2) {
    before_run_();
    times_[name].add(probe_.run(ranks, settings, arguments));
  }
  double time(const std::string& name, std::size_t bytes) const { return times_.at(name).of(bytes); }

  /// Reports the times of two ways, and returns the limit between them. With `range`, the second way's name
  /// is followed by the length of parts that a message has.
  std::size_t limit_of(std::string& report, const std::vector<std::size_t>& all, std::size_t built_in,
                       const std::string& below, const std::string& above,
                       std::optional<Tuning> range = std::nullopt) const {
    std::vector<Compared> found;
    for (const std::size_t bytes : all) {
      const std::string part = range ? " " + std::to_string(range->part_bytes(bytes)) : "";
      const Compared& one =
          found.emplace_back(Compared{bytes, time(below, bytes), time(above + part, bytes)});
      report += printed("%9zu %9.1f %9.1f\n", bytes, one.below, one.above);
    }
    std::vector<std::size_t> limits = all;
    limits.push_back(never);
    const std::size_t limit = best_limit(found, limits, built_in);
    report += limit == never ? std::string("  -> never the second\n")
                             : printed("  -> the second from %zu bytes on\n", limit);
    return limit;
  }

  static void report_parts(std::string& report, const PartTimes& times, const Tuning& tuning) {
    report += "processes: microseconds of messages with gaps, by the length of their parts\n         ";
    for (const std::size_t part : parts) report += printed(" %5zu KiB", part / kib);
    report += "\n";
    for (const auto& [bytes, by_part] : times) {
      report += printed("%9zu", bytes);
      for (const auto& [part, time_us] : by_part) report += printed(" %9.1f", time_us);
      report += "\n";
    }
    report += printed("  -> an eighth, from %zu to %zu KiB\n", tuning.least_part_bytes / kib,
                      tuning.most_part_bytes / kib);
  }

  void report_models(std::string& report) const {
    report += "t = L + n (o + G bytes), for n messages in a row and an answer\n";
    const Times& copies = times_.at("copies");
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
  const std::function<void()> before_run_;
  const std::string twice_, once_;
  std::map<std::string, Times> times_;
};

}  // namespace

Measured measure(const Probe& probe, int rounds, const std::function<void(int round)>& before_run) {
  int round = 0;
  Measurement measurement(probe, [&] { before_run(round); });
  for (; round < rounds; ++round) measurement.round();
  return measurement.result();
}

}  // namespace kanor::tune
