// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which hosts have how many ranks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kanor::run {

struct Host {
  std::string name;
  int ranks = 0;  ///< 0: the list does not say
};

/// Parses the value of `--hosts`, such as "a,b" or "a:3,b:1"; returns nothing, and why in `error`, where that
/// is no list of hosts.
std::optional<std::vector<Host>> parse_hosts(std::string_view text, std::string& error);

/// Deals the ranks to the hosts in blocks, one host after the other: as the list says, or evenly where it
/// says nothing. A `ranks` of 0 is as many as the list says, and one for each host of which it says nothing.
/// Each host's number is a multiple of `threads`, the ranks of a process. Returns false, and why, where that
/// cannot be; hosts that get none are left out.
bool deal_ranks(std::vector<Host>& hosts, int ranks, int threads, std::string& error);

}  // namespace kanor::run
