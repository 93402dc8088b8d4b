// What the programs of collectives.py have in common: the command line, how turns are timed, what is read and
// changed in each, and the lines they print.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// The command line: OPERATION SPELLING CHANGE READ BATCHES MICROSECONDS BYTES.
struct Request {
  std::string operation, spelling;
  bool changes_all = true;  ///< each turn all numbers of what is contributed, or only the first
  bool reads_all = true;    ///< likewise of what a rank gets; of the first turns always all
  int batches = 1;
  double microseconds = 0;  ///< of a batch, about
  std::size_t count = 1;    ///< numbers of what a rank contributes
};

inline Request read_request(int argc, char** argv) {
  if (argc != 8) {
    std::fprintf(stderr, "usage: %s OPERATION SPELLING CHANGE READ BATCHES MICROSECONDS BYTES\n", argv[0]);
    std::exit(2);
  }
  return {argv[1],
          argv[2],
          argv[3] == std::string("all"),
          argv[4] == std::string("all"),
          std::atoi(argv[5]),
          std::atof(argv[6]),
          static_cast<std::size_t>(std::atol(argv[7])) / sizeof(double)};
}

inline int unknown(const Request& request) {
  std::fprintf(stderr, "no operation '%s' in '%s'\n", request.operation.c_str(), request.spelling.c_str());
  return 2;
}

/// What every receiver does with what it got: looks at all of it. A function of its own, so that it is the
/// same code in all programs; eight sums, or each addition would wait for the one before.
[[gnu::noinline, gnu::aligned(64)]] inline double sum(const double* numbers, std::size_t count) {
  double totals[8] = {}, total = 0;
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t k = 0; k < 8; ++k) totals[k] += numbers[i + k];
  for (; i < count; ++i) total += numbers[i];
  for (const double one : totals) total += one;
  return total;
}

/// What every contributor does before each turn. Its own function as sum() is.
[[gnu::noinline, gnu::aligned(64)]] inline void change(double* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) numbers[i] += 1;
}

/// What a rank has first: small numbers that tell ranks and places apart. All sums stay exact.
inline double first_number(int rank, std::size_t place) {
  return 1 + 3 * rank + static_cast<double>(place % 5);
}

/// As many numbers of a rank in an all-to-all for each other: what it contributes in all has as many as
/// elsewhere.
inline std::size_t share(const Request& request, int ranks) {
  return std::max<std::size_t>(1, request.count / static_cast<std::size_t>(ranks));
}

/// Counts the turns of a loop, in batches of about the time that was asked for. A batch begins when all ranks
/// have met, and lasts until the last rank is done.
///
///     Turns turns(request, meet, most);
///     while (turns.next()) {
///       turns.change(mine.data(), mine.size());
///       …
///       turns.saw(got.data(), got.size());
///     }
class Turns {
 public:
  /// `meet` is a barrier, and `most` answers the greatest of all ranks' numbers.
  Turns(const Request& request, void (*meet)(), double (*most)(double))
      : batches_(static_cast<std::size_t>(request.batches)),
        microseconds_(request.microseconds),
        changes_all_(request.changes_all),
        reads_all_(request.reads_all),
        meet_(meet),
        most_(most) {}

  bool next() {
    if (left_ == 0 && !begin_batch()) return false;
    --left_, ++turn_;
    return true;
  }

  /// Before a turn, to what the rank contributes: one behind the other, as much to each of so many ranks.
  void change(double* numbers, std::size_t count, int ranks = 1) {
    if (changes_all_) return ::change(numbers, count);
    const std::size_t length = count / static_cast<std::size_t>(ranks);
    for (std::size_t at = 0; at < count; at += length) numbers[at] += 1;
  }

  /// After a turn, what the rank got.
  void saw(const double* numbers, std::size_t count) {
    seen_ += sum(numbers, reads_all_ ? count : 1);
    if (turn_ < checked_turns) check(numbers, count);
  }

  /// What was seen in the first turns, in all ranks' places. What is seen in a turn grows by as much in each,
  /// so that the rest is checked, too, however many turns there are.
  double checksum() const {
    const double turns = turn_ + 1, grows = sums_[1] - sums_[0];
    if (seen_ != turns * sums_[0] + turns * (turns - 1) / 2 * grows) {
      std::fprintf(stderr, "wrong: %.17g was seen in %g turns, in the first two %.17g and %.17g\n", seen_,
                   turns, sums_[0], sums_[1]);
      std::exit(3);
    }
    return checksum_;
  }
  /// Microseconds of a turn in each batch, by the rank that took longest.
  const std::vector<double>& times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int checked_turns = 2;
  static constexpr double most_microseconds = 1e6;  ///< of all batches, if there are a few

  bool begin_batch() {
    const std::chrono::duration<double, std::micro> own = Clock::now() - began_;
    if (turn_ < 0)
      size_ = checked_turns;
    else if (const double took = most_(own.count()); calibrating_)
      calibrate(took);
    else
      times_.push_back(took / size_), all_ += took;
    if (times_.size() >= batches_ || (times_.size() >= 3 && all_ > most_microseconds)) return false;
    left_ = size_;
    meet_();
    began_ = Clock::now();
    return true;
  }

  /// Batches of more and more turns, until they take long enough to tell how many turns a batch has.
  void calibrate(double took) {
    const bool is_long = took >= microseconds_ / 4;
    calibrating_ = turn_ < 3 || (!is_long && size_ < 1000);
    if (!calibrating_)
      size_ = std::clamp(static_cast<int>(microseconds_ * size_ / took), 1, 4 * size_);
    else if (!is_long)
      size_ *= 4;
  }

  void check(const double* numbers, std::size_t count) {
    sums_[turn_] += sum(numbers, reads_all_ ? count : 1);
    for (std::size_t i = 0; i < count; ++i) checksum_ += numbers[i] * static_cast<double>(++place_ % 101);
  }

  const std::size_t batches_;
  const double microseconds_;
  const bool changes_all_, reads_all_;
  void (*const meet_)();
  double (*const most_)(double);
  Clock::time_point began_ = Clock::now();
  int turn_ = -1, left_ = 0, size_ = 0;
  bool calibrating_ = true;
  double seen_ = 0, checksum_ = 0, sums_[checked_turns] = {}, all_ = 0;
  std::size_t place_ = 0;
  std::vector<double> times_;
};

/// One line: the checksum, which must be the same for all programs, then each batch.
inline void print_batches(double checksum, const std::vector<double>& microseconds) {
  std::printf("%.17g", checksum);
  for (const double one : microseconds) std::printf(" %.3f", one);
  std::printf("\n");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
