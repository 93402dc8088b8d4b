// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destructors, which run without being named: of local variables where their scope ends, of temporaries, and
// of what `delete` and containers end. The part of Values that is about them.
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>

#include "host/cfg/kinds.hpp"
#include "host/cfg/values.hpp"
#include "host/facts/standard_types.hpp"

namespace kanor::host {
namespace {

/// Collects the destructors that the program's classes provide, of an object of this type and of what is in
/// it.
class DestructorFinder {
 public:
  explicit DestructorFinder(const clang::SourceManager& sources) : sources_(sources) {}

  void find(clang::QualType type) {
    if (type.isNull()) return;
    type = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
    const auto* record = type->getAsCXXRecordDecl();
    record = record == nullptr ? nullptr : record->getDefinition();
    if (record == nullptr || !seen_.insert(record).second) return;
    if (user_class(type, sources_) == nullptr) {
      // A container, or a pointer that owns its object.
      if (const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
        for (const clang::QualType argument : type_arguments(instance)) find(argument);
      return;
    }
    if (const auto* own = record->getDestructor(); own != nullptr && own->isUserProvided()) found.insert(own);
    for (const auto* field : record->fields()) find(field->getType());
    for (const auto& base : record->bases()) find(base.getType());
  }

  llvm::SetVector<const clang::CXXDestructorDecl*> found;  ///< in the order in which they run

 private:
  const clang::SourceManager& sources_;
  llvm::SmallPtrSet<const clang::CXXRecordDecl*, 8> seen_;
};

}  // namespace

void Values::destroy(clang::QualType type, flow::Location at) {
  DestructorFinder finder(places_.sources());
  finder.find(type);
  for (const auto* one : finder.found) {
    std::vector<int> run;
    if (one->isVirtual())
      run = functions_.run_by(one);
    else if (const int index = functions_.index_of(one); index >= 0)
      run.push_back(index);
    if (run.empty()) run.push_back(-1);
    for (const int callee : run) {
      flow::Event event;
      event.kind = flow::EventKind::call;
      event.callee = callee;
      if (callee >= 0) event.arguments.emplace_back();
      event.at = at;
      emit(std::move(event));
    }
  }
}

void Values::end(const clang::VarDecl* variable) {
  if (places_.is_in_block(variable->getLocation())) return;
  destroy(variable->getType().getNonReferenceType(), places_.of(clang::SourceRange(variable->getLocation())));
}

void Values::end(const clang::CXXBindTemporaryExpr* temporary) {
  if (ended_.insert(temporary).second) destroy(temporary->getType(), at(temporary));
}

void Values::keep_all_in(const clang::Stmt* statement) {
  if (statement == nullptr) return;
  if (const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(statement)) keep(returned->getRetValue());
  if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const auto* declaration : declarations->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) keep(variable->getInit());
  for (const clang::Stmt* child : statement->children()) keep_all_in(child);
}

void Values::keep(const clang::Expr* initialiser) {
  while (initialiser != nullptr) {
    if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(initialiser)) {
      ended_.insert(bound);
      return;
    }
    if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(initialiser))
      initialiser = made->getSubExpr();
    else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(initialiser))
      initialiser = full->getSubExpr();
    else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(initialiser))
      initialiser = cast->getSubExpr();
    else
      return;
  }
}

}  // namespace kanor::host
