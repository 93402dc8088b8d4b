// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the libraries (host/library) names what their headers declare.
#include "host/library/library.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Sema.h>

#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "host/facts/parsed_unit.hpp"
#include "host/facts/test_front_end.hpp"

namespace kanor::host {
namespace {

enum class Where { function, type, member, c_function, space, variable };

std::set<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

class LibraryTest : public FrontEndTest {
 protected:
  void collect(const clang::DeclContext* context, bool is_std) {
    for (const clang::Decl* declaration : context->decls()) {
      if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration)) collect(linkage, is_std);
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(declaration)) {
        if (is_std) found_[Where::space].insert(space->getName().str());
        collect(space, is_std || space->getName() == "std" || space->getName() == "__gnu_cxx");
      }
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
  for (const std::string& header : words(
           "algorithm any array atomic bit bitset charconv chrono compare complex deque filesystem "
           "forward_list fstream "
           "functional iomanip iostream iterator limits list locale map memory memory_resource mutex numeric "
           "optional queue random ranges regex set shared_mutex source_location span sstream stack stdexcept "
           "string "
           "string_view system_error tuple typeindex unordered_map unordered_set utility valarray variant "
           "vector "
           "cmath cstdio cstdlib cstring ctype.h getopt.h math.h sched.h stdio.h stdlib.h string.h "
           "time.h unistd.h"))
    headers += "#include <" + header + ">\n";
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
#define NAMESPACE(name, traits) {Where::space, #name},
#include "host/library/library.def"
#define VARIABLE(name) {Where::variable, #name},
#include "host/library/library.def"
  };
  // Of later standards, of another C++ library and of the compiler; and a function that is no member.
  const std::set<std::string> elsewhere = words(
      "mdspan extents layout_left layout_right layout_stride default_accessor expected unexpected "
      "byteswap to_underlying unreachable forward_like invoke_r bind_back format format_to "
      "format_to_n formatted_size vformat vformat_to make_format_args print println __wrap_iter "
      "__bounded_iter __bit_iterator __bit_reference __bit_const_reference __deque_iterator "
      "__list_iterator __list_const_iterator __forward_list_iterator __forward_list_const_iterator "
      "__tree_iterator __tree_const_iterator __map_iterator __map_const_iterator __hash_iterator "
      "__hash_const_iterator __hash_map_iterator __hash_map_const_iterator prefetch ssize");
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
