#include "report/sharing.hpp"

#include <algorithm>

#include "analysis/wording.hpp"

namespace kanor::report {
namespace {

using flow::Mention;

Remark::Part words(std::string text) { return {"String", std::move(text)}; }

Remark remark_of(const analysis::Verdict& verdict, const std::string& variable, const Mention& mention) {
  Remark remark{Remark::Kind::passed, "Sharing", mention.at.span, {words("'"), {"Variable", variable}}};
  const bool gives = std::any_of(verdict.handovers.begin(), verdict.handovers.end(),
                                 [&](const auto& handover) { return handover.at == mention.at; });
  if (!verdict.is_globalised) {
    remark.kind = Remark::Kind::missed;
    remark.parts.push_back(words("' is copied: "));
    for (const auto& reason : verdict.reasons) {
      if (&reason != &verdict.reasons.front()) remark.parts.push_back(words("; "));
      remark.parts.push_back({"Reason", analysis::why(reason)});
    }
  } else if (mention.what == Mention::What::place) {
    remark.parts.push_back(words("' takes over the memory that it receives from a rank that shares it"));
  } else if (gives) {
    remark.parts.push_back(words("' hands its memory over to a rank that shares it: nothing is copied"));
  } else {
    remark.parts.push_back(
        words("' shares its memory with ranks that can: who writes it while others need it copies first"));
  }
  return remark;
}

}  // namespace

void add_sharing(const plan::StatementPlan& statement, const text::Source& source,
                 const analysis::Sharing& sharing, std::vector<Remark>& remarks) {
  const auto& syntax = *statement.statement->syntax;
  for (const analysis::Verdict& verdict : sharing.verdicts.all) {
    const auto& candidate = sharing.graph.functions[static_cast<std::size_t>(verdict.function)]
                                .candidates[static_cast<std::size_t>(verdict.candidate)];
    for (const Mention& mention : candidate.mentions) {
      const auto& operand = mention.what == Mention::What::place ? syntax.place : syntax.value;
      if (mention.what == Mention::What::plain || mention.at.source != &source ||
          !operand.span.contains(mention.at.span))
        continue;
      const bool is_said = std::any_of(remarks.begin(), remarks.end(), [&](const Remark& remark) {
        return remark.name == "Sharing" && remark.span == mention.at.span;
      });
      if (!is_said)
        remarks.push_back(remark_of(
            verdict, sharing.graph.variables[static_cast<std::size_t>(candidate.variable)].name, mention));
    }
  }
}

}  // namespace kanor::report
