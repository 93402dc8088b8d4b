// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What member functions of the library's containers change: the part of Calls that is about lengths.
#include "host/cfg/calls.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using flow::Location;
using flow::Uses;

/// Returns true for a container whose length depends only on insertions and removals, not on the elements'
/// values.
bool is_sequence(const clang::CXXRecordDecl* record) {
  return library::class_has(record->getName(), library::ClassTrait::is_sequence);
}

bool is_list(const clang::Expr* expression) {
  const auto* record = expression->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->getName() == "initializer_list";
}

bool is_number(const clang::Expr* expression) { return expression->getType()->isIntegralOrEnumerationType(); }

}  // namespace

/// The uses that decide how many elements a sequence gains or loses, besides those that select the sequence.
Uses Calls::change_of_length(const Parts& parts, llvm::StringRef name) {
  const auto& arguments = parts.arguments;
  Uses uses;
  const auto count = [&](const clang::Expr* expression) {
    const bool is_long = has_length(expression->getType()) || is_list(expression);
    append(uses, is_long ? values_.length(expression) : values_.value(expression));
  };
  if (arguments.empty()) return uses;
  if (name == "resize" || (name == "assign" && is_number(arguments[0]))) {
    count(arguments[0]);
  } else if (name == "assign") {
    for (const auto* argument : arguments) count(argument);
  } else if (name == "insert" && arguments.size() >= 3) {
    count(arguments[1]);
    if (!is_number(arguments[1])) count(arguments[2]);
  } else if (name == "erase" && arguments.size() == 2) {
    for (const auto* argument : arguments) count(argument);
  }
  return uses;
}

void Calls::change_container(const Parts& parts, const Uses& all) {
  const Location at = values_.at(parts.whole);
  Uses given, given_lengths;
  for (const auto* argument : parts.arguments) {
    append(given, values_.reached(argument));
    append(given_lengths,
           has_length(argument->getType()) ? values_.length(argument) : values_.value(argument));
  }
  if (parts.callee->getOverloadedOperator() == clang::OO_Equal) {
    values_.assign(parts.object, {given, given_lengths}, true, at);
    return;
  }
  const std::string name = parts.callee->getNameAsString();
  const bool renews = name == "clear" || name == "assign";
  const Resize resize = resizes(parts.callee);
  const auto* method = llvm::cast<clang::CXXMethodDecl>(parts.callee);
  const bool is_told =
      is_sequence(method->getParent()) && library::member_has(name, library::MemberTrait::told);
  const Uses lengths = is_told                         ? change_of_length(parts, name)
                       : resize == Resize::one_element ? Uses{}
                       : resize == Resize::to_argument ? given_lengths
                                                       : all;
  const int object = values_.whole_variable(parts.object);
  std::vector<int> changed, resized;
  for (const int root : values_.roots(parts.object)) {
    const int own = resize == Resize::no ? -1 : values_.variables_.length_of(root);
    if (root == object) {
      values_.change(root, given, renews, at);
      if (own >= 0) values_.change(own, lengths, resize == Resize::to_argument || renews, at);
    } else {
      changed.push_back(root);
      if (own >= 0) resized.push_back(own);
    }
  }
  values_.change(changed, given, at);
  values_.change(resized, lengths, at);
  if (name == "swap")
    for (const auto* argument : parts.arguments) change(values_.roots(argument), all, at, true);
}

}  // namespace kanor::host
