// What messages are made of, each part by itself. One core plays both ranks, so nothing waits for the other
// core's cache: what a part takes here is its instructions.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "match/matcher.hpp"
#include "transport/rank_state.hpp"
#include "transport/thread/thread_transport.hpp"

namespace {

using namespace kanor::rt;

/// Two ranks of one process, each of which the calling thread may be.
class Pair {
 public:
  Pair() { enter_rank(&ranks_[0]); }
  ~Pair() { enter_rank(nullptr); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  Rank& operator[](int number) { return ranks_[number]; }
  Rank& enter(int number) {
    enter_rank(&ranks_[number]);
    return ranks_[number];
  }

 private:
  Control control_{Sharing::within_process, 0, 2};
  Local local_{Sharing::within_process,
               {.first = 0,
                .count = 2,
                .ranks = 2,
                .memory_bytes = std::size_t{256} << 20,
                .inflight_bytes = std::size_t{64} << 20}};
  ThreadTransport transport_{local_};
  Home home_{.control = control_, .local = local_, .transport = transport_};
  Rank ranks_[2]{{home_, 0}, {home_, 1}};
};

/// A block is taken from the pool and given back, by the same rank.
void pool(benchmark::State& state) {
  Pair pair;
  const auto bytes = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(allocate_message(pair[0], bytes).data());
}
BENCHMARK(pool)->Arg(8)->Arg(4096)->Arg(1 << 20);

/// The same, but the other rank gives it back: batches of them come home.
void pool_of_another(benchmark::State& state) {
  Pair pair;
  const auto bytes = static_cast<std::size_t>(state.range(0));
  constexpr int batch = 64;
  std::vector<Buffer> held;
  while (state.KeepRunningBatch(batch)) {
    pair.enter(0);
    for (int i = 0; i < batch; ++i) held.push_back(allocate_message(pair[0], bytes));
    pair.enter(1);
    held.clear();
  }
}
BENCHMARK(pool_of_another)->Arg(8)->Arg(4096);

/// A block's message: sent, and received where it is expected.
void message(benchmark::State& state) {
  Pair pair;
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::uint64_t sequence = 0;
  for (auto _ : state) {
    Buffer payload = allocate_message(pair.enter(0), bytes);
    benchmark::DoNotOptimize(payload.data());
    send(pair[0], 1, 0, ++sequence, std::move(payload));
    benchmark::DoNotOptimize(receive(pair.enter(1), 0, 0, sequence).data());
  }
}
BENCHMARK(message)->Arg(8)->Arg(256)->Arg(4096);

/// The same of bytes that lie in the ring and nowhere else.
void few_bytes(benchmark::State& state) {
  Pair pair;
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::vector<std::byte> content(bytes);
  ShortMessage room;
  std::uint64_t sequence = 0;
  for (auto _ : state) {
    send_few(pair[0], 1, 0, ++sequence, content.data(), bytes);
    benchmark::DoNotOptimize(receive(pair[1], 0, 0, sequence, room.clear()).data());
  }
}
BENCHMARK(few_bytes)->Arg(8)->Arg(32)->Arg(256);

struct Counted final : Receive {
  using Receive::Receive;

 private:
  void complete(Arrival&& arrival) override { benchmark::DoNotOptimize(arrival.payload); }
};

/// A message with a tag finds its receive: the last one posted of so many.
void match(benchmark::State& state) {
  Pair pair;
  Matcher& matcher = Matcher::of(pair.enter(1));
  const int others = static_cast<int>(state.range(0)) - 1;
  std::deque<Counted> posted;
  for (int tag = 0; tag < others; ++tag) matcher.post(posted.emplace_back(Wanted{0, 0, tag}));
  const double content = 1;
  for (auto _ : state) {
    Counted receive(Wanted{0, 0, others});
    matcher.post(receive);
    stream_few_to(pair[0], 1, context_of(0, Form::content), static_cast<std::uint32_t>(others), &content,
                  sizeof content);
    matcher.progress(0, &receive);
  }
  for (Counted& receive : posted) matcher.cancel(receive);
}
BENCHMARK(match)->Arg(1)->Arg(16)->Arg(1000);

/// A receive finds its message among so many that have come before it was posted, with other tags.
void match_kept(benchmark::State& state) {
  Pair pair;
  Matcher& matcher = Matcher::of(pair.enter(1));
  const double content = 1;
  const auto send = [&](int tag) {
    stream_few_to(pair[0], 1, context_of(0, Form::content), static_cast<std::uint32_t>(tag), &content,
                  sizeof content);
    matcher.progress(0, nullptr);
  };
  const int others = static_cast<int>(state.range(0)) - 1;
  for (int tag = 0; tag < others; ++tag) send(tag);
  for (auto _ : state) {
    send(others);
    Counted receive(Wanted{0, 0, others});
    matcher.post(receive);
  }
}
BENCHMARK(match_kept)->Arg(1)->Arg(1000);

}  // namespace

BENCHMARK_MAIN();

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
