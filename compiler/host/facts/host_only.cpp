// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/host_only.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "host/discover/message_kinds.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

bool is_in_system_header(const ClangMessage& message, const FileMap& files) {
  const FileMap::Entry* entry = files.find(message.place.file);
  return entry != nullptr && entry->user_file < 0;
}

bool is_in_block(const ClangMessage& message, const FileMap& files) {
  const FileMap::Entry* entry = files.find(message.place.file);
  return entry != nullptr && entry->shadow != nullptr && entry->shadow->block_at(message.place.begin) >= 0;
}

/// Declarations that Clang could not read completely: marked so by Clang, or with an error in their text. A
/// class is as good as its bases and members. Functions return the error, or null.
class UnreadDeclarations {
 public:
  UnreadDeclarations(clang::Sema& sema, const std::vector<ClangMessage>& headers)
      : sema_(sema), first_(&headers.front()) {
    for (const ClangMessage& message : headers)
      if (message.is_error) errors_.try_emplace({message.place.file, message.place.begin}, &message);
  }

  const ClangMessage* error_of(const clang::Decl* declaration) {
    if (const ClangMessage* error = own_error(declaration)) return error;
    const auto* value = llvm::dyn_cast<clang::ValueDecl>(declaration);
    return value == nullptr ? nullptr : error_of(value->getType());
  }

  const ClangMessage* error_of(clang::QualType type) {
    if (type.isNull()) return nullptr;
    const auto [known, is_new] = types_.try_emplace(type.getTypePtr(), nullptr);
    if (!is_new) return known->second;
    const ClangMessage* error = look_into(type.getTypePtr());
    types_[type.getTypePtr()] = error;
    return error;
  }

 private:
  const ClangMessage* look_into(const clang::Type* type) {
    if (const auto* alias = type->getAs<clang::TypedefType>()) {
      const ClangMessage* error = own_error(alias->getDecl());
      return error != nullptr ? error : error_of(alias->desugar());
    }
    if (const auto* specialization = type->getAs<clang::TemplateSpecializationType>())
      for (const clang::TemplateArgument& argument : specialization->template_arguments())
        if (argument.getKind() == clang::TemplateArgument::Type)
          if (const ClangMessage* error = error_of(argument.getAsType())) return error;
    if (const auto* function = type->getAs<clang::FunctionProtoType>())
      return error_of(function->getReturnType());
    if (const auto* array = type->getAsArrayTypeUnsafe()) return error_of(array->getElementType());
    if (const clang::QualType pointee = type->getPointeeType(); !pointee.isNull()) return error_of(pointee);
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return record == nullptr ? nullptr : look_into(record);
  }

  const ClangMessage* look_into(const clang::CXXRecordDecl* record) {
    record = record->hasDefinition() ? record->getDefinition() : record;
    if (const ClangMessage* error = own_error(record)) return error;
    if (!record->hasDefinition() || record->isDependentContext()) return nullptr;
    for (const auto& base : record->bases())
      if (const ClangMessage* error = error_of(base.getType())) return error;
    for (const clang::FieldDecl* field : record->fields())
      if (const ClangMessage* error = error_of(field->getType())) return error;
    return nullptr;
  }

  /// The error in the declaration's own text, or else the one that made Clang give it up.
  const ClangMessage* own_error(const clang::Decl* declaration) const {
    if (declaration->getSourceRange().isValid()) {
      const auto range = declaration->getSourceRange();
      const FilePlace place =
          place_of(sema_.getSourceManager(), range.getBegin(), range.getEnd(), sema_.getLangOpts());
      const auto next = errors_.lower_bound({place.file, place.begin});
      if (next != errors_.end() && next->first.first == place.file && next->first.second < place.end)
        return next->second;
    }
    return declaration->isInvalidDecl() ? first_ : nullptr;
  }

  clang::Sema& sema_;
  const ClangMessage* first_;
  std::map<std::pair<const clang::FileEntry*, std::uint32_t>, const ClangMessage*> errors_;
  std::map<const clang::Type*, const ClangMessage*> types_;
};

/// Finds the first use in an expression of something that Clang could not read.
class UseFinder : public TreeWalk {
 public:
  UseFinder(UnreadDeclarations& unread, const ClangMessage& first) : unread_(unread), first_(first) {}

  bool VisitExpr(clang::Expr* expression) override {
    const bool is_gap = llvm::isa<clang::RecoveryExpr>(expression);
    return go_on(is_gap ? &first_ : unread_.error_of(expression->getType()), expression);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    return go_on(unread_.error_of(name->getDecl()), name);
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return go_on(unread_.error_of(member->getMemberDecl()), member);
  }

  const ClangMessage* error = nullptr;
  clang::SourceRange place;

 private:
  bool go_on(const ClangMessage* found, const clang::Expr* expression) {
    error = found;
    if (found != nullptr) place = expression->getSourceRange();
    return found == nullptr;
  }

