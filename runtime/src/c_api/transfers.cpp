// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/transfers.hpp"

#include <algorithm>

namespace kanor::rt::c_api {

const void* address_in(const void* data, std::ptrdiff_t bytes) {
  return data ? static_cast<const std::byte*>(data) + bytes : nullptr;
}

Block BlockArray::operator[](int number) const {
  if (is_listed_ && (!counts_ || !offsets_))
    throw CallError{MPI_ERR_ARG, "an array of counts or offsets is NULL"};
  const auto extent = static_cast<std::ptrdiff_t>(extent_bytes_of(type_));
  const std::ptrdiff_t offset = is_listed_ ? offsets_[number] : std::ptrdiff_t{number} * each_;
  return {address_in(data_, offset * extent), is_listed_ ? counts_[number] : each_, type_};
}

Transfers::Lane& Transfers::lane_at(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (lanes_.size() <= index) lanes_.resize(index + 1);
  return lanes_[index];
}

void Transfers::give(int member, const Block& block, int lane) {
  const Outgoing& part = out_.emplace_back(block.data, block.count, block.type);
  give({member, const_cast<std::byte*>(part.data()), part.bytes()}, lane);
}

void Transfers::want(int member, const Block& block, int lane) {
  Arriving& part = in_.emplace_back(const_cast<void*>(block.data), block.count, block.type);
  want({member, part.data(), part.bytes()}, lane);
}

void Transfers::exchange() {
  // A number that no collective reaches.
  constexpr unsigned lane_at = 40;
  collectives::Group group = call_.group;
  const auto is_own = [&](const collectives::Share& share) { return share.member == group.rank; };
  // All ranks go from lane to lane in this order, so none waits for one that waits for it.
  for (std::size_t number = 0; number < lanes_.size(); ++number) {
    const Lane& lane = lanes_[number];
    if (std::any_of(lane.wanted.begin(), lane.wanted.end(), is_own) &&
        std::none_of(lane.given.begin(), lane.given.end(), is_own))
      throw CallError{MPI_ERR_TOPOLOGY, "the rank is its own neighbour more often before than behind it"};
    group.sequence = call_.group.sequence | std::uint64_t{number} << lane_at;
    collectives::exchange(group, lane.given, lane.wanted);
  }
  for (Arriving& part : in_) part.settle();
}

}  // namespace kanor::rt::c_api
