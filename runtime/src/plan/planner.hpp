// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All plans of a rank.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "plan/plan.hpp"

namespace kanor::rt::plan {

/// Finds the plan of a statement that is executed again. Belongs to the rank.
class Planner {
 public:
  /// The plan for a form. Forms are told apart by their address: `form` lives as long as the program and does
  /// not change. Null if the form cannot be read or lacks leaves: `error` says why. Without `reuse` the plan
  /// starts anew. Valid until the next call.
  Plan* find(const char* form, std::span<const abi::leaf> leaves, int rank, int size, bool reuse,
             std::string& error);

  /// As find(), if there is a plan already; else null.
  Plan* known(const char* form, std::span<const abi::leaf> leaves, int rank, int size) {
    Site* const site = recent(form);
    return site && site->text == form ? plan_of(*site, leaves, rank, size) : nullptr;
  }

  /// The number of operations on sets that plans have taken so far.
  std::uint64_t steps() const { return workspace_.steps; }

 private:
  /// A form with the plans for the leaves that it was used with last.
  struct Site {
    Site(const char* its_text, Form its_form) : text(its_text), form(std::move(its_form)), schedule(form) {}
    const char* const text;
    Form form;
    Schedule schedule;
    std::vector<std::unique_ptr<Plan>> plans;
    std::size_t recent = 0;  ///< used last
  };

  /// The entry for the form, which is the form's site if it was used lately.
  Site*& recent(const char* form) {
    const auto address = reinterpret_cast<std::uintptr_t>(form);
    return recent_[(address ^ address >> 6) % recent_.size()];
  }
  Site* site_of(const char* form, std::string& error);
  static Plan* plan_of(Site& site, std::span<const abi::leaf> leaves, int rank, int size) {
    if (site.plans.empty()) return nullptr;
    Plan* const recent = site.plans[site.recent].get();
    return recent->is_for(leaves, rank, size) ? recent : other_plan_of(site, leaves, rank, size);
  }
  static Plan* other_plan_of(Site& site, std::span<const abi::leaf> leaves, int rank, int size);

  std::unordered_map<const char*, std::unique_ptr<Site>> sites_;
  /// Sites used last, indexed by their form's address: found without the table's division.
  std::array<Site*, 64> recent_{};
  Workspace workspace_;
};

}  // namespace kanor::rt::plan
