// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collectives/owned.hpp"

#include <string>

namespace kanor::rt::collectives {
namespace {

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

Region& Passing::take(int from, std::size_t most_bytes) {
  Incoming incoming(rank_, {channel_, from, any_tag}, most_bytes);
  receive(rank_, incoming);
  if (incoming.received().tag != tag_)
    throw PassingError{PassingError::What::unlike,
                       std::string(name_) + " at " + place_.file + ":" + std::to_string(place_.line) +
                           " on rank " + std::to_string(number()) + ": rank " + std::to_string(from) +
                           " takes part in another collective: all ranks must call the same collectives in "
                           "the same order, with the same root"};
  incoming.check(name_, place_, false);
  return *incoming.region();
}

Region& Passing::scatter(std::span<Region* const> buffers, std::size_t bytes, int root) {
  if (number() != root) return take(root, bytes);
  for (int to = 0; to < ranks(); ++to)
    if (to != root) give(*buffers[at(to)], bytes, to);
  return *buffers[at(root)];
}

void Passing::gather(Region& buffer, std::size_t bytes, std::span<Region*> into, int root) {
  if (number() != root) return give(buffer, bytes, root);
  for (int from = 0; from < ranks(); ++from) into[at(from)] = from == root ? &buffer : &take(from, bytes);
}

void Passing::all_to_all(std::span<Region* const> given, std::span<const std::size_t> given_bytes,
                         std::span<Region*> taken, std::span<const std::size_t> most_bytes) {
  // Each begins with the rank after it, so that not all give to the same one at a time.
  for (int step = 1; step < ranks(); ++step) {
    const int to = (number() + step) % ranks();
    give(*given[at(to)], given_bytes[at(to)], to);
  }
  taken[at(number())] = given[at(number())];
  for (int step = 1; step < ranks(); ++step) {
    const int from = (number() - step + ranks()) % ranks();
    taken[at(from)] = &take(from, most_bytes[at(from)]);
  }
}

Region& Passing::broadcast(Region* buffer, std::size_t bytes, int root) {
  if (number() != root) return take(root, bytes);
  for (int step = 1; step < ranks(); ++step)
    share(rank_, *buffer, bytes, {channel_, (root + step) % ranks(), tag_}, place_);
  return *buffer;
}

}  // namespace kanor::rt::collectives
