// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/abi/pipelined_messages.h: MPI's messages that kanorc has pipelined with loops.
#include <kanor/abi/pipelined_messages.h>
#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "c_api/calls.hpp"
#include "c_api/delta_calls.hpp"
#include "ownership/pace.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

/// One message of a rank, from the call's beginning to its end.
struct kanor_delta {
  CallSite call;
  std::byte* data;
  int count;
  MPI_Datatype type;
  int rank, tag;
  MPI_Comm comm;
  MPI_Status* status;
  std::size_t element_bytes;
  std::size_t bytes = count > 0 ? static_cast<std::size_t>(count) * even_bytes(type) : 0;
  bool is_pipelined = bytes >= least_pipelined_bytes && caller().home.switches.delta;
  MPI_Request request = MPI_REQUEST_NULL;
  std::size_t named = 0;  ///< bytes of a send that are final
  StripLength strip{};

  /// Names the bytes up to there, in addition.
  void name(std::size_t end) {
    if (end <= named) return;
    name_delta_data(call, data + named, end - named);
    named = end;
  }

 private:
  /// A message of fewer bytes has travelled before a loop is worth dividing.
  static constexpr std::size_t least_pipelined_bytes = 8192;
};

kanor_delta* kanor_delta_send(const char* file, int line, std::size_t element_bytes, const void* data,
                              int count, int type, int rank, int tag, int comm) {
  auto* const made =
      new kanor_delta{{"MPI_Send", {file, line}}, static_cast<std::byte*>(const_cast<void*>(data)), count, type,
                      rank, tag, comm, nullptr, element_bytes};
  if (made->is_pipelined)
    begin_delta_send(made->call, data, count, type, rank, tag, comm, &made->request);
  return made;
}

unsigned long long kanor_delta_strip(const kanor_delta* message, unsigned long long left) {
  return message && message->is_pipelined ? std::min<unsigned long long>(left, message->strip.iterations()) : left;
}

void kanor_delta_computed(kanor_delta* message, long long elements) {
  if (!message || !message->is_pipelined) return;
  message->strip.look();
  const auto final_elements = static_cast<std::size_t>(std::max(elements, 0LL));
  message->name(final_elements < message->bytes / message->element_bytes
                    ? final_elements * message->element_bytes
                    : message->bytes);
}

void kanor_delta_sent(kanor_delta* message) {
  const auto& [call, data, count, type, rank, tag, comm, status, element_bytes, bytes, is_pipelined, request,
               named, strip] = *message;
  if (is_pipelined) {
    message->name(bytes);
    wait_for_delta(call, &message->request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(data, count, type, rank, tag, comm);
  }
  delete message;
}

kanor_delta* kanor_delta_recv(const char* file, int line, std::size_t element_bytes, void* data, int count,
                              int type, int rank, int tag, int comm, MPI_Status* status) {
  auto* const made = new kanor_delta{{"MPI_Recv", {file, line}}, static_cast<std::byte*>(data), count, type,
                                     rank, tag, comm, status, element_bytes};
  if (made->is_pipelined)
    MPI_Irecv(data, count, type, rank, tag, comm, &made->request);
  else
    MPI_Recv(data, count, type, rank, tag, comm, status);
  return made;
}

unsigned long long kanor_delta_arrived(const kanor_delta* message, unsigned long long left, long long counter,
                                       long long factor, long long rest, long long least) {
  if (!message || !message->is_pipelined || left == 0) return left;
  const long long needed = std::max({factor * counter + rest, least, 0LL});
  const std::size_t here =
      wait_for_beginning(message->call, message->request,
                         std::min(static_cast<std::size_t>(needed) * message->element_bytes, message->bytes));
  if (here == all_bytes) return left;
  // The last iteration of whose elements all are there.
  const auto elements = static_cast<long long>(here / message->element_bytes);
  const long long last = elements < rest ? counter : (elements - rest) / factor;
  return std::min<unsigned long long>(left, static_cast<unsigned long long>(std::max(last - counter, 0LL)) + 1);
}

void kanor_delta_received(kanor_delta* message) {
  if (message && message->is_pipelined) wait_for_delta(message->call, &message->request, message->status);
  delete message;
}
