// Counts the words of all text files below a directory. The files are dealt to the ranks; each word
// belongs to the rank that its hash names, which adds up what all ranks found of it.
#include <kanor/kanor.hpp>
#include <kanor/std/broadcast.hpp>
#include <kanor/std/gather_vectors.hpp>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "words.hpp"

using kanor::world;
using Entry = std::pair<std::string, long>;

namespace {

struct Options {
  std::string directory;
  int top = 20;
};

struct Totals {
  long files = 0, skipped = 0, words = 0, distinct = 0;
};
Totals operator+(const Totals& a, const Totals& b) {
  return {a.files + b.files, a.skipped + b.skipped, a.words + b.words, a.distinct + b.distinct};
}

/// The more frequent word first, words of the same frequency in alphabetical order.
bool before(const Entry& a, const Entry& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; }

void keep_top(std::vector<Entry>& entries, int top) {
  const auto kept = std::min<std::size_t>(entries.size(), top);
  std::partial_sort(entries.begin(), entries.begin() + kept, entries.end(), before);
  entries.resize(kept);
}

/// Counts this rank's share of the files: every size()-th, so that neighbours in the list, which are
/// often alike in size, go to different ranks.
Counts count_share(const std::vector<std::string>& files, Totals& totals) {
  const bool progress = world.rank() == 0 && isatty(STDERR_FILENO);
  Counts counts;
  for (std::size_t at = world.rank(); at < files.size(); at += world.size()) {
    if (progress) std::fprintf(stderr, "\rfile %zu of %zu \033[K", at + 1, files.size());
    const Reading reading = count_file(files[at], counts);
    if (reading == Reading::failed) std::fprintf(stderr, "wordcount: cannot read '%s'\n", files[at].c_str());
    ++(reading == Reading::text ? totals.files : totals.skipped);
  }
  if (progress) std::fprintf(stderr, "\r\033[K");
  return counts;
}

/// Sends every word to the rank it belongs to. Returns the words that belong to this rank.
Counts exchange(const Counts& counts) {
  std::vector<Counts> to(world.size()), from(world.size());
  for (const auto& [word, count] : counts) to[hash_word(word) % world.size()].emplace(word, count);
  @communicate { from[s]@r <<= to[r]@s where s, r in world }

  Counts mine;
  for (const Counts& part : from)
    for (const auto& [word, count] : part) mine[word] += count;
  return mine;
}

void print_table(const std::vector<Entry>& entries, const Totals& totals) {
  for (const auto& [word, count] : entries) std::printf("%10ld  %s\n", count, word.c_str());
  std::printf("%ld words, %ld different, in %ld files (%ld others skipped)\n", totals.words, totals.distinct, totals.files,
              totals.skipped);
}

void count_and_print(const Options& options) {
  std::vector<std::string> files;
  if (world.rank() == 0) files = files_below(options.directory);
  kanor::broadcast(files, 0);

  Totals totals;
  const Counts mine = exchange(count_share(files, totals));
  totals.distinct = static_cast<long>(mine.size());
  for (const auto& [word, count] : mine) totals.words += count;

  std::vector<Entry> best(mine.begin(), mine.end());
  keep_top(best, options.top);
  best = kanor::gather_vectors(best, 0);
  @communicate { totals@0 << + << totals@r where r in world }
  if (world.rank() != 0) return;

  keep_top(best, options.top);
  print_table(best, totals);
}

/// Returns the status to end with, or -1 to go on.
int parse(int argc, char** argv, Options& options) {
  const bool speaks = world.rank() == 0;
  for (int at = 1; at < argc; ++at) {
    const std::string word = argv[at];
    if (word == "--help") {
      if (speaks)
        std::puts("usage: wordcount [--top N] DIRECTORY\n\n"
                  "Counts the words of all text files below DIRECTORY and prints the N most\n"
                  "frequent ones (default 20).");
      return 0;
    }
    if (word == "--top" && at + 1 < argc) {
      const char *text = argv[++at], *end = text + std::strlen(text);
      const auto [stop, error] = std::from_chars(text, end, options.top);
      if (error == std::errc() && stop == end && options.top > 0) continue;
      if (speaks) std::fprintf(stderr, "wordcount: --top needs a whole number above 0, not '%s'\n", text);
      return 2;
    }
    if (word.empty() || word[0] == '-' || !options.directory.empty()) {
      if (speaks) std::fprintf(stderr, "wordcount: cannot use '%s' (see wordcount --help)\n", word.c_str());
      return 2;
    }
    options.directory = word;
  }
  if (!options.directory.empty()) return -1;
  if (speaks) std::fprintf(stderr, "wordcount: no directory given; try /usr/share/common-licenses\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (const int status = parse(argc, argv, options); status >= 0) return status;
  try {
    count_and_print(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wordcount: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
