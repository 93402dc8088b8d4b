// Messages of ownership.py as threads by hand that copy nothing: the receiver reads in the sender's buffer,
// and that is the next one that it writes. Its cache has the lines then, and nobody else's: with buffers that
// stay with their rank, each line that is written must be taken from the reader's cache first, which takes
// four times as long at 64 KiB.
#include "threads.hpp"

namespace {

/// One buffer goes back and forth. What is short goes with the line that tells of it, and stays there to be
/// read.
class Side {
 public:
  Side(const Request& request, int rank)
      : count_(request.count),
        own_(lines[rank][0]),
        partners_(lines[partner_of(rank)][0]),
        only_(request.count),
        held_(is_short() ? own_.content : only_.data()) {}

  long* first() { return held_; }
  long* begin() { return held_; }
  void send(long turn) { own_.publish(turn, held_); }
  const long* take(long turn) {
    if (!is_short()) return held_ = partners_.take(turn);
    partners_.take(turn);
    for (std::size_t i = 0; i < count_; ++i) held_[i] = partners_.content[i];
    return partners_.content;
  }
  void done() {}

 private:
  bool is_short() const { return count_ <= Line::room; }

  const std::size_t count_;
  Line& own_;
  const Line& partners_;
  const HugeNumbers only_;
  long* held_;
};

Report steps(const Request& request, int rank) {
  const HugeNumbers own_buffer(request.count);
  long* held = own_buffer.data();
  Line* const own = lines[rank];
  const Line* const partners = lines[partner_of(rank)];
  const Report report = opbench(request, rank, meet, [&](long* application, long number) {
    pack(held, application, request.count);
    own[number % 2].publish(number, held);
    held = partners[number % 2].take(number);
    copy(application, held, request.count);
  });
  meet();
  return report;
}

Report work(const Request& request, int rank) {
  if (request.operation == "opbench") return steps(request, rank);
  if (request.operation != "one_way") return {};
  Side side(request, rank);
  return one_way(request, rank, side, meet);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, work); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