  UnreadDeclarations& unread_;
  const ClangMessage& first_;
};

/// Finds the gaps that Clang has left in functions of the program.
class GapFinder : public TreeWalk {
 public:
  GapFinder(clang::Sema& sema, const FileMap& files) : sema_(sema), files_(files) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (!function->doesThisDeclarationHaveABody()) return true;
    const auto range = function->getSourceRange();
    const FilePlace place =
        place_of(sema_.getSourceManager(), range.getBegin(), range.getEnd(), sema_.getLangOpts());
    const auto* entry = files_.find(place.file);
    if (entry == nullptr || entry->shadow == nullptr) return true;
    const auto& blocks = entry->shadow->blocks;
    if (std::any_of(blocks.begin(), blocks.end(),
                    [&](Span block) { return place.begin <= block.begin && block.end <= place.end; }))
      functions_with_blocks_.push_back(place);
    return true;
  }

  bool VisitExpr(clang::Expr* expression) override {
    if (llvm::isa<clang::RecoveryExpr>(expression)) gaps.push_back(expression->getSourceRange());
    return true;
  }

  bool is_among_blocks(const FilePlace& place) const {
    return std::any_of(
        functions_with_blocks_.begin(), functions_with_blocks_.end(), [&](const FilePlace& function) {
          return function.file == place.file && function.begin <= place.begin && place.begin < function.end;
        });
  }

  std::vector<clang::SourceRange> gaps;

 private:
  clang::Sema& sema_;
  const FileMap& files_;
  std::vector<FilePlace> functions_with_blocks_;
};

GapFinder find_gaps(clang::Sema& sema, const FileMap& files) {
  GapFinder finder(sema, files);
  walk_user_files(finder, files, sema.Context);
  return finder;
}

/// Clang's expressions for a statement, except those that it could not make.
std::vector<clang::Expr*> expressions_of(const StatementPieces& pieces) {
  std::vector<clang::Expr*> all{pieces.place, pieces.value, pieces.receiver, pieces.sender, pieces.callable};
  for (const auto* parts : {&pieces.place_parts, &pieces.value_parts, &pieces.lets, &pieces.filters})
    for (const auto& [index, expression] : *parts) all.push_back(expression);
  for (const auto& [index, set] : pieces.sets) all.push_back(set);
  std::erase(all, nullptr);
  return all;
}

}  // namespace

HostOnly take_host_only(std::vector<ClangMessage>& messages, const FileMap& files) {
  HostOnly taken;
  std::vector<ClangMessage> kept;
  for (auto first = messages.begin(); first != messages.end();) {
    const auto last =
        std::find_if(first + 1, messages.end(), [](const ClangMessage& message) { return message.is_error; });
    const bool is_attribute = is_about_attribute(first->id) && !is_in_block(*first, files);
    const bool leads_to_program = std::any_of(first + 1, last, [&](const ClangMessage& note) {
      const FileMap::Entry* entry = files.find(note.place.file);
      return entry != nullptr && entry->user_file >= 0;
    });
    const bool is_headers = !is_fatal(first->id) && !leads_to_program && is_in_system_header(*first, files);
    auto& list = is_attribute ? taken.attributes : is_headers ? taken.headers : kept;
    list.insert(list.end(), std::make_move_iterator(first), std::make_move_iterator(last));
    first = last;
  }
  messages = std::move(kept);
  return taken;
}

std::vector<ClangMessage> dependent_uses(clang::Sema& sema, const FileMap& files, const PieceTable& pieces,
                                         const std::vector<ClangMessage>& headers) {
  std::vector<ClangMessage> found;
  if (headers.empty()) return found;
  const auto add = [&](clang::SourceRange range, const std::string& text, const ClangMessage& error) {
    found.push_back({place_of(sema.getSourceManager(), range.getBegin(), range.getEnd(), sema.getLangOpts()),
                     0, true, text});
    found.push_back(error);
    found.back().is_error = false;
  };
  UnreadDeclarations unread(sema, headers);
  for (const auto& [key, statement] : pieces.all())
    for (clang::Expr* expression : expressions_of(statement)) {
      UseFinder finder(unread, headers.front());
      finder.TraverseStmt(expression);
      if (finder.error != nullptr)
        add(finder.place, "this depends on a declaration that only the host compiler understands",
            *finder.error);
    }
  const GapFinder gaps = find_gaps(sema, files);
  for (const clang::SourceRange gap : gaps.gaps)
    if (gaps.is_among_blocks(
            place_of(sema.getSourceManager(), gap.getBegin(), gap.getEnd(), sema.getLangOpts())))
      add(gap, "a function with blocks cannot use a declaration that only the host compiler understands",
          headers.front());
  return found;
}

bool has_gaps(clang::Sema& sema, const FileMap& files) { return !find_gaps(sema, files).gaps.empty(); }

}  // namespace kanor::host
