// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ExprCXX.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/cfg/functions.hpp"
#include "host/cfg/program_points.hpp"

namespace kanor::host {

/// The accesses of a function to its candidates for shared memory and to what its parameters refer to, each
/// with its program point.
class AccessList {
 public:
  struct Object {
    int variable = -1;
    bool is_pointer = false;
  };

  AccessList(Functions& functions, int index) : functions_(functions), index_(index) {}

  flow::Function& function() { return functions_[index_]; }

  void add_object(const clang::VarDecl* variable, Object object) { objects_[variable] = object; }
  void add_candidate(const clang::VarDecl* variable, flow::Candidate candidate);
  bool has_objects() const { return !objects_.empty(); }

  /// Null if the name is not one of the objects.
  const Object* object_of(const clang::DeclRefExpr* name) const;
  flow::Candidate* candidate_of(const clang::ValueDecl* variable);
  /// The candidate's number, or -1.
  int candidate_number(const clang::ValueDecl* variable) const;
  bool is_object(const clang::VarDecl* variable) const { return objects_.contains(variable); }

  /// Notes why a variable cannot be shared, each reason once, why blocks that name it have to be complete
  /// where they stand, and why loops that copy it run. Ignores other variables.
  void obstacle(const clang::ValueDecl* variable, const std::string& reason, flow::Location at);
  static void obstacle(flow::Candidate& candidate, std::string reason, flow::Location at);
  void obstacle_of_all(const std::string& reason, flow::Location at);

  /// The reference is valid until the next call.
  flow::Access& add(ProgramPoint point, flow::Access access) {
    return found_.emplace_back(point, std::move(access)).second;
  }
  const std::vector<std::pair<ProgramPoint, flow::Access>>& all() const { return found_; }
  /// Moves the accesses to the function's nodes, in program order.
  void finish();

 private:
  Functions& functions_;
  int index_;
  std::map<const clang::VarDecl*, Object> objects_;
  std::map<const clang::VarDecl*, int> candidate_of_;
  std::vector<std::pair<ProgramPoint, flow::Access>> found_;
};

}  // namespace kanor::host
