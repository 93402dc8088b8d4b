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

/// Judges all dimensions of a base that has a shape.
SectionElements judge_shape(const clang::Expr* base, const Shape& shape, const syntax::Operand& operand,
                            const std::map<int, clang::Expr*>& parts, const clang::Sema& sema,
                            sema::SectionFacts& facts) {
  facts.count = 1;
  for (int at = 0; at < shape.rank; ++at) {
    DimensionFacts& dimension = facts.dimensions.emplace_back();
    dimension.row = RowKind::shape;
    dimension.row_type = spelled(base->getType(), sema);
    dimension.first = part_facts(parts, 3 * at, sema);
    dimension.count = part_facts(parts, 3 * at + 1, sema);
    dimension.stride = part_facts(parts, 3 * at + 2, sema);
    const std::size_t written = operand.dimensions.size();
    const bool whole =
        static_cast<std::size_t>(at) >= written || operand.dimensions[static_cast<std::size_t>(at)].whole;
    const auto count = count_of(dimension, whole);
    facts.count = facts.count && count ? std::optional(*facts.count * *count) : std::nullopt;
  }
  facts.element_type = spelled(shape.element, sema);
  return {shape.element, shape.owns && !base->isLValue()};
}

}  // namespace

bool has_sections(clang::QualType type, const clang::ASTContext& context) {
  DimensionFacts facts;
  return !judge_row(type, context, facts).isNull();
}

std::optional<SectionElements> judge_section(const clang::Expr* base, const syntax::Operand& operand,
                                             const std::map<int, clang::Expr*>& parts, clang::Sema& sema,
                                             sema::SectionFacts& facts) {
  DimensionFacts first;
  const bool is_known =
      !judge_row(base->getType(), sema.Context, first).isNull() && first.row != RowKind::shape;
  const auto shape = is_known ? std::nullopt : shape_of(base->getType(), sema);
  if (shape) {
    const SectionElements elements = judge_shape(base, *shape, operand, parts, sema, facts);
    if (shape->rank != static_cast<int>(operand.dimensions.size())) return std::nullopt;
    return elements;
  }
  SectionElements elements{base->getType(), false};
  facts.count = 1;
  for (std::size_t at = 0; at < operand.dimensions.size(); ++at) {
    DimensionFacts& dimension = facts.dimensions.emplace_back();
    dimension.row_type = spelled(elements.type, sema);
    elements.type = judge_row(elements.type, sema.Context, dimension);
    const int index = static_cast<int>(at) * 3;
    dimension.first = part_facts(parts, index, sema);
    dimension.count = part_facts(parts, index + 1, sema);
    dimension.stride = part_facts(parts, index + 2, sema);
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
