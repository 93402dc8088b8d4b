// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As examples/07_pagerank, written by hand with MPI: how likely somebody who follows links at random is on
// each page. Each rank has some of the pages, and the links that lead to them.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr double damping = 0.85;    // how often somebody follows a link; otherwise any page comes next
constexpr double tolerance = 1e-9;  // of the sum of all changes in a step
constexpr long most_pages = 1L << 40;

int me, ranks;

struct Link {
  long from, to;
};

struct Page {
  double score;
  long number;
};
bool before(const Page& a, const Page& b) {
  return a.score != b.score ? a.score > b.score : a.number < b.number;
}

/// Of `count` elements, rank r has those from first_of(count, r) up to first_of(count, r + 1). The count may
/// be so large that its product with the number of ranks overflows.
long first_of(long count, long rank) { return count / ranks * rank + count % ranks * rank / ranks; }

int owner_of(long count, long index) {
  int rank = static_cast<int>(static_cast<double>(index) / static_cast<double>(count) * ranks);
  while (index < first_of(count, rank)) --rank;  // if the quotient was rounded
  while (index >= first_of(count, rank + 1)) ++rank;
  return rank;
}

/// Reads the lines that begin in this rank's part of the file.
std::vector<Link> read_part(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  const long size = static_cast<long>(std::filesystem::file_size(path));
  long at = first_of(size, me);
  const long end = first_of(size, me + 1);
  std::string line;
  if (at > 0) {
    // Skips the line that began in the part of the rank before, or nothing if that part ends with a line.
    file.seekg(at - 1);
    std::getline(file, line);
    at += line.size();
  }
  std::vector<Link> links;
  for (; at < end && std::getline(file, line); at += line.size() + 1) {
    if (line.empty() || line[0] == '#') continue;
    Link link;
    char more;
    const bool two = std::sscanf(line.c_str(), "%ld %ld %c", &link.from, &link.to, &more) == 2;
    if (!two || std::min(link.from, link.to) < 0 || std::max(link.from, link.to) >= most_pages)
      throw std::runtime_error("'" + path + "' has a line that is not two numbers of pages: '" + line + "'");
    links.push_back(link);
  }
  return links;
}

