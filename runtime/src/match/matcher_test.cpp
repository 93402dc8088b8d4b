// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who gets which arrival: against lists that are gone through from their beginning.
#include "match/matcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <list>
#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

/// What a message is, in its payload's beginning.
struct Content {
  std::uint32_t channel;
  int source, tag;
  Form form;
  int number;  ///< of its source's messages
  std::size_t bytes;
};

void send_content(Rank& rank, int to, const Content& content) {
  Buffer payload = allocate_message(rank, content.bytes);
  std::memcpy(payload.data(), &content, sizeof content);
  const std::uint64_t context = context_of(content.channel, content.form);
  const auto word = static_cast<std::uint32_t>(content.tag);
  if (content.bytes <= ShortMessage::most_bytes)
    stream_few_to(rank, to, context, word, payload.data(), content.bytes);
  else
    stream_to(rank, to, context, word, std::move(payload));
}

/// Keeps what it gets.
struct Reading final : Receive {
  using Receive::Receive;

  Content got{};
  bool keeps_memory = false;
  Buffer memory;

 private:
  void complete(Arrival&& arrival) override {
    ASSERT_FALSE(done());
    ASSERT_GE(arrival.bytes, sizeof got);
    std::memcpy(&got, arrival.payload, sizeof got);
    EXPECT_EQ(arrival.source, got.source);
    EXPECT_EQ(arrival.tag, got.tag);
    EXPECT_EQ(arrival.form, got.form);
    EXPECT_EQ(arrival.bytes, got.bytes);
    EXPECT_EQ(wanted().channel, got.channel);
    if (arrival.memory) {
      EXPECT_EQ(arrival.payload, arrival.memory.data());
    }
    if (keeps_memory) memory = std::move(arrival.memory);
  }
};

/// The same with lists, of everything that rank 0 does.
class Model {
 public:
  /// Each receive has a number; -1: no message.
  struct Post {
    int number;
    Wanted wanted;
  };
  /// (receive, message) as they find each other.
  using Pair = std::pair<int, Content>;

  explicit Model(int ranks) : on_the_way_(static_cast<std::size_t>(ranks)) {}

  void send(const Content& content) {
    on_the_way_[static_cast<std::size_t>(content.source)].push_back(content);
  }
  void post(int number, const Wanted& wanted) {
    const auto found =
        std::find_if(kept.begin(), kept.end(), [&](const Content& one) { return wants(wanted, one); });
    if (found == kept.end()) return posted.push_back({number, wanted});
    pairs.emplace_back(number, *found);
    kept.erase(found);
  }
  void cancel(int number) {
    posted.remove_if([&](const Post& one) { return one.number == number; });
  }
  /// Until receive `until` has its message; -1: all.
  void progress(int source, int until) {
    std::deque<Content>& arriving = on_the_way_[static_cast<std::size_t>(source)];
    while (!arriving.empty()) {
      if (until != -1 && !is_posted(until)) return;
      const Content content = arriving.front();
      arriving.pop_front();
      const auto found = std::find_if(posted.begin(), posted.end(),
                                      [&](const Post& one) { return wants(one.wanted, content); });
      if (found == posted.end()) {
        kept.push_back(content);
        continue;
      }
      pairs.emplace_back(found->number, content);
      posted.erase(found);
    }
  }
  bool is_posted(int number) const {
    return std::any_of(posted.begin(), posted.end(), [&](const Post& one) { return one.number == number; });
  }
  /// How many sources have something on the way.
  int busy_sources() const {
    return static_cast<int>(std::count_if(on_the_way_.begin(), on_the_way_.end(),
                                          [](const std::deque<Content>& one) { return !one.empty(); }));
  }

  std::list<Post> posted;
  std::list<Content> kept;
  std::vector<Pair> pairs;

 private:
  static bool wants(const Wanted& wanted, const Content& one) {
    return wanted.channel == one.channel && (wanted.source == any_source || wanted.source == one.source) &&
           (wanted.tag == any_tag || wanted.tag == one.tag);
  }
  std::vector<std::deque<Content>> on_the_way_;
};

/// Number of senders beside rank 0, which receives, and sends to itself; whether there are rings; seed.
class Matching : public ::testing::TestWithParam<std::tuple<int, bool, unsigned>> {
 protected:
  Matching() { job_.home.switches.inline_messages = std::get<1>(GetParam()); }

