#pragma once

#include <string>
#include <vector>

#include "driver/compile.hpp"

/// The file that -MD and -MMD write beside an object.
namespace kanor::driver {

struct DependencyRule {
  std::string file;                  ///< "-" for standard output
  std::vector<std::string> targets;  ///< as they stand in the rule
};

/// What the user said, or g++'s defaults: the output's name and that name with its ending replaced by `.d`.
DependencyRule dependency_rule(const Session& session, const Input& input);

/// The flags that make the host write this rule itself.
std::vector<std::string> dependency_flags(const Dependencies& dependencies, const DependencyRule& rule);

}  // namespace kanor::driver
