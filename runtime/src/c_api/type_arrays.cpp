// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h: datatypes that are parts of arrays.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "c_api/type_making.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// A part of an array that grows by a dimension at a time, the one whose elements lie closest first.
class Part {
 public:
  explicit Part(const TypeDefinition& element)
      : layout_(element.layout), element_(element), stride_(element.layout.extent()) {}

  /// Takes `blocks` blocks of `length` indices, which begin `step` indices apart, and `rest` more indices
  /// behind them, of a dimension with `size` indices.
  void add(int size, int start, int length, int blocks, int step, int rest) {
    std::ptrdiff_t all = 0;
    if (__builtin_mul_overflow(stride_, static_cast<std::ptrdiff_t>(size), &all) || all > most_bytes ||
        all < -most_bytes)
      throw std::overflow_error("an array");
    const Layout block = layout_.repeated(static_cast<std::size_t>(length), stride_);
    const Layout whole = block.repeated(static_cast<std::size_t>(blocks), step * stride_);
    const Layout last = layout_.repeated(static_cast<std::size_t>(rest), stride_);
    const std::ptrdiff_t begin = start * stride_;
    const Layout::Part parts[] = {{begin, &whole},
                                  {begin + static_cast<std::ptrdiff_t>(blocks) * step * stride_, &last}};
    layout_ = Layout::sequence(std::span(parts, rest > 0 ? 2 : 1), false);
    elements_ *=
        static_cast<std::size_t>(length) * static_cast<std::size_t>(blocks) + static_cast<std::size_t>(rest);
    stride_ = all;
  }

  TypeDefinition definition(Contents contents) const {
    return {layout_.resized(0, stride_), element_.signature.repeated(elements_), std::move(contents)};
  }

 private:
  /// The limit of an array's length: no address space has more.
  static constexpr std::ptrdiff_t most_bytes = std::ptrdiff_t{1} << 56;

  Layout layout_;
  const TypeDefinition& element_;
  std::ptrdiff_t stride_;  ///< from one index to the next
  std::size_t elements_ = 1;
};

void check_order(int order) {
  if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
    throw CallError{MPI_ERR_ARG, "the order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN"};
}

void check_dimensions(int dimensions) {
  if (dimensions < 1)
    throw CallError{MPI_ERR_ARG, "the number of dimensions is " + std::to_string(dimensions)};
}

/// Calls `add` for each dimension, the one whose elements lie closest first.
template <class Add>
void for_dimensions(int dimensions, int order, Add add) {
  for (int i = 0; i < dimensions; ++i) add(order == MPI_ORDER_C ? dimensions - 1 - i : i);
}

void append(std::vector<int>& to, int count, const int* from) { to.insert(to.end(), from, from + count); }

std::string in_dimension(int dimension) { return " in dimension " + std::to_string(dimension); }

void add_subarray(Part& part, int dimension, int size, int part_size, int start) {
  if (size < 1)
    throw CallError{MPI_ERR_ARG, "the array's size is " + std::to_string(size) + in_dimension(dimension)};
  if (part_size < 1 || part_size > size)
    throw CallError{MPI_ERR_ARG, "the part's size is " + std::to_string(part_size) + in_dimension(dimension)};
  if (start < 0 || start > size - part_size)
    throw CallError{MPI_ERR_ARG, "the part begins at " + std::to_string(start) + in_dimension(dimension)};
  part.add(size, start, part_size, 1, part_size, 0);
}

/// How the indices of a dimension are distributed.
struct Distribution {
  int size, kind, argument, processes;
};

/// Indices in a block; throws CallError where the distribution is wrong.
int block_length(const Distribution& of, int dimension) {
  const std::string where = in_dimension(dimension);
  if (of.size < 1) throw CallError{MPI_ERR_ARG, "the array's size is " + std::to_string(of.size) + where};
  if (of.processes < 1)
    throw CallError{MPI_ERR_ARG, "there are " + std::to_string(of.processes) + " processes" + where};
  const bool is_default = of.argument == MPI_DISTRIBUTE_DFLT_DARG;
  if (!is_default && of.argument < 1 && of.kind != MPI_DISTRIBUTE_NONE)
    throw CallError{MPI_ERR_ARG, "the distribution's argument is " + std::to_string(of.argument) + where};
  switch (of.kind) {
    case MPI_DISTRIBUTE_NONE:
      if (of.processes != 1)
        throw CallError{MPI_ERR_ARG, "several processes have a dimension that is not distributed:" + where};
      return of.size;
    case MPI_DISTRIBUTE_CYCLIC:
      return is_default ? 1 : of.argument;
    case MPI_DISTRIBUTE_BLOCK: {
      if (is_default) return (of.size - 1) / of.processes + 1;
      if (static_cast<long long>(of.argument) * of.processes < of.size)
        throw CallError{MPI_ERR_ARG, "the blocks have fewer indices than the array" + where};
      return of.argument;
    }
    default:
      throw CallError{MPI_ERR_ARG, "the distribution is not one of MPI_DISTRIBUTE_...:" + where};
  }
}

