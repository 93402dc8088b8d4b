// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/access_list.hpp"

#include <algorithm>

namespace kanor::host {

void AccessList::add_candidate(const clang::VarDecl* variable, flow::Candidate candidate) {
  objects_[variable] = {candidate.variable, false};
  candidate_of_[variable] = static_cast<int>(function().candidates.size());
  function().candidates.push_back(std::move(candidate));
}

const AccessList::Object* AccessList::object_of(const clang::DeclRefExpr* name) const {
  const auto found = objects_.find(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
  return found == objects_.end() ? nullptr : &found->second;
}

flow::Candidate* AccessList::candidate_of(const clang::ValueDecl* variable) {
  const int number = candidate_number(variable);
  return number < 0 ? nullptr : &function().candidates[static_cast<std::size_t>(number)];
}

int AccessList::candidate_number(const clang::ValueDecl* variable) const {
  const auto found = candidate_of_.find(llvm::dyn_cast<clang::VarDecl>(variable));
  return found == candidate_of_.end() ? -1 : found->second;
}

void AccessList::obstacle(const clang::ValueDecl* variable, const std::string& reason, flow::Location at) {
  if (flow::Candidate* const candidate = candidate_of(variable)) obstacle(*candidate, reason, at);
  const auto found = objects_.find(llvm::dyn_cast<clang::VarDecl>(variable));
  if (found == objects_.end()) return;
  const auto names = [&](const std::vector<int>& all) {
    return std::find(all.begin(), all.end(), found->second.variable) != all.end();
  };
  for (flow::Exchange& exchange : function().exchanges)
    if (exchange.obstacle.empty() &&
        (names(exchange.places) || names(exchange.indices) || names(exchange.operands))) {
      exchange.obstacle = reason;
      exchange.obstacle_at = at;
    }
  for (flow::CopyLoop& loop : function().copy_loops)
    if (loop.obstacle.empty() && (loop.buffer == found->second.variable || names(loop.written))) {
      loop.obstacle = reason;
      loop.obstacle_at = at;
    }
}

void AccessList::obstacle(flow::Candidate& candidate, std::string reason, flow::Location at) {
  auto& known = candidate.obstacles;
  if (std::none_of(known.begin(), known.end(), [&](const auto& one) { return one.first == reason; }))
    known.emplace_back(std::move(reason), at);
}

void AccessList::obstacle_of_all(const std::string& reason, flow::Location at) {
  for (flow::Candidate& candidate : function().candidates) candidate.obstacles.emplace_back(reason, at);
  for (flow::Exchange& exchange : function().exchanges) {
    exchange.obstacle = reason;
    exchange.obstacle_at = at;
  }
  for (flow::CopyLoop& loop : function().copy_loops) {
    loop.obstacle = reason;
    loop.obstacle_at = at;
  }
}

void AccessList::finish() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [point, access] : found_)
    function().nodes[static_cast<std::size_t>(point.node)].accesses.push_back(std::move(access));
  found_.clear();
}

}  // namespace kanor::host
