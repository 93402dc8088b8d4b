// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/host_beats.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace kanor::rt {
namespace {

in6_addr mapped(const in_addr& address) {
  in6_addr as{};
  as.s6_addr[10] = as.s6_addr[11] = 0xff;
  std::memcpy(&as.s6_addr[12], &address, sizeof address);
  return as;
}

int family_of(int socket) {
  int family = 0;
  socklen_t bytes = sizeof family;
  return ::getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &bytes) == 0 ? family : -1;
}

}  // namespace

HostName short_name(const std::string& name) {
  HostName cut{};
  std::copy_n(name.data(), std::min(name.size(), cut.size() - 1), cut.data());
  return cut;
}

int open_beat_socket(bool listens) {
  constexpr int kind = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
  int socket = ::socket(AF_INET6, kind, 0);
  const int only = 0;  // for addresses of IPv4, too
  if (socket >= 0) ::setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
  if (socket < 0) socket = ::socket(AF_INET, kind, 0);
  if (socket < 0 || !listens) return socket;
  sockaddr_in6 any6{};
  any6.sin6_family = AF_INET6;
  sockaddr_in any4{};
  any4.sin_family = AF_INET;
  const int bound = family_of(socket) == AF_INET6
                        ? ::bind(socket, reinterpret_cast<const sockaddr*>(&any6), sizeof any6)
                        : ::bind(socket, reinterpret_cast<const sockaddr*>(&any4), sizeof any4);
  if (bound == 0) return socket;
  ::close(socket);
  return -1;
}

std::uint16_t port_of(int socket) {
  sockaddr_in6 own{};  // the port lies at the same place in that of IPv4
  static_assert(offsetof(sockaddr_in6, sin6_port) == offsetof(sockaddr_in, sin_port));
  socklen_t bytes = sizeof own;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &bytes) == 0 ? own.sin6_port : 0;
}

int own_addresses(std::array<in6_addr, BeatPlan::most_addresses>& to) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return 0;
  int count = 0;
  for (const ifaddrs* one = all; one && count < BeatPlan::most_addresses; one = one->ifa_next) {
    if (!one->ifa_addr || (one->ifa_flags & IFF_UP) == 0 || (one->ifa_flags & IFF_LOOPBACK) != 0) continue;
    if (one->ifa_addr->sa_family == AF_INET)
      to[static_cast<std::size_t>(count++)] =
          mapped(reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr);
    if (one->ifa_addr->sa_family != AF_INET6) continue;
    const in6_addr& address = reinterpret_cast<const sockaddr_in6*>(one->ifa_addr)->sin6_addr;
    // Such an address means something only together with an interface of who uses it.
    if (!IN6_IS_ADDR_LINKLOCAL(&address)) to[static_cast<std::size_t>(count++)] = address;
  }
  ::freeifaddrs(all);
  return count;
}

HostBeats::HostBeats(int socket, const BeatPlan& plan, std::int64_t now_us)
    : socket_(socket), plan_(plan), begin_us_(now_us), looked_us_(now_us), beat_us_(now_us) {
  look(now_us);
  // From now on each host has a moment of its own: the first one need not answer all at once, and when that
  // one is silent itself, not all others say so at once.
  const std::uint64_t spread =
      (plan_.token ^ static_cast<std::uint64_t>(plan_.host)) * 0x9e3779b97f4a7c15u >> 32;
  beat_us_ = now_us + static_cast<std::int64_t>(spread % static_cast<std::uint64_t>(interval_us()));
}

HostBeats::~HostBeats() { ::close(socket_); }

std::int64_t HostBeats::wait_us(std::int64_t now_us) const {
  std::int64_t until = std::max(beat_us_, now_us);
  for (const auto& [number, other] : others_) {
    const std::int64_t limit_us = other.heard_us + plan_.limit_us;
    if (!other.left && limit_us > now_us) until = std::min(until, limit_us);
  }
  return until - now_us;
}

void HostBeats::look(std::int64_t now_us) {
  const std::int64_t late_us = std::max<std::int64_t>(0, now_us - looked_us_ - wait_us(looked_us_));
  looked_us_ = now_us;
  for (auto& [number, other] : others_) other.heard_us = std::min(now_us, other.heard_us + late_us);
  begin_us_ += late_us;
  receive(now_us);
  if (now_us < beat_us_) return;
  beat_us_ = now_us + interval_us();
  if (!is_first()) send_to_first(Kind::beat);
}

void HostBeats::receive(std::int64_t now_us) {
  for (;;) {
    Datagram told{};
    sockaddr_in6 from{};
    socklen_t bytes = sizeof from;
    const ssize_t got =
        ::recvfrom(socket_, &told, sizeof told, 0, reinterpret_cast<sockaddr*>(&from), &bytes);
    if (got < 0) return;
    // A stranger's, or cut off.
    if (got != sizeof told || told.token != plan_.token) continue;
    told.name.back() = '\0';
    Other& other = others_[told.host];
    other.name = told.name.data();
    other.processes = told.processes;
    other.heard_us = now_us;
    other.left = other.left || told.kind == Kind::leave;
    other.address = from;
    if (is_first() && told.kind == Kind::beat) send(Kind::answer, from);
  }
}

void HostBeats::send(Kind kind, const sockaddr_in6& to) {
  const Datagram told{plan_.token, kind, plan_.host, plan_.processes_here, plan_.name};
  // What cannot be sent is lost, as many a datagram; the next one may come through.
  ::sendto(socket_, &told, sizeof told, MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to),
           to.sin6_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
}

void HostBeats::send_to_first(Kind kind) {
  const bool all = family_of(socket_) == AF_INET6;
  for (int i = 0; i < plan_.address_count; ++i) {
    const in6_addr& address = plan_.addresses[static_cast<std::size_t>(i)];
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    to.sin6_port = plan_.port;
    to.sin6_addr = address;
    if (!all && !IN6_IS_ADDR_V4MAPPED(&address)) continue;
    if (!all) {
      sockaddr_in plain{};
      plain.sin_family = AF_INET;
      plain.sin_port = plan_.port;
      std::memcpy(&plain.sin_addr, &address.s6_addr[12], sizeof plain.sin_addr);
      std::memcpy(&to, &plain, sizeof plain);
    }
    send(kind, to);
  }
}

std::vector<std::string> HostBeats::silent_for(std::int64_t time_us, std::int64_t now_us) const {
  std::vector<std::string> names;
  for (const auto& [number, other] : others_)
    if (!other.left && now_us - other.heard_us >= time_us) names.push_back(other.name);
  return names;
}

std::vector<std::string> HostBeats::silent(std::int64_t now_us) const {
  std::vector<std::string> names = silent_for(plan_.limit_us, now_us);
  return names.empty() ? names : silent_for(overdue_us(), now_us);
}

bool HostBeats::misses(std::int64_t now_us) const { return !silent_for(overdue_us(), now_us).empty(); }

std::optional<int> HostBeats::unheard(std::int64_t now_us) {
  if (!is_first() || now_us - begin_us_ < plan_.limit_us || std::exchange(asked_, true)) return std::nullopt;
  int heard = plan_.processes_here;
  for (const auto& [number, other] : others_) heard += other.processes;
  return plan_.processes - heard;
}

void HostBeats::leave() {
  if (!is_first()) send_to_first(Kind::leave);
  for (const auto& [number, other] : others_)
    if (is_first()) send(Kind::leave, other.address);
}

}  // namespace kanor::rt
