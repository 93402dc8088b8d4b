// Messages of ownership.py by hand against MPI.
#include <mpi.h>

#include "common.hpp"

namespace {

int rank = 0, ranks = 1;

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

/// Each rank has one buffer that it sends, and for new messages another that it receives into.
class Side {
 public:
  explicit Side(const Request& request)
      : count_(static_cast<int>(request.count)),
        out_(request.count),
        in_(request.count),
        into_(request.kind == "fresh" ? in_ : out_) {}

  long* first() { return out_.data(); }
  long* begin() { return out_.data(); }
  void send(long) { MPI_Send(out_.data(), count_, MPI_LONG, partner_of(rank), 0, MPI_COMM_WORLD); }
  const long* take(long) {
    MPI_Recv(into_.data(), count_, MPI_LONG, partner_of(rank), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return into_.data();
  }
  void done() {}

 private:
  const int count_;
  const Numbers out_, in_;
  const Numbers& into_;
};

Report steps(const Request& request) {
  const Numbers out(request.count), in(request.count);
  const int count = static_cast<int>(request.count), partner = partner_of(rank);
  return opbench(request, rank, meet, [&](long* application, long) {
    MPI_Request open[2];
    pack(out.data(), application, request.count);
    MPI_Irecv(in.data(), count, MPI_LONG, partner, 0, MPI_COMM_WORLD, &open[0]);
    MPI_Isend(out.data(), count, MPI_LONG, partner, 0, MPI_COMM_WORLD, &open[1]);
    MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    copy(application, in.data(), request.count);
  });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Request request = read_request(argc, argv);
  Report report;
  if (request.operation == "one_way") {
    Side side(request);
    report = one_way(request, rank, side, meet);
  } else if (request.operation == "opbench") {
    report = steps(request);
  } else {
    return unknown(request);
  }
  Report all{0, std::vector<double>(report.times.size())};
  MPI_Reduce(&report.seen, &all.seen, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(report.times.data(), all.times.data(), static_cast<int>(all.times.size()), MPI_DOUBLE, MPI_MAX,
             0, MPI_COMM_WORLD);
  if (rank == 0) print_batches(all.seen, all.times);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
