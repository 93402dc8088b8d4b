// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank sends and receives in one collective, where that is another block for each of the others.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <deque>
#include <vector>

#include "c_api/collective_call.hpp"

namespace kanor::rt::c_api {

/// Elements that go from one rank to another one.
struct Block {
  const void* data;
  int count;
  MPI_Datatype type;
};

/// A call's blocks of elements of one datatype, which begin in one array.
class BlockArray {
 public:
  /// As many elements in each, one block behind the other.
  static BlockArray even(const void* data, int each, MPI_Datatype type) {
    return {data, type, false, each, nullptr, nullptr};
  }
  /// Of the lengths and, in elements, at the offsets of two arrays.
  static BlockArray listed(const void* data, const int* counts, const int* offsets, MPI_Datatype type) {
    return {data, type, true, 0, counts, offsets};
  }
  /// Throws CallError where there are no arrays.
  Block operator[](int number) const;

 private:
  BlockArray(const void* data, MPI_Datatype type, bool is_listed, int each, const int* counts,
             const int* offsets)
      : data_(data), type_(type), is_listed_(is_listed), each_(each), counts_(counts), offsets_(offsets) {}

  const void* data_;
  MPI_Datatype type_;
  bool is_listed_;
  int each_;
  const int *counts_, *offsets_;
};

/// The address that lies so many bytes behind the beginning of an array; null if there is none.
const void* address_in(const void* data, std::ptrdiff_t bytes);

/// What one rank sends and receives. Several blocks from one member to the same other one are told apart by
/// their lanes, the same on both sides, from 0 on.
class Transfers {
 public:
  explicit Transfers(const CollectiveCall& call) : call_(call) {}

  void give(int member, const Block& block, int lane = 0);
  void want(int member, const Block& block, int lane = 0);
  /// The same for bytes where they lie.
  void give(const collectives::Share& share, int lane = 0) { lane_at(lane).given.push_back(share); }
  void want(const collectives::Share& share, int lane = 0) { lane_at(lane).wanted.push_back(share); }

  /// Sends and receives all, and puts what has come where it belongs.
  void exchange();

 private:
  struct Lane {
    std::vector<collectives::Share> given, wanted;
  };
  Lane& lane_at(int number);

  const CollectiveCall& call_;
  std::vector<Lane> lanes_;
  std::deque<Outgoing> out_;
  std::deque<Arriving> in_;
};

}  // namespace kanor::rt::c_api