/// Takes the indices of the process with this coordinate: blocks in turn, of which the last may be shorter.
void add_distributed(Part& part, int dimension, const Distribution& of, int coordinate) {
  const long long length = block_length(of, dimension);
  const long long begin = length * coordinate, cycle = length * of.processes;
  if (begin >= of.size) return part.add(of.size, 0, 0, 0, 0, 0);
  // A block of a cyclic distribution may be longer than the array.
  const long long indices = of.size - begin, whole = indices / cycle;
  const long long behind = indices - whole * cycle;
  const bool one_more = behind >= length;
  part.add(of.size, static_cast<int>(begin), static_cast<int>(std::min<long long>(length, of.size)),
           static_cast<int>(whole + (one_more ? 1 : 0)),
           static_cast<int>(std::min<long long>(cycle, of.size)), static_cast<int>(one_more ? 0 : behind));
}

}  // namespace

int MPI_Type_create_subarray(int dimensions, const int sizes[], const int part_sizes[], const int starts[],
                             int order, MPI_Datatype type, MPI_Datatype* made) {
  return make_type("MPI_Type_create_subarray", made, [&] {
    check_dimensions(dimensions);
    check_order(order);
    check_array(dimensions, sizes, "sizes");
    check_array(dimensions, part_sizes, "the part's sizes");
    check_array(dimensions, starts, "beginnings");
    const TypeReference of = reference_to(type);
    Part part(*of.definition);
    for_dimensions(dimensions, order,
                   [&](int i) { add_subarray(part, i, sizes[i], part_sizes[i], starts[i]); });
    Contents contents{MPI_COMBINER_SUBARRAY, {dimensions}, {}, {of}};
    for (const int* const array : {sizes, part_sizes, starts}) append(contents.integers, dimensions, array);
    contents.integers.push_back(order);
    return part.definition(std::move(contents));
  });
}

int MPI_Type_create_darray(int size, int rank, int dimensions, const int sizes[], const int distributions[],
                           const int arguments[], const int processes[], int order, MPI_Datatype type,
                           MPI_Datatype* made) {
  return make_type("MPI_Type_create_darray", made, [&] {
    check_dimensions(dimensions);
    check_order(order);
    for (const int* const array : {sizes, distributions, arguments, processes})
      check_array(dimensions, array, "sizes, distributions, arguments or processes");
    if (rank < 0 || rank >= size)
      throw CallError{MPI_ERR_ARG,
                      "there is no process " + std::to_string(rank) + " of " + std::to_string(size)};
    // The grid's order is C's, whatever the array's is.
    std::vector<int> coordinates(static_cast<std::size_t>(dimensions));
    long long number = rank, in_grid = 1;
    for (int i = dimensions - 1; i >= 0; --i) {
      if (processes[i] < 1 || (in_grid *= processes[i]) > size) break;
      coordinates[static_cast<std::size_t>(i)] = static_cast<int>(number % processes[i]);
      number /= processes[i];
    }
    if (in_grid != size)
      throw CallError{MPI_ERR_ARG, "the grid does not have " + std::to_string(size) + " processes"};
    const TypeReference of = reference_to(type);
    Part part(*of.definition);
    for_dimensions(dimensions, order, [&](int i) {
      add_distributed(part, i, {sizes[i], distributions[i], arguments[i], processes[i]},
                      coordinates[static_cast<std::size_t>(i)]);
    });
    Contents contents{MPI_COMBINER_DARRAY, {size, rank, dimensions}, {}, {of}};
    for (const int* const array : {sizes, distributions, arguments, processes})
      append(contents.integers, dimensions, array);
    contents.integers.push_back(order);
    return part.definition(std::move(contents));
  });
}

KANOR_PROFILED(Type_create_subarray)
KANOR_PROFILED(Type_create_darray)