/// Sends each link to the rank that has the page to which it leads. All links to a page stay in the order of
/// the file, so their sum is the same for any number of ranks.
std::vector<Link> distribute(const std::vector<Link>& links, long pages) {
  std::vector<int> leaving(ranks), arriving(ranks), from(ranks), to(ranks);
  for (const Link& link : links) ++leaving[owner_of(pages, link.to)];
  MPI_Alltoall(leaving.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(leaving.begin(), leaving.end(), from.begin(), 0);
  std::exclusive_scan(arriving.begin(), arriving.end(), to.begin(), 0);
  // MPI_Alltoallv needs the links for each rank in one piece.
  std::vector<Link> sorted(links.size()), mine(to.back() + arriving.back());
  std::vector<int> places = from;
  for (const Link& link : links) sorted[places[owner_of(pages, link.to)]++] = link;
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_LONG, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(sorted.data(), leaving.data(), from.data(), type, mine.data(), arriving.data(), to.data(),
                type, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  return mine;
}

/// A rank with pages that this one needs, or the other way round.
struct Neighbour {
  int rank;
  int first, count;            // its pages, among the ghosts
  std::vector<long> indices;   // of this rank's pages that it needs
  std::vector<double> packed;  // their values
};

/// Tells the owners which of their pages are needed. As `needed` is sorted, the pages of an owner lie side by
/// side among the ghosts.
std::vector<Neighbour> find_neighbours(const std::vector<long>& needed, long pages) {
  std::vector<int> gets(ranks), gives(ranks), from(ranks), to(ranks);
  for (const long page : needed) ++gets[owner_of(pages, page)];
  MPI_Alltoall(gets.data(), 1, MPI_INT, gives.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(gets.begin(), gets.end(), from.begin(), 0);
  std::exclusive_scan(gives.begin(), gives.end(), to.begin(), 0);
  std::vector<long> asked(to.back() + gives.back());
  MPI_Alltoallv(needed.data(), gets.data(), from.data(), MPI_LONG, asked.data(), gives.data(), to.data(),
                MPI_LONG, MPI_COMM_WORLD);
  for (long& page : asked) page -= first_of(pages, me);
  std::vector<Neighbour> neighbours;
  for (int rank = 0; rank < ranks; ++rank) {
    if (gets[rank] + gives[rank] == 0) continue;
    const auto begin = asked.begin() + to[rank];
    neighbours.push_back({rank, from[rank], gets[rank], {begin, begin + gives[rank]}, {}});
    neighbours.back().packed.resize(gives[rank]);
  }
  return neighbours;
}

/// Fetches the ghosts from their owners. What is for this rank itself does not travel.
void gather(const std::vector<double>& own, std::vector<double>& ghosts, std::vector<Neighbour>& neighbours) {
  std::vector<MPI_Request> requests;
  for (const Neighbour& other : neighbours)
    if (other.rank != me && other.count > 0)
      MPI_Irecv(ghosts.data() + other.first, other.count, MPI_DOUBLE, other.rank, 0, MPI_COMM_WORLD,
                &requests.emplace_back());
  for (Neighbour& other : neighbours) {
    double* const values = other.rank == me ? ghosts.data() + other.first : other.packed.data();
    for (std::size_t at = 0; at < other.indices.size(); ++at) values[at] = own[other.indices[at]];
    if (other.rank != me && !other.indices.empty())
      MPI_Isend(values, static_cast<int>(other.indices.size()), MPI_DOUBLE, other.rank, 0, MPI_COMM_WORLD,
                &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// The way back: adds the ghosts to their owners' values.
void scatter_add(std::vector<double>& own, const std::vector<double>& ghosts,
                 std::vector<Neighbour>& neighbours) {
  std::vector<MPI_Request> requests;
  for (Neighbour& other : neighbours) {
    MPI_Irecv(other.packed.data(), static_cast<int>(other.packed.size()), MPI_DOUBLE, other.rank, 1,
              MPI_COMM_WORLD, &requests.emplace_back());
    MPI_Isend(ghosts.data() + other.first, other.count, MPI_DOUBLE, other.rank, 1, MPI_COMM_WORLD,
              &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (const Neighbour& other : neighbours)
    for (std::size_t at = 0; at < other.indices.size(); ++at) own[other.indices[at]] += other.packed[at];
}

double all_sum(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// The scores of this rank's pages, of `pages` in all. `links` are all that lead to these pages.
std::vector<double> scores(std::vector<Link> links, long pages, int& steps) {
  const long first = first_of(pages, me), size = first_of(pages, me + 1) - first;

  // Each page that a link leads from is needed once. From now on, links have positions instead of numbers.
  std::vector<long> sources;
  for (const Link& link : links) sources.push_back(link.from);
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  for (Link& link : links) {
    link.from = std::lower_bound(sources.begin(), sources.end(), link.from) - sources.begin();
    link.to -= first;
  }
  std::vector<Neighbour> neighbours = find_neighbours(sources, pages);

  // How many links lead from each page.
  std::vector<double> degree(size), ghosts(sources.size());
  for (const Link& link : links) ++ghosts[link.from];
  scatter_add(degree, ghosts, neighbours);

  std::vector<double> score(size, 1.0 / pages), next(size), share(size);
  for (double change = 1; change > tolerance; ++steps) {
    double jumping = 0;  // somebody on a page without links jumps to any page
    for (std::size_t page = 0; page < score.size(); ++page) {
      share[page] = degree[page] > 0 ? damping * score[page] / degree[page] : 0;
      jumping += degree[page] > 0 ? (1 - damping) * score[page] : score[page];
    }
    gather(share, ghosts, neighbours);
    std::fill(next.begin(), next.end(), all_sum(jumping) / pages);
    for (const Link& link : links) next[link.to] += ghosts[link.from];

    double changed = 0;
    for (std::size_t page = 0; page < score.size(); ++page) changed += std::abs(next[page] - score[page]);
    change = all_sum(changed);
    score.swap(next);
  }
  return score;
}

void keep_ten(std::vector<Page>& pages) {
  const auto kept = std::min<std::size_t>(pages.size(), 10);
  std::partial_sort(pages.begin(), pages.begin() + kept, pages.end(), before);
  pages.resize(kept);
}

/// The pages of all ranks, on rank 0.
std::vector<Page> gather_pages(const std::vector<Page>& pages) {
  MPI_Datatype type;
  MPI_Type_contiguous(sizeof(Page), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  const int count = static_cast<int>(pages.size());
  std::vector<int> counts(ranks), begins(ranks);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  std::vector<Page> all(begins.back() + counts.back());
  MPI_Gatherv(pages.data(), count, type, all.data(), counts.data(), begins.data(), type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool speaks = me == 0;
  if (argc != 2) {
    if (speaks) std::fprintf(stderr, "usage: pagerank LINKS.tsv\n");
    MPI_Finalize();
    return 2;
  }
  std::vector<Link> links;
  try {
    links = read_part(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pagerank: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  long count = static_cast<long>(links.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (count == 0) {
    if (speaks) std::fprintf(stderr, "pagerank: no links in '%s'\n", argv[1]);
    MPI_Finalize();
    return 1;
  }

  long pages = 0;
  for (const Link& link : links) pages = std::max({pages, link.from + 1, link.to + 1});
  MPI_Allreduce(MPI_IN_PLACE, &pages, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  links = distribute(links, pages);
  int steps = 0;
  const std::vector<double> score = scores(links, pages, steps);

  std::vector<Page> best;
  const long first = first_of(pages, me);
  for (const double one : score) best.push_back({one, first + static_cast<long>(best.size())});
  keep_ten(best);
  best = gather_pages(best);
  keep_ten(best);
  if (speaks) std::printf("%ld pages, %ld links, %d steps\n", pages, count, steps);
  for (const Page& page : best) std::printf("%8ld  %.6f\n", page.number, page.score);
  MPI_Finalize();
}
