// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Info objects of kanor/mpi.h.
#include "c_api/info.hpp"

#include <limits.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "c_api/calls.hpp"
#include "platform/machine.hpp"

namespace kanor::rt::c_api {
namespace {

/// The words of this process's command line.
std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// What MPI_INFO_ENV tells of the job (MPI 3.1, section 8.8).
Info environment_info(const Rank& rank) {
  Info made;
  const auto set = [&](const char* key, std::string value) {
    if (value.empty()) return;
    value.resize(std::min<std::size_t>(value.size(), MPI_MAX_INFO_VAL));
    made.entries.emplace_back(key, std::move(value));
  };
  const std::vector<std::string> words = command_line();
  std::string arguments;
  for (std::size_t i = 1; i < words.size(); ++i) arguments += (i > 1 ? " " : "") + words[i];
  if (!words.empty()) set("command", words.front());
  set("argv", arguments);
  set("maxprocs", std::to_string(team_size(rank)));
  set("host", host_name());
  utsname system{};
  if (::uname(&system) == 0) set("arch", system.machine);
  char folder[PATH_MAX];
  if (::getcwd(folder, sizeof folder)) set("wdir", folder);
  return made;
}

/// An info object that the program has made, and so may change.
Info& own_info(Rank& rank, MPI_Info handle) {
  if (handle == MPI_INFO_ENV) throw CallError{MPI_ERR_INFO, "MPI_INFO_ENV cannot be changed or freed"};
  Info* const made = Calls::of(rank).environment.infos.find(handle);
  if (!made)
    throw CallError{MPI_ERR_INFO, handle == MPI_INFO_NULL ? "the info object is MPI_INFO_NULL"
                                                          : "there is no such info object, or it was freed"};
  return *made;
}

std::string checked_key(const char* key) {
  if (!key) throw CallError{MPI_ERR_INFO_KEY, "the key is NULL"};
  const std::size_t length = std::strlen(key);
  if (length == 0) throw CallError{MPI_ERR_INFO_KEY, "the key has no characters"};
  if (length > MPI_MAX_INFO_KEY)
    throw CallError{MPI_ERR_INFO_KEY, "the key has " + std::to_string(length) +
                                          " characters, which is more than MPI_MAX_INFO_KEY"};
  return key;
}

std::string checked_value(const char* value) {
  if (!value) throw CallError{MPI_ERR_INFO_VALUE, "the value is NULL"};
  const std::size_t length = std::strlen(value);
  if (length > MPI_MAX_INFO_VAL)
    throw CallError{MPI_ERR_INFO_VALUE, "the value has " + std::to_string(length) +
                                            " characters, which is more than MPI_MAX_INFO_VAL"};
  return value;
}

auto entry_of(Info& info, const std::string& key) {
  return std::find_if(info.entries.begin(), info.entries.end(),
                      [&](const auto& entry) { return entry.first == key; });
}

MPI_Info add(Rank& rank, const Info& contents) {
  return Calls::of(rank).environment.infos.add(std::make_unique<Info>(contents));
}

}  // namespace

const std::string* Info::find(const std::string& key) const {
  for (const auto& [name, value] : entries)
    if (name == key) return &value;
  return nullptr;
}

const Info& info(Rank& rank, MPI_Info handle) {
  if (handle != MPI_INFO_ENV) return own_info(rank, handle);
  static const Info& of_job = *new Info(environment_info(rank));
  return of_job;
}

void check_hints(Rank& rank, MPI_Info handle) {
  if (handle != MPI_INFO_NULL) info(rank, handle);
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Info_create(MPI_Info* made) {
  Rank& self = caller();
  return handled(self, "MPI_Info_create", [&] {
    result_at(made) = add(self, {});
    return MPI_SUCCESS;
  });
}

int MPI_Info_dup(MPI_Info handle, MPI_Info* made) {
  Rank& self = caller();
  return handled(self, "MPI_Info_dup", [&] {
    result_at(made) = MPI_INFO_NULL;
    *made = add(self, info(self, handle));
    return MPI_SUCCESS;
  });
}

int MPI_Info_free(MPI_Info* handle) {
  Rank& self = caller();
  return handled(self, "MPI_Info_free", [&] {
    own_info(self, result_at(handle));
    Calls::of(self).environment.infos.remove(*handle);
    *handle = MPI_INFO_NULL;
    return MPI_SUCCESS;
  });
}

int MPI_Info_set(MPI_Info handle, const char* key, const char* value) {
  Rank& self = caller();
  return handled(self, "MPI_Info_set", [&] {
    Info& own = own_info(self, handle);
    std::string name = checked_key(key), text = checked_value(value);
    if (const auto entry = entry_of(own, name); entry != own.entries.end())
      entry->second = std::move(text);
    else
      own.entries.emplace_back(std::move(name), std::move(text));
    return MPI_SUCCESS;
  });
}

int MPI_Info_delete(MPI_Info handle, const char* key) {
  Rank& self = caller();
  return handled(self, "MPI_Info_delete", [&] {
    Info& own = own_info(self, handle);
    const auto entry = entry_of(own, checked_key(key));
    if (entry == own.entries.end())
      throw CallError{MPI_ERR_INFO_NOKEY, std::string("the info object has no key '") + key + "'"};
    own.entries.erase(entry);
    return MPI_SUCCESS;
  });
}

int MPI_Info_get(MPI_Info handle, const char* key, int most, char* value, int* flag) {
  Rank& self = caller();
  return handled(self, "MPI_Info_get", [&] {
    const std::string* const found = info(self, handle).find(checked_key(key));
    if (most < 0)
      throw CallError{MPI_ERR_ARG, "the room for the value has " + std::to_string(most) + " characters"};
    result_at(flag) = found != nullptr;
    if (!found) return MPI_SUCCESS;
    const std::size_t length = std::min(found->size(), static_cast<std::size_t>(most));
    std::memcpy(&result_at(value), found->data(), length);
    value[length] = '\0';
    return MPI_SUCCESS;
  });
}

int MPI_Info_get_valuelen(MPI_Info handle, const char* key, int* length, int* flag) {
  Rank& self = caller();
  return handled(self, "MPI_Info_get_valuelen", [&] {
    const std::string* const found = info(self, handle).find(checked_key(key));
    result_at(flag) = found != nullptr;
    if (found) result_at(length) = static_cast<int>(found->size());
    return MPI_SUCCESS;
  });
}

int MPI_Info_get_nkeys(MPI_Info handle, int* keys) {
  Rank& self = caller();
  return handled(self, "MPI_Info_get_nkeys", [&] {
    result_at(keys) = static_cast<int>(info(self, handle).entries.size());
    return MPI_SUCCESS;
  });
}

int MPI_Info_get_nthkey(MPI_Info handle, int index, char* key) {
  Rank& self = caller();
  return handled(self, "MPI_Info_get_nthkey", [&] {
    const auto& entries = info(self, handle).entries;
    if (index < 0 || static_cast<std::size_t>(index) >= entries.size())
      throw CallError{MPI_ERR_ARG, "there is no key number " + std::to_string(index) +
                                       " in an info object with " + std::to_string(entries.size())};
    const std::string& name = entries[static_cast<std::size_t>(index)].first;
    std::memcpy(&result_at(key), name.c_str(), name.size() + 1);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_set_info(MPI_Comm comm, MPI_Info hints) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_set_info", comm, [&] {
    communicator(self, comm);
    check_hints(self, hints);
    return MPI_SUCCESS;
  });
}

int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* used) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_get_info", comm, [&] {
    communicator(self, comm);
    result_at(used) = add(self, {});
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Info_create)
KANOR_PROFILED(Info_dup)
KANOR_PROFILED(Info_free)
KANOR_PROFILED(Info_set)
KANOR_PROFILED(Info_delete)
KANOR_PROFILED(Info_get)
KANOR_PROFILED(Info_get_valuelen)
KANOR_PROFILED(Info_get_nkeys)
KANOR_PROFILED(Info_get_nthkey)
KANOR_PROFILED(Comm_set_info)
KANOR_PROFILED(Comm_get_info)
