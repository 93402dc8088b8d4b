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

  /// Notes an aggregate, or an instantiation of one, in the facts. Returns false if its definition is not
  /// written in a user's file.
  bool add(const clang::CXXRecordDecl* record);

 private:
  clang::Sema& sema_;
  const FileMap& files_;
  sema::Facts& facts_;
};

/// Returns true if structured bindings cannot take an aggregate apart, or not into objects.
bool needs_parts(const clang::CXXRecordDecl* record);
/// Returns true if the class has an anonymous union, possibly within an unnamed structure.
bool has_anonymous_union(const clang::CXXRecordDecl* record);
/// Returns true if a direct base class is also a base of another base class.
bool has_ambiguous_base(const clang::CXXRecordDecl* record);

}  // namespace kanor::host
