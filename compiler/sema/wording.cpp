// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/wording.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace kanor::sema {
namespace {

std::string is_what(const TravelFacts& travel) {
  switch (travel.hindrance) {
    case Hindrance::pointer:
    case Hindrance::untyped_pointer:
    case Hindrance::function_pointer:
      return "is a pointer";
    case Hindrance::iterator:
      return "is an iterator, a pointer into one rank's memory";
    case Hindrance::reference:
      return "is a reference";
    case Hindrance::view:
      return "is a view of elements that it does not own";
    case Hindrance::smart_pointer:
      return "is a smart pointer";
    case Hindrance::team:
      return "is this rank's handle of a team";
    case Hindrance::not_copyable:
      return "cannot be copied";
    case Hindrance::function:
      return "is a function";
    case Hindrance::nothing:
      return "is not a value";
    case Hindrance::unknown_class:
      return "is neither trivially copyable nor an aggregate";
    case Hindrance::closed_functions:
      return "has functions for cereal that are not public";
    case Hindrance::standard_class:
      return "is a class of the standard library that kanor does not know how to send";
    case Hindrance::policy:
      return "is a container's comparator, hash or allocator with members, which do not travel";
    case Hindrance::same_base_twice:
      return "has the same base class twice and is not trivially copyable";
    case Hindrance::out_of_reach:
      return "has base classes, bit-fields, unnamed structures or more than 32 members, is not trivially "
             "copyable, and is defined where kanorc can add nothing: in a system header, by a macro, or with "
             "a base class that it cannot name";
    case Hindrance::no_default_constructor:
      return "has no default constructor";
    case Hindrance::constant_member:
      return "is const, so a receiver cannot fill it in";
    case Hindrance::incomplete:
      return "is not complete";
    case Hindrance::union_member:
      return "is a union that is not trivially copyable";
    case Hindrance::anonymous_union:
      return "has an anonymous union, whose active member is unknown, and is not trivially copyable";
    case Hindrance::none:
      break;
  }
  return "cannot travel";
}

/// Why a type of Eigen's does not travel, and the way out.
struct EigenWords {
  const char* why;
  const char* way_out;
};

constexpr EigenWords of_matrix{
    "Eigen's matrices need a header of Kanor",
    "include <kanor/adapt/eigen.hpp>, which makes Eigen's dense matrices and arrays travel"};
constexpr EigenWords of_expression{"an expression of Eigen's is computed only where it is used",
                                   "send its value: write '.eval()' behind it"};
constexpr EigenWords of_other{
    "of Eigen's classes only dense matrices and arrays travel",
    "send the matrix that it holds, such as 'q.coeffs()' of a quaternion or 't.matrix()' of a "
    "transformation, with <kanor/adapt/eigen.hpp>"};

/// Null for other types. For a matrix, Clang names the base class that holds the elements; for a
/// transformation, the matrix in it.
const EigenWords* words_of_eigen(const TravelFacts& travel) {
  const std::string& type = travel.type;
  constexpr std::array matrices{"PlainObjectBase<", "Eigen::Matrix",    "Eigen::Array",
                                "Eigen::Vector",    "Eigen::RowVector", "Eigen::PlainObjectBase<"};
  constexpr std::array expressions{"Cwise",      "Product<", "Block<",  "Transpose<",  "Diagonal",
                                   "Replicate<", "Reverse<", "Select<", "Homogeneous<"};
  const auto starts = [&](std::string_view name) { return type.starts_with(name); };
  const auto owner_starts = [&](std::string_view name) { return travel.owner.starts_with(name); };
  const bool is_owners_matrix =
      (owner_starts("Eigen::") && std::none_of(matrices.begin(), matrices.end(), owner_starts)) ||
      owner_starts("Transform<");
  if (is_owners_matrix) return &of_other;
  if (std::any_of(matrices.begin(), matrices.end(), starts)) return &of_matrix;
  if (type.find("Eigen::") != std::string::npos &&
      std::any_of(expressions.begin(), expressions.end(), starts))
    return &of_expression;
  return starts("Eigen::") ? &of_other : nullptr;
}

}  // namespace

std::string brief(const std::string& type) {
  constexpr std::size_t most = 100;
  const auto arguments = type.find('<');
  return type.size() <= most || arguments == std::string::npos ? type : type.substr(0, arguments) + "<...>";
}

