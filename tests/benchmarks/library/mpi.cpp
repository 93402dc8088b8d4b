// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As kanor.cpp, written by hand with MPI: a sample sort, whose parts are about even, and packed messages.
#include <mpi.h>

#include <cstdlib>
#include <string_view>

#include "work.hpp"

namespace {

int me, ranks;
constexpr int samples = 64;  // of each rank

double slowest(double time) {
  double all = 0;
  MPI_Allreduce(&time, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

std::uint64_t sum(std::uint64_t value) {
  std::uint64_t all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/// The keys between which the ranks' parts end, of all ranks' samples.
std::vector<std::uint64_t> splitters(const std::vector<std::uint64_t>& keys) {
  std::vector<std::uint64_t> mine, all(static_cast<std::size_t>(samples * ranks)), found;
  for (std::size_t at = 0; at < samples; ++at) mine.push_back(keys.empty() ? 0 : keys[at * keys.size() / samples]);
  MPI_Allgather(mine.data(), samples, MPI_UINT64_T, all.data(), samples, MPI_UINT64_T, MPI_COMM_WORLD);
  std::sort(all.begin(), all.end());
  for (int rank = 1; rank < ranks; ++rank) found.push_back(all[static_cast<std::size_t>(rank * samples)]);
  return found;
}

void sort_keys(std::vector<std::uint64_t>& keys) {
  std::sort(keys.begin(), keys.end());
  if (ranks == 1) return;
  std::vector<int> leaving, arriving(static_cast<std::size_t>(ranks)), from{0}, to{0};
  auto begin = keys.begin();
  for (std::uint64_t splitter : splitters(keys)) {
    const auto end = std::lower_bound(begin, keys.end(), splitter);
    leaving.push_back(static_cast<int>(end - begin));
    begin = end;
  }
  leaving.push_back(static_cast<int>(keys.end() - begin));
  MPI_Alltoall(leaving.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t rank = 0; rank < leaving.size(); ++rank) {
    from.push_back(from.back() + leaving[rank]);
    to.push_back(to.back() + arriving[rank]);
  }
  std::vector<std::uint64_t> mine(static_cast<std::size_t>(to.back()));
  MPI_Alltoallv(keys.data(), leaving.data(), from.data(), MPI_UINT64_T, mine.data(), arriving.data(), to.data(), MPI_UINT64_T,
                MPI_COMM_WORLD);
  for (std::size_t width = 1; width < leaving.size(); width *= 2)
    for (std::size_t run = 0; run + width < leaving.size(); run += 2 * width)
      std::inplace_merge(mine.begin() + to[run], mine.begin() + to[run + width],
                         mine.begin() + to[std::min(run + 2 * width, leaving.size())]);
  keys.swap(mine);
}

void sort(long size, int batches) {
  std::vector<double> times;
  std::uint64_t digest = 0;
  for (int batch = 0; batch < batches; ++batch) {
    auto keys = work::keys(size, me, ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    times.push_back(slowest(work::microseconds(1, [&] { sort_keys(keys); })));
    long count = static_cast<long>(keys.size()), first = 0;
    MPI_Exscan(&count, &first, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    digest = sum(work::digest(keys, me == 0 ? 0 : first));
  }
  if (me == 0) work::print(digest, times);
}

/// What a rank sends to one of the others, and receives from it.
struct neighbour {
  int rank;
  std::vector<long> indices, places;
  std::vector<double> sent, received;
};

std::vector<neighbour> connect(long owned) {
  const auto needed = work::needed(owned, me, ranks);
  std::vector<std::vector<long>> places(static_cast<std::size_t>(ranks)), indices(places.size());
  for (std::size_t at = 0; at < needed.size(); ++at) {
    const auto owner = static_cast<std::size_t>(needed[at] / owned);
    places[owner].push_back(static_cast<long>(at));
    indices[owner].push_back(needed[at] % owned);
  }
  std::vector<neighbour> found;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    int needs = static_cast<int>(indices[at].size()), count = 0;
    MPI_Sendrecv(&needs, 1, MPI_INT, rank, 0, &count, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<long> of_other(static_cast<std::size_t>(count));
    MPI_Sendrecv(indices[at].data(), needs, MPI_LONG, rank, 1, of_other.data(), count, MPI_LONG, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (needs + count > 0)
      found.push_back({rank, of_other, places[at], std::vector<double>(of_other.size()), std::vector<double>(places[at].size())});
  }
  return found;
}

void gather_elements(const std::vector<double>& own, std::vector<double>& ghosts, std::vector<neighbour>& neighbours) {
  std::vector<MPI_Request> requests;
  for (neighbour& other : neighbours)
    MPI_Irecv(other.received.data(), static_cast<int>(other.received.size()), MPI_DOUBLE, other.rank, 2, MPI_COMM_WORLD,
              &requests.emplace_back());
  for (neighbour& other : neighbours) {
    for (std::size_t at = 0; at < other.indices.size(); ++at) other.sent[at] = own[static_cast<std::size_t>(other.indices[at])];
    MPI_Isend(other.sent.data(), static_cast<int>(other.sent.size()), MPI_DOUBLE, other.rank, 2, MPI_COMM_WORLD,
              &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (const neighbour& other : neighbours)
    for (std::size_t at = 0; at < other.places.size(); ++at) ghosts[static_cast<std::size_t>(other.places[at])] = other.received[at];
}

void gather(long owned, int batches) {
  const auto own = work::elements(owned, me);
  auto neighbours = connect(owned);
  std::vector<double> times, ghosts(static_cast<std::size_t>(owned / 10));
  for (int batch = 0; batch < batches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    times.push_back(slowest(work::microseconds(work::gathers, [&] { gather_elements(own, ghosts, neighbours); })));
  }
  const auto digest = sum(work::digest(ghosts));
  if (me == 0) work::print(digest, times);
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long size = std::atol(arguments[2]);
  const int batches = std::atoi(arguments[3]);
  std::string_view(arguments[1]) == "sort" ? sort(size, batches) : gather(size, batches);
  MPI_Finalize();
}
