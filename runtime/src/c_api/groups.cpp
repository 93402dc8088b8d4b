// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of kanor/mpi.h.
#include <algorithm>
#include <string>
#include <utility>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

const Group& group(Rank& rank, MPI_Group handle) {
  static const Group& empty = *new Group{std::make_shared<const std::vector<int>>()};
  if (handle == MPI_GROUP_EMPTY) return empty;
  const Group* const made = Calls::of(rank).groups.find(handle);
  if (!made)
    throw CallError{MPI_ERR_GROUP, handle == MPI_GROUP_NULL ? "the group is MPI_GROUP_NULL"
                                                            : "there is no such group, or it was freed"};
  return *made;
}

MPI_Group new_group(Rank& rank, Members members) {
  if (members->empty()) return MPI_GROUP_EMPTY;
  const auto self = std::find(members->begin(), members->end(), rank_number(rank));
  auto made = std::make_unique<Group>();
  if (self != members->end()) made->rank = static_cast<int>(self - members->begin());
  made->members = std::move(members);
  return Calls::of(rank).groups.add(std::move(made));
}

int compare(const std::vector<int>& a, const std::vector<int>& b) {
  if (a == b) return MPI_IDENT;
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin()) ? MPI_SIMILAR
                                                                                    : MPI_UNEQUAL;
}

namespace {

bool has(const std::vector<int>& members, int rank) {
  return std::find(members.begin(), members.end(), rank) != members.end();
}

/// Calls that make a group of the members that `select` returns.
template <class Select>
int make(const char* call, MPI_Group* made, Select select) {
  Rank& self = caller();
  return handled(self, call, [&] {
    if (!made) throw CallError{MPI_ERR_ARG, "the address of the group is NULL"};
    *made = MPI_GROUP_NULL;
    *made = new_group(self, std::make_shared<const std::vector<int>>(select(self)));
    return MPI_SUCCESS;
  });
}

/// The listed numbers, checked: each once.
std::vector<int> listed(const Group& group, int count, const int* ranks) {
  if (count < 0) throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)};
  std::vector<int> numbers(ranks, ranks + count);
  std::vector<bool> is_there(group.members->size());
  for (const int number : numbers) {
    if (number < 0 || static_cast<std::size_t>(number) >= is_there.size())
      throw CallError{MPI_ERR_RANK, "there is no rank " + std::to_string(number) + " in a group of " +
                                        std::to_string(is_there.size())};
    if (is_there[static_cast<std::size_t>(number)])
      throw CallError{MPI_ERR_RANK, "rank " + std::to_string(number) + " is listed twice"};
    is_there[static_cast<std::size_t>(number)] = true;
  }
  return numbers;
}

/// The numbers in ranges of (first, last, stride).
std::vector<int> in_ranges(const Group& group, int count, int ranges[][3]) {
  if (count < 0) throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)};
  std::vector<int> numbers;
  for (int i = 0; i < count; ++i) {
    const int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
    if (stride == 0) throw CallError{MPI_ERR_ARG, "the stride of a range is 0"};
    for (long long number = first; stride > 0 ? number <= last : number >= last; number += stride) {
      if (number < 0 || number >= static_cast<long long>(group.members->size()))
        throw CallError{MPI_ERR_RANK, "there is no rank " + std::to_string(number) + " in a group of " +
                                          std::to_string(group.members->size())};
      numbers.push_back(static_cast<int>(number));
    }
  }
  return listed(group, static_cast<int>(numbers.size()), numbers.data());
}

std::vector<int> included(const Group& group, const std::vector<int>& numbers) {
  std::vector<int> members;
  for (const int number : numbers) members.push_back((*group.members)[static_cast<std::size_t>(number)]);
  return members;
}

std::vector<int> excluded(const Group& group, const std::vector<int>& numbers) {
  const std::vector<int> gone = included(group, numbers);
  std::vector<int> members;
  for (const int member : *group.members)
    if (!has(gone, member)) members.push_back(member);
  return members;
}

}  // namespace

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Group_size(MPI_Group handle, int* size) {
  Rank& self = caller();
  return handled(self, "MPI_Group_size", [&] {
    *size = static_cast<int>(group(self, handle).members->size());
    return MPI_SUCCESS;
  });
}

