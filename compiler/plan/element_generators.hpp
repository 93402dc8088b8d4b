// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

#include "sema/program.hpp"

namespace kanor::plan {

/// `base[index]`, of which every `stride`-th element is taken from the index with the name's first value on.
struct ElementSection {
  text::Span base, index;
  std::int64_t stride = 1;
};

/// A generator whose name only counts elements: all of its bindings are one, of sections.
struct ElementGenerator {
  const syntax::Generator* generator = nullptr;  ///< the name is its last
  ElementSection place, value;
};

/// Finds the statement's element generator: the last one, over an interval, whose last name is in the place's
/// and the value's last index and nowhere else (sema's strides). All that happens stays the same: the
/// elements of one place come in the order of the other names; and since a reduction's place depends on no
/// other name, each of its elements meets the same contributions in the same order.
std::optional<ElementGenerator> element_generator(const text::Source& source,
                                                  const sema::CheckedStatement& statement);

/// The statement as a rank goes through it where the element generator's name, the last, is none of the
/// bindings': of its set only remains whether it has members. One that is not described stays, since nobody
/// knows that.
sema::SymbolicStatement without_elements(sema::SymbolicStatement statement);

}  // namespace kanor::plan
