// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls that make communicators have in common.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "c_api/collective_call.hpp"

namespace kanor::rt::c_api {

/// The channel of a communicator whose members do not know its own one yet.
inline constexpr std::uint32_t unknown_channel = inner_channels - 1;

/// A channel that no communicator has had: the first member gives it to the others. Members that proposed
/// channels to each other would not know meanwhile which ones are free for what they, or their other threads,
/// begin, and may begin in different orders.
std::uint32_t give_channel(Rank& self);

/// What every member has for all others, from all members in their order.
template <class T>
std::vector<T> gathered(const CollectiveCall& call, const T& own) {
  const int size = call.group.size;
  std::vector<T> all(static_cast<std::size_t>(size));
  const auto share = [&](int member, const T& value) {
    return collectives::Share{member, reinterpret_cast<std::byte*>(const_cast<T*>(&value)), sizeof(T)};
  };
  std::vector<collectives::Share> given, wanted;
  for (int step = 0; step < size; ++step) {
    const int member = (call.group.rank + step) % size;
    given.push_back(share(member, own));
    wanted.push_back(share(member, all[static_cast<std::size_t>(member)]));
  }
  call.exchange(given, wanted);
  return all;
}

/// What a member has for the others when a communicator is made.
struct Part {
  std::uint32_t channel;  ///< of the first member: the new communicator's
  int color, key;
};

/// The parts of all members of a call, in their order; `channel` becomes that of a new communicator.
std::vector<Part> agreed(const CollectiveCall& call, int color, int key, std::uint32_t& channel);

/// Makes a communicator of these members with the error handler of `parent`. It has no topology yet.
MPI_Comm new_communicator(Rank& self, const Communicator& parent, std::uint32_t channel, Members members);

/// Makes a communicator with the members, and the topology, of another one, an intercommunicator too. It has
/// no attributes yet.
MPI_Comm alike(Rank& self, const Communicator& original, std::uint32_t channel);

}  // namespace kanor::rt::c_api
