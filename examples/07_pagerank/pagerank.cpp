// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PageRank: how likely somebody who follows links at random is on each page. The file has a link on each
// line. Each rank has some of the pages, and the links that lead to them.
#include <kanor/kanor.hpp>
#include <kanor/std/all_reduce.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/exchange_map.hpp>
#include <kanor/std/gather_vectors.hpp>
#include <kanor/std/migrate.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using kanor::world;

namespace {

constexpr double damping = 0.85;    // how often somebody follows a link; otherwise any page comes next
constexpr double tolerance = 1e-9;  // of the sum of all changes in a step
constexpr long most_pages = 1L << 40;

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

/// Reads the lines that begin in this rank's part of the file.
std::vector<Link> read_part(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  auto [at, end] = kanor::block_range(std::filesystem::file_size(path), world.rank());
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

/// The scores of this rank's pages, of `pages` in all. `links` are all that lead to these pages.
std::vector<double> scores(std::vector<Link> links, long pages, int& steps) {
  const kanor::index_range mine = kanor::block_range(pages, world.rank());

  // Each page that a link leads from is needed once. From now on, links have positions instead of numbers.
  std::vector<long> sources;
  for (const Link& link : links) sources.push_back(link.from);
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  for (Link& link : links) {
    link.from = std::lower_bound(sources.begin(), sources.end(), link.from) - sources.begin();
    link.to -= mine.begin;
  }
  const kanor::exchange_map map(mine.size(), sources);

  // How many links lead from each page.
  std::vector<double> degree(mine.size()), ghosts(sources.size());
  for (const Link& link : links) ++ghosts[link.from];
  map.scatter_add(degree, ghosts);

  std::vector<double> score(mine.size(), 1.0 / pages), next(mine.size()), share(mine.size());
  for (double change = 1; change > tolerance; ++steps) {
    double jumping = 0;  // somebody on a page without links jumps to any page
    for (std::size_t page = 0; page < score.size(); ++page) {
      share[page] = degree[page] > 0 ? damping * score[page] / degree[page] : 0;
      jumping += degree[page] > 0 ? (1 - damping) * score[page] : score[page];
    }
    map.gather(share, ghosts);
    std::fill(next.begin(), next.end(), kanor::all_sum(jumping) / pages);
    for (const Link& link : links) next[link.to] += ghosts[link.from];

    double changed = 0;
    for (std::size_t page = 0; page < score.size(); ++page) changed += std::abs(next[page] - score[page]);
    change = kanor::all_sum(changed);
    score.swap(next);
  }
  return score;
}

void keep_ten(std::vector<Page>& pages) {
  const auto kept = std::min<std::size_t>(pages.size(), 10);
  std::partial_sort(pages.begin(), pages.begin() + kept, pages.end(), before);
  pages.resize(kept);
}

}  // namespace

int main(int argc, char** argv) {
  const bool speaks = world.rank() == 0;
  if (argc != 2) {
    if (speaks) std::fprintf(stderr, "usage: pagerank LINKS.tsv\n");
    return 2;
  }
  std::vector<Link> links;
  std::string problem;
  try {
    links = read_part(argv[1]);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  const long count = kanor::all_sum<long>(links.size());
  problem = kanor::all_max(problem);  // if a rank has one, all end
  if (problem.empty() && count == 0) problem = "no links in '" + std::string(argv[1]) + "'";
  if (!problem.empty()) {
    if (speaks) std::fprintf(stderr, "pagerank: %s\n", problem.c_str());
    return 1;
  }

  long last = 0;
  for (const Link& link : links) last = std::max({last, link.from, link.to});
  const long pages = kanor::all_max(last) + 1;
  // All links to a page stay in the order of the file, so their sum is the same for any number of ranks.
  kanor::migrate(links, [pages](const Link& link) { return kanor::block_owner(pages, link.to); });
  int steps = 0;
  const std::vector<double> score = scores(links, pages, steps);

  std::vector<Page> best;
  const long first = kanor::block_range(pages, world.rank()).begin;
  for (const double one : score) best.push_back({one, first + static_cast<long>(best.size())});
  keep_ten(best);
  best = kanor::gather_vectors(best, 0);
  keep_ten(best);
  if (speaks) std::printf("%ld pages, %ld links, %d steps\n", pages, count, steps);
  for (const Page& page : best) std::printf("%8ld  %.6f\n", page.number, page.score);
}
