#include "sema/instances.hpp"

#include <utility>

namespace kanor::sema {
namespace {

/// Of one function, before patterns are thrown together.
constexpr std::size_t most_instances = 8;

using Pattern = std::vector<std::pair<Agreement::Level, int>>;

Pattern pattern_of(const std::vector<Agreement>& arrivals, const Agreement& control) {
  Pattern pattern{{control.level, control.team}};
  for (const auto& one : arrivals) pattern.emplace_back(one.level, one.team);
  return pattern;
}

}  // namespace

int Instances::find(int function, const std::vector<Agreement>& arrivals, const Agreement& control,
                    bool& changed) {
  auto& known = by_function_[function];
  const Pattern wanted = pattern_of(arrivals, control);
  for (const int at : known) {
    const Instance& instance = (*this)[at];
    if (pattern_of(instance.arrivals, instance.control) == wanted) return at;
  }
  if (known.size() < most_instances) {
    changed = true;
    known.push_back(count());
    const flow::Function& of = graph_.functions[static_cast<std::size_t>(function)];
    Instance& instance = all_.emplace_back();
    instance.function = function;
    instance.arrivals = arrivals;
    instance.control = control;
    instance.branches.resize(of.nodes.size());
    instance.departures.resize(of.parameters.size());
    instance.results.resize(of.results.size());
    return known.back();
  }
  Instance& last = (*this)[known.back()];
  for (std::size_t at = 0; at < arrivals.size(); ++at) changed |= weaken(last.arrivals[at], arrivals[at]);
  changed |= weaken(last.control, control);
  return known.back();
}

}  // namespace kanor::sema
