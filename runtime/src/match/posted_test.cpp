// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives in lists by tag are those that one list would find.
#include "match/posted.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "match/matcher.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

/// Notes which message it got.
class Noting final : public Receive {
 public:
  Noting(const Wanted& wanted, int number) : Receive(wanted), number(number) {}
  const int number;
  int got = -1;

 private:
  void complete(Arrival&& arrival) override { std::memcpy(&got, arrival.payload, sizeof got); }
};

/// What the receives of one job got, in the order in which they were posted: random receives, some of any
/// source and any tag, and random messages of three senders, of which some come first; some receives are
/// taken back.
std::vector<int> random_traffic(unsigned seed, bool reference, std::size_t most_open) {
  constexpr int ranks = 4;
  TestJob job(ranks);
  job.home.switches.reference = reference;
  Played played(job);
  std::mt19937 random(seed);
  const auto one_of = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  const int tags = one_of(2) == 0 ? 4 : 2000, channels = 1 + one_of(3);
  std::vector<std::unique_ptr<Noting>> receives;
  std::vector<int> open;
  int message = 0;
  for (int step = 0; step < 3000; ++step) {
    Rank& receiver = played[0];
    Matcher& matcher = Matcher::of(receiver);
    std::erase_if(open, [&](int number) { return receives[static_cast<std::size_t>(number)]->done(); });
    // By turns they become many and few.
    const bool grows = step / 700 % 2 == 0;
    if (open.size() < most_open && one_of(10) < (grows ? 7 : 2)) {
      const int source = one_of(6) == 0 ? any_source : one_of(ranks);
      const int tag = one_of(6) == 0 ? any_tag : one_of(tags);
      const auto channel = static_cast<std::uint32_t>(one_of(channels));
      receives.push_back(
          std::make_unique<Noting>(Wanted{channel, source, tag}, static_cast<int>(receives.size())));
      matcher.post(*receives.back());
      if (!receives.back()->done()) open.push_back(receives.back()->number);
    } else if (!open.empty() && one_of(20) == 0) {
      const auto which = static_cast<std::size_t>(one_of(static_cast<int>(open.size())));
      matcher.cancel(*receives[static_cast<std::size_t>(open[which])]);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      const int from = one_of(ranks), tag = one_of(tags);
      const auto channel = static_cast<std::uint32_t>(one_of(channels));
      stream_few_to(played[from], 0, context_of(channel, Form::content), static_cast<std::uint32_t>(tag),
                    &message, sizeof message);
      ++message;
      Matcher::of(played[0]).progress(from, nullptr);
    }
  }
  std::vector<int> got;
  for (const auto& receive : receives) got.push_back(receive->got);
  std::size_t posted = 0;
  Matcher& matcher = Matcher::of(played[0]);
  matcher.for_each_posted([&](const Receive&) { ++posted; });
  std::erase_if(open, [&](int number) { return receives[static_cast<std::size_t>(number)]->done(); });
  EXPECT_EQ(posted, open.size());
  for (const int number : open) matcher.cancel(*receives[static_cast<std::size_t>(number)]);
  matcher.for_each_posted([&](const Receive&) { ADD_FAILURE() << "one is left"; });
  return got;
}

TEST(Posted, FindsWhatOneListWouldFind) {
  int taken = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::size_t most_open = seed % 3 == 0 ? Posted::most_looked_at + 2 : 2000;
    const std::vector<int> hashed = random_traffic(seed, false, most_open);
    EXPECT_EQ(hashed, random_traffic(seed, true, most_open)) << "seed " << seed;
    taken += static_cast<int>(std::count_if(hashed.begin(), hashed.end(), [](int got) { return got >= 0; }));
  }
  EXPECT_GT(taken, 60 * 500);
}

// In the order against that of posting: what takes n steps for each where they are gone through.
TEST(Posted, OfManyTheLastIsFoundAtOnce) {
  constexpr int count = 20'000;
  Posted posted(Posted::most_looked_at);
  std::vector<std::unique_ptr<Noting>> receives;
  for (int tag = 0; tag < count; ++tag) {
    receives.push_back(std::make_unique<Noting>(Wanted{0, 1, tag}, tag));
    posted.add(*receives.back());
  }
  for (int tag = count - 1; tag >= 0; --tag) {
    Receive* const found = posted.first_for(0, 1, tag);
    ASSERT_EQ(found, receives[static_cast<std::size_t>(tag)].get());
    posted.remove(*found);
    ASSERT_EQ(posted.first_for(0, 1, tag), nullptr);
  }
  EXPECT_EQ(posted.count(), 0u);
}

}  // namespace
}  // namespace kanor::rt
