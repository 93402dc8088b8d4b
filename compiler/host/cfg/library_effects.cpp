// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/library_effects.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <array>

#include "host/facts/travel.hpp"

namespace kanor::host {
namespace {

/// A function with so many parameters, a letter for each:
///
///     r  points to elements, which are read         w  points to elements, which are written
///     v  a value, which is copied or compared       x  an object that is changed
///     f  is called with elements                    .  nothing that could refer to an object
///     c  points to characters, which are read
struct Row {
  std::string_view name;
  std::string_view letters;
};

constexpr std::array standard_rows{Row{"accumulate", "rrv"},
                                   Row{"accumulate", "rrvf"},
                                   Row{"all_of", "rrf"},
                                   Row{"any_of", "rrf"},
                                   Row{"binary_search", "rrv"},
                                   Row{"binary_search", "rrvf"},
                                   Row{"copy", "rrw"},
                                   Row{"copy_if", "rrwf"},
                                   Row{"copy_n", "r.w"},
                                   Row{"count", "rrv"},
                                   Row{"count_if", "rrf"},
                                   Row{"equal", "rrr"},
                                   Row{"equal", "rrrr"},
                                   Row{"equal", "rrrf"},
                                   Row{"equal", "rrrrf"},
                                   Row{"exchange", "xv"},
                                   Row{"exclusive_scan", "rrwv"},
                                   Row{"exclusive_scan", "rrwvf"},
                                   Row{"fill", "wwv"},
                                   Row{"fill_n", "w.v"},
                                   Row{"generate", "wwf"},
                                   Row{"generate_n", "w.f"},
                                   Row{"inclusive_scan", "rrw"},
                                   Row{"inclusive_scan", "rrwf"},
                                   Row{"inclusive_scan", "rrwfv"},
                                   Row{"inner_product", "rrrv"},
                                   Row{"inner_product", "rrrvff"},
                                   Row{"iota", "wwv"},
                                   Row{"is_sorted", "rr"},
                                   Row{"is_sorted", "rrf"},
                                   Row{"lexicographical_compare", "rrrr"},
                                   Row{"lexicographical_compare", "rrrrf"},
                                   Row{"none_of", "rrf"},
                                   Row{"nth_element", "www"},
                                   Row{"nth_element", "wwwf"},
                                   Row{"partial_sort", "www"},
                                   Row{"partial_sort", "wwwf"},
                                   Row{"partial_sum", "rrw"},
                                   Row{"partial_sum", "rrwf"},
                                   Row{"reduce", "rr"},
                                   Row{"reduce", "rrv"},
                                   Row{"reduce", "rrvf"},
                                   Row{"replace", "wwvv"},
                                   Row{"reverse", "ww"},
                                   Row{"rotate", "www"},
                                   Row{"sort", "ww"},
                                   Row{"sort", "wwf"},
                                   Row{"stable_sort", "ww"},
                                   Row{"stable_sort", "wwf"},
                                   Row{"swap", "xx"},
                                   Row{"swap_ranges", "www"},
                                   Row{"transform", "rrwf"},
                                   Row{"transform", "rrrwf"},
                                   Row{"transform_reduce", "rrrv"},
                                   Row{"transform_reduce", "rrvff"},
                                   Row{"transform_reduce", "rrrvff"}};

constexpr std::array observers{Row{"empty", "v"}, Row{"size", "v"}, Row{"ssize", "v"}};

constexpr std::array c_rows{Row{"memcmp", "rr."},  Row{"memcpy", "wr."},  Row{"memmove", "wr."},
                            Row{"memset", "w.."},  Row{"prefetch", "r"},  Row{"strlen", "c"},
                            Row{"strcmp", "cc"},   Row{"strncmp", "cc."}, Row{"strcpy", "wc"},
                            Row{"strncpy", "wc."}, Row{"puts", "c"},      Row{"fputs", "c."},
                            Row{"fwrite", "r..."}, Row{"fread", "w..."}};

/// Of a variable number of arguments: those that are pointed to are characters to be printed.
constexpr std::array printing_rows{Row{"printf", "c"}, Row{"fprintf", ".c"}, Row{"snprintf", "w.c"},
                                   Row{"sprintf", "wc"}};

template <std::size_t n>
std::string_view letters_of(const std::array<Row, n>& rows, llvm::StringRef name, std::size_t count) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return llvm::StringRef(row.name.data(), row.name.size()) == name && row.letters.size() == count;
  });
  return found == rows.end() ? std::string_view() : found->letters;
}

bool is_policy(const clang::Expr* argument) {
  const auto* record = argument->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr && is_of_system(record) &&
         record->getName().ends_with("_policy");
}

/// What a pointer or an iterator of the library's leads to; null: not known.
clang::QualType reached_by(clang::QualType type) {
  if (type->isPointerType()) return type->getPointeeType();
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (record == nullptr || !is_of_system(record) || !record->getName().contains("iterator") ||
      record->getTemplateArgs().size() == 0 ||
      record->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return {};
  const clang::QualType first = record->getTemplateArgs()[0].getAsType();
  if (first->isPointerType()) return first->getPointeeType();
  if (!standard_template(first).empty()) return first_type_argument(first);  // std::back_insert_iterator
  if (first->getAsCXXRecordDecl() != nullptr && first->getAsCXXRecordDecl()->getName().contains("iterator"))
    return reached_by(first);
  return first;
}

}  // namespace

