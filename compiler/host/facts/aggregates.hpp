// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class CXXRecordDecl;
class Sema;
}  // namespace clang

namespace kanor::host {

/// The classes whose definitions need a function that goes through their parts.
class Aggregates {
 public:
  Aggregates(clang::Sema& sema, const FileMap& files, sema::Facts& facts)
      : sema_(sema), files_(files), facts_(facts) {}

  /// Of an aggregate, or an instantiation of one: notes it in the facts. False where its definition is not
  /// written in a user's file.
  bool add(const clang::CXXRecordDecl* record);

 private:
  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
};

/// Whether structured bindings cannot take an aggregate apart, or not into objects.
bool needs_parts(const clang::CXXRecordDecl* record);
/// Those in unnamed structures included.
bool has_anonymous_union(const clang::CXXRecordDecl* record);
/// Whether a direct base class is one of another base class too.
bool has_ambiguous_base(const clang::CXXRecordDecl* record);

}  // namespace kanor::host