int MPI_Group_rank(MPI_Group handle, int* rank) {
  Rank& self = caller();
  return handled(self, "MPI_Group_rank", [&] {
    *rank = group(self, handle).rank;
    return MPI_SUCCESS;
  });
}

int MPI_Group_translate_ranks(MPI_Group from, int count, const int ranks[], MPI_Group to, int found[]) {
  Rank& self = caller();
  return handled(self, "MPI_Group_translate_ranks", [&] {
    const std::vector<int>& first = *group(self, from).members;
    const std::vector<int>& second = *group(self, to).members;
    for (int i = 0; i < count; ++i) {
      if (ranks[i] == MPI_PROC_NULL) {
        found[i] = MPI_PROC_NULL;
        continue;
      }
      if (ranks[i] < 0 || static_cast<std::size_t>(ranks[i]) >= first.size())
        throw CallError{MPI_ERR_RANK, "there is no rank " + std::to_string(ranks[i]) + " in the group"};
      const auto at = std::find(second.begin(), second.end(), first[static_cast<std::size_t>(ranks[i])]);
      found[i] = at == second.end() ? MPI_UNDEFINED : static_cast<int>(at - second.begin());
    }
    return MPI_SUCCESS;
  });
}

int MPI_Group_compare(MPI_Group a, MPI_Group b, int* result) {
  Rank& self = caller();
  return handled(self, "MPI_Group_compare", [&] {
    *result = compare(*group(self, a).members, *group(self, b).members);
    return MPI_SUCCESS;
  });
}

int MPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group* made) {
  return make("MPI_Group_union", made, [&](Rank& self) {
    std::vector<int> members = *group(self, a).members;
    for (const int member : *group(self, b).members)
      if (!has(*group(self, a).members, member)) members.push_back(member);
    return members;
  });
}

int MPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group* made) {
  return make("MPI_Group_intersection", made, [&](Rank& self) {
    std::vector<int> members;
    for (const int member : *group(self, a).members)
      if (has(*group(self, b).members, member)) members.push_back(member);
    return members;
  });
}

int MPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group* made) {
  return make("MPI_Group_difference", made, [&](Rank& self) {
    std::vector<int> members;
    for (const int member : *group(self, a).members)
      if (!has(*group(self, b).members, member)) members.push_back(member);
    return members;
  });
}

int MPI_Group_incl(MPI_Group handle, int count, const int ranks[], MPI_Group* made) {
  return make("MPI_Group_incl", made, [&](Rank& self) {
    const Group& all = group(self, handle);
    return included(all, listed(all, count, ranks));
  });
}

int MPI_Group_excl(MPI_Group handle, int count, const int ranks[], MPI_Group* made) {
  return make("MPI_Group_excl", made, [&](Rank& self) {
    const Group& all = group(self, handle);
    return excluded(all, listed(all, count, ranks));
  });
}

int MPI_Group_range_incl(MPI_Group handle, int count, int ranges[][3], MPI_Group* made) {
  return make("MPI_Group_range_incl", made, [&](Rank& self) {
    const Group& all = group(self, handle);
    return included(all, in_ranges(all, count, ranges));
  });
}

int MPI_Group_range_excl(MPI_Group handle, int count, int ranges[][3], MPI_Group* made) {
  return make("MPI_Group_range_excl", made, [&](Rank& self) {
    const Group& all = group(self, handle);
    return excluded(all, in_ranges(all, count, ranges));
  });
}

int MPI_Group_free(MPI_Group* handle) {
  Rank& self = caller();
  return handled(self, "MPI_Group_free", [&] {
    if (!handle) throw CallError{MPI_ERR_ARG, "the address of the group is NULL"};
    group(self, *handle);
    if (*handle != MPI_GROUP_EMPTY) Calls::of(self).groups.remove(*handle);
    *handle = MPI_GROUP_NULL;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Group_size)
KANOR_PROFILED(Group_rank)
KANOR_PROFILED(Group_translate_ranks)
KANOR_PROFILED(Group_compare)
KANOR_PROFILED(Group_union)
KANOR_PROFILED(Group_intersection)
KANOR_PROFILED(Group_difference)
KANOR_PROFILED(Group_incl)
KANOR_PROFILED(Group_excl)
KANOR_PROFILED(Group_range_incl)
KANOR_PROFILED(Group_range_excl)
KANOR_PROFILED(Group_free)