bool is_of_system(const clang::Decl* declaration) {
  const auto& sources = declaration->getASTContext().getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(declaration->getCanonicalDecl()->getLocation()));
}

bool is_standard_function(const clang::FunctionDecl* function) {
  return function->getIdentifier() != nullptr && function->isInStdNamespace() && is_of_system(function);
}

bool is_plain_value(clang::QualType type) {
  static const llvm::StringSet<> names{"vector",       "array",        "deque",   "list",
                                       "forward_list", "basic_string", "complex", "optional"};
  if (type.isNull()) return false;
  type = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (type->isArithmeticType() || type->isEnumeralType()) return true;
  return (names.contains(standard_template(type)) || is_buffer(type)) &&
         is_plain_value(first_type_argument(type));
}

bool refers_to_nothing(clang::QualType type) {
  return type->isVoidType() || (!type->isReferenceType() && is_plain_value(type));
}

bool is_plain_functor(const clang::CXXRecordDecl* record) {
  static const llvm::StringSet<> names{
      "plus",        "minus",      "multiplies", "divides",      "modulus",       "negate",      "less",
      "greater",     "less_equal", "equal_to",   "not_equal_to", "greater_equal", "logical_and", "logical_or",
      "logical_not", "bit_and",    "bit_or",     "bit_xor",      "bit_not",       "identity"};
  return record != nullptr && record->getIdentifier() != nullptr && record->isInStdNamespace() &&
         is_of_system(record) && names.contains(record->getName());
}

std::optional<LibraryCall> LibraryCall::of(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr || llvm::isa<clang::CXXMethodDecl>(callee))
    return std::nullopt;
  const llvm::StringRef name = callee->getName();
  if (is_standard_function(callee) && !callee->isExternC()) {
    const unsigned skipped = call->getNumArgs() > 1 && is_policy(call->getArg(0)) ? 1 : 0;
    std::string_view letters = letters_of(standard_rows, name, call->getNumArgs() - skipped);
    if (letters.empty() && skipped == 0) letters = letters_of(observers, name, call->getNumArgs());
    if (letters.empty()) return std::nullopt;
    return LibraryCall(call, letters, skipped);
  }
  if (callee->getBuiltinID() == 0 && (!callee->isExternC() || !is_of_system(callee))) return std::nullopt;
  const llvm::StringRef plain = name.starts_with("__builtin_") ? name.drop_front(10) : name;
  if (callee->isVariadic())
    for (const Row& row : printing_rows)
      if (llvm::StringRef(row.name.data(), row.name.size()) == plain)
        return LibraryCall(call, row.letters, 0);
  const std::string_view letters = letters_of(c_rows, plain, plain == "prefetch" ? 1 : call->getNumArgs());
  if (letters.empty()) return std::nullopt;
  return LibraryCall(call, letters, 0);
}

char LibraryCall::letter(unsigned argument) const {
  if (argument < skipped_) return '.';
  if (argument - skipped_ < letters_.size()) return letters_[argument - skipped_];
  const clang::FunctionDecl* callee = call_->getDirectCallee();
  return callee->isVariadic() && callee->getName().contains("printf") ? 'c' : '.';
}

Effect LibraryCall::on_elements(unsigned argument) const {
  const char which = letter(argument);
  if (which == 'c') {
    const auto* type =
        call_->getArg(argument)->IgnoreParenImpCasts()->getType()->getPointeeOrArrayElementType();
    return type->isAnyCharacterType() ? Effect::reads : Effect::unknown;
  }
  if ((which != 'r' && which != 'w') || !runs_no_function()) return Effect::unknown;
  return which == 'r' ? Effect::reads : Effect::changes;
}

/// Whether to copy and compare what the call is given runs no function of the program's but those that the
/// call gets.
bool LibraryCall::runs_no_function() const {
  const clang::FunctionDecl* callee = call_->getDirectCallee();
  if (!callee->isInStdNamespace()) return true;
  static const llvm::StringSet<> movers{"copy",        "copy_n", "reverse", "rotate",
                                        "swap_ranges", "swap",   "exchange"};
  const bool moves = movers.contains(callee->getName()) || letters_.find('f') != std::string_view::npos;
  clang::QualType first;
  for (unsigned at = skipped_; at < call_->getNumArgs(); ++at) {
    const char which = letter(at);
    if (which == 'f' || which == '.') continue;
    const clang::QualType type = call_->getArg(at)->getType();
    clang::QualType reached = which == 'r' || which == 'w' ? reached_by(type) : type;
    if (reached.isNull()) return false;
    reached = reached.getCanonicalType().getUnqualifiedType();
    if (is_plain_value(reached)) continue;
    if (first.isNull()) first = reached;
    if (!moves || first != reached || reached->isPointerType() ||
        !reached.isTriviallyCopyableType(callee->getASTContext()))
      return false;
  }
  return true;
}

Effect LibraryCall::on_object(unsigned argument, bool is_given) const {
  const char which = letter(argument);
  if ((which != 'v' && which != 'x') || !runs_no_function()) return Effect::unknown;
  return which == 'x' || is_given ? Effect::changes : Effect::reads;
}

}  // namespace kanor::host
