// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/host_watch.hpp"

#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

constexpr std::int64_t second_us = 1'000'000;

/// The arguments of sendmsg and recvmsg: one piece of data, and room for one descriptor.
struct Parcel {
  explicit Parcel(BeatPlan& plan) : data{&plan, sizeof plan} {
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
  }
  iovec data;
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
};

}  // namespace

bool give_plan(int connection, const BeatPlan& plan, int socket) {
  BeatPlan given = plan;
  Parcel parcel(given);
  cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof socket);
  std::memcpy(CMSG_DATA(header), &socket, sizeof socket);
  return ::sendmsg(connection, &parcel.message, MSG_NOSIGNAL) == sizeof plan;
}

int take_plan(int connection, BeatPlan& plan) {
  Parcel parcel(plan);
  if (::recvmsg(connection, &parcel.message, MSG_CMSG_CLOEXEC) != sizeof plan) return -1;
  const cmsghdr* const header = CMSG_FIRSTHDR(&parcel.message);
  if (!header || header->cmsg_type != SCM_RIGHTS) return -1;
  int socket = -1;
  std::memcpy(&socket, CMSG_DATA(header), sizeof socket);
  return socket;
}

void watch_hosts(Network& network, int watcher, int host_seconds) {
  if (network.processes_here() < network.processes()) {
    BeatPlan plan;
    int socket = -1;
    if (network.process() == 0 && watcher >= 0 && host_seconds > 0 &&
        ::getrandom(&plan.token, sizeof plan.token, 0) == sizeof plan.token) {
      socket = open_beat_socket(true);
      plan.limit_us = host_seconds * second_us;
      plan.processes = network.processes();
      plan.address_count = own_addresses(plan.addresses);
      plan.port = socket < 0 ? std::uint16_t{0} : port_of(socket);
    }
    network.broadcast(&plan, sizeof plan);
    plan.host = network.process();
    network.broadcast_here(&plan.host, sizeof plan.host);
    if (plan.port != 0 && plan.host == network.process() && watcher >= 0) {
      plan.processes_here = network.processes_here();
      plan.name = short_name(host_name());
      if (plan.host != 0) socket = open_beat_socket(false);
      if (socket >= 0) give_plan(watcher, plan, socket);
    }
    if (socket >= 0) ::close(socket);
  }
  if (watcher >= 0) ::close(watcher);
}

}  // namespace kanor::rt
