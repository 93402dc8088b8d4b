// RUN: %kanorc -O1 %s -o %t && %run_everywhere --large %t 1 2000
// RUN: %run_everywhere --ranks 2,5 %t 2 2000
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 3 %t 3 2000
// RUN: env KANOR_DISABLE=inline %run_everywhere --keep KANOR_DISABLE --ranks 3 %t 3 2000
// RUN: env KANOR_INFLIGHT=4K %run_everywhere --keep KANOR_INFLIGHT --modes threads,mpi --ranks 1,5 %t 4 2000
// RUN: env KANOR_INFLIGHT=64K %run_everywhere --keep KANOR_INFLIGHT --modes threads,mpi --ranks 4,9 %t 5 2000
// RUN: env KANOR_INFLIGHT=1 %run_everywhere --keep KANOR_INFLIGHT --modes threads --ranks 7 %t 100 3000
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 5 %t 6 1000
// Random traffic that all ranks derive from one seed: gifts and messages, blocking and not, of 0 to 300 KB,
// taken and received by source and tag or by wildcards whose outcome is determined. Each has the content that
// belongs to its source, destination and number, and comes in its order; the sum of all is the same in every
// mode.
#include <kanor/opi.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

constexpr int tags = 4;
/// A number that no message of the traffic has.
constexpr int own_tag = 1000;
constexpr int most_bytes = 300'000;

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 31)) * 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9u;
  return value ^ (value >> 32);
}

struct Random {
  std::uint64_t state;
  int below(int bound) {
    return static_cast<int>((state = mixed(state + 1)) % static_cast<std::uint64_t>(bound));
  }
};

/// The message with this number of all.
struct Message {
  int source, destination, tag, bytes;
  bool alone;  ///< has a tag of its own, so that it can be received from any source
  int number;
};

std::uint64_t key(const Message& message) {
  return mixed(mixed(static_cast<std::uint64_t>(message.source) << 32 |
                     static_cast<std::uint32_t>(message.destination)) +
               static_cast<std::uint64_t>(message.number));
}

void fill(unsigned char* data, const Message& message) {
  const std::uint64_t from = key(message);
  for (int i = 0; i < message.bytes; i += 8) {
    const std::uint64_t word = mixed(from + static_cast<std::uint64_t>(i));
    std::memcpy(data + i, &word, static_cast<std::size_t>(std::min(8, message.bytes - i)));
  }
}

std::uint64_t sum = 0;

void check(const unsigned char* data, int bytes, const Message& message) {
  CHECK(bytes == message.bytes);
  const std::uint64_t from = key(message);
  std::uint64_t seen = from;
  for (int i = 0; i < message.bytes; i += 8) {
    std::uint64_t word = mixed(from + static_cast<std::uint64_t>(i)), there = word;
    const auto part = static_cast<std::size_t>(std::min(8, message.bytes - i));
    std::memcpy(&there, data + i, part);
    if (word != there) {
      check::failed(__FILE__, __LINE__, "a message", check::show(message.number), check::show(i));
      break;
    }
    seen += there;
  }
  sum += mixed(seen);
}

