// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/c_functions.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "kanor/abi/hidden_state.hpp"

namespace kanor::driver {
namespace {

#define KANOR_NAME(symbol, ...) #symbol,
constexpr const char* known_state[] = {
    KANOR_OWN_STATE(KANOR_NAME) KANOR_OWN_HANDLERS(KANOR_NAME) KANOR_OWN_SIGNALS(KANOR_NAME)
        KANOR_OWN_CALLS(KANOR_NAME) KANOR_PROCESS_STATE(KANOR_NAME) KANOR_BESIDE_HANDLERS(KANOR_NAME)};
#undef KANOR_NAME

/// The function that the headers' other name stands for: `printf` for `__printf_chk`.
std::string_view plain_name(std::string_view name) {
  constexpr std::string_view checked = "_chk";
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_"})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  if (name.starts_with("__") && name.ends_with(checked))
    return name.substr(2, name.size() - 2 - checked.size());
  return name;
}

bool is_c_library(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name == "libc.a" || name.starts_with("libc.so.");
}

}  // namespace

std::set<std::string> c_functions(std::string_view list) {
  std::set<std::string> names;
  std::istringstream lines{std::string(list)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    names.insert(std::istream_iterator<std::string>(words), {});
  }
  return names;
}

std::set<std::string> c_library_names(const std::vector<TracedFile>& trace) {
  std::set<std::string> paths, names;
  for (const TracedFile& file : trace)
    if (is_c_library(file.path)) paths.insert(file.path);
  for (const std::string& path : paths)
    for (const ObjectFacts& object : read_objects(path, path, {})) {
      names.insert(object.symbols.defined_functions.begin(), object.symbols.defined_functions.end());
      names.insert(object.symbols.defined_data.begin(), object.symbols.defined_data.end());
    }
  return names;
}

void judge_c_functions(const std::set<std::string>& harmless, const std::set<std::string>& c_library,
                       std::vector<ObjectFacts>& objects) {
  const auto is_known = [&](const std::string& name) {
    return harmless.contains(name) ||
           std::find(std::begin(known_state), std::end(known_state), name) != std::end(known_state);
  };
  if (c_library.empty() && !objects.empty())
    objects.front().known_obstacles.push_back(
        {"C library", objects.front().shown,
         "kanorc does not find the C library among what is linked, and so does not know what is used of it"});
  for (ObjectFacts& object : objects)
    for (const std::string& name : object.symbols.used)
      if (c_library.contains(name) && !is_known(name) && !harmless.contains(std::string(plain_name(name))))
        object.known_obstacles.push_back(
            {name, object.shown,
             "'" + object.shown + "' uses '" + name +
                 "', and kanorc does not know whether threads share its state (pass "
                 "'--thread-safe-library=c' if that does no harm)"});
}

}  // namespace kanor::driver
