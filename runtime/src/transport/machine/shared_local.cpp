// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/machine/shared_local.hpp"

namespace kanor::rt {
namespace {

/// The range of addresses that are tried: far from where the kernel of x86-64 places programs, heaps and
/// libraries (from 0x550000000000 on), from AddressSanitizer's shadow (below 0x100080000000) and its heap (at
/// 0x600000000000). ThreadSanitizer has its own idea of these addresses, and refuses them.
constexpr std::uint64_t first_address = 0x200000000000, last_address = 0x480000000000,
                        address_step = 0x080000000000;
/// The parts of the size that are tried: address space may be limited, or an obstacle lie behind an address.
constexpr std::size_t fractions[] = {1, 8, 64};

/// Makes the Local in the first process, at the address; null if that is not free.
std::unique_ptr<Local> make_at(std::uint64_t address, const Local::Sizes& sizes, Local::Offer& offer) {
  auto local = std::make_unique<Local>(reinterpret_cast<std::byte*>(address), sizes, offer);
  return local->ok() ? std::move(local) : nullptr;
}

/// Attaches to it in the other processes; null where that fails.
std::unique_ptr<Local> attach(const Local::Offer& offer, int number) {
  auto local = std::make_unique<Local>(offer, number);
  return local->ok() ? std::move(local) : nullptr;
}

}  // namespace

std::unique_ptr<Local> share_local(Network& network, const Local::Sizes& own, bool willing) {
  const int processes = network.processes_here();
  const int number = network.process() - network.first_here();
  if (!network.all_here(willing && processes > 1 && network.first_here() >= 0)) return nullptr;
  Local::Sizes sizes = own;
  sizes.first -= number * own.count;
  sizes.count *= processes;
  sizes.supervisors = processes;
  for (const std::size_t fraction : fractions) {
    sizes.memory_bytes = own.memory_bytes / fraction;
    for (std::uint64_t address = first_address; address <= last_address; address += address_step) {
      std::unique_ptr<Local> local;
      Local::Offer offer{};
      if (number == 0) local = make_at(address, sizes, offer);
      // What the first process has written before comes before what the others read after: MPI's order.
      network.broadcast_here(&offer, sizeof offer);
      if (offer.memory.descriptor < 0) continue;
      if (number != 0) local = attach(offer, number);
      const bool everybody = network.all_here(local != nullptr);
      if (number == 0) withdraw(offer.memory);
      if (everybody) return local;
    }
  }
  return nullptr;
}

}  // namespace kanor::rt
