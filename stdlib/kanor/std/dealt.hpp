// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, matrices and arrays that are distributed over ranks.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/layout.hpp>
#include <kanor/std/gather.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kanor {
namespace detail {

/// The first of an element's indices, and the call that has it, for messages.
struct first_index {
  template <std::integral Index>
  first_index(Index index, call_site of = call_site::current()) : value(static_cast<long>(index)), where(of) {}

  long value;
  call_site where;
};

}  // namespace detail

/// How the indices of one dimension are distributed over the ranks along it: evenly, each rank's indices in
/// one run as block_range() says, or in turn, like cards.
class dealing {
 public:
  constexpr dealing() = default;  ///< evenly
  static constexpr dealing evenly() { return {}; }
  /// Each rank gets `block` indices, then each gets `block` more, and so on.
  static constexpr dealing cyclic(long block = 1, call_site where = call_site::current()) {
    if (block < 1)
      throw std::invalid_argument(
          detail::text_of_call("kanor::dealing::cyclic", where, "a block has at least one index"));
    dealing how;
    how.block_ = block;
    return how;
  }
  constexpr long block() const { return block_; }  ///< 0 if evenly

 private:
  long block_ = 0;
};

/// The indices first, first + step and so on, before `last`.
struct index_slice {
  long first = 0;
  long last = 0;
  long step = 1;
};

/// An array of D dimensions whose elements are distributed over the ranks of a grid of D dimensions: of each
/// dimension's indices, a rank has those that its coordinate gets. Each rank has its elements in a vector,
/// part(), in row-major order.
///
/// Constructors and functions that communicate execute blocks of the grid's team, so all members must call
/// them, with the same arguments unless a comment says otherwise. All other functions communicate nothing.
/// Objects can be copied and moved. `T` must travel, not be `bool`, and have a default constructor.
template <std::default_initializable T, std::size_t D = 1>
class dealt {
 public:
  /// A position in the array: a number in one dimension, else one for each dimension.
  using index = std::conditional_t<D == 1, long, std::array<long, D>>;
  using ranks = grid<static_cast<int>(D)>;

  /// `extents` are the array's, and `how[d]` says how dimension d is distributed. Throws std::invalid_argument
  /// if an extent is negative, and std::length_error if the rank has no memory for its elements. Executes no
  /// block.
  template <std::size_t extent_count, std::size_t how_count>
  requires(extent_count == D && how_count == D)
  dealt(const long (&extents)[extent_count], const dealing (&how)[how_count], const ranks& over,
        call_site where = call_site::current())
      : dealt("kanor::dealt", where, std::to_array(extents), std::to_array(how), over) {}
  /// Distributed along the first dimension only: a matrix by rows.
  template <std::size_t extent_count>
  requires(extent_count == D)
  dealt(const long (&extents)[extent_count], dealing how = {}, const team& members = world,
        call_site where = call_site::current())
      : dealt("kanor::dealt", where, std::to_array(extents), {how}, along_first(members)) {}
  /// A vector.
  explicit dealt(long count, dealing how = {}, const team& members = world,
                 call_site where = call_site::current())
  requires(D == 1)
      : dealt("kanor::dealt", where, {count}, {how}, along_first(members)) {}

  long extent(std::size_t d = 0) const { return layout_.along(d).count(); }
  const ranks& over() const { return layout_.ranks(); }

  /// This rank's elements, in row-major order. Do not change their number.
  std::vector<T>& part() { return part_; }
  const std::vector<T>& part() const { return part_; }
  /// How many indices of a dimension this rank has.
  long part_extent(std::size_t d = 0) const {
    return layout_.along(d).size(over().coords(me())[d]);
  }
  /// The position in the array of part()[position]. Throws std::out_of_range if there is no such element.
  index index_of(std::size_t position, call_site where = call_site::current()) const {
    if (position >= part_.size())
      throw std::out_of_range(detail::text_of_call(
          "kanor::dealt::index_of", where,
          "there is no element at position " + std::to_string(position) + " of the " +
              std::to_string(part_.size()) + " of rank " + std::to_string(me())));
    const auto found = layout_.index(me(), static_cast<long>(position));
    if constexpr (D == 1)
      return found[0];
    else
      return found;
  }

  /// The rank of the team that has the element; `no_rank` if there is no such element.
  template <std::integral... Indices>
  requires(sizeof...(Indices) == D)
  int owner(Indices... at) const {
    return owner_of({static_cast<long>(at)...});
  }
  template <std::integral... Indices>
  requires(sizeof...(Indices) == D)
  bool owns(Indices... at) const {
    return owner(at...) == me();
  }
  /// The element. Throws std::out_of_range unless this rank has it.
  template <std::integral... Indices>
  requires(sizeof...(Indices) + 1 == D)
  T& at(detail::first_index first, Indices... others) {
    return part_[position(first.where, {first.value, static_cast<long>(others)...})];
  }
  template <std::integral... Indices>
  requires(sizeof...(Indices) + 1 == D)
  const T& at(detail::first_index first, Indices... others) const {
    return part_[position(first.where, {first.value, static_cast<long>(others)...})];
  }

  /// The same array, distributed in another way. Executes one block, in which each element is sent once, at
  /// most.
  template <std::size_t how_count>
  requires(how_count == D)
  dealt redistributed(const dealing (&how)[how_count], const ranks& over,
                      call_site where = call_site::current()) const {
    return redistributed(where, std::to_array(how), over);
  }
  /// The same along the first dimension only.
  dealt redistributed(dealing how, call_site where = call_site::current()) const {
    return redistributed(where, {how}, along_first(layout_.members()));
  }

