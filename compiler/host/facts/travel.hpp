// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Type.h>

#include <map>

#include "sema/facts.hpp"

namespace clang {
class CXXRecordDecl;
class FieldDecl;
class Sema;
}  // namespace clang

namespace kanor::host {

class Aggregates;
struct StandardRow;

/// Decides which types travel, by the rules of the language's section on types.
class TravelJudge {
 public:
  /// `additions`, if not null, collects the classes that travel by their parts and need generated functions
  /// for it.
  explicit TravelJudge(clang::Sema& sema, Aggregates* additions = nullptr)
      : sema_(sema), additions_(additions) {}

  /// Judges a whole value.
  sema::TravelFacts judge(clang::QualType type);
  /// Judges a section's elements of this type.
  sema::TravelFacts judge_elements(clang::QualType type);

 private:
  sema::TravelFacts judge_part(clang::QualType type);
  sema::TravelFacts judge_record(clang::QualType type, clang::CXXRecordDecl* record);
  sema::TravelFacts judge_standard(clang::QualType type, clang::CXXRecordDecl* record);
  sema::TravelFacts judge_policy(clang::QualType type);
  sema::TravelFacts judge_aggregate(clang::QualType type, clang::CXXRecordDecl* record,
                                    sema::TravelFacts parts);
  sema::TravelFacts judge_parts(clang::QualType type, clang::CXXRecordDecl* record);
  sema::TravelFacts judge_uncopyable(clang::QualType type, clang::CXXRecordDecl* record);
  sema::TravelFacts judge_making(clang::QualType type);
  sema::TravelFacts judge_base_making(clang::QualType type);
  sema::TravelFacts judge_filling(clang::CXXRecordDecl* record, const StandardRow& row);
  /// Completes the `facts` of a member's type: names the member if it is the hindrance.
  sema::TravelFacts in_member(sema::TravelFacts facts, clang::QualType owner,
                              const clang::FieldDecl* member) const;
  sema::TravelFacts cannot(sema::Hindrance hindrance, clang::QualType type) const;
  /// Returns true if the class's definition can have the function.
  bool add_parts(const clang::CXXRecordDecl* record);
  bool is_copyable(clang::CXXRecordDecl* record);
  bool is_default_constructible(clang::CXXRecordDecl* record);
  bool is_trivially_copyable(clang::QualType type) const;

  clang::Sema& sema_;
  Aggregates* additions_;
  std::map<const clang::Type*, sema::TravelFacts>
      known_;  ///< by canonical type; one being judged counts as travelling
};

/// Returns true for `std::vector<bool>::reference` and the like, which stand for a bool.
bool is_bit_reference(clang::QualType type);
/// The template's name if the type is a specialisation of a class template of the standard library, such as
/// "vector".
std::string standard_template(clang::QualType type);
/// Returns true for a class of the standard library that owns all that it holds, except references.
bool owns_its_value(clang::QualType type);
/// Returns true for a `kanor::buffer`.
bool is_buffer(clang::QualType type);
/// The first template argument that is a type, else null.
clang::QualType first_type_argument(clang::QualType type);
clang::QualType first_type_argument(const clang::CXXRecordDecl* record);
/// A type as the user would write it.
std::string spelled(clang::QualType type, const clang::Sema& sema);

}  // namespace kanor::host
