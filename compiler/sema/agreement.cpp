// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/agreement.hpp"

#include <functional>

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

std::size_t Reasons::Hash::operator()(const Reason& reason) const {
  std::size_t hash = std::hash<const text::Source*>()(reason.at.source);
  for (const std::size_t part :
       {static_cast<std::size_t>(reason.cause), static_cast<std::size_t>(reason.variable),
        static_cast<std::size_t>(reason.at.span.begin), static_cast<std::size_t>(reason.at.span.end),
        static_cast<std::size_t>(reason.because)})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
  return hash;
}

int Reasons::add(const Reason& reason) {
  const auto [found, is_new] = known_.try_emplace(reason, static_cast<int>(all_.size()));
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
