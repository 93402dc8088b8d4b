// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Sema/ExternalSemaSource.h>

#include "host/facts/file_map.hpp"
#include "host/facts/messages.hpp"
#include "sema/facts.hpp"

namespace kanor::host {

/// Gives `world`, `range` and `no_rank` their meaning in blocks: Clang asks here for a name that its own
/// lookup has not found, exactly as the language's rule says. Notes which block used which word. Outside of
/// blocks, declares an unknown `__builtin_` function, which only the host compiler has, without knowing
/// anything of it.
class Words : public clang::ExternalSemaSource {
 public:
  Words(const FileMap& files, sema::Facts& facts) : files_(files), facts_(facts) {}

  bool LookupUnqualified(clang::LookupResult& result, clang::Scope*) override;

  std::vector<MissingWord> missing;

 private:
  const FileMap& files_;
  sema::Facts& facts_;
};

}  // namespace kanor::host
