// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/hang.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "platform/text.hpp"
#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

constexpr std::uint64_t second_us = 1'000'000;
/// The time for which a process's last message counts, unless it said that its ranks have ended.
constexpr std::uint64_t word_lasts_us = 3 * second_us;

void write_lines(const std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    Line().text(std::string_view(text).substr(begin, end - begin)).write_to(STDERR_FILENO);
    begin = end + 1;
  }
}

}  // namespace

HangReporter::HangReporter(Home& home, int hang_seconds)
    : home_(home), watch_(home.control), hang_seconds_(hang_seconds) {
  if (!home_.network) return;
  processes_.resize(static_cast<std::size_t>(home_.network->processes()));
  home_.hear = [this](const Message& message) { hear(message); };
}

bool HangReporter::look(bool some_stopped) {
  const std::uint64_t now = monotonic_us();
  if (now - last_look_us_ < static_cast<std::uint64_t>(look_us()) / 2) return false;
  last_look_us_ = now;
  std::uint64_t stuck = watch_.stuck_us(now);
  if (some_stopped) {
    watch_.start_anew();
    stuck = 0;
  }
  if (!home_.network) {
    if (reported_ || watch_.all_ended() || stuck < static_cast<std::uint64_t>(hang_seconds_) * second_us)
      return false;
    return report(watch_.report());
  }
  const bool tells = stuck >= second_us / 2;
  // What was said of them is no longer true once they go on.
  if (tells ? now - last_told_us_ >= second_us / 2 : said_stuck_) tell(tells ? stuck : 0, false, now);
  said_stuck_ = tells;
  return report_for_all();
}

// Outside of checked mode the end of a job costs no messages: ranks that wait for one that has ended find
// out.
void HangReporter::last_look() {
  if (!home_.network || !home_.switches.check) return;
  {
    const std::lock_guard guard(lock_);
    leaving_ = true;
  }
  tell(0, true, monotonic_us());
}

void HangReporter::tell(std::uint64_t stuck_us, bool ended, std::uint64_t now_us) {
  last_told_us_ = now_us;
  const Word word{home_.network->process(), ended, stuck_us};
  std::string text = watch_.report();
  if (word.process == 0) return note(word, std::move(text));
  Message* const message = home_.local.supervisor_pool().allocate(sizeof(word) + text.size());
  if (!message) return;
  message->envelope = {home_.control.first(), 0, hang_context, 0, sizeof(word) + text.size()};
  std::memcpy(message->payload(), &word, sizeof(word));
  std::memcpy(message->payload() + sizeof(word), text.data(), text.size());
  home_.network->post(message);
}

void HangReporter::hear(const Message& message) {
  Message& said = const_cast<Message&>(message);
  Word word{};
  std::memcpy(&word, said.payload(), sizeof(word));
  const auto* const text = reinterpret_cast<const char*>(said.payload()) + sizeof(word);
  note(word, std::string(text, message.envelope.bytes - sizeof(word)));
  // While this process leaves the network nobody looks.
  bool leaving = false;
  {
    const std::lock_guard guard(lock_);
    leaving = leaving_;
  }
  if (leaving && report_for_all()) home_.network->abort_job(1);
}

void HangReporter::note(const Word& word, std::string text) {
  const std::lock_guard guard(lock_);
  const std::uint64_t now = monotonic_us();
  if (word.ended != 0 || word.stuck_us == 0) moved_us_ = now;
  processes_[static_cast<std::size_t>(word.process)] = {now, word.stuck_us, word.ended != 0, std::move(text)};
}

bool HangReporter::all_stuck(std::uint64_t now_us) const {
  const std::uint64_t limit = static_cast<std::uint64_t>(hang_seconds_) * second_us;
  // Whoever has moved may have set others going, whose word of it is still on its way.
  if (now_us - moved_us_ < limit) return false;
  bool any_waits = false;
  for (const Process& process : processes_) {
    if (process.ended) continue;
    any_waits = true;
    const std::uint64_t age = now_us - process.heard_us;
    const bool goes_on = process.heard_us == 0 || process.stuck_us == 0 || age > word_lasts_us;
    if (goes_on || process.stuck_us + age < limit) return false;
  }
  return any_waits;
}

bool HangReporter::report_for_all() {
  const std::lock_guard guard(lock_);
  if (home_.network->process() != 0 || reported_ || !all_stuck(monotonic_us())) return false;
  std::string lines;
  for (const Process& process : processes_) lines += process.text;
  return report(lines);
}

bool HangReporter::report(const std::string& lines) {
  reported_ = true;
  const bool ends = home_.switches.check;
  write_lines(hang_text(hang_seconds_, lines) +
              (ends ? ""
                    : "kanor: the job is not ended; with KANOR_CHECK=1 it is, and blocks in which ranks "
                      "differ are found\n"));
  return ends;
}

}  // namespace kanor::rt
