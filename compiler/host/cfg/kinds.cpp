// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/kinds.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>

#include "host/facts/annotation.hpp"

namespace kanor::host {
namespace {

const clang::CXXRecordDecl* record(clang::QualType type) {
  return type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
}

llvm::StringRef name_of(const clang::NamedDecl* declaration) {
  return declaration->getIdentifier() == nullptr ? llvm::StringRef() : declaration->getName();
}

const llvm::StringSet<>& containers() {
  static const llvm::StringSet<> names{"vector",
                                       "basic_string",
                                       "deque",
                                       "list",
                                       "forward_list",
                                       "map",
                                       "multimap",
                                       "set",
                                       "multiset",
                                       "unordered_map",
                                       "unordered_multimap",
                                       "unordered_set",
                                       "unordered_multiset",
                                       "span",
                                       "basic_string_view",
                                       "queue",
                                       "stack",
                                       "priority_queue",
                                       "valarray",
                                       "initializer_list"};
  return names;
}

/// Functions of C whose result depends on their arguments alone.
const llvm::StringSet<>& pure_c_functions() {
  static const llvm::StringSet<> names{
      // <stdlib.h>
      "atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul", "strtoull", "strtod", "strtof",
      "strtold", "abs", "labs", "llabs", "div", "ldiv", "lldiv", "malloc", "calloc", "realloc", "free",
      "aligned_alloc", "posix_memalign", "qsort", "bsearch", "exit", "_Exit", "quick_exit", "abort", "atexit",
      // <string.h>, <ctype.h>
      "strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr",
      "strcpy", "strncpy", "strcat", "strncat", "strspn", "strcspn", "strpbrk", "strdup", "memcpy", "memmove",
      "memset", "memcmp", "memchr", "strtok", "strtok_r", "strsep", "isalnum", "isalpha", "isblank",
      "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit",
      "tolower", "toupper",
      // <stdio.h>: what is written depends on the arguments, and so does the result
      "printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "fputc", "putc", "fflush",
      "sprintf", "snprintf", "vsprintf", "vsnprintf", "sscanf", "perror", "fclose", "setvbuf", "setbuf",
      // <getopt.h>: from argv
      "getopt", "getopt_long", "getopt_long_only",
      // what only waits
      "sleep", "usleep", "nanosleep", "sched_yield",
      // <math.h>, with the endings of float and long double taken off
      "acos", "asin", "atan", "atan2", "cos", "sin", "tan", "acosh", "asinh", "atanh", "cosh", "sinh", "tanh",
      "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "logb", "ilogb", "frexp", "ldexp", "modf",
      "scalbn", "scalbln", "cbrt", "fabs", "hypot", "pow", "sqrt", "erf", "erfc", "lgamma", "tgamma", "ceil",
      "floor", "nearbyint", "rint", "lrint", "llrint", "round", "lround", "llround", "trunc", "fmod",
      "remainder", "remquo", "copysign", "nan", "nextafter", "nexttoward", "fdim", "fmax", "fmin", "fma"};
  return names;
}

bool is_pure_c(llvm::StringRef name) {
  if (pure_c_functions().contains(name) || name.starts_with("__builtin_")) return true;
  return (name.ends_with("f") || name.ends_with("l")) && pure_c_functions().contains(name.drop_back());
}

/// What the standard library takes from outside of the program: input, time, threads, random bits, the
/// system; and what calls functions that are not seen.
bool reaches_outside(const clang::CXXRecordDecl* record) {
  static const llvm::StringSet<> names{"basic_istream",
                                       "basic_ifstream",
                                       "basic_fstream",
                                       "basic_iostream",
                                       "basic_filebuf",
                                       "random_device",
                                       "thread",
                                       "jthread",
                                       "atomic",
                                       "atomic_ref",
                                       "future",
                                       "shared_future",
                                       "promise",
                                       "packaged_task",
                                       "condition_variable",
                                       "function",
                                       "move_only_function",
                                       "any",
                                       "_Bind",
                                       "_Bind_front",
                                       "_Bind_result",
                                       "__bind",
                                       "system_clock",
                                       "steady_clock",
                                       "high_resolution_clock",
                                       "utc_clock",
                                       "file_clock",
                                       "type_info",
                                       "exception",
                                       "locale",
                                       "basic_regex_traits"};
  return record != nullptr && names.contains(name_of(record));
}

bool reaches_outside(const clang::FunctionDecl* function) {
  static const llvm::StringSet<> names{
      "hash_value",           "async",  "current_exception",   "tmpfile",  "get_id",
      "hardware_concurrency", "getenv", "uncaught_exceptions", "call_once"};
  if (names.contains(name_of(function))) return true;
  for (const clang::DeclContext* context = function->getDeclContext(); context != nullptr;
       context = context->getParent()) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context))
      if (name_of(space) == "filesystem" || name_of(space) == "this_thread") return true;
    if (reaches_outside(llvm::dyn_cast<clang::CXXRecordDecl>(context))) return true;
  }
  return false;
}

