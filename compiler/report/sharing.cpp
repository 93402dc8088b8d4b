// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sharing.hpp"

#include <algorithm>

#include "analysis/wording.hpp"

namespace kanor::report {
namespace {

using flow::Mention;

/// A variable that is the whole place or value of a statement.
struct Whole {
  const analysis::SharingDecision* decision;
  const std::string* variable;
  const Mention* mention;
  bool moves_only;

  bool is_place() const { return mention->what == Mention::What::place; }
  bool is_shared() const { return decision->is_globalised; }
  bool is_handed_over() const {
    return std::any_of(decision->handovers.begin(), decision->handovers.end(), [&](const auto& handover) {
      return handover.at.source == mention->at.source && handover.at.span.contains(mention->at.span);
    });
  }
};

std::vector<Whole> find_wholes(const syntax::Statement& statement, const text::Source& source,
                               const analysis::Sharing& sharing) {
  std::vector<Whole> found;
  for (const analysis::SharingDecision& decision : sharing.decisions) {
    const auto& candidate = candidate_of(sharing.graph, decision);
    for (const Mention& mention : candidate.mentions) {
      const auto& operand = mention.what == Mention::What::place ? statement.place : statement.value;
      if (mention.what == Mention::What::plain || mention.at.source != &source ||
          !operand.span.contains(mention.at.span))
        continue;
      const bool is_found = std::any_of(found.begin(), found.end(), [&](const Whole& whole) {
        return whole.mention->at.span == mention.at.span;
      });
      if (!is_found)
        found.push_back({&decision,
                         &sharing.graph.variables[static_cast<std::size_t>(candidate.variable)].name,
                         &mention, candidate.moves_only});
    }
  }
  return found;
}

/// The remark on one variable. `other_is_shared`: the variable on the statement's other side is shared.
Remark remark_of(const Whole& whole, bool block_copies, bool other_is_shared) {
  Remark remark{
      Remark::Kind::passed, "Sharing", whole.mention->at.span, {words("'"), {"Variable", *whole.variable}}};
  const auto copied = [&](std::string reason) {
    remark.kind = Remark::Kind::missed;
    remark.parts.push_back(words("' is copied: "));
    remark.parts.push_back({"Reason", std::move(reason)});
  };
  if (whole.moves_only) {
    remark.parts.push_back(
        words("' hands its memory over to a rank that shares addresses, because it is not read again"));
  } else if (!whole.is_shared()) {
    // Several uses may be in the way for one reason.
    std::vector<std::string> reasons;
    for (const analysis::Reason& reason : whole.decision->reasons)
      if (std::string text = analysis::why(reason);
          std::find(reasons.begin(), reasons.end(), text) == reasons.end())
        reasons.push_back(std::move(text));
    copied(reasons.empty() ? "" : reasons.front());
    for (std::size_t i = 1; i < reasons.size(); ++i) {
      remark.parts.push_back(words("; "));
      remark.parts.push_back({"Reason", reasons[i]});
    }
  } else if (block_copies) {
    copied("the block's modifier 'copy' asks for it");
  } else if (whole.is_place() && other_is_shared) {
    remark.parts.push_back(words("' takes over the memory that it receives from a rank that shares it"));
  } else if (whole.is_place()) {
    copied("the value is not the whole of a shared variable");
  } else {
    remark.parts.push_back(
        words(whole.is_handed_over()
                  ? other_is_shared ? "' hands its memory over to a rank that shares it: nothing is copied"
                                    : "' hands its memory over to a rank that shares it"
                  : "' shares its memory with ranks that can: a rank that writes it while others need it "
                    "copies it first"));
    if (!other_is_shared)
      remark.parts.push_back(
          words("; the place gets a copy, because it is not the whole of a shared variable"));
  }
  return remark;
}

}  // namespace

void add_sharing(const syntax::Block& block, const syntax::Statement& statement, const text::Source& source,
                 const analysis::Sharing& sharing, std::vector<Remark>& remarks) {
  const std::vector<Whole> wholes = find_wholes(statement, source, sharing);
  const bool block_copies = syntax::find_modifier(block, syntax::ModifierKind::copy) != nullptr;
  for (const Whole& whole : wholes) {
    // Nobody expects of others that they are handed over.
    if (whole.moves_only && (whole.is_place() || block_copies || !whole.is_handed_over())) continue;
    const bool other_is_shared = std::any_of(wholes.begin(), wholes.end(), [&](const Whole& other) {
      return other.is_place() != whole.is_place() && other.is_shared();
    });
    remarks.push_back(remark_of(whole, block_copies, other_is_shared));
  }
}

}  // namespace kanor::report
