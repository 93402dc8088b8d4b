// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/assignment.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "sema/statement_errors.hpp"
#include "sema/wording.hpp"

namespace kanor::sema {
namespace {

using text::Kind;

class AssignmentChecker : StatementErrors {
 public:
  AssignmentChecker(const text::Source& source, const syntax::Statement& statement,
                    const StatementFacts& facts, text::Diagnostics& diagnostics)
      : StatementErrors(source, diagnostics, facts.instantiation), statement_(statement), facts_(facts) {}

  void check() {
    const bool place_holds = place();
    if (facts_.travel.verdict == Travel::cannot) {
      error(Kind::type_cannot_travel, statement_.value.span,
            (facts_.value.section ? "elements of type '" : "a value of type '") + brief(facts_.value.type) +
                "' cannot travel: " + why_not(facts_.travel),
            is_text_for_string()
                ? "send a string: 'std::string(" + std::string(source_.text(statement_.value.span)) + ")'"
                : way_out(facts_.travel));
      return;
    }
    if (place_holds) fit();
    fold();
  }

 private:
  bool place() {
    const Span span = statement_.place.span;
    switch (facts_.place_kind) {
      case PlaceKind::modifiable:
      case PlaceKind::proxy:
        return true;
      case PlaceKind::constant:
        error(Kind::place_not_modifiable, span,
              quoted(span) + (facts_.place.section ? " has const elements, so nothing can be assigned to them"
                                                   : " is const, so nothing can be assigned to it"),
              is_one_of_names(span) ? quoted(span) + " is a generator's name here; for a filter, write '(" +
                                          std::string(source_.text(span)) + ")'"
                                    : "");
        break;
      case PlaceKind::bit_field:
        error(Kind::place_not_modifiable, span, quoted(span) + " is a bit-field, which cannot be a place",
              "communicate a variable, and assign it to the bit-field after the block");
        break;
      case PlaceKind::temporary:
        error(Kind::place_not_modifiable, span,
              quoted(span) +
                  (facts_.place.section ? " are elements of a temporary value"
                                        : " is a temporary value of type '" + facts_.place.type + "'") +
                  ", not a place");
        break;
      case PlaceKind::function:
        error(Kind::place_not_modifiable, span, quoted(span) + " is a function, not a place");
        break;
    }
    return false;
  }

  /// Returns true for a name of a generator with several names: the first may have been meant as a filter.
  bool is_one_of_names(Span span) const {
    return std::any_of(
        statement_.clauses.begin(), statement_.clauses.end(), [&](const syntax::Clause& clause) {
          const auto* generator = std::get_if<syntax::Generator>(&clause);
          return generator != nullptr && generator->names.size() > 1 &&
                 std::any_of(generator->names.begin(), generator->names.end(),
                             [&](const syntax::Name& name) { return name.text == source_.text(span); });
        });
  }

  /// Returns true for vectors of two number types: C++ assigns their elements, but not the vectors.
  bool converts_as_section() const {
    const auto is_vector_of_numbers = [](const std::string& type) {
      static const std::set<std::string> vectors{
          "std::vector<short>",     "std::vector<int>",          "std::vector<long>",
          "std::vector<long long>", "std::vector<unsigned int>", "std::vector<unsigned long>",
          "std::vector<float>",     "std::vector<double>",       "std::vector<long double>"};
      return vectors.contains(type);
    };
    const std::string_view value = source_.text(statement_.value.span);
    const bool is_name = std::all_of(value.begin(), value.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    return is_name && !facts_.place.section && !facts_.value.section &&
           is_vector_of_numbers(facts_.place.type) && is_vector_of_numbers(facts_.value.type);
  }

  bool has_sections() const { return facts_.place.section || facts_.value.section; }

  /// Returns true for text that a rank has somewhere else, and that C++ would assign to the string.
  bool is_text_for_string() const {
    const std::string& type = facts_.value.type;
    return !has_sections() && facts_.place.type == "std::string" &&
           (type == "const char *" || type == "char *" || type == "std::string_view");
  }

  bool is_string_for_characters() const {
    const std::string& type = facts_.place.type;
    return !has_sections() && facts_.value.type == "std::string" &&
           (type.starts_with("char[") || type.starts_with("std::array<char,"));
  }

  std::string sections_of_string() const {
    const auto section = [&](Span span) { return "'" + std::string(source_.text(span)) + "[0 : n]'"; };
    return "send as many characters as fit, " + section(statement_.value.span) + " to " +
           section(statement_.place.span) + ", or receive them in a 'std::string'";
  }

  static bool is_vector_of(const OperandFacts& container, const OperandFacts& element) {
    return container.type == "std::vector<" + element.type + ">";
  }

  void fit() {
    if (facts_.fit == Fit::lengths_differ)
      error(Kind::lengths_differ, statement_.place.span,
            quoted(statement_.place.span) + " has " + std::to_string(facts_.place.length) + " elements, " +
                quoted(statement_.value.span) + " has " + std::to_string(facts_.value.length));
    else if (facts_.fit == Fit::no_assignment)
      error(Kind::place_not_assignable, statement_.place.span,
            (facts_.value.section ? "a section of '" : "a value of type '") + facts_.value.type +
                "' cannot be assigned to " + quoted(statement_.place.span) +
                (facts_.place.section ? ", a section of '" : " of type '") + facts_.place.type + "'",
            facts_.place.type == "(lambda)" ? "lambdas cannot be assigned: send the values that it captures"
            : is_string_for_characters()    ? sections_of_string()
            : converts_as_section()         ? "a section converts the elements: '" +
                                          std::string(source_.text(statement_.value.span)) + "[:]'"
            : facts_.place.section.has_value() != facts_.value.section.has_value()
                ? "the other side of a section must be a section, an array or a vector"
            : is_vector_of(facts_.value, facts_.place)
                ? "send an element: '" + std::string(source_.text(statement_.value.span)) + "[0]'"
            : is_vector_of(facts_.place, facts_.value)
                ? "receive into an element: '" + std::string(source_.text(statement_.place.span)) + "[0]'"
                : why_not(facts_.obstacle));
  }

  void fold() {
    const Span span = statement_.callable.span;
    if (facts_.folding.fold == Fold::names_a_type)
      error(Kind::operator_not_callable, span, quoted(span) + " is a type, not a value that can be called",
            "write " + quoted(span).substr(0, quoted(span).size() - 1) + "{}'");
    else if (facts_.folding.fold == Fold::none)
      error(Kind::operator_not_callable, span,
            quoted(span) + " cannot combine two values of type '" +
                (facts_.folding.culprit.empty() ? facts_.value.type : facts_.folding.culprit) +
                "' into one of that type",
            statement_.op == syntax::Operator::callable
                ? ""
                : "fold with a function of two such values: '<< function <<'");
    else if (facts_.folding.fold == Fold::elementwise && facts_.value_is_string_literal)
      error(Kind::folds_characters, statement_.value.span,
            "a string literal is an array, whose characters are combined one by one",
            "to combine strings, write 'std::string(" + std::string(source_.text(statement_.value.span)) +
                ")'");
  }

  const syntax::Statement& statement_;
  const StatementFacts& facts_;
};

}  // namespace

void check_assignment(const text::Source& source, const syntax::Statement& statement,
                      const StatementFacts& facts, text::Diagnostics& diagnostics) {
  AssignmentChecker(source, statement, facts, diagnostics).check();
}

}  // namespace kanor::sema
