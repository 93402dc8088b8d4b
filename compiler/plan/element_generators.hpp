// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

#include "sema/program.hpp"

namespace kanor::plan {

/// A section: every `stride`-th element of `base`, from the index with the name's first value on, or the
/// elements that the index lists with the name's values.
struct ElementSection {
  text::Span base, index;
  std::int64_t stride = 1;
  bool is_listed() const { return stride == sema::listed; }
};

/// A generator whose last name only selects elements: all of its bindings become one, of sections.
struct ElementGenerator {
  const syntax::Generator* generator = nullptr;  ///< the name is its last
  ElementSection place, value;
  bool is_listed() const { return place.is_listed() || value.is_listed(); }
};

/// Finds the statement's element generator: the last one, over an interval, whose last name is in the place's
/// and the value's last index and nowhere else (sema's strides). All that happens stays the same: the
/// elements of one place come in the order of the other names; and since a reduction's place depends on no
/// other name, each of its elements meets the same contributions in the same order.
std::optional<ElementGenerator> element_generator(const sema::CheckedStatement& statement);

/// The statement without the element generator's name, which is the last: of its set remains only the
/// condition that it is not empty. A set that is not described stays.
sema::SymbolicStatement without_elements(sema::SymbolicStatement statement);

}  // namespace kanor::plan
