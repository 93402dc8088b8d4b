// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts a file of records. A record has 100 bytes, of which the first 10 are its key. Each rank reads a part
// of the file, the ranks sort their records together, and each writes its part of the result.
#include <kanor/kanor.hpp>
#include <kanor/std/all_reduce.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/gather.hpp>
#include <kanor/std/predicates.hpp>
#include <kanor/std/sort.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using kanor::world;

namespace {

/// Records with the same key are ordered by their other bytes, so that there is only one result.
struct Record {
  std::array<char, 100> bytes;
  std::string_view all() const { return {bytes.data(), bytes.size()}; }
  std::string_view key() const { return all().substr(0, 10); }
};
bool operator<(const Record& a, const Record& b) { return a.all() < b.all(); }

/// Runs a step without blocks on all ranks. If it fails on any of them, all throw an exception.
template <class Step>
void together(Step step) {
  std::string problem;
  try {
    step();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  problem = kanor::all_max(problem);
  if (!problem.empty()) throw std::runtime_error(problem);
}

/// Reads this rank's part of the file.
std::vector<Record> read_part(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (size % sizeof(Record) != 0) throw std::runtime_error("'" + path + "' has no records of 100 bytes");
  const kanor::index_range mine = kanor::block_range(size / sizeof(Record), world.rank());
  std::vector<Record> records(mine.size());
  file.seekg(mine.begin * sizeof(Record));
  file.read(reinterpret_cast<char*>(records.data()), mine.size() * sizeof(Record));
  if (!file) throw std::runtime_error("cannot read '" + path + "'");
  return records;
}

/// Writes this rank's part of a file that exists.
void write_part(const std::string& path, const std::vector<Record>& records, long first) {
  std::ofstream file(path, std::ios::binary | std::ios::in);
  file.seekp(first * sizeof(Record));
  file.write(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(Record));
  file.close();
  if (!file) throw std::runtime_error("cannot write '" + path + "'");
}

/// The sum of all ranks' records' hashes (FNV-1a), which does not depend on their order.
std::uint64_t checksum(const std::vector<Record>& records) {
  std::uint64_t sum = 0;
  for (const Record& record : records) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char byte : record.bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
    sum += hash;
  }
  return kanor::all_sum(sum);
}

/// Whether the ranks' records are in the right order, those of one rank behind those of the ranks before.
bool sorted(const std::vector<Record>& records) {
  std::string last = records.empty() ? "" : std::string(records.back().key()), before;
  @communicate { before@i << max << last@j where i in world, j in {0 ... i - 1} }
  return kanor::all_of(std::is_sorted(records.begin(), records.end()) &&
                       (records.empty() || before <= records.front().key()));
}

/// Prints how many records each rank has, and the first key.
void show(const std::vector<Record>& records) {
  std::string key = records.empty() ? "" : std::string(records.front().key());
  for (char& byte : key)
    if (!std::isprint(static_cast<unsigned char>(byte))) byte = '.';
  const auto all = kanor::gather(std::pair(records.size(), key), 0);
  if (world.rank() != 0) return;
  std::printf("rank    records  first key\n");
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    std::printf("%4zu %10zu  %s\n", rank, all[rank].first, all[rank].second.c_str());
}

void sort_file(const std::string& input, const std::string& output) {
  std::vector<Record> records;
  together([&] { records = read_part(input); });
  const long count = kanor::all_sum<long>(records.size());
  const std::uint64_t sum = checksum(records);
  kanor::sort(records);  // now this rank has the records that belong to its part of the output
  together([&] {
    if (world.rank() == 0 && !std::ofstream(output, std::ios::binary))
      throw std::runtime_error("cannot write '" + output + "'");
  });
  together([&] { write_part(output, records, kanor::block_range(count, world.rank()).begin); });

  // What is in the file now?
  together([&] { records = read_part(output); });
  const std::uint64_t sum_after = checksum(records);
  if (!sorted(records) || sum_after != sum) throw std::runtime_error("'" + output + "' is not sorted");
  show(records);
  if (world.rank() == 0) std::printf("%ld records, checksum %016lx\n", count, sum);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    if (world.rank() == 0) std::fprintf(stderr, "usage: sort_file INPUT OUTPUT\n");
    return 2;
  }
  try {
    sort_file(argv[1], argv[2]);
  } catch (const std::exception& error) {
    if (world.rank() == 0) std::fprintf(stderr, "sort_file: %s\n", error.what());
    return 1;
  }
}
