// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/kanorrun/hosts.hpp"

#include <algorithm>
#include <numeric>

#include "platform/text.hpp"
#include "world/options.hpp"

namespace kanor::run {

std::optional<std::vector<Host>> parse_hosts(std::string_view text, std::string& error) {
  std::vector<Host> hosts;
  for (std::string_view rest = text; hosts.empty() || !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    // A comma at the end is followed by an empty name.
    rest.remove_prefix(one.size());
    const bool more = !rest.empty();
    rest.remove_prefix(more ? 1 : 0);
    const std::string_view name = one.substr(0, one.find(':'));
    Host host{std::string(name)};
    const auto number = kanor::rt::parse_integer(one.substr(std::min(one.size(), name.size() + 1)));
    const bool counted = name.size() < one.size();
    if (name.empty() || (more && rest.empty()) ||
        (counted && (!number || *number < 1 || *number > kanor::rt::most_ranks))) {
      error = "--hosts is '" + std::string(text) +
              "': expected names such as a,b or, with numbers of ranks, a:3,b:1";
      return std::nullopt;
    }
    if (counted) host.ranks = static_cast<int>(*number);
    hosts.push_back(std::move(host));
  }
  return hosts;
}

bool deal_ranks(std::vector<Host>& hosts, int ranks, int threads, std::string& error) {
  const bool evenly =
      std::all_of(hosts.begin(), hosts.end(), [](const Host& host) { return host.ranks == 0; });
  const auto count = static_cast<int>(hosts.size());
  if (evenly) {
    if (ranks == 0) ranks = count * threads;
    const int processes = ranks / threads;
    for (int i = 0; i < count; ++i)
      hosts[static_cast<std::size_t>(i)].ranks =
          (processes / count + (i < processes % count ? 1 : 0)) * threads;
  }
  int room = 0;
  for (Host& host : hosts) {
    if (host.ranks == 0 && !evenly) host.ranks = threads;
    if (host.ranks % threads != 0) {
      error = "host " + host.name + " has " + std::to_string(host.ranks) +
              (host.ranks == 1 ? " rank" : " ranks") + ", which is no multiple of the " +
              std::to_string(threads) + " of a process (--threads-per-process)";
      return false;
    }
    if (ranks > 0) host.ranks = std::min(host.ranks, ranks - room);
    room += host.ranks;
  }
  if (ranks > room || ranks % threads != 0) {
    error = "-n is " + std::to_string(ranks) +
            (ranks % threads != 0 ? ", which is no multiple of the " + std::to_string(threads) +
                                        " of a process (--threads-per-process)"
                                  : ", but --hosts has room for " + std::to_string(room) + " ranks");
    return false;
  }
  std::erase_if(hosts, [](const Host& host) { return host.ranks == 0; });
  return true;
}

}  // namespace kanor::run