int random_bytes(Random& random) {
  switch (random.below(8)) {
    case 0:
      return random.below(most_bytes);
    case 1:
      return 80 + random.below(20);
    case 2:
      return 0;
    case 3:
      return random.below(20'000);
    default:
      return random.below(400);
  }
}

/// Sends, sends later, gives, or gives later.
/// Buffers of sends that may be under way.
std::vector<unsigned char*> sending;

void end_sending() {
  for (unsigned char* data : sending) OPI_Free(&data);
  sending.clear();
}

void put(const Message& message, int way, std::vector<MPI_Request>& open) {
  const int to = message.destination, tag = message.tag, bytes = message.bytes;
  unsigned char* data = nullptr;
  OPI_Alloc(&data, static_cast<std::size_t>(bytes) + static_cast<std::size_t>(way) / 4 * 100);
  fill(data, message);
  MPI_Request request = MPI_REQUEST_NULL;
  int error = 0;
  if (way % 4 == 0) error = MPI_Send(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
  if (way % 4 == 1) error = MPI_Isend(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  if (way % 4 == 2) error = OPI_Give(&data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
  if (way % 4 == 3) error = OPI_Igive(&data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  CHECK(error == MPI_SUCCESS);
  CHECK((way % 4 < 2) == (data != nullptr));
  if (way % 4 == 1) {
    sending.push_back(data);
  } else {
    if (data) std::fill_n(data, bytes, 0xee);
    OPI_Free(&data);
  }
  if (request != MPI_REQUEST_NULL) open.push_back(request);
}

/// A receive or take that has been posted.
struct Posted {
  const Message* message;
  bool takes;
  std::vector<unsigned char> into;
  unsigned char* taken = nullptr;
};

void finish(Posted& posted, const MPI_Status& status) {
  const Message& message = *posted.message;
  CHECK(status.MPI_SOURCE == message.source && status.MPI_TAG == message.tag);
  int bytes = -1;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  check(posted.takes ? posted.taken : posted.into.data(), bytes, message);
  if (posted.takes) CHECK(OPI_Free(&posted.taken) == MPI_SUCCESS);
}

/// What a receive asks for: tags of their own come from any source; the next one of a source has any tag.
std::pair<int, int> asked(const Message& message, bool is_next, int way) {
  const int source = message.alone && way % 2 == 0 ? MPI_ANY_SOURCE : message.source;
  return {source, is_next && source != MPI_ANY_SOURCE ? MPI_ANY_TAG : message.tag};
}

void get_now(const Message& message, std::pair<int, int> from, int way) {
  Posted one{&message, way % 3 != 0, {}};
  MPI_Status status = {-9, -9, -9, 9};
  const int room = message.bytes + (way % 5 == 0 ? 50 : 0);
  if (!one.takes) one.into.resize(static_cast<std::size_t>(room));
  const auto [source, tag] = from;
  const int error = one.takes
                        ? OPI_Take(&one.taken, room, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status)
                        : MPI_Recv(one.into.data(), room, MPI_BYTE, source, tag, MPI_COMM_WORLD, &status);
  CHECK(error == MPI_SUCCESS);
  finish(one, status);
}

/// Receives without waiting, and then a wait of some kind for all of them.
class Later {
 public:
  void post(const std::vector<const Message*>& messages, bool are_next, Random& random) {
    for (const Message* const message : messages) {
      Posted& one = posted_.emplace_back(Posted{message, random.below(2) == 0, {}});
      const auto [source, tag] = asked(*message, are_next, random.below(4));
      const int room = message->bytes;
      MPI_Request request = MPI_REQUEST_NULL;
      one.into.resize(static_cast<std::size_t>(one.takes ? 0 : room));
      if (one.takes)
        OPI_Itake(&one.taken, room, MPI_BYTE, source, tag, MPI_COMM_WORLD, &request);
      else
        MPI_Irecv(one.into.data(), room, MPI_BYTE, source, tag, MPI_COMM_WORLD, &request);
      requests_.push_back(request);
    }
  }

  void complete(int way) {
    const int count = static_cast<int>(requests_.size());
    std::vector<MPI_Status> statuses(requests_.size());
    if (way == 0) {
      CHECK(MPI_Waitall(count, requests_.data(), statuses.data()) == MPI_SUCCESS);
    } else if (way == 1) {
      for (int flag = 0; !flag;)
        CHECK(MPI_Testall(count, requests_.data(), &flag, statuses.data()) == MPI_SUCCESS);
    } else if (way == 2) {
      for (int i = count - 1; i >= 0; --i) CHECK(MPI_Wait(&requests_[i], &statuses[i]) == MPI_SUCCESS);
    } else {
      for (int left = count; left > 0;)
        for (int i = 0; i < count; ++i) {
          int flag = 0;
          if (requests_[i] == MPI_REQUEST_NULL) continue;
          CHECK(MPI_Test(&requests_[i], &flag, &statuses[i]) == MPI_SUCCESS);
          left -= flag;
        }
    }
    for (int i = 0; i < count; ++i) finish(posted_[i], statuses[i]);
  }

 private:
  std::deque<Posted> posted_;
  std::vector<MPI_Request> requests_;
};

/// Some order of these that keeps, of each source, those with the same tag in theirs; or the sources' own
/// order.
std::vector<const Message*> arranged(const std::vector<const Message*>& messages, bool keeps_sources,
                                     Random& random) {
  std::map<std::pair<int, int>, std::deque<const Message*>> queues;
  for (const Message* const message : messages)
    queues[{message->source, keeps_sources ? 0 : message->tag}].push_back(message);
  std::vector<const Message*> order;
  while (!queues.empty()) {
    auto at = queues.begin();
    std::advance(at, random.below(static_cast<int>(queues.size())));
    order.push_back(at->second.front());
    at->second.pop_front();
    if (at->second.empty()) queues.erase(at);
  }
  return order;
}

}  // namespace

int main(int, char** argv) {
  const int n = kanor::world.size(), me = kanor::world.rank();
  Random common{mixed(static_cast<std::uint64_t>(std::atoi(argv[1])))};
  Random own{mixed(common.state + 17 + static_cast<std::uint64_t>(me))};
  const int total = std::atoi(argv[2]);
  int number = 0;
  while (number < total) {
    std::vector<Message> messages(static_cast<std::size_t>(1 + common.below(60)));
    for (Message& message : messages) {
      message = {common.below(n),      common.below(n),      common.below(tags),
                 random_bytes(common), common.below(4) == 0, number++};
      if (message.alone) message.tag = own_tag + message.number;
    }
    const bool keeps_sources = common.below(2) == 0, posts_first = common.below(2) == 0;
    std::vector<const Message*> mine;
    for (const Message& message : messages)
      if (message.destination == me) mine.push_back(&message);
    mine = arranged(mine, keeps_sources, own);
    std::vector<MPI_Request> open;
    Later later;
    if (posts_first) later.post(mine, keeps_sources, own);
    for (const Message& message : messages)
      if (message.source == me) put(message, own.below(8), open);
    if (posts_first)
      later.complete(own.below(4));
    else
      for (const Message* const message : mine)
        get_now(*message, asked(*message, keeps_sources, own.below(4)), own.below(15));
    CHECK(MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    end_sending();
    if (common.below(8) == 0) MPI_Barrier(MPI_COMM_WORLD);
  }
  check::digest += sum;
  return check::finish("ownership_random");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
