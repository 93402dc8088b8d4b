// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Processes that share a Local although the test has forked them before it was made.
#include "transport/machine/shared_local.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "transport/machine/machine_transport.hpp"
#include "transport/rank.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {
namespace {

/// What is collective over the processes, by sockets between the first one and each of the others. Carries no
/// messages.
class SocketNetwork final : public Network {
 public:
  explicit SocketNetwork(int processes) : ends_(static_cast<std::size_t>(processes)) {
    for (auto& pair : ends_)
      if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) != 0) std::abort();
  }
  void become(int process) { process_ = process; }

  Capabilities capabilities(int, int) const override { return {}; }
  void post(Message*) override { std::abort(); }
  bool progress(Arrivals&) override { std::abort(); }
  int process() const override { return process_; }
  int processes() const override { return static_cast<int>(ends_.size()); }
  int processes_here() const override { return processes(); }
  int first_here() const override { return consecutive ? 0 : -1; }
  bool all_here(bool mine) override {
    bool all = mine;
    if (process_ == 0) {
      for (std::size_t other = 1; other < ends_.size(); ++other) {
        bool its = false;
        take(ends_[other][0], &its, sizeof its);
        all = all && its;
      }
    } else {
      put(ends_[static_cast<std::size_t>(process_)][1], &mine, sizeof mine);
    }
    broadcast_here(&all, sizeof all);
    return all;
  }
  void broadcast_here(void* data, std::size_t bytes) override {
    if (process_ != 0) return take(ends_[static_cast<std::size_t>(process_)][1], data, bytes);
    for (std::size_t other = 1; other < ends_.size(); ++other) put(ends_[other][0], data, bytes);
  }
  void broadcast(void* data, std::size_t bytes) override { broadcast_here(data, bytes); }
  int thread_level() const override { return 3; }
  void finish(Arrivals&) override {}
  void abort_job(int status) override { std::_Exit(status); }

  bool consecutive = true;

 private:
  static void put(int socket, const void* data, std::size_t bytes) {
    if (::write(socket, data, bytes) != static_cast<ssize_t>(bytes)) std::_Exit(90);
  }
  static void take(int socket, void* data, std::size_t bytes) {
    if (::recv(socket, data, bytes, MSG_WAITALL) != static_cast<ssize_t>(bytes)) std::_Exit(91);
  }

  std::vector<std::array<int, 2>> ends_;
  int process_ = 0;
};

/// Runs `body` in so many processes; answers with what statuses they have ended: 0 where it was content.
std::vector<int> run(int processes, const std::function<bool(SocketNetwork&)>& body) {
  SocketNetwork network(processes);
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      network.become(process);
      std::_Exit(body(network) ? 0 : 9);
    }
    children.push_back(child);
  }
  std::vector<int> statuses;
  for (const pid_t child : children) {
    int how = -1;
    ::waitpid(child, &how, 0);
    statuses.push_back(WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how));
  }
  return statuses;
}

Local::Sizes sizes(const Network& network, int ranks_each) {
  return {.first = network.process() * ranks_each,
          .count = ranks_each,
          .ranks = network.processes() * ranks_each,
          .memory_bytes = std::size_t{1} << 30,
          .inflight_bytes = std::size_t{1} << 20};
}

bool exchange(Rank& rank, std::uint64_t sequence, std::size_t bytes) {
  const int me = rank_number(rank);
  for (int to = 0; to < team_size(rank); ++to) {
    Buffer buffer = allocate_message(rank, bytes);
    std::memset(buffer.data(), 16 * me + to, bytes);
    send(rank, to, 1, sequence, std::move(buffer));
  }
  for (int from = team_size(rank); from-- > 0;) {
    const Buffer buffer = receive(rank, from, 1, sequence);
    const auto fits = [&](std::byte byte) { return byte == static_cast<std::byte>(16 * from + me); };
    if (buffer.bytes() != bytes || !std::all_of(buffer.data(), buffer.data() + bytes, fits)) return false;
  }
  return true;
}

/// Runs `body` on the ranks of this process, each a thread.
bool run_ranks(SocketNetwork& network, int ranks_each, const std::function<bool(Rank&)>& body) {
  const Local::Sizes own = sizes(network, ranks_each);
  const std::unique_ptr<Local> local = share_local(network, own, true);
  if (!local) return false;
  Control control(Sharing::within_process, own.first, own.count);
  MachineTransport transport(*local, ranks_each);
  Home home{
      .control = control, .local = *local, .transport = transport, .network = &network, .spare_cores = false};
  std::vector<std::thread> threads;
  std::vector<char> content(static_cast<std::size_t>(ranks_each));
  for (int i = 0; i < ranks_each; ++i)
    threads.emplace_back([&, i] {
      Rank rank(home, own.first + i);
      enter_rank(&rank);
      content[static_cast<std::size_t>(i)] = body(rank);
      rank_is_over(home, own.first + i, 0);
      enter_rank(nullptr);
    });
  for (std::thread& thread : threads) thread.join();
  return std::count(content.begin(), content.end(), 1) == ranks_each;
}

class SharedLocal : public testing::Test {
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer places memory itself";
#endif
  }
};

