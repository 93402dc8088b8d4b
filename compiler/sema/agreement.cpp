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

}  // namespace kanor::sema
