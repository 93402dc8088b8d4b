// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/dependency_file.hpp"

#include <filesystem>
#include <iostream>
#include <sstream>

#include "driver/make_rule.hpp"

namespace kanor::driver {

DependencyRule dependency_rule(const Session& session, const Input& input) {
  const CommandLine& line = session.line;
  const auto source_name = std::filesystem::path(input.path).filename();
  std::filesystem::path target =
      line.output.value_or(std::filesystem::path(source_name).replace_extension(".o").string());
  std::filesystem::path file = target;
  file.replace_extension(".d");
  std::size_t sources = 0;
  for (const Input& other : line.inputs()) sources += other.language == Language::cxx ? 1 : 0;
  if (line.stage == Stage::program && line.output && sources > 1) {
    file = std::filesystem::path(*line.output).replace_extension();
    file += "-" + std::filesystem::path(source_name).replace_extension(".d").string();
  }
  DependencyRule rule{line.dependencies.file.value_or(file.string()), line.dependencies.targets};
  if (rule.targets.empty()) rule.targets.push_back(quote_for_make(target.string()));
  return rule;
}

std::vector<std::string> dependency_flags(const Dependencies& dependencies, const DependencyRule& rule) {
  std::vector<std::string> flags{dependencies.system_headers ? "-MD" : "-MMD", "-MF", rule.file};
  for (const auto& target : rule.targets) {
    flags.push_back("-MT");
    flags.push_back(target);
  }
  if (dependencies.phony_targets) flags.push_back("-MP");
  return flags;
}

void write_dependencies(const Dependencies& dependencies, const DependencyRule& rule, const EmittedUnit& unit,
                        const std::string& host_rule) {
  std::vector<std::string> names;
  for (const auto& path : prerequisites(read_file(host_rule))) names.push_back(original_path(unit, path));
  const std::string text = make_rule(rule.targets, names, dependencies.phony_targets);
  if (rule.file == "-")
    std::cout << text;
  else
    write_file(rule.file, text);
}

void leave_out_temporary_files(const Session& session, const std::string& file) {
  std::istringstream rules(read_file(file));
  std::string kept;
  // Linkers write a line for each file.
  for (std::string line; std::getline(rules, line);)
    if (line.find(session.workspace.directory()) == std::string::npos) kept += line + '\n';
  write_file(file, kept);
}

}  // namespace kanor::driver