bool is_observer(llvm::StringRef name) {
  static const llvm::StringSet<> names{
      "at",          "front",       "back",        "data",  "begin",   "end",           "rbegin", "rend",
      "cbegin",      "cend",        "crbegin",     "crend", "find",    "top",           "get",    "value",
      "lower_bound", "upper_bound", "equal_range", "c_str", "reserve", "shrink_to_fit", "str",    "view"};
  return names.contains(name);
}

}  // namespace

bool is_transparent(const clang::FunctionDecl* function) {
  static const llvm::StringSet<> names{"move", "forward", "as_const", "addressof", "ref",
                                       "cref", "get",     "launder",  "to_address"};
  return !llvm::isa<clang::CXXMethodDecl>(function) && function->getNumParams() == 1 &&
         names.contains(name_of(function)) && known(function) != Known::unknown;
}

bool is_in(const clang::Decl* declaration, llvm::StringRef top_namespace) {
  const clang::NamespaceDecl* outer = nullptr;
  for (const clang::DeclContext* context = declaration->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) outer = space;
  return outer != nullptr && name_of(outer) == top_namespace;
}

bool is_team(clang::QualType type) {
  if (type.isNull()) return false;
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* of = record(type);
  return of != nullptr && name_of(of) == "team" && is_in(of, "kanor");
}

bool is_grid(clang::QualType type) {
  const auto* of = type.isNull() ? nullptr : record(type.getNonReferenceType());
  return of != nullptr && name_of(of) == "grid" && is_in(of, "kanor");
}

bool has_length(clang::QualType type) {
  const auto* of = record(type);
  if (of == nullptr) return false;
  if (is_in(of, "kanor")) return name_of(of) == "buffer";
  return is_in(of, "std") && containers().contains(name_of(of));
}

bool is_array_class(clang::QualType type) {
  const auto* of = record(type);
  return of != nullptr && is_in(of, "std") && name_of(of) == "array";
}

bool is_handle(clang::QualType type) {
  if (type.isNull()) return false;
  if (type->isReferenceType() || type->isPointerType()) return true;
  const auto* of = record(type);
  if (of == nullptr || (!is_in(of, "std") && !is_in(of, "__gnu_cxx"))) return false;
  const auto name = name_of(of);
  return name.contains("iterator") || name == "span" || name == "reference_wrapper" || name == "shared_ptr" ||
         name == "unique_ptr" || name == "basic_string_view";
}

bool is_followed(const clang::Expr* handle) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(handle->IgnoreParenImpCasts());
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return variable != nullptr && is_handle(variable->getType()) && !variable->getType()->isReferenceType();
}

const clang::CXXRecordDecl* user_class(clang::QualType type, const clang::SourceManager& sources) {
  const auto* of = record(type);
  if (of == nullptr || of->isLambda()) return nullptr;
  of = of->getDefinition();
  return of == nullptr || sources.isInSystemHeader(of->getLocation()) ? nullptr : of;
}

bool is_annotated_uniform(const clang::Decl* declaration) {
  const auto all = declaration->redecls();
  return std::any_of(all.begin(), all.end(),
                     [](const clang::Decl* one) { return is_annotated(one, "kanor::uniform"); });
}

bool is_asserted(const clang::Expr* object) {
  object = object->IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object))
    return is_annotated_uniform(name->getDecl());
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(object);
  return member != nullptr &&
         (is_annotated_uniform(member->getMemberDecl()) || is_asserted(member->getBase()));
}

