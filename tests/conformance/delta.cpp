// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_DELTA=1 %run_everywhere --keep KANOR_DELTA --ranks 1,4 %t
// RUN: env KANOR_DISABLE=delta %run_everywhere --keep KANOR_DISABLE --ranks 3 %t
// Delta messages (kanor/delta.h) beside blocks.
#include <kanor/delta.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <numeric>
#include <vector>

#include "check.hpp"

namespace {

using kanor::world;

int next() { return (world.rank() + 1) % world.size(); }
int before() { return (world.rank() + world.size() - 1) % world.size(); }

template <class T>
struct Kind;
template <>
struct Kind<int> {
  static MPI_Datatype type() { return MPI_INT; }
};
template <>
struct Kind<double> {
  static MPI_Datatype type() { return MPI_DOUBLE; }
};
template <>
struct Kind<char> {
  static MPI_Datatype type() { return MPI_CHAR; }
};
template <>
struct Kind<std::complex<double>> {
  static MPI_Datatype type() { return MPI_C_DOUBLE_COMPLEX; }
};

template <class T>
T value(int rank, std::size_t i) {
  return static_cast<T>(static_cast<int>((i * 7 + static_cast<std::size_t>(rank) * 13) % 101));
}

/// A delta send of a container's elements, which ends with its scope.
template <class T>
class Sender {
 public:
  Sender(const std::vector<T>& elements, int to, int tag) : elements_(elements) {
    CHECK_EQ(Delta_send_begin(elements.data(), static_cast<int>(elements.size()), Kind<T>::type(), to, tag,
                              MPI_COMM_WORLD, &request_),
             MPI_SUCCESS);
  }
  ~Sender() { CHECK_EQ(Delta_wait(&request_, MPI_STATUS_IGNORE), MPI_SUCCESS); }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  void final(std::size_t first, std::size_t end) {
    CHECK_EQ(Delta_send_data(&elements_[first], (end - first) * sizeof(T)), MPI_SUCCESS);
  }