  int one_of(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::uint32_t channel() { return one_of(2) == 0 ? 0 : ~std::uint32_t{0} - 1; }

  void send_one() {
    const int source = one_of(ranks_);
    const std::size_t sizes[] = {sizeof(Content), 88, 200, 3000};
    const Content content{channel(), source,          one_of(3), static_cast<Form>(one_of(3)),
                          sent_++,   sizes[one_of(4)]};
    send_content(played_[source], 0, content);
    model_.send(content);
  }
  void post(const Wanted& wanted) {
    receives_.push_back(std::make_unique<Reading>(wanted));
    receives_.back()->keeps_memory = one_of(2) == 0;
    matcher().post(*receives_.back());
    model_.post(static_cast<int>(receives_.size()) - 1, wanted);
  }
  void post_one() {
    Wanted wanted{channel(), one_of(ranks_), one_of(3)};
    if (one_of(3) == 0) wanted.source = any_source;
    if (one_of(3) == 0) wanted.tag = any_tag;
    post(wanted);
  }
  void cancel_one() {
    if (model_.posted.empty()) return;
    auto chosen = model_.posted.begin();
    std::advance(chosen, one_of(static_cast<int>(model_.posted.size())));
    const int number = chosen->number;
    matcher().cancel(*receives_[static_cast<std::size_t>(number)]);
    model_.cancel(number);
  }
  void progress_one() {
    const int until = model_.posted.empty() || one_of(2) == 0 ? -1 : model_.posted.front().number;
    const int source = one_of(ranks_);
    const Receive* const receive = until == -1 ? nullptr : receives_[static_cast<std::size_t>(until)].get();
    // In which order sources are looked at does not matter if only one has something.
    if (model_.busy_sources() <= 1) {
      matcher().progress(any_source, receive);
      for (int each = 0; each < ranks_; ++each) model_.progress(each, until);
    } else {
      matcher().progress(source, receive);
      model_.progress(source, until);
    }
  }
  /// Nothing has found anything else than in the model.
  void compare() {
    for (; compared_ < model_.pairs.size(); ++compared_) {
      const auto& [number, content] = model_.pairs[compared_];
      Reading& receive = *receives_[static_cast<std::size_t>(number)];
      ASSERT_TRUE(receive.done()) << number;
      ASSERT_EQ(receive.got.number, content.number);
      receive.memory = Buffer();
    }
    for (const Model::Post& one : model_.posted)
      ASSERT_FALSE(receives_[static_cast<std::size_t>(one.number)]->done());
    ASSERT_EQ(matcher().kept(), model_.kept.size());
  }
  Matcher& matcher() { return Matcher::of(played_[0]); }

  const int ranks_ = std::get<0>(GetParam()) + 1;
  std::mt19937 random_{std::get<2>(GetParam())};
  TestJob job_{ranks_};
  Played played_{job_};
  Model model_{ranks_};
  std::vector<std::unique_ptr<Reading>> receives_;
  std::size_t compared_ = 0;
  int sent_ = 0;
};

TEST_P(Matching, IsThatOfLists) {
  for (int step = 0; step < 6000; ++step) {
    // Now there are more messages than receives, now more receives.
    const bool is_rich = step / 300 % 2 == 0;
    const int what = one_of(12);
    if (what < (is_rich ? 5 : 2))
      send_one();
    else if (what < 7)
      post_one();
    else if (what == 7)
      cancel_one();
    else
      progress_one();
    compare();
    if (HasFatalFailure()) return;
  }
  for (int source = 0; source < ranks_; ++source) {
    matcher().progress(source, nullptr);
    model_.progress(source, -1);
  }
  while (!model_.kept.empty()) post({model_.kept.front().channel, any_source, any_tag});
  compare();
  EXPECT_EQ(matcher().kept(), 0u);

  // Each size is of another class of blocks; of each there were some dozens at a time.
  for (int from = 0; from < ranks_; ++from) EXPECT_EQ(job_.local.inflight(from, 0).bytes(), 0u);
  EXPECT_LE(job_.local.segment().used_bytes(), static_cast<std::size_t>(ranks_) * 5 * Segment::unit_bytes);
}

INSTANTIATE_TEST_SUITE_P(Senders, Matching,
                         ::testing::Combine(::testing::Values(1, 2, 4), ::testing::Bool(),
                                            ::testing::Values(1u, 2u, 3u)));

// Nobody takes it, neither when it arrives nor later, and the rank ends all the same.
TEST(Matcher, WhatNobodyWantsEndsWithItsRank) {
  TestJob job(2);
  Played ranks(job);
  for (const std::size_t bytes : {sizeof(Content), std::size_t{1000}})
    send_content(ranks[0], 1, {0, 0, 1, Form::content, 0, bytes});
  Matcher::of(ranks[1]).progress(any_source, nullptr);
  EXPECT_EQ(Matcher::of(ranks[1]).kept(), 2u);
}

// A receive that is cancelled may be gone when its message comes.
TEST(Matcher, CancelledReceivesGetNothing) {
  TestJob job(1);
  Played ranks(job);
  Matcher& matcher = Matcher::of(ranks[0]);
  Reading first({0, 0, 1}), last({0, 0, 1});
  {
    Reading middle({0, 0, 1}), any({0, any_source, 1});
    for (Receive* const receive : {static_cast<Receive*>(&first), static_cast<Receive*>(&middle),
                                   static_cast<Receive*>(&any), static_cast<Receive*>(&last)})
      matcher.post(*receive);
    matcher.cancel(middle);
    matcher.cancel(any);
  }
  for (int number = 0; number < 3; ++number) send_content(ranks[0], 0, {0, 0, 1, Form::content, number, 100});
  matcher.progress(any_source, nullptr);
  EXPECT_EQ(first.got.number, 0);
  EXPECT_EQ(last.got.number, 1);
  EXPECT_EQ(matcher.kept(), 1u);
}

// Of sources that always have something none waits for all of the others.
TEST(Matcher, SourcesTakeTurns) {
  TestJob job(4);
  Played ranks(job);
  for (int source = 0; source < 4; ++source)
    for (int number = 0; number < 10; ++number)
      send_content(ranks[source], 0, {0, source, 1, Form::content, number, sizeof(Content)});
  std::vector<int> got(4);
  for (int i = 0; i < 40; ++i) {
    Reading receive({0, any_source, any_tag});
    Matcher& matcher = Matcher::of(ranks[0]);
    matcher.post(receive);
    matcher.progress(any_source, &receive);
    ASSERT_TRUE(receive.done());
    EXPECT_EQ(receive.got.number, got[static_cast<std::size_t>(receive.got.source)]++);
    EXPECT_LE(*std::max_element(got.begin(), got.end()), *std::min_element(got.begin(), got.end()) + 1);
  }
}

/// Receives, and gives the memory back.
Content take(const Wanted& wanted) {
  Reading receive(wanted);
  Matcher& matcher = Matcher::of(here());
  matcher.post(receive);
  if (!receive.done()) matcher.wait(receive);
  EXPECT_TRUE(receive.done());
  return receive.got;
}

/// Limits of bytes in flight.
class Waiters : public ::testing::TestWithParam<std::size_t> {};

// Two messages of one source that one receive would both take come in the order in which they were sent.
TEST_P(Waiters, DoNotOvertake) {
  constexpr int ranks = 4, count = 400;
  TestJob job(ranks, true, GetParam());
  job.run([&] {
    Rank& rank = here();
    const auto bytes = [](int number) { return number % 3 == 0 ? 500 : sizeof(Content); };
    for (int number = 0; number < count; ++number)
      for (int to = 0; to < ranks; ++to)
        send_content(rank, to, {0, rank.number, number % 4, Form::content, number, bytes(number)});
    int next[ranks] = {};
    for (int i = 0; i < ranks * count / 4; ++i) {
      const Content got = take({0, any_source, 3});
      EXPECT_EQ(got.number, next[got.source] + 3);
      next[got.source] += 4;
    }
    for (const int tag : {2, 0, 1})
      for (int from = 0; from < ranks; ++from)
        for (int number = tag; number < count; number += 4) EXPECT_EQ(take({0, from, tag}).number, number);
    EXPECT_EQ(Matcher::of(rank).kept(), 0u);
    EXPECT_EQ(rank.flow.lent.most(), 0u);
    // So that those who wait for whoever sends know that this one does not.
    rank_is_over(job.home, rank.number, 0);
  });
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to) EXPECT_EQ(job.local.inflight(from, to).bytes(), 0u);
}

// A receiver that wants what comes last keeps more than the limit meanwhile.
TEST_P(Waiters, ForTheLastOfManyGetIt) {
  constexpr int count = 500;
  TestJob job(3, true, GetParam());
  job.run([] {
    Rank& rank = here();
    if (rank.number != 0) {
      for (int number = 0; number < count; ++number)
        send_content(rank, 0, {7, rank.number, number, Form::content, number, std::size_t{300}});
      EXPECT_EQ(take({7, 0, 0}).number, 5);
      return;
    }
    for (int number = count - 1; number >= 0; --number)
      for (int i = 0; i < 2; ++i) EXPECT_EQ(take({7, any_source, number}).number, number);
    for (const int to : {1, 2}) send_content(rank, to, {7, 0, 0, Form::content, 5, std::size_t{100}});
    EXPECT_EQ(Matcher::of(rank).kept(), 0u);
    EXPECT_EQ(rank.flow.lent.most(), 0u);
  });
}

INSTANTIATE_TEST_SUITE_P(Limits, Waiters, ::testing::Values(1000, 65536, std::size_t{8} << 20));

}  // namespace
}  // namespace kanor::rt
