// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/compile.hpp"
#include "driver/emitted_unit.hpp"

/// The file that -MD and -MMD write beside an object.
namespace kanor::driver {

struct DependencyRule {
  std::string file;                  ///< "-" for standard output
  std::vector<std::string> targets;  ///< as they stand in the rule
};

/// The rule that the user asked for, or g++'s defaults: the output's name and that name with its ending
/// replaced by `.d`.
DependencyRule dependency_rule(const Session& session, const Input& input);

/// The flags that make the host write this rule itself.
std::vector<std::string> dependency_flags(const Dependencies& dependencies, const DependencyRule& rule);

/// Writes the rule from the one that the host wrote for an emitted unit, in the file `host_rule`, in which
/// the emitted files stand for their originals. Throws std::system_error.
void write_dependencies(const Dependencies& dependencies, const DependencyRule& rule, const EmittedUnit& unit,
                        const std::string& host_rule);

/// Removes kanorc's temporary files from the rules that a linker has written (--dependency-file): make would
/// miss them. Throws std::system_error.
void leave_out_temporary_files(const Session& session, const std::string& file);

}  // namespace kanor::driver
