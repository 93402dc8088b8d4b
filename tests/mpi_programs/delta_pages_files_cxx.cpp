// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of delta messages that the system reads and writes, by each function that passes memory to it.
#include <fcntl.h>
#include <kanor/delta.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "ring.h"

namespace {

constexpr int n = 300000, tag = 4;

char value(int i, int way) { return static_cast<char>(i * 7 + i / 1000 + way); }

bool is_right(const std::vector<char>& elements, int way) {
  for (int i = 0; i < n; ++i)
    if (elements[static_cast<std::size_t>(i)] != value(i, way)) return false;
  return true;
}

// Passes all bytes in pieces to a function like read() or write().
template <class Function>
bool in_pieces(char* data, Function function) {
  constexpr int piece = 50000;
  for (int at = 0; at < n; at += piece)
    if (function(data + at, piece, at) != piece) return false;
  return true;
}

// Two ends of a connection, one of which another process reads or writes.
struct Ends {
  int here = -1, there = -1;
  Ends() {
    int both[2];
    CHECK_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
    here = both[0], there = both[1];
  }
  ~Ends() { ::close(here), ::close(there); }
};

bool send_through(char* data, std::vector<char>& copy) {
  const Ends ends;
  constexpr int piece = 10000;
  for (int at = 0; at < n; at += piece) {
    if (::send(ends.here, data + at, piece, 0) != piece) return false;
    if (::read(ends.there, copy.data() + at, piece) != piece) return false;
  }
  return true;
}

bool receive_through(char* data, const std::vector<char>& copy) {
  const Ends ends;
  constexpr int piece = 10000;
  for (int at = 0; at < n; at += piece) {
    if (::write(ends.there, copy.data() + at, piece) != piece) return false;
    if (::recv(ends.here, data + at, piece, 0) != piece) return false;
  }
  return true;
}

enum Way { by_descriptor, by_position, by_file, by_stream, by_socket, ways };

// Writes what is received.
bool write_out(std::vector<char>& elements, Way way, const std::string& name, std::vector<char>& copy) {
  if (way == by_socket) return send_through(elements.data(), copy);
  bool is_written = false;
  if (way == by_descriptor || way == by_position) {
    const int file = ::open(name.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    is_written = in_pieces(elements.data(), [&](char* data, std::size_t bytes, off_t at) {
      return way == by_position ? ::pwrite(file, data, bytes, at) : ::write(file, data, bytes);
    });
    ::close(file);
  } else if (way == by_file) {
    std::FILE* const file = std::fopen(name.c_str(), "w");
    is_written = std::fwrite(elements.data(), 1, elements.size(), file) == elements.size();
    std::fclose(file);
  } else {
    std::ofstream file(name);
    file.write(elements.data(), n);
    is_written = file.good();
  }
  std::ifstream(name).read(copy.data(), n);
  return is_written;
}

// Reads what is sent.
bool read_in(std::vector<char>& elements, Way way, const std::string& name, const std::vector<char>& copy) {
  if (way == by_socket) return receive_through(elements.data(), copy);
  if (way == by_descriptor || way == by_position) {
    const int file = ::open(name.c_str(), O_RDONLY);
    const bool is_read = in_pieces(elements.data(), [&](char* data, std::size_t bytes, off_t at) {
      return way == by_position ? ::pread(file, data, bytes, at) : ::read(file, data, bytes);
    });
    ::close(file);
    return is_read;
  }
  if (way == by_file) {
    std::FILE* const file = std::fopen(name.c_str(), "r");
    const bool is_read = std::fread(elements.data(), 1, elements.size(), file) == elements.size();
    std::fclose(file);
    return is_read;
  }
  std::ifstream file(name);
  file.read(elements.data(), n);
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  const std::string name = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/delta_pages_" +
                           std::to_string(::getpid()) + "_" + std::to_string(rank);
  std::vector<char> copy(n);
  for (int round = 0; round < 2 * ways; ++round) {
    const auto way = static_cast<Way>(round % ways);
    const bool reads = round >= ways;
    std::vector<char> elements(n);
    if (rank == 0) {
      for (int i = 0; i < n; ++i) copy[static_cast<std::size_t>(i)] = value(i, round);
      if (reads) std::ofstream(name).write(copy.data(), n);
      MPI_Request sending;
      Delta_send_begin(elements.data(), n, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &sending);
      if (reads)
        CHECK(read_in(elements, way, name, copy));
      else
        for (int i = 0; i < n; ++i) elements[static_cast<std::size_t>(i)] = value(i, round);
      Delta_wait(&sending, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      Delta_recv(elements.data(), n, MPI_CHAR, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!reads) CHECK(write_out(elements, way, name, copy) && is_right(copy, round));
      CHECK(is_right(elements, round));
    }
    ::unlink(name.c_str());
  }
  return check_finish();
}
