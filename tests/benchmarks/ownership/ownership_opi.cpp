// Messages of ownership.py as Kanor's ranks that hand buffers over, and what it takes a rank to get and to
// free one.
#include <kanor/opi.h>

#include "common.hpp"

namespace {

int rank = 0, ranks = 1;

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

class Side {
 public:
  explicit Side(const Request& request)
      : count_(static_cast<int>(request.count)),
        bytes_(request.count * sizeof(long)),
        passes_(request.kind == "passed") {}
  Side(const Side&) = delete;
  ~Side() { OPI_Free(&held_); }

  long* first() {
    OPI_Alloc(&held_, bytes_);
    return held_;
  }
  long* begin() { return passes_ ? held_ : first(); }
  void send(long) { OPI_Give(&held_, count_, MPI_LONG, partner_of(rank), 0, MPI_COMM_WORLD); }
  const long* take(long) {
    OPI_Take(&held_, count_, MPI_LONG, partner_of(rank), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return held_;
  }
  void done() { OPI_Free(&held_); }

 private:
  const int count_;
  const std::size_t bytes_;
  const bool passes_;
  long* held_ = nullptr;
};

Report steps(const Request& request) {
  const int count = static_cast<int>(request.count), partner = partner_of(rank);
  return opbench(request, rank, meet, [&](long* application, long) {
    long *out = nullptr, *in = nullptr;
    MPI_Request open[2];
    OPI_Alloc(&out, request.count * sizeof *out);
    pack(out, application, request.count);
    OPI_Igive(&out, count, MPI_LONG, partner, 0, MPI_COMM_WORLD, &open[0]);
    OPI_Itake(&in, count, MPI_LONG, partner, 0, MPI_COMM_WORLD, &open[1]);
    MPI_Waitall(2, open, MPI_STATUSES_IGNORE);
    copy(application, in, request.count);
    OPI_Free(&in);
  });
}

/// Nanoseconds of a buffer that is got, written, read and freed, without messages; all ranks at once.
Report alloc_free(const Request& request) {
  const bool is_malloc = request.kind == "malloc";
  const std::size_t bytes = request.count * sizeof(long);
  Report report;
  Turns turns(request, meet);
  while (turns.next()) {
    for (int i = 0; i < thousand; ++i) {
      long* buffer = nullptr;
      if (is_malloc)
        buffer = static_cast<long*>(std::malloc(bytes));
      else
        OPI_Alloc(&buffer, bytes);
      touch(buffer, i);
      report.seen += *buffer;
      if (is_malloc)
        std::free(buffer);
      else
        OPI_Free(&buffer);
    }
  }
  report.times = turns.times();
  return report;
}

void send_report(const Report& report) {
  MPI_Send(&report.seen, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD);
  MPI_Send(report.times.data(), static_cast<int>(report.times.size()), MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}

Report receive_report(int from, std::size_t batches) {
  Report report{0, std::vector<double>(batches)};
  MPI_Recv(&report.seen, 1, MPI_LONG, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(report.times.data(), static_cast<int>(batches), MPI_DOUBLE, from, 1, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Request request = read_request(argc, argv);
  Report report;
  if (request.operation == "one_way") {
    Side side(request);
    report = one_way(request, rank, side, meet);
  } else if (request.operation == "opbench") {
    report = steps(request);
  } else if (request.operation == "alloc_free") {
    report = alloc_free(request);
  } else {
    return unknown(request);
  }
  if (rank > 0) {
    send_report(report);
    return 0;
  }
  for (int other = 1; other < ranks; ++other) merge(report, receive_report(other, report.times.size()));
  print_batches(report.seen, report.times);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