std::string why_not(const TravelFacts& travel) {
  if (const EigenWords* words = words_of_eigen(travel)) return words->why;
  if (travel.owner.empty()) return "'" + travel.type + "' " + is_what(travel);
  const std::string part =
      travel.member.empty() ? "a capture or unnamed member of '" : "member '" + travel.member + "' of '";
  if (travel.member_type != travel.type)
    return part + travel.owner + "' has type '" + travel.member_type + "', and '" + travel.type + "' " +
           is_what(travel);
  const bool type_adds =
      travel.hindrance != Hindrance::pointer && travel.hindrance != Hindrance::untyped_pointer &&
      travel.hindrance != Hindrance::function_pointer && travel.hindrance != Hindrance::reference &&
      travel.hindrance != Hindrance::constant_member;
  return part + travel.owner + "'" + (type_adds ? " has type '" + travel.type + "', which " : " ") +
         is_what(travel);
}

std::string why_not(const AssignmentObstacle& obstacle) {
  const std::string member = "member '" + obstacle.member + "' of '" + obstacle.owner + "'";
  switch (obstacle.kind) {
    case AssignmentObstacle::Kind::none:
      return {};
    case AssignmentObstacle::Kind::constant:
      return member + " is const, so nothing can be assigned to the whole";
    case AssignmentObstacle::Kind::reference:
      return member + " is a reference, so nothing can be assigned to the whole";
    case AssignmentObstacle::Kind::deleted:
      return "'operator=' of '" + obstacle.owner + "' is deleted";
    case AssignmentObstacle::Kind::inaccessible:
      return "'operator=' of '" + obstacle.owner + "' is not public";
    case AssignmentObstacle::Kind::moves:
      return "'" + obstacle.owner + "' declares a move operation, and so has no copy assignment";
  }
  return {};
}

std::string way_out(const TravelFacts& travel) {
  if (const EigenWords* words = words_of_eigen(travel)) return words->way_out;
  const std::string owner = travel.owner.empty() ? travel.type : travel.owner;
  const bool is_members = !travel.owner.empty();
  switch (travel.hindrance) {
    case Hindrance::pointer:
      if (!travel.owner.empty()) break;
      if (travel.type == "const char *" || travel.type == "char *")
        return "use a std::string for text: its characters travel";
      return "send what it points to, such as 'p[0]' or '*p' for a pointer 'p'";
    case Hindrance::untyped_pointer:
      if (travel.owner.empty()) return "send the object itself, in a variable of its own type";
      break;
    case Hindrance::function_pointer:
      if (travel.owner.empty())
        return "send a number or an enumerator, and let the receiver choose what it stands for";
      break;
    case Hindrance::iterator:
      return "send the element that it refers to, the container, or an index";
    case Hindrance::view:
      return "send the container that owns the elements";
    case Hindrance::reference:
    case Hindrance::function:
    case Hindrance::nothing:
      return "send a value";
    case Hindrance::not_copyable:
      if (is_members)
        return "give '" + owner + "' a copy constructor, or send the members that can be copied";
      return "send what it holds, in a variable that can be copied";
    case Hindrance::closed_functions:
      return "include <cereal/access.hpp>, and declare 'friend class cereal::access;' in '" + travel.type +
             "'";
    case Hindrance::standard_class:
      return "send what it holds, in a type that travels";
    case Hindrance::policy:
      return "use a class without members instead, or send the elements in a vector";
    case Hindrance::no_default_constructor:
      if (owner == "(lambda)") return "send the values that it captures";
      return "give '" + travel.type + "' a default constructor, which receivers need";
    case Hindrance::constant_member:
      return "remove the const, or send the members one by one";
    case Hindrance::smart_pointer:
      return "send the object that it points to";
    case Hindrance::team:
      return "let the receivers call 'split' too, or send the members' numbers ('world_rank')";
    case Hindrance::incomplete:
      return "define the type before the block";
    default:
      break;
  }
  if (owner == "(lambda)") return "send the values that it captures";
  return "give '" + owner +
         "' a cereal 'serialize' function, or mark it [[kanor::same_address_space]] if it is only " +
         "sent between ranks that share addresses";
}

}  // namespace kanor::sema
