// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Finds the variables of user files that are private to a rank when ranks are threads, the places for
/// `thread_local` in each of their declarations, and those that cannot be private, including those of system
/// headers. `foreign` holds linker names that stay shared.
void find_globals(clang::Sema& sema, const FileMap& files, const std::set<std::string>& foreign,
                  sema::Facts& facts);

}  // namespace kanor::host
