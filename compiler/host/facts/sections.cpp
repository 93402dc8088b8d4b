// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/sections.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>

#include <string>

#include "host/facts/shapes.hpp"
#include "host/facts/travel.hpp"
#include "host/facts/uniform_values.hpp"

namespace kanor::host {
namespace {

using sema::DimensionFacts;
using sema::RowKind;
using sema::SectionPartFacts;

std::optional<SectionPartFacts> part_facts(const std::map<int, clang::Expr*>& parts, int index,
                                           const clang::Sema& sema) {
  const auto found = parts.find(index);
  if (found == parts.end()) return std::nullopt;
  const clang::QualType type = found->second->getType();
  return SectionPartFacts{spelled(type, sema), type->isIntegralOrUnscopedEnumerationType(),
                          constant_value(found->second, sema.Context)};
}

/// The second template argument of a std::array.
std::optional<std::uint64_t> length_argument(clang::QualType type) {
  const auto* specialization =
      llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  const auto& arguments = specialization->getTemplateArgs();
  if (arguments.size() != 2 || arguments[1].getKind() != clang::TemplateArgument::Integral)
    return std::nullopt;
  return arguments[1].getAsIntegral().getZExtValue();
}

/// Notes the kind of row that the type is, and returns its element's type; null if it has no sections.
clang::QualType judge_row(clang::QualType type, const clang::ASTContext& context, DimensionFacts& facts) {
  if (const auto* array = context.getAsArrayType(type)) {
    const auto* fixed = llvm::dyn_cast<clang::ConstantArrayType>(array);
    if (fixed == nullptr) return {};
    facts.row = RowKind::fixed;
    facts.length = fixed->getSize().getZExtValue();
    return array->getElementType();
  }
  if (type->isPointerType()) {
    const clang::QualType element = type->getPointeeType();
    if (element->isVoidType() || element->isFunctionType()) return {};
    facts.row = RowKind::pointer;
    return element;
  }
  if (const clang::QualType element = element_of_row_shape(type); !element.isNull()) {
    facts.row = RowKind::shape;
    return element;
  }
  const std::string name = standard_template(type);
  clang::QualType element = first_type_argument(type);
  if (element.isNull()) return {};
  if (name == "span") {
    facts.row = RowKind::span;
    return element;
  }
  if (name == "array") {
    facts.row = RowKind::fixed;
    facts.length = length_argument(type);
  } else if (name == "vector" || name == "basic_string" || is_buffer(type)) {
    facts.row = RowKind::vector;
  } else {
    return {};
  }
  if (type.isConstQualified()) element.addConst();
  return element;
}

/// The number of elements that a dimension takes of a row, if known.
std::optional<std::uint64_t> count_of(const DimensionFacts& facts, bool whole) {
  if (whole) return facts.length;
  if (!facts.count || !facts.count->constant || *facts.count->constant < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*facts.count->constant);
}

/// Adds what is written in dimension number `at`, from 0 on.
void add_parts(const SectionPieces& pieces, const syntax::Operand& operand, std::size_t at,
               const clang::Sema& sema, DimensionFacts& facts) {
  if (at >= operand.dimensions.size()) return;
  const int first = static_cast<int>(at * syntax::parts_of_dimension);
  if (operand.dimensions[at].indices) {
    const auto found = pieces.parts.find(first);
    if (found != pieces.parts.end()) {
      const clang::QualType type = found->second->getType();
      facts.indices_type = spelled(type, sema);
      facts.is_one_index = type->isIntegralOrUnscopedEnumerationType();
    }
    facts.indices = pieces.indices == nullptr ? sema::RangeFacts() : range_facts(pieces.indices, sema);
    return;
  }
  facts.first = part_facts(pieces.parts, first, sema);
  facts.count = part_facts(pieces.parts, first + 1, sema);
  facts.stride = part_facts(pieces.parts, first + 2, sema);
}

/// Judges all dimensions of a base that has a shape.
SectionElements judge_shape(const SectionPieces& pieces, const Shape& shape, const syntax::Operand& operand,
                            const clang::Sema& sema, sema::SectionFacts& facts) {
  facts.count = 1;
  for (std::size_t at = 0; at < static_cast<std::size_t>(shape.rank); ++at) {
    DimensionFacts& dimension = facts.dimensions.emplace_back();
    dimension.row = RowKind::shape;
    dimension.row_type = spelled(pieces.base->getType(), sema);
    add_parts(pieces, operand, at, sema, dimension);
    const bool whole = at >= operand.dimensions.size() || operand.dimensions[at].whole;
    const auto count = count_of(dimension, whole);
    facts.count = facts.count && count ? std::optional(*facts.count * *count) : std::nullopt;
  }
  facts.element_type = spelled(shape.element, sema);
  return {shape.element, shape.owns && !pieces.base->isLValue()};
}

}  // namespace

bool has_sections(clang::QualType type, const clang::ASTContext& context) {
  DimensionFacts facts;
  return !judge_row(type, context, facts).isNull();
}

sema::RangeFacts range_facts(const clang::CallExpr* call, const clang::Sema& sema) {
  const auto* elements =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(call->getType()->getAsCXXRecordDecl());
  if (elements == nullptr || elements->getTemplateArgs().size() == 0) return {};
  const clang::QualType element = elements->getTemplateArgs()[0].getAsType();
  const auto* record = element->getAsCXXRecordDecl();
  if (record != nullptr && record->getQualifiedNameAsString() == "kanor_shadow::kanor_no_range")
    return {false, "", false};
  return {true, spelled(element, sema), element->isIntegralOrUnscopedEnumerationType()};
}

std::optional<SectionElements> judge_section(const SectionPieces& pieces, const syntax::Operand& operand,
                                             clang::Sema& sema, sema::SectionFacts& facts) {
  const clang::Expr* const base = pieces.base;
  DimensionFacts first;
  const bool is_known =
      !judge_row(base->getType(), sema.Context, first).isNull() && first.row != RowKind::shape;
  const auto shape = is_known ? std::nullopt : shape_of(base->getType(), sema);
  if (shape) {
    const SectionElements elements = judge_shape(pieces, *shape, operand, sema, facts);
    if (shape->rank != static_cast<int>(operand.dimensions.size())) return std::nullopt;
    return elements;
  }
  SectionElements elements{base->getType(), false};
  facts.count = 1;
  for (std::size_t at = 0; at < operand.dimensions.size(); ++at) {
    DimensionFacts& dimension = facts.dimensions.emplace_back();
    dimension.row_type = spelled(elements.type, sema);
    elements.type = judge_row(elements.type, sema.Context, dimension);
    add_parts(pieces, operand, at, sema, dimension);
    if (elements.type.isNull()) return std::nullopt;
    const auto count = count_of(dimension, operand.dimensions[at].whole);
    facts.count = facts.count && count ? std::optional(*facts.count * *count) : std::nullopt;
    const bool owns = dimension.row == RowKind::fixed || dimension.row == RowKind::vector;
    if (at == 0) elements.are_temporary = owns && !base->isLValue();
    if (!owns) elements.are_temporary = false;
  }
  facts.element_type = spelled(elements.type, sema);
  return elements;
}

}  // namespace kanor::host
