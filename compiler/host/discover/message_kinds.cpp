// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/discover/message_kinds.hpp"

#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kanor::host {
namespace {

namespace diag = clang::diag;

struct Message {
  unsigned id = 0;
  std::string_view name;
  diag::Severity severity = diag::Severity::Ignored;
};

/// The messages of Clang's parts, by number: `err_attribute_too_many_arguments` and its like.
constexpr std::array messages{
#define DIAG(ENUM, FLAGS, SEVERITY, ...) Message{diag::ENUM, #ENUM, static_cast<diag::Severity>(SEVERITY)},
#include <clang/Basic/DiagnosticASTKinds.inc>
#include <clang/Basic/DiagnosticCommonKinds.inc>
#include <clang/Basic/DiagnosticLexKinds.inc>
#include <clang/Basic/DiagnosticParseKinds.inc>
#include <clang/Basic/DiagnosticSemaKinds.inc>
#undef DIAG
};

const Message* find(unsigned id) {
  const auto found = std::find_if(messages.begin(), messages.end(),
                                  [&](const Message& message) { return message.id == id; });
  return found == messages.end() ? nullptr : &*found;
}

}  // namespace

bool is_fatal(unsigned id) {
  const Message* message = find(id);
  return message != nullptr && message->severity == diag::Severity::Fatal;
}

bool is_about_attribute(unsigned id) {
  const Message* message = find(id);
  if (message == nullptr) return false;
  return message->name.starts_with("err_attribute") || message->name == "err_unsupported_machine_mode";
}

}  // namespace kanor::host
