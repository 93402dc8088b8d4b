// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/message_checks.hpp"

#include <string>

namespace kanor::rt::c_api {
namespace {

std::string name_of(unsigned char kind) {
  const PredefinedType* const type = find_predefined(unsigned{kind});
  return type ? type->name : "another datatype";
}

}  // namespace

Described describe(int count, MPI_Datatype type) {
  const std::shared_ptr<const TypeDefinition> definition = definition_of(type);
  return {std::shared_ptr<const Signature>(definition, &definition->signature),
          static_cast<std::size_t>(count)};
}

void check_elements(const Incoming& incoming) {
  if (!incoming.checked()->unlike) return;
  const UnlikeElement& unlike = *incoming.checked()->unlike;
  throw CallError{MPI_ERR_TYPE, "basic element " + std::to_string(unlike.number) +
                                    " (counted from 0) is received as " + name_of(unlike.received) +
                                    ", but rank " + std::to_string(incoming.received().source) +
                                    " sent it as " + name_of(unlike.sent) + " with tag " +
                                    std::to_string(incoming.received().tag) +
                                    text_of_sender(incoming.sent_at())};
}

}  // namespace kanor::rt::c_api
