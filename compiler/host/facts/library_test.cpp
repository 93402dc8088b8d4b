// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the libraries (host/library) names what their headers declare.
#include "host/library/library.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/facts/parsed_unit.hpp"
#include "host/facts/test_front_end.hpp"

namespace kanor::host {
namespace {

enum class Where { function, type, member, c_function, variable };

class LibraryTest : public FrontEndTest {
 protected:
  void collect(const clang::DeclContext* context, bool is_std) {
    for (const clang::Decl* declaration : context->decls()) {
      if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration)) collect(linkage, is_std);
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration))
        collect(space, is_std || space->getName() == "std" || space->getName() == "__gnu_cxx");
      const clang::Decl* made = declaration;
      if (const auto* generic = llvm::dyn_cast<clang::TemplateDecl>(made)) made = generic->getTemplatedDecl();
      const auto* named = llvm::dyn_cast_or_null<clang::NamedDecl>(made);
      if (named == nullptr || named->getIdentifier() == nullptr) continue;
      const std::string name = named->getName().str();
      const bool is_member = context->isRecord();
      if (const auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(named); shadow != nullptr && is_std)
        named = shadow->getTargetDecl();
      if (llvm::isa<clang::FunctionDecl>(named))
        found_[is_member ? Where::member : is_std ? Where::function : Where::c_function].insert(name);
      if (llvm::isa<clang::VarDecl>(named)) found_[Where::variable].insert(name);
      if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(named); record != nullptr && is_std) {
        found_[Where::type].insert(name);
        collect(record, true);
      }
      if (llvm::isa<clang::TypedefNameDecl>(named) && is_std) found_[Where::type].insert(name);
    }
  }

  std::map<Where, std::set<std::string>> found_;
};

TEST_F(LibraryTest, EveryRowIsInAHeader) {
  also_ = [&](const ParsedUnit& unit) { collect(unit.sema.getASTContext().getTranslationUnitDecl(), false); };
  std::string headers = "#include <kanor/kanor.hpp>\n";
  for (const char* const header : {"algorithm",     "any",        "array",      "atomic",
                                   "bit",           "chrono",     "complex",    "condition_variable",
                                   "deque",         "exception",  "filesystem", "forward_list",
                                   "fstream",       "functional", "future",     "iostream",
                                   "iterator",      "list",       "locale",     "map",
                                   "memory",        "numeric",    "optional",   "queue",
                                   "random",        "regex",      "set",        "span",
                                   "sstream",       "stack",      "string",     "string_view",
                                   "thread",        "tuple",      "typeinfo",   "unordered_map",
                                   "unordered_set", "utility",    "valarray",   "vector",
                                   "cmath",         "cstdio",     "cstdlib",    "cstring",
                                   "ctype.h",       "getopt.h",   "math.h",     "sched.h",
                                   "stdio.h",       "stdlib.h",   "string.h",   "time.h",
                                   "unistd.h"})
    headers += std::string("#include <") + header + ">\n";
  run(headers + "int x;\nvoid f() { @communicate { x@0 <<= 1@1 } }\n");
  ASSERT_EQ(messages(), "");

  const std::pair<Where, std::string> rows[] = {
#define FUNCTION(name, traits, signatures) {Where::function, #name},
#include "host/library/library.def"
#define C_FUNCTION(name, traits, signatures) {Where::c_function, #name},
#include "host/library/library.def"
#define CLASS(name, traits) {Where::type, #name},
#include "host/library/library.def"
#define MEMBER(name, traits) {Where::member, #name},
#include "host/library/library.def"
#define VARIABLE(name) {Where::variable, #name},
#include "host/library/library.def"
  };
  // Of later standards, of another C++ library and of the compiler; and a function that is no member.
  const std::set<std::string> elsewhere{"move_only_function", "mdspan", "utc_clock", "__bind",
                                        "prefetch",           "ssize"};
  for (const auto& [where, name] : rows)
    if (!elsewhere.contains(name)) {
      EXPECT_TRUE(found_[where].contains(name)) << name;
    }
}

TEST(Library, EveryNameHasOneRow) {
  std::vector<std::string> all;
  const auto check = [&] {
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    all.clear();
  };
#define FUNCTION(name, traits, signatures) all.push_back(#name);
#include "host/library/library.def"
  check();
#define C_FUNCTION(name, traits, signatures) all.push_back(#name);
#include "host/library/library.def"
  check();
#define CLASS(name, traits) all.push_back(#name);
#include "host/library/library.def"
  check();
#define MEMBER(name, traits) all.push_back(#name);
#include "host/library/library.def"
  check();
}

TEST(Library, SignaturesAreForNumbersOfArguments) {
  EXPECT_EQ(library::signature("accumulate", 3), "rrv");
  EXPECT_EQ(library::signature("accumulate", 4), "rrvf");
  EXPECT_EQ(library::signature("accumulate", 2), "");
  EXPECT_EQ(library::signature("no_such", 2), "");
  EXPECT_EQ(library::c_signature("snprintf", 2), "");
  EXPECT_EQ(library::c_signature("snprintf", 3), "w.c*");
  EXPECT_EQ(library::c_signature("snprintf", 9), "w.c*");
}

TEST(Library, AFunctionOfMathHasOneRowForAllTypes) {
  for (const char* const name : {"sin", "sinf", "sinl", "erf", "erff", "strtof", "strtol"})
    EXPECT_TRUE(library::c_function_has(name, library::FunctionTrait::pure)) << name;
  for (const char* const name : {"rand", "sinx", "f", ""})
    EXPECT_FALSE(library::c_function_has(name, library::FunctionTrait::pure)) << name;
}

}  // namespace
}  // namespace kanor::host
