// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/first_end.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

/// The limit of waiting for the judge, which has come earlier than all others, and looks at what they say no
/// later than this after them.
constexpr int verdict_ms = 300;

/// The time that the calling thread has waited for a core, in all; 0 where the kernel does not count.
std::int64_t core_delays_ns() {
  long long ran = 0, waited = 0;
  if (std::FILE* const file = std::fopen("/proc/thread-self/schedstat", "re")) {
    if (std::fscanf(file, "%lld %lld", &ran, &waited) != 2) waited = 0;
    std::fclose(file);
  }
  return waited;
}

/// The time when a process was started, in the kernel's ticks; 0 where that cannot be seen.
unsigned long long start_of(pid_t process) {
  std::FILE* const file = std::fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "re");
  if (!file) return 0;
  char text[1024];
  text[std::fread(text, 1, sizeof text - 1, file)] = '\0';
  std::fclose(file);
  // Its name, in parentheses, may contain anything; the state that follows is the third field.
  constexpr int start_field = 22;
  const char* at = std::strrchr(text, ')');
  for (int field = 2; at && field < start_field; ++field) at = std::strchr(at + 1, ' ');
  return at ? std::strtoull(at, nullptr, 10) : 0;
}

/// A status as a shell would say it, so that a core file makes no difference.
int kind(std::int32_t code) { return WIFSIGNALED(code) ? 128 + WTERMSIG(code) : WEXITSTATUS(code); }

}  // namespace

std::string meeting_name(pid_t launcher) {
  struct stat space {};
  if (::stat("/proc/self/ns/pid", &space) != 0) space.st_ino = 0;
  return "kanor-job-" + std::to_string(::getuid()) + "-" + std::to_string(space.st_ino) + "-" +
         std::to_string(launcher) + "-" + std::to_string(start_of(launcher));
}

FirstEnd::FirstEnd(pid_t launcher, const Claim& own) : own_(own) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string text = meeting_name(launcher);
  static_assert(sizeof name.sun_path > sizeof "kanor-job-" + 4 * 21, "four numbers of 64 bits fit");
  std::copy(text.begin(), text.end(), name.sun_path + 1);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
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
