// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/wording.hpp"

#include <stdexcept>

namespace kanor::plan {

std::string_view why(sema::Obscurity obscurity) {
  using sema::Obscurity;
  switch (obscurity) {
    case Obscurity::none:
      return "";
    case Obscurity::call:
      return "is a call, which kanorc does not analyse";
    case Obscurity::element:
      return "is an element selected by a name";
    case Obscurity::conditional:
      return "contains '?:', '||' or a condition used as a number";
    case Obscurity::may_wrap:
      return "is unsigned arithmetic that may wrap around";
    case Obscurity::may_change:
      return "is a conversion that may change the value";
    case Obscurity::not_integer:
      return "is not computed with integers";
    case Obscurity::guarded:
      return "may be evaluated only where the clauses before it allow it";
    case Obscurity::in_macro:
      return "is spelled in pieces by a macro";
    case Obscurity::set_of_values:
      return "is a set that is not given by its first and last member";
    case Obscurity::too_long:
      return "is too long after its lets are substituted";
    case Obscurity::instantiations:
      return "is not the same in all instantiations of the template";
    case Obscurity::template_argument:
      return "depends on the arguments of a template";
  }
  throw std::logic_error("unknown obscurity");
}

std::string_view why(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::none:
      return "";
    case Obstacle::unknown_rank:
      return "a rank is not understood";
    case Obstacle::unknown_condition:
      return "a condition on the ranks is not understood";
    case Obstacle::some_pairs:
      return "the clauses leave out some pairs of ranks";
    case Obstacle::several_pairs:
      return "a pair of ranks may occur several times";
    case Obstacle::one_place:
      return "the place does not depend on the sender";
    case Obstacle::many_places:
      return "the place depends on the sender";
    case Obstacle::value_of_receiver:
      return "the value depends on the receiver";
    case Obstacle::order:
      return "the values do not arrive in the order of their senders";
    case Obstacle::one_side_knows:
      return "only one side knows the bindings";
  }
  throw std::logic_error("unknown obstacle");
}

}  // namespace kanor::plan
