// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// give() and take() of kanor::buffer.
#include <cstdio>
#include <limits>
#include <string>

#include "kanor/abi/buffer_block.hpp"
#include "kanor/error.hpp"
#include "kanor/team.hpp"
#include "ownership/passing.hpp"

namespace kanor {

ownership_error::ownership_error(const char* text) { std::snprintf(text_, sizeof text_, "%s", text); }

namespace abi {
namespace {

/// A description of a call, and its place, for messages.
struct Call {
  const char* what;
  rt::Place place;

  [[noreturn]] void fail(const std::string& why) const {
    throw ownership_error(
        (std::string(what) + " at " + place.file + ":" + std::to_string(place.line) + ": " + why).c_str());
  }
  void check_rank(const rt::Rank& self, int rank) const {
    const int ranks = rt::team_size(self);
    if (rank < 0 || rank >= ranks)
      fail("there is no rank " + std::to_string(rank) + " among " + std::to_string(ranks));
  }
  void check_tag(int tag) const {
    if (tag < 0) fail("the tag is " + std::to_string(tag) + ", and must be at least 0");
  }
};

}  // namespace

void passed_memory::give(buffer_memory& buffer, std::size_t element_bytes, int rank, int tag,
                         const char* file, int line) {
  const Call call{"give", {file, line}};
  rt::Rank& self = rt::here("a kanor::buffer was given");
  rt::before_call(self);
  const rt::InCall in_call(self, call.what, call.place);
  if (given_memory::promised(buffer)) call.fail("the buffer has been given to a block that has not ended");
  call.check_tag(tag);
  if (rank != no_rank) call.check_rank(self, rank);
  std::size_t count = 0;
  void* const elements = given_memory::release(buffer, count);
  if (rank == no_rank) {
    if (elements) rt::let_go(rt::Region::of(elements));
    return;
  }
  const rt::Destination to{0, rank, tag};
  if (elements)
    rt::give(self, rt::Region::of(elements), count * element_bytes, to, call.place);
  else
    rt::send_copy(self, {}, to, call.place);
}

void passed_memory::take(buffer_memory& buffer, std::size_t element_bytes, int rank, int tag, giver* from,
                         const char* file, int line) {
  const Call call{"take", {file, line}};
  rt::Rank& self = rt::here("a kanor::buffer was taken");
  rt::before_call(self);
  const rt::InCall in_call(self, call.what, call.place);
  if (from) *from = {rank, tag};
  if (rank == no_rank) return;
  if (rank != any_rank) call.check_rank(self, rank);
  if (tag != any_tag) call.check_tag(tag);
  rt::Incoming incoming(self, {0, rank, tag}, std::numeric_limits<std::size_t>::max());
  rt::receive(self, incoming);
  const rt::Received& received = incoming.received();
  if (from) *from = {received.source, received.tag};
  // What a kanor::buffer has is not OPI_Free's to free.
  rt::Region& region = rt::as_plain(self, *incoming.region());
  if (received.bytes % element_bytes != 0 || received.bytes == 0) {
    rt::let_go(region);
    if (received.bytes == 0) return;
    call.fail("rank " + std::to_string(received.source) + " gave " + std::to_string(received.bytes) +
              " bytes with tag " + std::to_string(received.tag) +
              ", which is not a whole number of elements of " + std::to_string(element_bytes) + " bytes");
  }
  given_memory::put(buffer, region.object(), received.bytes / element_bytes);
}

}  // namespace abi
}  // namespace kanor