  /// The elements whose indices are in the slices, one for each dimension, in row-major order. Each rank may
  /// ask for others, or for none. Executes two blocks: the ranks tell each other what they want, then each
  /// element is sent to each rank that wants it. Throws std::out_of_range if a slice leaves the array, and
  /// std::invalid_argument if a step is not positive.
  template <std::size_t slice_count>
  requires(slice_count == D)
  std::vector<T> section(const index_slice (&slices)[slice_count], call_site where = call_site::current()) const {
    return section(detail::call("kanor::dealt::section", where), slices);
  }
  /// All elements, on every rank.
  std::vector<T> all(call_site where = call_site::current()) const {
    index_slice slices[D];
    for (std::size_t d = 0; d < D; ++d) slices[d].last = extent(d);
    return section(detail::call("kanor::dealt::all", where), slices);
  }

 private:
  dealt(const char* function, const call_site& where, const std::array<long, D>& extents,
        const std::array<dealing, D>& how, const ranks& over)
      : layout_(axes_of(function, where, extents, how, over), over),
        part_(new_part(function, where, layout_.size(over.team().rank()))) {}

  static std::vector<T> new_part(const char* function, const call_site& where, long elements) {
    std::string reason;
    try {
      return std::vector<T>(static_cast<std::size_t>(elements));
    } catch (const std::bad_alloc&) {
      reason = "there is no memory for the ";
    } catch (const std::length_error&) {
      reason = "no vector can have the ";
    }
    throw std::length_error(detail::text_of_call(
        function, where, reason + std::to_string(elements) + " elements of this rank"));
  }

  dealt redistributed(const call_site& where, const std::array<dealing, D>& how, const ranks& over) const {
    constexpr const char* function = "kanor::dealt::redistributed";
    const detail::call call(function, where);
    std::array<long, D> extents{};
    for (std::size_t d = 0; d < D; ++d) extents[d] = extent(d);
    dealt result(function, where, extents, how, over);
    const auto& to = result.layout_;
    if (over.team().size() != layout_.members().size() || over.team().rank() != me())
      throw std::invalid_argument(call.text("the grid is not of the array's team"));
    result.part_ = detail::fetch(layout_, part_, [&](int rank) { return to.indices(rank); });
    return result;
  }

  std::vector<T> section(const detail::call& call, const index_slice (&slices)[D]) const {
    std::array<index_slice, D> own;
    for (std::size_t d = 0; d < D; ++d) own[d] = expect_slice(call, slices[d], extent(d));
    const std::vector<std::array<index_slice, D>> of_all = all_gather(own, layout_.members());
    return detail::fetch(layout_, part_, [&](int rank) {
      detail::wanted_indices<D> indices;
      for (std::size_t d = 0; d < D; ++d) {
        const index_slice& slice = of_all[static_cast<std::size_t>(rank)][d];
        for (long at = slice.first; at < slice.last; at += slice.step) indices[d].push_back(at);
      }
      return indices;
    });
  }

  int me() const { return layout_.members().rank(); }

  /// The rank that has the element; `no_rank` if there is no such element.
  int owner_of(const std::array<long, D>& at) const {
    for (std::size_t d = 0; d < D; ++d)
      if (at[d] < 0 || at[d] >= extent(d)) return no_rank;
    return layout_.owner(at);
  }
  std::size_t position(const call_site& where, const std::array<long, D>& at) const {
    const int owner = owner_of(at);
    if (owner == me()) return static_cast<std::size_t>(layout_.position(owner, at));
    std::string text = std::to_string(at[0]);
    for (std::size_t d = 1; d < D; ++d) text += ", " + std::to_string(at[d]);
    throw std::out_of_range(detail::text_of_call(
        "kanor::dealt::at", where,
        (owner == no_rank ? "there is no" : "rank " + std::to_string(me()) + " does not have the") +
            " element at " + text));
  }

  static std::array<detail::axis, D> axes_of(const char* function, const call_site& where,
                                             const std::array<long, D>& extents,
                                             const std::array<dealing, D>& how, const ranks& over) {
    std::array<detail::axis, D> axes;
    long elements = 1;
    for (std::size_t d = 0; d < D; ++d) {
      if (extents[d] < 0 || __builtin_mul_overflow(elements, std::max(extents[d], 1L), &elements))
        throw std::invalid_argument(detail::text_of_call(
            function, where,
            "dimension " + std::to_string(d) + " cannot have " + std::to_string(extents[d]) + " indices"));
      axes[d] = detail::axis(extents[d], how[d].block(), over.extent(static_cast<int>(d)));
    }
    return axes;
  }
  static index_slice expect_slice(const detail::call& call, const index_slice& slice, long extent) {
    if (slice.step < 1) throw std::invalid_argument(call.text("a slice has step " + std::to_string(slice.step)));
    if (slice.first >= slice.last) return {};
    if (slice.first < 0 || slice.last > extent)
      throw std::out_of_range(call.text("the slice from " + std::to_string(slice.first) + " to " +
                                        std::to_string(slice.last) + " leaves a dimension of " +
                                        std::to_string(extent) + " indices"));
    return slice;
  }
  static ranks along_first(const team& members) {
    std::array<int, D> extents;
    extents.fill(1);
    extents[0] = members.size();
    return ranks(members, extents);
  }

  detail::layout<D> layout_;
  std::vector<T> part_;
};

}  // namespace kanor
