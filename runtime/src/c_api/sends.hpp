// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MPI's sends have in common.
#pragma once

#include <kanor/mpi.h>

#include <optional>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

/// Elements that a call has been given, `verb` ("send", "receive") says for what. These throw CallError.
Content content_of(const Rank& self, const void* data, int count, MPI_Datatype type, const char* verb);
/// Throws it where a buffered send finds no room for such a message.
void check_buffer(const Calls& calls, const Content& content);

/// Begins a send, which never waits; the request, whose `call` is noted, is done when the send is complete.
void begin_send(Rank& self, Request& request, SendMode mode, const Content& content, const Destination& to);

/// A standard send that ends with the call.
class Sending {
 public:
  /// Begins it, which never waits. `keeps`: the elements do not change before wait(); if not, they are copied
  /// at once.
  Sending(Rank& self, const char* call, const Content& content, const std::optional<Destination>& to,
          bool keeps);
  void wait();

 private:
  Rank& self_;
  std::optional<Offer> offer_;
  std::optional<int> crowded_;  ///< a receiver for whose message there was no room
};

}  // namespace kanor::rt::c_api
