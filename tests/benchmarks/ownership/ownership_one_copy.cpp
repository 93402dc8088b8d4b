// Messages of ownership.py as threads by hand that copy once: the receiver copies out of the sender's buffer
// into its own.
#include "threads.hpp"

namespace {

#ifdef WITH_SMALL_PAGES  // as programs have them that get their memory from the C library
using Messages = Numbers;
#else
using Messages = HugeNumbers;
#endif

class Side {
 public:
  Side(const Request& request, int rank)
      : count_(request.count),
        own_(lines[rank][0]),
        partners_(lines[partner_of(rank)][0]),
        out_(request.count),
        in_(request.count),
        into_(request.kind == "fresh" ? in_ : out_) {}

  long* first() { return out_.data(); }
  // The partner has copied what was there: it has answered since.
  long* begin() { return out_.data(); }
  void send(long turn) { own_.publish(turn, out_.data()); }
  const long* take(long turn) {
    copy(into_.data(), partners_.take(turn), count_);
    return into_.data();
  }
  void done() {}

 private:
  const std::size_t count_;
  Line& own_;
  const Line& partners_;
  const Messages out_, in_;
  const Messages& into_;
};

/// A rank packs into two buffers in turn: when the partner packs the next one, it has copied this one.
Report steps(const Request& request, int rank) {
  const Messages first(request.count), second(request.count), in(request.count);
  long* const out[2] = {first.data(), second.data()};
  Line* const own = lines[rank];
  const Line* const partners = lines[partner_of(rank)];
  const Report report = opbench(request, rank, meet, [&](long* application, long number) {
    pack(out[number % 2], application, request.count);
    own[number % 2].publish(number, out[number % 2]);
    copy(in.data(), partners[number % 2].take(number), request.count);
    copy(application, in.data(), request.count);
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
