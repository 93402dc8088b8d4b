// Small exchanges in a loop, written by hand against MPI: the other side of latency.py.
#include <mpi.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "timing.hpp"

namespace {

int rank = 0, ranks = 1;

template <class Once>
void report(const Request& request, const double& result, Once once) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto times = time_batches(request, once);
  if (rank == 0) print_batches(result, times);
}

/// One way of a ping-pong between two ranks: an iteration is one message.
void one_way(const Request& request) {
  double ball = 1;
  report(request, ball, [&](int n) {
    if (n % 2 == rank)
      MPI_Send(&ball, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(&ball, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

void shift(const Request& request) {
  double mine = rank + 1, left = 0;
  report(request, left, [&](int) {
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &left, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    mine = left + 1;
  });
}

void broadcast(const Request& request) {
  double mine = rank + 1, got = 0;
  report(request, got, [&](int n) {
    if (n % ranks == rank) got = mine;
    MPI_Bcast(&got, 1, MPI_DOUBLE, n % ranks, MPI_COMM_WORLD);
    mine = got + 1;
  });
}

void broadcast_from_0(const Request& request) {
  double mine = rank + 1, got = 0;
  report(request, got, [&](int) {
    if (rank == 0) got = mine;
    MPI_Bcast(&got, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    mine = got + 1;
  });
}

void all_reduce(const Request& request) {
  double mine = rank + 1, most = 0;
  report(request, most, [&](int) {
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    mine = most + 1;
  });
}

void all_to_all(const Request& request) {
  std::vector<double> to(ranks, rank + 1), from(ranks);
  report(request, from.back(), [&](int) {
    MPI_Alltoall(to.data(), 1, MPI_DOUBLE, from.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
    std::swap(to, from);
    from.back() = to.back();
  });
}

void barrier(const Request& request) {
  double result = 1;
  report(request, result, [&](int) { MPI_Barrier(MPI_COMM_WORLD); });
}

/// A band of 8 rows with the neighbours' nearest rows above and below, in one array.
struct Band {
  explicit Band(int row_doubles) : width(row_doubles), points(8 * static_cast<std::size_t>(width), rank + 1) {
    MPI_Type_contiguous(width, MPI_DOUBLE, &row_type);
    MPI_Type_commit(&row_type);
  }
  ~Band() { MPI_Type_free(&row_type); }
  double* row(int n) { return points.data() + static_cast<std::size_t>(n) * static_cast<std::size_t>(width); }
  double next() {
    next_row(row(1), row(7), width);
    next_row(row(6), row(0), width);
    return row(7)[0];
  }
  int width;
  std::vector<double> points;
  MPI_Datatype row_type = MPI_DATATYPE_NULL;
};

void halo(const Request& request) {
  Band band(request.width);
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  double result = 0;
  report(request, result, [&](int) {
    MPI_Request open[4];
    MPI_Irecv(band.row(0), 1, band.row_type, above, 0, MPI_COMM_WORLD, &open[0]);
    MPI_Irecv(band.row(7), 1, band.row_type, below, 1, MPI_COMM_WORLD, &open[1]);
    MPI_Isend(band.row(6), 1, band.row_type, below, 0, MPI_COMM_WORLD, &open[2]);
    MPI_Isend(band.row(1), 1, band.row_type, above, 1, MPI_COMM_WORLD, &open[3]);
    MPI_Waitall(4, open, MPI_STATUSES_IGNORE);
    result = band.next();
  });
}

void halo_neighbours(const Request& request) {
  Band band(request.width);
  MPI_Comm line;
  const int periodic = 0;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &line);
  const int counts[2] = {1, 1};
  const MPI_Datatype types[2] = {band.row_type, band.row_type};
  const auto at = [&](int row) { return static_cast<MPI_Aint>(row) * band.width * static_cast<MPI_Aint>(sizeof(double)); };
  const MPI_Aint from[2] = {at(1), at(6)}, to[2] = {at(0), at(7)};
  double result = 0;
  report(request, result, [&](int) {
    MPI_Neighbor_alltoallw(band.points.data(), counts, from, types, band.points.data(), counts, to, types, line);
    result = band.next();
  });
  MPI_Comm_free(&line);
}

void elements(const Request& request) {
  const std::vector<int> index = scattered(request.width);
  std::vector<double> values(index.size(), rank + 1), got(index.size()), packed(index.size());
  report(request, got.front(), [&](int) {
    for (int k = 0; k < request.width; ++k) packed[k] = values[index[k]];
    MPI_Sendrecv(packed.data(), request.width, MPI_DOUBLE, (rank + 1) % ranks, 0, got.data(), request.width, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    next_row(values.data(), got.data(), request.width);
  });
}

#ifndef KANOR_MPI_H  // Kanor's own MPI has no windows
void puts(const Request& request) {
  const std::vector<int> index = scattered(request.width);
  std::vector<double> values(index.size(), rank + 1), got(index.size());
  MPI_Win window;
  MPI_Win_create(got.data(), static_cast<MPI_Aint>(got.size() * sizeof(double)), sizeof(double), MPI_INFO_NULL,
                 MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  report(request, got.front(), [&](int) {
    for (int k = 0; k < request.width; ++k)
      MPI_Put(&values[k], 1, MPI_DOUBLE, (rank + 1) % ranks, index[k], 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    next_row(values.data(), got.data(), request.width);
    MPI_Win_fence(0, window);
  });
  MPI_Win_free(&window);
}
#endif

/// What puts() does, without windows: values and indices in one message.
void packed_puts(const Request& request) {
  struct Put {
    long index;
    double value;
  };
  const std::vector<int> index = scattered(request.width);
  std::vector<double> values(index.size(), rank + 1), got(index.size());
  std::vector<Put> out(index.size()), in(index.size());
  const int bytes = request.width * static_cast<int>(sizeof(Put));
  report(request, got.front(), [&](int) {
    for (int k = 0; k < request.width; ++k) out[k] = {index[k], values[k]};
    MPI_Sendrecv(out.data(), bytes, MPI_BYTE, (rank + 1) % ranks, 0, in.data(), bytes, MPI_BYTE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (const Put& put : in) got[put.index] = put.value;
    next_row(values.data(), got.data(), request.width);
  });
}

void histogram(const Request& request) {
  const int bins = request.width / ranks;
  const std::vector<int> bin = scattered(bins * ranks);
  std::vector<long> count(bins), counted(bin.size());
  double result = 0;
  report(request, result, [&](int) {
    std::fill(counted.begin(), counted.end(), 0);
    for (const int k : bin) ++counted[k];
    MPI_Reduce_scatter_block(counted.data(), count.data(), bins, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    result = static_cast<double>(count.front() + count.back());
  });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Request request = read_request(argc, argv);
  const std::pair<const char*, void (*)(const Request&)> cases[] = {
      {"one_way", one_way}, {"shift", shift},           {"broadcast", broadcast}, {"broadcast_from_0", broadcast_from_0}, {"all_reduce", all_reduce},
      {"barrier", barrier}, {"all_to_all", all_to_all}, {"halo", halo},           {"halo_neighbours", halo_neighbours},
      {"elements", elements}, {"packed_puts", packed_puts}, {"histogram", histogram},
#ifndef KANOR_MPI_H
      {"puts", puts},
#endif
  };
  int status = 2;
  for (const auto& [name, run] : cases)
    if (request.what == name) run(request), status = 0;
  if (status) std::fprintf(stderr, "no case '%s'\n", request.what.c_str());
  MPI_Finalize();
  return status;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
