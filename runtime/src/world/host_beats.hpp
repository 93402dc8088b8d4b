// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which host of a job over several has fallen silent.
#pragma once

#include <netinet/in.h>
#include <poll.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kanor::rt {

/// A host's name as it travels: cut off where it is longer, and with a zero at its end.
using HostName = std::array<char, 64>;
HostName short_name(const std::string& name);

/// The data that a host needs to take part: plain data, which goes from process to process.
struct BeatPlan {
  /// The most addresses of one host; those of containers' bridges count, too.
  static constexpr int most_addresses = 64;

  std::uint64_t token = 0;    ///< identifies the job: datagrams without it are ignored
  std::int64_t limit_us = 0;  ///< the longest that a host may say nothing
  std::int32_t processes = 0;
  std::int32_t address_count = 0;
  std::array<in6_addr, most_addresses> addresses{};  ///< of the first host; IPv4's are mapped
  std::uint16_t port = 0;                            ///< in network byte order; 0: nobody watches

  std::int32_t host = 0;  ///< this host's number, that of its first process; 0: it is the first host
  std::int32_t processes_here = 0;
  HostName name{};
};

/// A socket for beats that does not wait; with a port of its own where `listens`. -1: the system has none.
int open_beat_socket(bool listens);
/// The socket's port, in network byte order.
std::uint16_t port_of(int socket);
/// Writes the addresses at which other machines may reach this one, and returns how many.
int own_addresses(std::array<in6_addr, BeatPlan::most_addresses>& to);

/// The beats of one host's watcher. Four times within the limit each host sends the first one a datagram, to
/// all of its addresses, and the first one answers each. So each pair has only to be heard of once within the
/// limit, a lost datagram is replaced by the next, and a link that comes back is used at once. Where none
/// ever arrives, because a firewall forbids it perhaps, nobody is silent.
///
/// The caller tells the time, and calls look() no later than it promised by wait_us(): a caller that comes
/// late has been stopped itself, and that time is nobody's silence.
class HostBeats {
 public:
  /// Owns the socket: in the first host, the one with the plan's port.
  HostBeats(int socket, const BeatPlan& plan, std::int64_t now_us);
  ~HostBeats();
  HostBeats(const HostBeats&) = delete;
  HostBeats& operator=(const HostBeats&) = delete;

  pollfd descriptor() const { return {socket_, POLLIN, 0}; }
  /// How long the caller may wait, unless something arrives.
  std::int64_t wait_us(std::int64_t now_us) const;
  /// Takes what has arrived, and sends what is due.
  void look(std::int64_t now_us);
  /// The hosts that are silent. Once one has been for the whole limit, also those that fell silent with it,
  /// whose last beat may have been a little later.
  std::vector<std::string> silent(std::int64_t now_us) const;
  /// Returns true if a beat of a host is overdue.
  bool misses(std::int64_t now_us) const;
  /// In the first host: the number of processes whose hosts have not been heard of at all. Nothing before
  /// they have had the whole limit, and once it has been returned.
  std::optional<int> unheard(std::int64_t now_us);
  /// Announces that this host has no more to say: its end is no silence.
  void leave();

  std::int64_t limit_us() const { return plan_.limit_us; }
  const BeatPlan& plan() const { return plan_; }

 private:
  enum class Kind : std::int32_t { beat, answer, leave };
  struct Datagram {
    std::uint64_t token;
    Kind kind;
    std::int32_t host;
    std::int32_t processes;
    HostName name;
  };
  struct Other {
    std::string name;
    int processes = 0;
    std::int64_t heard_us = 0;
    bool left = false;
    sockaddr_in6 address{};
  };

  /// Hosts that have been silent for so long.
  std::vector<std::string> silent_for(std::int64_t time_us, std::int64_t now_us) const;
  bool is_first() const { return plan_.host == 0; }
  std::int64_t interval_us() const { return plan_.limit_us / 4; }
  /// The silence after which a beat is overdue: longer than a host is silent between two beats.
  std::int64_t overdue_us() const { return plan_.limit_us - interval_us() - interval_us() / 2; }
  void receive(std::int64_t now_us);
  void send(Kind kind, const sockaddr_in6& to);
  void send_to_first(Kind kind);

  const int socket_;
  const BeatPlan plan_;
  std::int64_t begin_us_, looked_us_, beat_us_;
  std::map<int, Other> others_;  ///< hosts that have been heard of, by number
  bool asked_ = false;
};

}  // namespace kanor::rt
