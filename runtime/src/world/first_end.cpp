// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/first_end.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cstddef>
#include <cstdio>

#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

/// The judge has come earlier than all others, and looks at what they say no later than this after them.
constexpr int verdict_ms = 300;

/// How long the calling thread has waited for a core, in all; 0 where the kernel does not count.
std::int64_t core_delays_ns() {
  long long ran = 0, waited = 0;
  if (std::FILE* const file = std::fopen("/proc/thread-self/schedstat", "re")) {
    if (std::fscanf(file, "%lld %lld", &ran, &waited) != 2) waited = 0;
    std::fclose(file);
  }
  return waited;
}

/// As a shell would say it, so that a core file makes no difference.
int kind(std::int32_t code) { return WIFSIGNALED(code) ? 128 + WTERMSIG(code) : WEXITSTATUS(code); }

}  // namespace

FirstEnd::FirstEnd(pid_t launcher, const Claim& own) : own_(own) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const int length =
      std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "kanor-job-%d", static_cast<int>(launcher));
  const auto bytes =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1) + static_cast<socklen_t>(length);
  const auto* const address = reinterpret_cast<const sockaddr*>(&name);
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0 || ::bind(socket_, address, bytes) == 0) return;
  judges_ = false;
  // A name of the system's choice, for the answer.
  ::bind(socket_, address, sizeof name.sun_family);
  ::sendto(socket_, &own_, sizeof own_, 0, address, bytes);
}

bool FirstEnd::is_own() {
  if (judges_) return judge();
  pollfd answer{socket_, POLLIN, 0};
  return ::poll(&answer, 1, verdict_ms) > 0 &&
         ::recv(socket_, &company_, sizeof company_, 0) == sizeof company_;
}

bool FirstEnd::judge() {
  struct Told {
    Claim claim;
    sockaddr_un from;
    socklen_t from_bytes;
  };
  std::vector<Told> all{{own_, {}, 0}};
  std::size_t first = 0;
  for (Told one{{}, {}, sizeof one.from};
       ::recvfrom(socket_, &one.claim, sizeof one.claim, 0, reinterpret_cast<sockaddr*>(&one.from),
                  &one.from_bytes) == sizeof one.claim;
       one.from_bytes = sizeof one.from) {
    if (one.claim.when_us < all[first].claim.when_us) first = all.size();
    all.push_back(one);
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    company_ = company_ || (i != first && kind(all[i].claim.code) == kind(all[first].claim.code));
  if (first == 0) return true;
  ::sendto(socket_, &company_, sizeof company_, 0, reinterpret_cast<const sockaddr*>(&all[first].from),
           all[first].from_bytes);
  return false;
}

WakeClock::WakeClock() : delayed_ns_(core_delays_ns()) {}

std::int64_t WakeClock::woken_us() const {
  // The time first: what is read afterwards may take a while itself.
  const auto now = static_cast<std::int64_t>(monotonic_us());
  return now - (core_delays_ns() - delayed_ns_) / 1000;
}

}  // namespace kanor::rt