 private:
  const std::vector<T>& elements_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Around the ring, with a block after each range.
template <class T>
void with_blocks(std::size_t n, std::size_t each) {
  std::vector<T> out(n), in(n);
  MPI_Request receive;
  MPI_Status status;
  MPI_Irecv(in.data(), static_cast<int>(n), Kind<T>::type(), before(), 3, MPI_COMM_WORLD, &receive);
  int sum = 0;
  {
    Sender<T> sender(out, next(), 3);
    for (std::size_t first = 0; first < n; first += each) {
      const std::size_t end = std::min(first + each, n);
      for (std::size_t i = first; i < end; ++i) out[i] = value<T>(world.rank(), i);
      sender.final(first, end);
      int mine = static_cast<int>(first) + world.rank();
      @communicate { sum@i << + << mine@j where i, j in world }
    }
  }
  // No element is used by its rank and a block of the others at the same time.
  std::vector<T> copies(static_cast<std::size_t>(world.size()) * n);
  @communicate { copies[static_cast<std::size_t>(j) * n : n]@i <<= out[0 : n]@j where i, j in world }
  bool right = true;
  for (std::size_t first = 0; first < n; first += each) {
    const std::size_t end = std::min(first + each, n);
    CHECK_EQ(Delta_wait_data(&in[first], (end - first) * sizeof(T)), MPI_SUCCESS);
    for (std::size_t i = first; i < end; ++i) right = right && in[i] == value<T>(before(), i);
  }
  CHECK(right);
  CHECK_EQ(Delta_wait(&receive, &status), MPI_SUCCESS);
  CHECK(std::equal(in.begin(), in.end(), &copies[static_cast<std::size_t>(before()) * n]));
  int count = -1;
  MPI_Get_count(&status, Kind<T>::type(), &count);
  CHECK_EQ(count, static_cast<int>(n));
  CHECK_EQ(sum != 0 || world.size() == 1, true);
}

/// The values that arrive are sent on by a block, and values that a block brings are sent on by delta sends.
void through_blocks() {
  constexpr std::size_t n = 1000;
  std::vector<double> a(n), b(n), c(n);
  std::iota(a.begin(), a.end(), world.rank() * 1000.0);
  @communicate { b@(i + 1) % world.size() <<= a@i where i in world }
  MPI_Request send, receive;
  Delta_send_begin(b.data(), static_cast<int>(n), MPI_DOUBLE, next(), 1, MPI_COMM_WORLD, &send);
  for (std::size_t i = n; i > 0; i -= 100) Delta_send_data(&b[i - 100], 100 * sizeof(double));
  MPI_Irecv(c.data(), static_cast<int>(n), MPI_DOUBLE, before(), 1, MPI_COMM_WORLD, &receive);
  Delta_send_end(&send);
  Delta_wait_data(c.data(), n * sizeof(double));
  std::vector<double> d(n);
  @communicate { d@(i + 1) % world.size() <<= c@i where i in world }
  Delta_wait(&receive, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  const int from = (world.rank() + 3 * world.size() - 3) % world.size();
  bool right = true;
  for (std::size_t i = 0; i < n; ++i) right = right && d[i] == from * 1000.0 + static_cast<double>(i);
  CHECK(right);
}

/// The elements of one buffer leave to all ranks while a pending block is on its way.
void beside_pending_blocks() {
  const int size = world.size();
  std::vector<int> out(4000), in(4000), left(4000);
  std::vector<MPI_Request> sends(static_cast<std::size_t>(size));
  for (int to = 0; to < size; ++to)
    Delta_send_begin(out.data(), 4000, MPI_INT, to, 5, MPI_COMM_WORLD, &sends[static_cast<std::size_t>(to)]);
  std::vector<int> lent(4000, world.rank());
  @communicate (async = done) { left@(i + 1) % world.size() <<= lent@i where i in world }
  for (int i = 0; i < 4000; i += 400) {
    for (int k = i; k < i + 400; ++k) out[static_cast<std::size_t>(k)] = 10 * k + world.rank();
    Delta_send_data(&out[static_cast<std::size_t>(i)], 400 * sizeof(int));
  }
  for (MPI_Request& send : sends) Delta_wait(&send, MPI_STATUS_IGNORE);
  out.assign(4000, -9);
  for (int from = size; from-- > 0;) {
    CHECK_EQ(Delta_recv(in.data(), 4000, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_SUCCESS);
    bool right = true;
    for (int k = 0; k < 4000; ++k) right = right && in[static_cast<std::size_t>(k)] == 10 * k + from;
    CHECK(right);
  }
  done.wait();
  CHECK_EQ(left, std::vector<int>(4000, before()));
}

/// Elements of a std::array on the stack, and of an object on the heap, in a template for any number.
template <std::size_t n>
void arrays() {
  std::array<int, n> out, in{};
  for (std::size_t i = 0; i < n; ++i) out[i] = value<int>(world.rank(), i);
  MPI_Request send;
  Delta_send_begin(out.data(), static_cast<int>(n), MPI_INT, next(), 2, MPI_COMM_WORLD, &send);
  Delta_recv(in.data(), 0, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Delta_send_end(&send);
  std::vector<int> all(static_cast<std::size_t>(world.size()));
  @communicate { all[i]@j <<= out[n - 1]@i where i, j in world }
  Delta_recv(in.data(), static_cast<int>(n), MPI_INT, before(), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Delta_wait(&send, MPI_STATUS_IGNORE);
  for (std::size_t i = 0; i < n; ++i) CHECK_EQ(in[i], value<int>(before(), i));
  CHECK_EQ(all[static_cast<std::size_t>(before())], in[n - 1]);
}

/// Vectors that live for a call only, many times.
void short_lives() {
  for (int round = 0; round < 50; ++round) {
    const auto n = static_cast<std::size_t>(1 + round * 37 % 500);
    std::vector<double> in(n);
    MPI_Request receive;
    MPI_Irecv(in.data(), static_cast<int>(n), MPI_DOUBLE, before(), round, MPI_COMM_WORLD, &receive);
    {
      std::vector<double> out(n);
      Sender<double> sender(out, next(), round);
      for (std::size_t i = 0; i < n; ++i) {
        out[i] = value<double>(world.rank(), i) + round;
        sender.final(i, i + 1);
      }
    }
    Delta_wait_data(&in[n / 2], sizeof(double));
    CHECK_EQ(in[n / 2], value<double>(before(), n / 2) + round);
    Delta_wait(&receive, MPI_STATUS_IGNORE);
    double last = in[n - 1], got = -1;
    @communicate { got@(i + 1) % world.size() <<= last@i where i in world }
    CHECK_EQ(got, value<double>((before() + world.size() - 1) % world.size(), n - 1) + round);
  }
}

}  // namespace

int main() {
  with_blocks<int>(1000, 100);
  with_blocks<double>(5000, 1024);
  with_blocks<char>(333, 50);
  with_blocks<std::complex<double>>(2000, 300);
  through_blocks();
  beside_pending_blocks();
  arrays<1>();
  arrays<50>();
  short_lives();
  return check::finish("delta");
}
