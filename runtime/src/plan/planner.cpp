// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/planner.hpp"

namespace kanor::rt::plan {
namespace {

/// The most plans of a form. Statements like a halo's, executed for one neighbour after another, alternate
/// between few lists of leaves.
constexpr std::size_t most_plans = 8;

}  // namespace

Planner::Site* Planner::site_of(const char* text, std::string& error) {
  Site*& recent = this->recent(text);
  if (recent && recent->text == text) return recent;
  const auto known = sites_.find(text);
  if (known != sites_.end()) return recent = known->second.get();
  std::optional<Form> form = parse_form(text, error);
  if (!form) return nullptr;
  return recent = (sites_[text] = std::make_unique<Site>(text, std::move(*form))).get();
}

Plan* Planner::other_plan_of(Site& site, std::span<const abi::leaf> leaves, int rank, int size) {
  for (std::size_t index = 0; index < site.plans.size(); ++index) {
    if (!site.plans[index]->is_for(leaves, rank, size)) continue;
    site.recent = index;
    return site.plans[index].get();
  }
  return nullptr;
}

Plan* Planner::find(const char* form, std::span<const abi::leaf> leaves, int rank, int size, bool reuse,
                    std::string& error) {
  Site* const site = site_of(form, error);
  if (!site) return nullptr;
  if (leaves.size() < static_cast<std::size_t>(site->form.leaves)) {
    error = "there are only " + std::to_string(leaves.size()) + " leaves";
    return nullptr;
  }
  if (reuse)
    if (Plan* const known = plan_of(*site, leaves, rank, size)) return known;
  auto& plans = site->plans;
  if (plans.empty() || (reuse && plans.size() < most_plans)) {
    plans.push_back(std::make_unique<Plan>(site->form, site->schedule, workspace_));
    site->recent = plans.size() - 1;
  } else {
    site->recent = (site->recent + 1) % plans.size();
  }
  plans[site->recent]->reset(leaves, rank, size);
  return plans[site->recent].get();
}

}  // namespace kanor::rt::plan
