// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/agreement.hpp"

namespace kanor::sema {

using Level = Agreement::Level;

bool weaken(Agreement& into, const Agreement& by) {
  if (by.level == Level::all || into.level == Level::none) return false;
  if (into.level == Level::team && by.level == Level::team) {
    if (into.team == by.team) return false;
    into = {Level::none, -1, by.reason};
    return true;
  }
  if (by.level <= into.level) return false;
  into = by;
  return true;
}

int Reasons::add(const Reason& reason) {
  const auto key = std::tuple(reason.cause, reason.variable, reason.at.source, reason.at.span.begin,
                              reason.at.span.end, reason.because);
  const auto [found, is_new] = known_.try_emplace(key, static_cast<int>(all_.size()));
  if (is_new) all_.push_back(reason);
  return found->second;
}

const Reason& Reasons::first(int index) const {
  while ((*this)[index].because >= 0) index = (*this)[index].because;
  return (*this)[index];
}

int Reasons::rebased(int index, const Origins& origins) {
  Reason reason = (*this)[index];
  if (reason.because >= 0) {
    const int because = rebased(reason.because, origins);
    if (because == reason.because) return index;
    reason.because = because;
    return add(reason);
  }
  if (reason.cause == Cause::argument)
    if (const auto found = origins.arguments.find(reason.variable); found != origins.arguments.end())
      return found->second;
  return reason.cause == Cause::called && origins.called >= 0 ? origins.called : index;
}

}  // namespace kanor::sema
