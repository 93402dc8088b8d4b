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

/// Variables that stay shared because something else than this file says so.
struct SharedNames {
  const std::set<std::string>& foreign;  ///< linker names of variables that other objects share
  const std::set<std::string>& openmp;   ///< words of OpenMP's directives
};

/// Finds the variables of user files that are private to a rank when ranks are threads, the places for
/// `thread_local` in each of their declarations, and those that cannot be private, including those of system
/// headers.
void find_globals(clang::Sema& sema, const FileMap& files, const SharedNames& shared, sema::Facts& facts);

}  // namespace kanor::host
