// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/message_checks.hpp"

#include <string>
#include <utility>

namespace kanor::rt::c_api {
namespace {

std::string name_of(unsigned char kind) {
  const PredefinedType* const type = find_predefined(unsigned{kind});
  return type ? type->name : "another datatype";
}

[[noreturn]] void fail_written(std::size_t bytes) {
  throw CallError{MPI_ERR_BUFFER, "its buffer of " + std::to_string(bytes) +
                                      " bytes was written before the request was complete"};
}

}  // namespace

Described describe(int count, MPI_Datatype type) {
  const std::shared_ptr<const TypeDefinition> definition = definition_of(type);
  return {std::shared_ptr<const Signature>(definition, &definition->signature),
          static_cast<std::size_t>(count)};
}

void check_receive(const Incoming& incoming) {
  ReceiveCheck& check = *incoming.checked();
  const auto open = std::exchange(check.open, std::nullopt);
  if (check.was_written || (open && open->has_changed())) fail_written(incoming.most_bytes());
  if (!check.unlike) return;
  const UnlikeElement& unlike = *check.unlike;
  throw CallError{MPI_ERR_TYPE,
                  "basic element " + std::to_string(unlike.number) + " (counted from 0) is received as " +
                      name_of(unlike.received) + ", but rank " + std::to_string(incoming.received().source) +
                      " sent it as " + name_of(unlike.sent) + " with tag " +
                      std::to_string(incoming.received().tag) + text_of_sender(incoming.sent_at())};
}

void check_send(Request& request) {
  for (const OpenBuffer& open : std::exchange(request.open, {}))
    if (open.has_changed()) fail_written(open.bytes());
}

}  // namespace kanor::rt::c_api
