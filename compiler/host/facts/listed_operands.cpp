// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/listed_operands.hpp"

#include <clang/Basic/DiagnosticSema.h>

#include <algorithm>
#include <optional>

namespace kanor::host {
namespace {

/// The operand whose last subscript the message is about. In an instantiation Clang places it at the base.
std::optional<sema::ListedOperand> listed_operand(const ClangMessage& message, const FileMap& files) {
  const FileMap::Entry* entry = files.find(message.place.file);
  if (!message.is_error || entry == nullptr || entry->shadow == nullptr) return std::nullopt;
  const Shadow& shadow = *entry->shadow;
  const auto original = shadow.original(message.place.begin);
  const int block = shadow.block_at(message.place.begin);
  if (!original || block < 0) return std::nullopt;
  const auto& statements = shadow.ast->blocks[static_cast<std::size_t>(block)].statements;
  for (std::size_t at = 0; at < statements.size(); ++at)
    for (const bool is_place : {true, false}) {
      const auto& subscript = (is_place ? statements[at].place : statements[at].value).subscript;
      if (!subscript) continue;
      if (subscript->span.begin == *original ||
          (subscript->base.begin == *original && is_of_subscript(message)))
        return sema::ListedOperand{shadow.source, block, static_cast<int>(at), is_place};
    }
  return std::nullopt;
}

}  // namespace

bool is_of_subscript(const ClangMessage& message) {
  return message.id == clang::diag::err_ovl_no_viable_subscript ||
         message.id == clang::diag::err_typecheck_subscript_not_integer;
}

std::vector<sema::ListedOperand> find_listed_operands(const std::vector<ClangMessage>& messages,
                                                      const FileMap& files) {
  std::vector<sema::ListedOperand> found;
  for (const ClangMessage& message : messages)
    if (const auto operand = listed_operand(message, files))
      if (std::find(found.begin(), found.end(), *operand) == found.end()) found.push_back(*operand);
  return found;
}

}  // namespace kanor::host
