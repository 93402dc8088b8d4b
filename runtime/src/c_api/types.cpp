// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/types.hpp"

#include <optional>
#include <utility>

#include "c_api/calls.hpp"
#include "c_api/predefined_types.hpp"

namespace kanor::rt::c_api {
namespace {

TypeDefinition definition_of_basic(const PredefinedType& type) {
  const auto number = static_cast<unsigned char>(predefined_number(type.handle));
  switch (type.basic) {
    case Basic::lower_bound:
      return {Layout::lower_marker(), {}, {}};
    case Basic::upper_bound:
      return {Layout::upper_marker(), {}, {}};
    default:
      return {Layout::block(type.bytes, type.alignment), Signature::basic(number, type.bytes), {}};
  }
}

TypeDefinition definition_of_pair(const PredefinedType& type) {
  const TypeDefinition value = definition_of_basic(*find_predefined(type.value)),
                       index = definition_of_basic(*find_predefined(type.index));
  const auto bytes = value.layout.extent(), alignment = index.layout.extent();
  const Layout::Part parts[] = {{0, &value.layout},
                                {(bytes + alignment - 1) / alignment * alignment, &index.layout}};
  TypeDefinition made{Layout::sequence(parts, true), value.signature, {}};
  made.signature.append(index.signature);
  return made;
}

using Definition = std::shared_ptr<const TypeDefinition>;

/// The definitions of the predefined datatypes, by their numbers. All ranks read them.
const std::vector<Definition>& predefined_definitions() {
  constexpr unsigned end = 0xff;
  static const std::vector<Definition>& all = *new std::vector<Definition>([] {
    std::vector<Definition> made;
    for (unsigned number = 0; number < end; ++number) {
      const PredefinedType* const type = find_predefined(number);
      made.push_back(!type ? nullptr
                           : std::make_shared<const TypeDefinition>(type->basic == Basic::pair
                                                                        ? definition_of_pair(*type)
                                                                        : definition_of_basic(*type)));
    }
    return made;
  }());
  return all;
}

/// What a predefined datatype is; null if it is none.
const Definition* find_definition(MPI_Datatype type) {
  if (!find_predefined(type)) return nullptr;
  return &predefined_definitions()[predefined_number(type)];
}

}  // namespace

const Definition& committed(MPI_Datatype type) {
  if (const Definition* const predefined = find_definition(type)) return *predefined;
  const Datatype& made = made_type(type);
  if (!made.is_committed)
    throw CallError{MPI_ERR_TYPE, "the datatype has not been committed (MPI_Type_commit)"};
  return made.definition;
}

Datatype& made_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) throw CallError{MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL"};
  Datatype* const made = Calls::of(caller()).types.find(type);
  if (!made) throw CallError{MPI_ERR_TYPE, "the datatype is not one of kanor/mpi.h, or was freed"};
  return *made;
}

Definition definition_of(MPI_Datatype type) {
  const Definition* const predefined = find_definition(type);
  return predefined ? *predefined : made_type(type).definition;
}

MPI_Datatype meant_by(MPI_Datatype type) {
  const Datatype* const made = Calls::of(caller()).types.find(type);
  return made && made->stands_for != MPI_DATATYPE_NULL ? made->stands_for : type;
}

MPI_Datatype new_type(Rank& rank, Definition definition) {
  return Calls::of(rank).types.add(std::make_unique<Datatype>(Datatype{std::move(definition)}));
}

unsigned number_of(MPI_Datatype type) {
  constexpr unsigned made = 127;
  return find_predefined(type) ? predefined_number(type) : made;
}

void fail_count(int count) { throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)}; }

std::ptrdiff_t extent_bytes_of(MPI_Datatype type) {
  const std::size_t bytes = even_bytes(type);
  return bytes ? static_cast<std::ptrdiff_t>(bytes) : committed(type)->layout.extent();
}

std::size_t block_bytes_of(int count, MPI_Datatype type) {
  if (!even_bytes(type) && !committed(type)->layout.is_block())
    throw CallError{MPI_ERR_TYPE,
                    "the datatype has gaps: its elements can be lent (OPI_Lend), but not given"};
  return bytes_of(count, type);
}

Elements elements_of(int count, MPI_Datatype type) {
  const std::size_t elements = checked_count(count);
  if (const std::size_t bytes = even_bytes(type))
    return {std::make_shared<const Pieces>(Pieces::block(bytes)), elements};
  const Layout& layout = committed(type)->layout;
  Datatype* const made = find_definition(type) ? nullptr : &made_type(type);
  const auto is_for = [&](const Pieces& pieces) {
    return elements <= 1 || static_cast<std::ptrdiff_t>(pieces.extent_bytes()) == layout.extent();
  };
  if (made && made->pieces && is_for(*made->pieces)) return {made->pieces, elements};
  std::optional<Pieces> pieces = layout.pieces(elements);
  if (!pieces)
    throw CallError{MPI_ERR_TYPE, "the datatype's elements overlap or do not ascend, so they cannot be lent"};
  auto found = std::make_shared<const Pieces>(*std::move(pieces));
  if (made) made->pieces = found;
  return {std::move(found), elements};
}

}  // namespace kanor::rt::c_api
