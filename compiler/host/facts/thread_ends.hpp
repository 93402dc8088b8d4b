// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class ASTContext;
}

namespace kanor::host {

/// Notes the first thread_local variable of user files whose destructor may use other variables. C++ destroys
/// it before all static variables; among variables that are private to a rank, which are thread_local too, it
/// would be destroyed in the order of initialisation. Destructors that only free memory don't count: those of
/// the standard library's values, and those that the compiler writes for classes of such members. The
/// instances of templates are judged, not their patterns.
void find_thread_ends(clang::ASTContext& context, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
