// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members that an expression reaches without their names, by a pointer to member or as bytes: the part of
// Values that is about them.
#include <algorithm>

#include "host/cfg/kinds.hpp"
#include "host/cfg/values.hpp"

namespace kanor::host {

using flow::Unknown;
using flow::Uses;

/// The members that a pointer to member may mean: those of the class that have the type.
std::vector<int> Values::members_meant_by(const clang::Expr* pointer_to_member) {
  const auto* pointer = pointer_to_member->getType()->getAs<clang::MemberPointerType>();
  const auto* record =
      pointer == nullptr ? nullptr : user_class(clang::QualType(pointer->getClass(), 0), places_.sources());
  if (record == nullptr) return {};
  std::vector<int> found = variables_.members_of(record);
  std::erase_if(found, [&](int member) {
    const clang::QualType type = variables_.type_of(member);
    return type.isNull() || !context_.hasSameUnqualifiedType(type, pointer->getPointeeType());
  });
  return found;
}

Uses Values::member_selector(const clang::BinaryOperator* access) {
  const bool is_arrow = access->getOpcode() == clang::BO_PtrMemI;
  Uses uses = is_arrow ? value(access->getLHS()) : selector(access->getLHS());
  append(uses, value(access->getRHS()));
  return uses;
}

Uses Values::pointed_members(const clang::BinaryOperator* access) {
  Uses uses = member_selector(access);
  for (const int member : members_meant_by(access->getRHS()))
    append(uses, {{member, -1, Unknown::no, at(access)}});
  return uses;
}

/// The members of an object of the program's classes whose bytes a cast takes for something else.
std::vector<int> Values::members_as_bytes(const clang::CastExpr* cast) {
  const auto kind = cast->getCastKind();
  if (kind != clang::CK_BitCast && kind != clang::CK_LValueBitCast) return {};
  clang::QualType from = cast->getSubExpr()->getType();
  if (from->isPointerType()) from = from->getPointeeType();
  const auto* record = user_class(clang::QualType(from->getBaseElementTypeUnsafe(), 0), places_.sources());
  return record == nullptr ? std::vector<int>() : variables_.members_of(record);
}

/// Returns true for a variable that no object with this member is part of, so that one who finds the member
/// there takes the bytes of something else for it.
bool Values::is_other_memory(int variable, int member) {
  const clang::QualType type = variables_.type_of(variable);
  return !type.isNull() && !is_handle(type) && variables_[variable].kind != flow::VariableKind::member &&
         !variables_.members_held_by(type).contains(member);
}

}  // namespace kanor::host
