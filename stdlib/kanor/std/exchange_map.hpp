// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Irregular exchanges that are planned once and executed many times.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/gather.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kanor {

/// The elements of a distributed vector that each rank needs from others, such as the columns of its
/// rows of a sparse matrix, or the neighbours of its vertices.
///
/// The elements have global indices. Rank 0 of the team owns the first ones, rank 1 those that follow,
/// and so on. Values may be of any type that travels, except `bool`, and has a default constructor.
/// Constructor, gather() and scatter() execute blocks of the team, so all members must call them.
/// Objects can be copied.
class exchange_map {
 public:
  /// This rank owns `owned` elements, and needs those with the global indices `needed`, in any order.
  /// An index that is named twice travels twice. The map keeps the team. Executes three blocks. Throws
  /// std::out_of_range if an index is none of the vector's, and std::invalid_argument if `owned` is
  /// negative.
  exchange_map(long owned, const std::vector<long>& needed, const team& members = world,
               call_site where = call_site::current())
      : members_(members), owned_(owned), needed_(needed.size()) {
    const detail::call call("kanor::exchange_map", where);
    if (owned < 0)
      throw std::invalid_argument(call.text("a rank owns " + std::to_string(owned) + " elements"));
    const auto size = static_cast<std::size_t>(members.size());
    std::vector<long> ends = all_gather(owned, members);
    for (std::size_t rank = 1; rank < size; ++rank) ends[rank] += ends[rank - 1];

    std::vector<std::vector<long>> places(size), indices(size);  // by owner
    for (std::size_t at = 0; at < needed.size(); ++at) {
      const long index = needed[at];
      if (index < 0 || index >= ends.back())
        throw std::out_of_range(call.text("index " + std::to_string(index) + " is needed, and there are " +
                                          std::to_string(ends.back()) + " elements"));
      const auto owner =
          static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), index) - ends.begin());
      places[owner].push_back(static_cast<long>(at));
      indices[owner].push_back(owner == 0 ? index : index - ends[owner - 1]);
    }
    for (const auto& of_one : places) order_.insert(order_.end(), of_one.begin(), of_one.end());
    if (std::is_sorted(order_.begin(), order_.end())) order_.clear();
    connect(indices);
  }

  /// The number of elements that this rank owns, and that it needs.
  std::size_t owned() const { return static_cast<std::size_t>(owned_); }
  std::size_t needed() const { return needed_; }

  /// Assigns the needed elements to `ghosts`, in the order of the indices that the constructor got.
  /// `own` are this rank's own elements; throws std::invalid_argument unless there are owned() of them.
  /// Executes one block: a message from each owner to each rank that needs some of its elements.
  template <class T>
  void gather(const std::vector<T>& own, std::vector<T>& ghosts,
              call_site where = call_site::current()) const {
    static_assert(!std::is_same_v<T, bool>, "an exchange_map cannot exchange elements of type bool: use char");
    const detail::call call("kanor::exchange_map::gather", where);
    expect(call, "own", own.size(), owned());
    if (&own == &ghosts) return gather(std::vector<T>(own), ghosts, where);
    ghosts.resize(needed_);
    std::vector<T> by_owner(order_.size());
    std::vector<T>& target = order_.empty() ? ghosts : by_owner;
    @communicate (team = members_) {
      target[starts_[k] : counts_[k]]@to_[k] <<= own[indices_[k]]@from_[k] where k in range(0, from_.size())
    }
    for (std::size_t at = 0; at < own_indices_.size(); ++at)
      target[own_start_ + at] = own[static_cast<std::size_t>(own_indices_[at])];
    for (std::size_t at = 0; at < order_.size(); ++at)
      ghosts[static_cast<std::size_t>(order_[at])] = std::move(by_owner[at]);
  }

  /// The way back: folds the elements of all ranks' `ghosts` into their owners' elements. Each becomes
  /// operation(operation(own, first), second) and so on, in the order of the ranks that need it, then
  /// of their positions. Throws std::invalid_argument unless there are owned() and needed() elements.
  /// Executes one block, with the messages of gather() the other way round.
  template <class T, class Operation>
  void scatter(std::vector<T>& own, const std::vector<T>& ghosts, Operation operation,
               call_site where = call_site::current()) const {
    fold(detail::call("kanor::exchange_map::scatter", where), own, ghosts, operation);
  }

  /// scatter() with `+`.
  template <class T>
  void scatter_add(std::vector<T>& own, const std::vector<T>& ghosts,
                   call_site where = call_site::current()) const {
    fold(detail::call("kanor::exchange_map::scatter_add", where), own, ghosts, std::plus<>());
  }

 private:
  /// scatter() and scatter_add(), which messages name.
  template <class T, class Operation>
  void fold(const detail::call& call, std::vector<T>& own, const std::vector<T>& ghosts, Operation operation) const {
    static_assert(!std::is_same_v<T, bool>, "an exchange_map cannot exchange elements of type bool: use char");
    expect(call, "own", own.size(), owned());
    expect(call, "ghost", ghosts.size(), needed());
    if (&own == &ghosts) return fold(call, own, std::vector<T>(ghosts), operation);
    std::vector<T> by_owner;
    by_owner.reserve(order_.size());
    for (const long place : order_) by_owner.push_back(ghosts[static_cast<std::size_t>(place)]);
    const std::vector<T>& source = order_.empty() ? ghosts : by_owner;
    std::vector<std::vector<T>> parts(from_.size());
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k].resize(indices_[k].size());
    @communicate (team = members_) {
      parts[k][:]@from_[k] <<= source[starts_[k] : counts_[k]]@to_[k] where k in range(0, from_.size())
    }
    const auto fold_one = [&](long index, const T& value) {
      T& element = own[static_cast<std::size_t>(index)];
      element = static_cast<T>(operation(element, value));
    };
    // Pairs stand in the order of the ranks that need something. This rank's own needs have their place there.
    const int me = members_.rank();
    const auto behind = static_cast<std::size_t>(std::upper_bound(to_.begin(), to_.end(), me) - to_.begin());
    for (std::size_t k = 0; k <= parts.size(); ++k) {
      if (k == behind)
        for (std::size_t at = 0; at < own_indices_.size(); ++at)
          fold_one(own_indices_[at], source[own_start_ + at]);
      if (k == parts.size()) break;
      for (std::size_t at = 0; at < parts[k].size(); ++at) fold_one(indices_[k][at], parts[k][at]);
    }
  }

  /// Numbers the pairs of different ranks that exchange something, the same on all members. Tells the owners
  /// which of their elements are needed.
  void connect(std::vector<std::vector<long>>& indices) {
    const int me = members_.rank();
    std::vector<int> owners;
    for (int rank = 0; rank < members_.size(); ++rank)
      if (rank != me && !indices[static_cast<std::size_t>(rank)].empty()) owners.push_back(rank);
    const std::vector<std::vector<int>> of_all = all_gather(owners, members_);
    for (std::size_t rank = 0; rank < of_all.size(); ++rank)
      for (int owner : of_all[rank]) {
        to_.push_back(static_cast<int>(rank));
        from_.push_back(owner);
      }
    std::vector<std::size_t> starts(indices.size());
    for (std::size_t rank = 1; rank < starts.size(); ++rank)
      starts[rank] = starts[rank - 1] + indices[rank - 1].size();
    own_start_ = starts[static_cast<std::size_t>(me)];
    own_indices_ = std::move(indices[static_cast<std::size_t>(me)]);
    starts_.resize(to_.size());
    counts_.resize(to_.size());
    indices_.resize(to_.size());
    std::vector<std::vector<long>> wanted(to_.size());
    for (std::size_t k = 0; k < to_.size(); ++k) {
      if (to_[k] != me) continue;
      const auto owner = static_cast<std::size_t>(from_[k]);
      starts_[k] = starts[owner];
      counts_[k] = indices[owner].size();
      wanted[k] = std::move(indices[owner]);
    }
    @communicate (team = members_) {
      indices_[k]@from_[k] <<= wanted[k]@to_[k] where k in range(0, from_.size())
    }
  }

  static void expect(const detail::call& call, const char* kind, std::size_t found, std::size_t wanted) {
    if (found == wanted) return;
    throw std::invalid_argument(call.text("there are " + std::to_string(found) + " " + kind +
                                          " elements, and the map has " + std::to_string(wanted)));
  }

  [[kanor::uniform]] team members_;
  long owned_ = 0;
  std::size_t needed_ = 0;
  [[kanor::uniform]] std::vector<int> from_{}, to_{};  ///< the owner of pair k, and the rank that needs its elements
  // The needed elements are grouped by their owners. Those of pair k lie side by side on rank to_[k].
  std::vector<std::size_t> starts_{}, counts_{};
  std::vector<std::vector<long>> indices_{};  ///< of pair k: positions in the own elements, on rank from_[k]
  std::size_t own_start_ = 0;                 ///< where the group of this rank's own elements begins
  std::vector<long> own_indices_{};           ///< their positions in the own elements
  std::vector<long> order_{};  ///< by position in the groups: the position in the ghosts; empty if they are the same
};

}  // namespace kanor