TEST_F(SharedLocal, RanksOfSeveralProcessesExchangeAsThoseOfOne) {
  for (const int ranks_each : {1, 2}) {
    const auto statuses = run(3, [&](SocketNetwork& network) {
      return run_ranks(network, ranks_each, [&](Rank& rank) {
        const int me = rank_number(rank);
        bool right = all_share_memory(rank) && !all_share_addresses(rank);
        for (int peer = 0; peer < team_size(rank); ++peer)
          right = right && shares_memory(rank, peer) &&
                  shares_addresses(rank, peer) == (peer / ranks_each == me / ranks_each);
        std::uint64_t sequence = 0;
        for (const std::size_t bytes : {8, 0, 90, 97, 5000, 300'000, 2'000'000, 12})
          // More than a ring holds, of what goes by rings.
          for (int i = 0; i < (bytes > 5000 ? 10 : 70); ++i)
            right = right && exchange(rank, sequence++, bytes);
        return right;
      });
    });
    EXPECT_EQ(statuses, std::vector<int>(3, 0)) << ranks_each << " ranks each";
  }
}

TEST_F(SharedLocal, WaitingForARankThatHasEndedIsAnError) {
  const auto statuses = run(2, [&](SocketNetwork& network) {
    return run_ranks(network, 1, [&](Rank& rank) {
      if (rank_number(rank) == 0) return true;
      receive(rank, 0, 1, 0);
      return false;
    });
  });
  EXPECT_EQ(statuses, (std::vector<int>{0, 1}));
}

TEST_F(SharedLocal, MessagesOutliveTheProcessThatHasSentThem) {
  const auto statuses = run(2, [&](SocketNetwork& network) {
    return run_ranks(network, 1, [&](Rank& rank) {
      if (rank_number(rank) == 0) {
        Buffer buffer = allocate_message(rank, 500'000);
        std::memset(buffer.data(), 5, buffer.bytes());
        send(rank, 1, 1, 0, std::move(buffer));
        return true;
      }
      ::usleep(100'000);
      const Buffer buffer = receive(rank, 0, 1, 0);
      return buffer.bytes() == 500'000 && buffer.data()[499'999] == std::byte{5};
    });
  });
  EXPECT_EQ(statuses, (std::vector<int>{0, 0}));
}

TEST_F(SharedLocal, GoesWhereAllHaveRoom) {
  const auto statuses = run(3, [](SocketNetwork& network) {
    // One process has something at the first places that are looked at, another one behind them.
    if (network.process() < 2)
      for (std::uint64_t address = 0x200000000000; address < 0x300000000000; address += 0x080000000000)
        if (::mmap(reinterpret_cast<void*>(address + (network.process() << 16)), 4096, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
          return false;
    return run_ranks(network, 1, [](Rank& rank) {
      return reinterpret_cast<std::uintptr_t>(&rank.presence) >= 0x300000000000 && exchange(rank, 0, 10'000);
    });
  });
  EXPECT_EQ(statuses, std::vector<int>(3, 0));
}

// A child that a rank forks maps the memory anew, by the one descriptor that there is until then.
TEST_F(SharedLocal, LeavesOneDescriptorAndNoName) {
  const auto statuses = run(2, [](SocketNetwork& network) {
    const auto descriptors = [] {
      return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
    };
    const auto before = descriptors();
    std::unique_ptr<Local> local = share_local(network, sizes(network, 1), true);
    const auto after = descriptors();
    std::ifstream maps("/proc/self/maps");
    const std::string text{std::istreambuf_iterator<char>(maps), {}};
    maps.close();
    const bool is_there = local != nullptr;
    local.reset();
    return is_there && after == before + 1 && descriptors() == before &&
           text.find("/memfd:kanor (deleted)") != std::string::npos;
  });
  EXPECT_EQ(statuses, std::vector<int>(2, 0));
}

TEST_F(SharedLocal, IsForAllOrForNobody) {
  const auto nobody = [](auto&& prepare) {
    return run(3, [&](SocketNetwork& network) {
      return !share_local(network, sizes(network, 1), prepare(network));
    });
  };
  EXPECT_EQ(nobody([](SocketNetwork& network) { return network.process() != 1; }), std::vector<int>(3, 0));
  EXPECT_EQ(nobody([](SocketNetwork& network) {
              network.consecutive = false;
              return true;
            }),
            std::vector<int>(3, 0));
  // Files of no size may be made; to try would bring a signal.
  EXPECT_EQ(nobody([](SocketNetwork& network) {
              const rlimit none{4096, 4096};
              if (network.process() == 0) ::setrlimit(RLIMIT_FSIZE, &none);
              return true;
            }),
            std::vector<int>(3, 0));
}

TEST_F(SharedLocal, AProcessWithLittleAddressSpaceGetsLess) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own memory exceeds every limit";
#endif
  const auto statuses = run(2, [](SocketNetwork& network) {
    const rlimit limit{std::size_t{2} << 30, std::size_t{2} << 30};
    if (network.process() == 1) ::setrlimit(RLIMIT_AS, &limit);
    Local::Sizes large = sizes(network, 1);
    large.memory_bytes = std::size_t{4} << 30;
    const std::unique_ptr<Local> local = share_local(network, large, true);
    return local && local->sizes().memory_bytes == large.memory_bytes / 8;
  });
  EXPECT_EQ(statuses, std::vector<int>(2, 0));
}

}  // namespace
}  // namespace kanor::rt
