// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/emitted_unit.hpp"

#include <algorithm>
#include <filesystem>

namespace kanor::driver {
namespace {

std::string directory_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

EmittedUnit write_unit(const plan::CommPlan& plan, const analysis::Sharing& sharing,
                       const std::string& note_lines, Workspace& workspace) {
  EmittedUnit unit;
  std::vector<std::string> copies;
  for (const auto& file : plan.files) copies.push_back(workspace.path(file.file->source->path()));
  const emit::Emission emission = emit::emit(plan, sharing, copies, note_lines);
  for (std::size_t at = 0; at < copies.size(); ++at) {
    const std::string& original = emission.files[at].source->path();
    write_file(copies[at], emission.files[at].text);
    unit.originals[std::filesystem::absolute(copies[at]).lexically_normal().string()] = original;
    unit.map_flags.push_back("-ffile-prefix-map=" + copies[at] + "=" + original);
    const std::string directory = directory_of(original);
    if (std::find(unit.include_flags.begin(), unit.include_flags.end(), directory) ==
        unit.include_flags.end())
      unit.include_flags.insert(unit.include_flags.end(), {"-iquote", directory});
    if (plan.files[at].file->is_main) unit.main_file = copies[at];
  }
  return unit;
}

std::string original_path(const EmittedUnit& unit, const std::string& path) {
  // A compiler cache may have made the path relative.
  const auto written = std::filesystem::absolute(path).lexically_normal().string();
  if (const auto found = unit.originals.find(written); found != unit.originals.end()) return found->second;
  // Found through `-iquote .`; beside an original in the working directory it has no directory.
  return path.starts_with("./") ? path.substr(2) : path;
}

}  // namespace kanor::driver
