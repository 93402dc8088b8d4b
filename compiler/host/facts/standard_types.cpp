// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/standard_types.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>

namespace kanor::host {
namespace {

using sema::Hindrance;

constexpr unsigned all = ~0u;
constexpr std::array standard_templates{
    StandardRow{"vector", Hindrance::none, 1},
    StandardRow{"basic_string", Hindrance::none, 1},
    StandardRow{"array", Hindrance::none, 1},
    StandardRow{"deque", Hindrance::none, 1},
    StandardRow{"list", Hindrance::none, 1},
    StandardRow{"forward_list", Hindrance::none, 1},
    StandardRow{"set", Hindrance::none, 1},
    StandardRow{"multiset", Hindrance::none, 1},
    StandardRow{"unordered_set", Hindrance::none, 1},
    StandardRow{"unordered_multiset", Hindrance::none, 1},
    StandardRow{"map", Hindrance::none, 2},
    StandardRow{"multimap", Hindrance::none, 2},
    StandardRow{"unordered_map", Hindrance::none, 2},
    StandardRow{"unordered_multimap", Hindrance::none, 2},
    // The container inside, and a queue's order, are part of the value.
    StandardRow{"stack", Hindrance::none, all},
    StandardRow{"queue", Hindrance::none, all},
    StandardRow{"priority_queue", Hindrance::none, all},
    StandardRow{"valarray", Hindrance::none, 1},
    StandardRow{"pair", Hindrance::none, all},
    StandardRow{"tuple", Hindrance::none, all},
    StandardRow{"optional", Hindrance::none, all},
    StandardRow{"variant", Hindrance::none, all},
    StandardRow{"complex", Hindrance::none, all},
    StandardRow{"basic_string_view", Hindrance::view, 0},
    StandardRow{"span", Hindrance::view, 0},
    StandardRow{"mdspan", Hindrance::view, 0},
    StandardRow{"initializer_list", Hindrance::view, 0},
    StandardRow{"reference_wrapper", Hindrance::reference, 0},
    StandardRow{"shared_ptr", Hindrance::smart_pointer, 0},
    StandardRow{"weak_ptr", Hindrance::smart_pointer, 0},
    StandardRow{"unique_ptr", Hindrance::smart_pointer, 0},
};

/// Classes and templates whose objects are numbers. One that is not listed may hold something that is only
/// valid on one rank, such as a thread's id.
constexpr std::array plain_classes{
    // The bases of bitset in libstdc++ and libc++ are classes of their own.
    "bitset", "_Base_bitset", "__bitset", "slice", "fpos", "strong_ordering", "weak_ordering",
    "partial_ordering", "file_status", "space_info",
    // Random numbers: engines, then distributions.
    "linear_congruential_engine", "mersenne_twister_engine", "subtract_with_carry_engine",
    "discard_block_engine", "independent_bits_engine", "shuffle_order_engine", "uniform_int_distribution",
    "uniform_real_distribution", "bernoulli_distribution", "binomial_distribution", "geometric_distribution",
    "negative_binomial_distribution", "poisson_distribution", "exponential_distribution",
    "gamma_distribution", "weibull_distribution", "extreme_value_distribution", "normal_distribution",
    "lognormal_distribution", "chi_squared_distribution", "cauchy_distribution", "fisher_f_distribution",
    "student_t_distribution"};

bool is_listed(const clang::CXXRecordDecl* record) {
  return record->getIdentifier() != nullptr &&
         std::find(plain_classes.begin(), plain_classes.end(), record->getName()) != plain_classes.end();
}

const clang::NamespaceDecl* own_namespace(const clang::CXXRecordDecl* record) {
  return llvm::dyn_cast<clang::NamespaceDecl>(record->getEnclosingNamespaceContext());
}

}  // namespace

bool is_standard(const clang::Decl* declaration) {
  for (const auto* context = declaration->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (context->isStdNamespace()) return true;
  return false;
}

const StandardRow* standard_row(const clang::CXXRecordDecl* record) {
  if (record->getIdentifier() == nullptr) return nullptr;
  const std::string_view name(record->getName().data(), record->getName().size());
  const auto* row = std::find_if(standard_templates.begin(), standard_templates.end(),
                                 [name](const StandardRow& one) { return one.name == name; });
  return row == standard_templates.end() ? nullptr : row;
}

bool is_plain_standard_class(const clang::CXXRecordDecl* record) {
  const auto* space = own_namespace(record);
  const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDeclContext());
  return record->isEmpty() || is_listed(record) || (owner != nullptr && is_listed(owner)) ||
         (space != nullptr && space->getName() == "chrono");
}

bool is_iterator(const clang::CXXRecordDecl* record) {
  if (record->getIdentifier() == nullptr) return false;
  const bool in_library = is_standard(record) || record->getName() == "__normal_iterator";
  return in_library && record->getName().ends_with("iterator");
}

bool makes_its_elements(const clang::CXXRecordDecl* record) {
  if (record->getIdentifier() == nullptr) return false;
  const auto name = record->getName();
  return name == "iota_view" || name == "single_view" || name == "empty_view" || name == "repeat_view";
}

bool is_synchronisation_object(const clang::CXXRecordDecl* record) {
  const auto* alias = record->getTypedefNameForAnonDecl();
  const llvm::StringRef name = alias != nullptr                     ? alias->getName()
                               : record->getIdentifier() != nullptr ? record->getName()
                                                                    : llvm::StringRef();
  const bool is_global = record->getDeclContext()->getRedeclContext()->isTranslationUnit();
  return is_global && (name == "sem_t" || (name.starts_with("pthread_") && name.ends_with("_t")));
}

std::vector<clang::QualType> type_arguments(const clang::CXXRecordDecl* record) {
  std::vector<clang::QualType> types;
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (specialization == nullptr) return types;
  const auto add = [&](const clang::TemplateArgument& argument) {
    if (argument.getKind() == clang::TemplateArgument::Type) types.push_back(argument.getAsType());
  };
  for (const auto& argument : specialization->getTemplateArgs().asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Pack)
      for (const auto& element : argument.pack_elements()) add(element);
    else
      add(argument);
  }
  return types;
}

std::vector<clang::QualType> value_arguments(const clang::CXXRecordDecl* record, const StandardRow& row) {
  auto arguments = type_arguments(record);
  if (arguments.size() > row.value_arguments) arguments.resize(row.value_arguments);
  return arguments;
}

std::vector<clang::QualType> policy_arguments(const clang::CXXRecordDecl* record, const StandardRow& row) {
  const auto arguments = type_arguments(record);
  if (arguments.size() <= row.value_arguments) return {};
  return {arguments.begin() + row.value_arguments, arguments.end()};
}

}  // namespace kanor::host
