// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The control page: what the supervisor of some ranks and these ranks know of each other.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "job/step.hpp"
#include "platform/mapping.hpp"

namespace kanor::rt {

/// The kind of event that a rank waits for. Told in checked mode only.
enum class Waits : int {
  nothing,  ///< it does not wait
  data,     ///< a message of another rank
  room,     ///< room to send to another rank
  end       ///< its main has ended; it waits until the others have told what they did
};

/// Values of RankPage::waits_tag beside tags: any tag, nothing to say of it, and that the rank waits until
/// another one receives what it has sent.
inline constexpr int any_waited_tag = -1, no_tag = -2, receipt_tag = -3;

/// A call that a rank has noted. The name is null where there is none, and the line 0 where it is unknown.
struct NotedCall {
  std::atomic<const char*> name{nullptr};
  std::atomic<const char*> file{""};
  std::atomic<int> line{0};
};

/// A rank's state as its supervisor sees it. Every field is a relaxed atomic that only the rank writes,
/// unless something else stands beside it. What a rank writes in every block has a cache line of its own.
struct alignas(128) RankPage {
  std::atomic<const char*> file{nullptr};  ///< the block it is or was last in; null: none since `function`
  std::atomic<int> line{0};
  std::atomic<bool> inside{false};       ///< still in that block
  std::atomic<Step> step{Step::block};   ///< what it is, if not a block
  std::atomic<int> team_size{0};         ///< in checked mode: of the block's team; 0: the world's
  std::atomic<int> team_rank{0};         ///< this rank's number in that team
  NotedCall call;                        ///< of MPI or OPI that it is in; none else
  NotedCall function;                    ///< of Kanor's standard library that it is or was last in
  std::atomic<bool> in_function{false};  ///< still in that call
  /// The call that began what `call` waits for, where it was another one, and the tag.
  NotedCall posted;
  std::atomic<int> waits_tag{no_tag};

  alignas(64) std::atomic<bool> reported{false};  ///< its failure has been told on stderr
  std::atomic<int> process{0};                    ///< process id of a rank process; written by the supervisor
  std::atomic<int> status{0};                     ///< exit status; valid once `ended`
  std::atomic<bool> ended{false};                 ///< release, after `status`; acquire by the supervisor

  alignas(64) std::atomic<Waits> waits{Waits::nothing};
  std::atomic<int> waits_for{-1};            ///< the other rank; -1: any
  std::atomic<std::uint32_t> waits_done{0};  ///< how many waits have ended: progress
};

/// The control page. Lies in memory of its own that forked ranks share; no file remains of it.
class Control {
 public:
  /// For ranks first … first+count-1 of the job, which live under this supervisor; `first` is -1 while not
  /// known yet. Ends the program if the memory cannot be mapped.
  Control(Sharing sharing, int first, int count);
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  int first() const { return shared_->first.load(std::memory_order_relaxed); }
  int count() const { return count_; }
  bool has(int rank) const { return first() >= 0 && rank >= first() && rank < first() + count_; }
  RankPage& page(int rank) const { return pages_[rank - first()]; }

  /// Sets the first rank, once it is known; before any rank runs. `host` is for messages to the user, and
  /// empty in a job of one host: too long a name is cut off.
  void set_place(int first, std::string_view host);
  const char* host() const { return shared_->host; }
  /// Notes that the process of these ranks has left the others normally: its end is none of their business.
  void set_left() { shared_->left.store(true, std::memory_order_relaxed); }
  bool has_left() const { return shared_->left.load(std::memory_order_relaxed); }

  /// Notes that the rank is over with this status, and will send no more.
  void mark_ended(int rank, int status);
  /// Tells the supervisor of an event. Async-signal-safe.
  void notify();
  /// Asks for the job's end because of a failure, with this status. The first call wins. Async-signal-safe.
  void fail(int status);
  /// The status of fail(), or 0.
  int failure() const { return shared_->failure.load(std::memory_order_acquire); }
  /// Notes that the job is being torn down, and ends with this status: later failures are consequences, and
  /// are neither told nor counted.
  void set_ending(int status) { shared_->ending.store(status, std::memory_order_release); }
  bool ending() const { return ending_status() >= 0; }
  /// The status of set_ending(); -1 while the job goes on.
  int ending_status() const { return shared_->ending.load(std::memory_order_acquire); }
  /// Notes that all is done that the failed rank could not do itself, such as writing out what others have
  /// printed.
  void set_settled();
  /// Waits until set_settled(), for at most this long. Async-signal-safe.
  void wait_settled(std::int64_t timeout_us) const;

  /// Returns true if no rank has told of an error with this identity (not 0); otherwise counts the rank. Too
  /// many different ones are told each time. Async-signal-safe.
  bool is_first_to_tell(std::uint64_t identity, int rank);
  /// The number of further ranks with the same error as `rank`, the first of them; a rank of -1 ends the
  /// list.
  struct Repeats {
    int rank = -1, others = 0;
  };
  static constexpr int told_errors = 4;
  Repeats repeats(int at) const;

  /// Waits, on a rank, until all ranks could be started.
  void wait_start() const;
  void open_start();

  /// A number that changes with every event; wait_event sleeps while it is still `seen`.
  std::uint32_t events() const { return shared_->events.load(std::memory_order_acquire); }
  void wait_event(std::uint32_t seen, std::int64_t timeout_us) const;

  /// The lock for writing to what several rank processes write to.
  pthread_mutex_t& output_lock() { return shared_->output; }

  /// Sets the process that watches over rank processes, and gets SIGCHLD at events too; 0: nobody does.
  void set_supervisor_process(int process) { shared_->supervisor.store(process, std::memory_order_relaxed); }

 private:
  struct Shared {
    std::atomic<std::uint32_t> events{0};   ///< futex; add is release and pairs with events()
    std::atomic<std::uint32_t> settled{0};  ///< futex; release in set_settled, acquire in wait_settled
    std::atomic<std::uint32_t> started{0};  ///< futex; release in open_start, acquire in wait_start
    std::atomic<int> failure{0};            ///< release in fail, acquire in failure()
    std::atomic<int> ending{-1};            ///< release in set_ending, acquire in ending()
    std::atomic<int> supervisor{0};         ///< relaxed: set before ranks start
    std::atomic<int> first{-1};             ///< relaxed: set before ranks start
    std::atomic<bool> left{false};          ///< relaxed: read when the process is gone
    char host[64] = "";                     ///< written before `first`, by the process of the ranks
    pthread_mutex_t output;                 ///< between processes; a dead holder is no holder
    struct Told {
      std::atomic<std::uint64_t> identity{0};  ///< 0: free; claimed by compare and exchange
      std::atomic<int> rank{-1}, others{0};    ///< relaxed: for a line that comes after all
    };
    Told told[told_errors];
  };

  int count_;
  Mapping memory_;
  Shared* shared_;
  RankPage* pages_;
};

}  // namespace kanor::rt