Known known(const clang::FunctionDecl* function) {
  const auto name = name_of(function);
  const bool in_kanor = is_in(function, "kanor");
  if (!in_kanor && !is_in(function, "std") && !is_in(function, "__gnu_cxx")) {
    // The C library declares some for C++ alone: strchr() of a string that may be written.
    const bool is_c =
        function->isExternC() || function->getBuiltinID() != 0 ||
        (function->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation()));
    return is_c && is_pure_c(name) ? Known::pure : Known::unknown;
  }
  if (function->isExternC() && !is_pure_c(name)) return Known::unknown;
  if (reaches_outside(function)) return Known::unknown;
  if (llvm::isa<clang::CXXMethodDecl>(function) || name == "begin" || name == "end" || name == "size" ||
      name == "ssize" || name == "data" || name == "empty") {
    if (name == "size" || name == "ssize" || name == "length" || name == "empty" || name == "max_size" ||
        name == "capacity")
      return Known::length;
    const auto op = function->getOverloadedOperator();
    if (is_observer(name) || op == clang::OO_Subscript || op == clang::OO_Star || op == clang::OO_Arrow)
      return Known::observer;
  }
  return Known::pure;
}

bool orders_by_address(const clang::FunctionDecl* function, clang::QualType of) {
  static const llvm::StringSet<> ordered{"set",           "multiset",          "map",
                                         "multimap",      "unordered_set",     "unordered_multiset",
                                         "unordered_map", "unordered_multimap"};
  static const llvm::StringSet<> sorters{"sort",        "stable_sort", "partial_sort",   "nth_element",
                                         "min_element", "max_element", "minmax_element", "is_sorted"};
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record(of));
  if (made == nullptr || (!is_in(made, "std") && !is_in(made, "__gnu_cxx"))) return false;
  const auto& first = made->getTemplateArgs()[0];
  if (first.getKind() != clang::TemplateArgument::Type || !first.getAsType()->isPointerType()) return false;
  const auto name = name_of(function);
  const auto whose = name_of(made);
  if (whose == "hash") return true;
  if (ordered.contains(whose)) {
    if (!name.contains("begin") && !name.contains("bound")) return false;
    if (whose.starts_with("unordered")) return true;
    // With an order of its own a set takes another one than that of the addresses.
    const auto& order = made->getTemplateArgs()[whose.ends_with("map") ? 2 : 1];
    const auto* compares =
        order.getKind() == clang::TemplateArgument::Type ? record(order.getAsType()) : nullptr;
    return compares != nullptr && name_of(compares) == "less";
  }
  return whose.contains("iterator") && first.getAsType()->getPointeeType()->isPointerType() &&
         sorters.contains(name) &&
         function->getNumParams() <= (name == "partial_sort" || name == "nth_element" ? 3u : 2u);
}

Resize resizes(const clang::FunctionDecl* member) {
  const auto name = name_of(member);
  const auto op = member->getOverloadedOperator();
  if (name == "push_back" || name == "emplace_back" || name == "push_front" || name == "emplace_front" ||
      name == "pop_back" || name == "pop_front" || name == "push" || name == "pop" || name == "emplace_after")
    return Resize::one_element;
  if (name == "resize" || name == "clear") return Resize::to_argument;
  if (name == "assign" || name == "insert" || name == "erase" || name == "emplace" || name == "append" ||
      name == "swap" || name == "merge" || name == "splice" || name == "extract" || name == "remove" ||
      name == "remove_if" || name == "unique" || name == "try_emplace" || name == "insert_or_assign" ||
      name == "replace" || op == clang::OO_PlusEqual || op == clang::OO_Equal)
    return Resize::by_content;
  return Resize::no;
}

bool is_known_variable(const clang::VarDecl* variable) {
  const auto name = name_of(variable);
  if (name == "optind" || name == "optarg" || name == "opterr" || name == "optopt") return true;
  if (name == "stdout" || name == "stderr" || name == "cout" || name == "cerr" || name == "clog") return true;
  const auto type = variable->getType();
  return variable->isConstexpr() || type.getNonReferenceType().isConstQualified();
}

}  // namespace kanor::host
