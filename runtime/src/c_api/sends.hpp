// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MPI's sends have in common.
#pragma once

#include <kanor/mpi.h>

#include <optional>

#include "c_api/calls.hpp"
#include "c_api/message_checks.hpp"

namespace kanor::rt::c_api {

/// Throws CallError: the buffer to send, or to receive, is NULL.
[[noreturn, gnu::cold]] void fail_nowhere(const char* verb);
/// Elements that a call has been given, `verb` ("send", "receive") says for what. These throw CallError.
inline Content content_of(const Rank& self, const void* data, int count, MPI_Datatype type,
                          const char* verb) {
  Content content{data, checked_count(count), nullptr, described(self, count, type)};
  if (const std::size_t bytes = even_bytes(type)) {
    content.bytes *= bytes;
  } else {
    const std::shared_ptr<const TypeDefinition>& definition = committed(type);
    content.bytes *= definition->layout.bytes();
    content.layout = layout_of(definition);
  }
  // A layout may count from MPI_BOTTOM.
  if (!data && content.bytes > 0 && !content.layout) [[unlikely]]
    fail_nowhere(verb);
  return content;
}
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
