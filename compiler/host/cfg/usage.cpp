#include "host/cfg/usage.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

#include "host/cfg/kinds.hpp"
#include "host/facts/annotation.hpp"
#include "host/facts/travel.hpp"

namespace kanor::host {
namespace {

using flow::AccessKind;

llvm::StringRef name_of(const clang::FunctionDecl* function) {
  return function->getIdentifier() == nullptr ? llvm::StringRef() : function->getName();
}

/// Declared [[kanor::noescape]], or as Clang spells it.
bool lets_go_of(const clang::ParmVarDecl* parameter) {
  return parameter->hasAttr<clang::NoEscapeAttr>() || is_annotated(parameter, "kanor::noescape");
}

/// Of the standard library or of Kanor's own, which has kanor::buffer.
bool is_library(const clang::FunctionDecl* function) {
  return function != nullptr && (is_in(function, "std") || is_in(function, "kanor"));
}

/// Functions of the library that look at all that they are given.
bool only_looks(llvm::StringRef name) {
  static const llvm::StringSet<> names{"accumulate", "reduce",   "inner_product", "transform_reduce",
                                       "count",      "count_if", "equal",         "all_of",
                                       "any_of",     "none_of",  "mismatch",      "is_sorted",
                                       "memcmp",     "strlen",   "printf",        "fprintf",
                                       "fwrite",     "puts",     "fputs",         "size",
                                       "ssize",      "empty",    "binary_search", "lexicographical_compare",
                                       "memchr",     "strcmp",   "strncmp"};
  return names.contains(name);
}

/// Functions whose first arguments are looked at and whose last is written.
unsigned looked_at_arguments(llvm::StringRef name) {
  static const llvm::StringMap<unsigned> counts{{"copy", 2},           {"copy_n", 2},
                                                {"copy_if", 2},        {"partial_sum", 2},
                                                {"inclusive_scan", 2}, {"exclusive_scan", 2}};
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

bool is_written_by(llvm::StringRef name, unsigned argument) {
  static const llvm::StringSet<> all{"fill",        "fill_n",      "iota",     "generate", "generate_n",
                                     "sort",        "stable_sort", "reverse",  "rotate",   "swap",
                                     "swap_ranges", "replace",     "transform"};
  static const llvm::StringSet<> first{"memset",  "memcpy",   "memmove", "strcpy",
                                       "strncpy", "snprintf", "sprintf"};
  return all.contains(name) || (first.contains(name) && argument == 0);
}

/// Whether what an expression of this type gives cannot change what it refers to.
bool refers_to_constant(clang::QualType type) {
  if (type->isReferenceType() || type->isPointerType()) return type->getPointeeType().isConstQualified();
  return false;
}

class Climb {
 public:
  Climb(const clang::ParentMap& parents, bool is_pointer) : parents_(parents), names_pointer_(is_pointer) {}

  std::vector<Usage> from(const clang::DeclRefExpr* name) {
    at_ = name;
    while (!done_) step();
    return std::move(found_);
  }

 private:
  /// What the expression reached so far gives.
  enum class Form { object, element, pointer };

  void add(AccessKind kind, const clang::Stmt* by) {
    Usage usage;
    usage.kind = kind;
    usage.by = by;
    if (kind != AccessKind::overwrite) usage.subscripts = subscripts_;
    found_.push_back(std::move(usage));
  }
  void read(const clang::Stmt* by) {
    add(AccessKind::read, by);
    done_ = true;
  }
  void change(const clang::Stmt* by) {
    add(AccessKind::read, by);
    add(AccessKind::write, by);
    done_ = true;
  }
  void escape(const clang::Stmt* by, std::string reason) {
    add(AccessKind::escape, by);
    found_.back().reason = std::move(reason);
    done_ = true;
  }
  void select(const clang::Expr* subscript) {
    subscripts_.push_back(subscript);
    form_ = Form::element;
  }
  /// It is no longer known which elements are meant.
  void lose_track() { subscripts_.assign(1, nullptr); }

  void step() {
    const clang::Stmt* parent = parents_.getParent(at_);
    if (parent == nullptr) return escape(at_, "it is used in a way that is not followed");
    const clang::Stmt* child = std::exchange(at_, parent);
    if (llvm::isa<clang::ParenExpr, clang::ExprWithCleanups, clang::MaterializeTemporaryExpr,
                  clang::ConstantExpr, clang::SubstNonTypeTemplateParmExpr>(parent))
      return;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(parent)) return through(cast);
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
      if (subscript->getBase() != child) return escape(parent, "it is used as a subscript");
      if (form_ == Form::pointer && is_moved_) lose_track();
      return select(is_moved_ ? nullptr : subscript->getIdx());
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent)) return through(unary);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent)) return through(binary, child);
    if (const auto* conditional = llvm::dyn_cast<clang::ConditionalOperator>(parent)) {
      if (conditional->getCond() == child) return read(parent);
      return lose_track();
    }
    if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent))
      return through(operation, child);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) return through(member);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(parent)) return given_to(call, child);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(parent)) return given_to(made);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(parent)) return initialises(declaration);
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr, clang::CXXTypeidExpr>(parent)) {
      done_ = true;  // not evaluated
      return;
    }
    if (llvm::isa<clang::LambdaExpr>(parent)) return escape(parent, "a lambda captures it");
    if (llvm::isa<clang::ReturnStmt>(parent)) return escape(parent, "it is returned by reference");
    if (!llvm::isa<clang::Expr>(parent)) return read(child);
    escape(parent, "it is used in a way that is not followed");
  }

  void through(const clang::CastExpr* cast) {
    switch (cast->getCastKind()) {
      case clang::CK_ArrayToPointerDecay:
        form_ = Form::pointer;
        is_moved_ = false;
        return;
      case clang::CK_LValueToRValue:
        if (names_pointer_) {
          names_pointer_ = false;
          form_ = Form::pointer;
          return;
        }
        if (form_ == Form::pointer) return escape(cast, "a pointer to it is stored");
        return read(cast);
      case clang::CK_NoOp:
        return;
      case clang::CK_ToVoid:
        return read(cast);
      case clang::CK_BitCast:
        if (form_ != Form::pointer) break;
        is_moved_ = true;  // counts in other units
        return;
      default:
        break;
    }
    escape(cast, "it is converted in a way that is not followed");
  }

  void through(const clang::UnaryOperator* unary) {
    if (names_pointer_) return escape(unary, "the pointer to it is changed");
    switch (unary->getOpcode()) {
      case clang::UO_AddrOf:
        if (form_ == Form::object) return escape(unary, "its address is taken");
        form_ = Form::pointer;
        is_moved_ = true;
        return;
      case clang::UO_Deref:
        if (is_moved_) lose_track();
        return select(nullptr);
      case clang::UO_PreInc:
      case clang::UO_PreDec:
      case clang::UO_PostInc:
      case clang::UO_PostDec:
        return change(unary);
      default:
        return escape(unary, "it is used in a way that is not followed");
    }
  }

  void through(const clang::BinaryOperator* binary, const clang::Stmt* child) {
    if (binary->isAssignmentOp()) {
      if (names_pointer_) return escape(binary, "the pointer to it is changed");
      if (binary->getLHS() != child) return escape(binary, "a pointer to it is stored");
      if (binary->isCompoundAssignmentOp()) add(AccessKind::read, binary);
      add(AccessKind::write, binary);
      return assigned(binary);
    }
    if (binary->getOpcode() == clang::BO_Comma) {
      if (binary->getLHS() == child) return read(binary);
      return;
    }
    if (form_ == Form::pointer && binary->isAdditiveOp() && binary->getType()->isPointerType()) {
      is_moved_ = is_offset_ = true;
      return;
    }
    if (form_ == Form::pointer && (binary->isComparisonOp() || binary->isAdditiveOp())) return read(binary);
    escape(binary, "it is used in a way that is not followed");
  }

  /// The result of an assignment is the object again: followed unless nobody uses it.
  void assigned(const clang::Expr* assignment) {
    const clang::Stmt* parent = parents_.getParent(assignment);
    if (parent == nullptr || !llvm::isa<clang::Expr>(parent) || llvm::isa<clang::ExprWithCleanups>(parent)) {
      done_ = true;
      return;
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent))
      done_ = binary->getOpcode() == clang::BO_Comma && binary->getLHS() == assignment;
  }

  void through(const clang::CXXOperatorCallExpr* operation, const clang::Stmt* child) {
    const auto op = operation->getOperator();
    const bool is_first = operation->getNumArgs() > 0 && operation->getArg(0) == child;
    const auto* callee = operation->getDirectCallee();
    const bool is_known = is_library(callee);
    if (is_known && op == clang::OO_Subscript && is_first) return select(operation->getArg(1));
    if (is_known && op == clang::OO_Equal && is_first) {
      const bool of_itself = form_ == Form::object && contains(operation->getArg(1), object_);
      add(form_ == Form::object && !of_itself ? AccessKind::overwrite : AccessKind::write, operation);
      return assigned(operation);
    }
    if (is_known && (op == clang::OO_Equal || operation->isComparisonOp())) return read(operation);
    // What the compiler makes for a class of plain members copies its bytes.
    if (op == clang::OO_Equal && callee != nullptr && callee->isTrivial()) {
      if (!is_first) return read(operation);
      add(AccessKind::write, operation);
      return assigned(operation);
    }
    given_to(operation, child);
  }

  /// A whole object that is assigned from something with itself in it is not overwritten: that needs the old
  /// value.
  static bool contains(const clang::Stmt* where, const clang::ValueDecl* variable) {
    if (where == nullptr || variable == nullptr) return false;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(where))
      if (name->getDecl() == variable) return true;
    for (const clang::Stmt* child : where->children())
      if (contains(child, variable)) return true;
    return false;
  }

  void through(const clang::MemberExpr* member) {
    if (names_pointer_ && !member->isArrow())
      return escape(member, "it is used in a way that is not followed");
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
    if (method == nullptr) return;  // a part of an element, or of what a pointer refers to
    const auto* call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(parents_.getParent(member));
    if (call == nullptr) return escape(member, "it is used in a way that is not followed");
    at_ = call;
    if (!is_library(method)) return by_method(call, method);
    static const llvm::StringSet<> elements{"at", "front", "back"};
    static const llvm::StringSet<> pointers{"data", "begin", "end", "cbegin", "cend", "rbegin", "rend"};
    const auto name = name_of(method);
    if (elements.contains(name)) return select(name == "at" ? call->getArg(0) : nullptr);
    if (pointers.contains(name)) {
      form_ = Form::pointer;
      is_moved_ = name != "data" && name != "begin" && name != "cbegin";
      return;
    }
    if (known(method) == Known::length || name == "clone") return read(call);
    const bool renews = name == "fill" || (name == "assign" && call->getNumArgs() == 2);
    if (form_ == Form::object && renews && !contains_in_arguments(call)) {
      add(AccessKind::overwrite, call);
      done_ = true;
      return;
    }
    if (name == "swap" || name == "reserve" || name == "shrink_to_fit" || name == "fill" ||
        name == "assign" || resizes(method) != Resize::no)
      return change(call);
    escape(call, "its member function '" + name.str() + "' is not followed");
  }

  bool contains_in_arguments(const clang::CallExpr* call) const {
    for (const clang::Expr* argument : call->arguments())
      if (contains(argument, object_)) return true;
    return false;
  }

  /// An element's own member function.
  void by_method(const clang::CallExpr* call, const clang::CXXMethodDecl* method) {
    const auto type = call->getType();
    if (form_ == Form::object || type->isPointerType() || call->isGLValue())
      return escape(call, "a member function of its elements is not followed");
    method->isConst() ? read(call) : change(call);
  }

  void given_to(const clang::CallExpr* call, const clang::Stmt* child) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    unsigned argument = 0;
    while (argument < call->getNumArgs() && call->getArg(argument) != child) ++argument;
    if (callee == nullptr || argument == call->getNumArgs())
      return escape(call, "a function that is not known gets it");
    if (names_pointer_) return escape(call, "a function gets the pointer to it");
    if (is_transparent(callee) && !call->getType()->isPointerType() && name_of(callee) != "ref") {
      if (name_of(callee) == "move") is_given_ = true;
      return;
    }
    unsigned parameter = argument;
    if (llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee)) {
      if (argument == 0) return escape(call, "a member operator gets it");
      --parameter;
    }
    if (known(callee) != Known::unknown) {
      if (clears_all(callee, call, argument)) {
        add(AccessKind::overwrite, call);
        done_ = true;
        return;
      }
      if (form_ == Form::pointer) lose_track();  // what it points to is where the function begins
      const bool hands_on =
          call->getType()->isPointerType() || call->isGLValue() || is_handle(call->getType());
      switch (touch_of(callee, parameter)) {
        case Touch::looks:
          return read(call);
        case Touch::changes:
          return change(call);
        case Touch::keeps:
          break;
      }
      const bool unchanging = parameter < callee->getNumParams() &&
                              refers_to_constant(callee->getParamDecl(parameter)->getType());
      if (unchanging && !hands_on) return read(call);
      return escape(call,
                    "'" + callee->getQualifiedNameAsString() + "' gets it, and is not known to let go of it");
    }
    if (parameter >= callee->getNumParams()) return escape(call, "a variadic function gets it");
    if (lets_go_of(callee->getParamDecl(parameter)))
      return refers_to_constant(callee->getParamDecl(parameter)->getType()) ? read(call) : change(call);
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
        method != nullptr && method->isVirtual())
      return escape(call, "a virtual function gets it");
    Usage usage;
    usage.kind = AccessKind::call;
    usage.by = call;
    usage.callee = callee;
    usage.parameter = parameter;
    found_.push_back(std::move(usage));
    done_ = true;
  }

  /// memset of as many bytes as the array has.
  bool clears_all(const clang::FunctionDecl* callee, const clang::CallExpr* call, unsigned argument) const {
    clang::Expr::EvalResult bytes;
    const auto& context = callee->getASTContext();
    return name_of(callee) == "memset" && argument == 0 && call->getNumArgs() == 3 && subscripts_.empty() &&
           !is_offset_ && object_ != nullptr && object_->getType()->isArrayType() &&
           call->getArg(2)->EvaluateAsInt(bytes, context) &&
           bytes.Val.getInt() == context.getTypeSizeInChars(object_->getType()).getQuantity();
  }

  /// Copies are reads; what a move empties is written.
  void given_to(const clang::CXXConstructExpr* made) {
    const auto* constructor = made->getConstructor();
    if (constructor->isCopyConstructor()) return read(made);
    if (constructor->isMoveConstructor() && form_ == Form::object) {
      if (is_given_) return change(made);
      // What is emitted copies, since `(*v)` is no name.
      if (is_buffer(made->getType())) return escape(made, "it is returned by its name, and cannot be copied");
      return read(made);
    }
    if (form_ == Form::pointer && is_in(constructor, "std") && !is_handle(made->getType()) &&
        user_class(made->getType(), sources_of(made)) == nullptr)
      return read(made);
    escape(made, "an object is made that may keep it");
  }
  static const clang::SourceManager& sources_of(const clang::CXXConstructExpr* made) {
    return made->getConstructor()->getASTContext().getSourceManager();
  }

  void initialises(const clang::DeclStmt* statement) {
    const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(
        statement->isSingleDecl() ? statement->getSingleDecl() : nullptr);
    const auto* loop = llvm::dyn_cast_or_null<clang::CXXForRangeStmt>(parents_.getParent(statement));
    if (variable != nullptr && loop != nullptr && loop->getRangeStmt() == statement) {
      const auto type = loop->getLoopVariable()->getType();
      lose_track();
      if (!type->isReferenceType() || type->getPointeeType().isConstQualified()) return read(statement);
      return change(statement);
    }
    escape(statement, "a variable refers to it");
  }

 public:
  void set_object(const clang::ValueDecl* object) { object_ = object; }

 private:
  const clang::ParentMap& parents_;
  bool names_pointer_;
  const clang::ValueDecl* object_ = nullptr;
  const clang::Stmt* at_ = nullptr;
  Form form_ = Form::object;
  bool is_moved_ = false;   ///< the pointer points elsewhere than to the first element, or counts otherwise
  bool is_offset_ = false;  ///< it has been added to
  bool is_given_ = false;   ///< std::move
  bool done_ = false;
  std::vector<const clang::Expr*> subscripts_;
  std::vector<Usage> found_;
};

}  // namespace

Touch touch_of(const clang::FunctionDecl* function, unsigned argument) {
  const auto name = name_of(function);
  if (only_looks(name)) return Touch::looks;
  if (const unsigned looked_at = looked_at_arguments(name); looked_at > 0)
    return argument < looked_at ? Touch::looks : Touch::changes;
  if (is_written_by(name, argument)) return Touch::changes;
  if ((name == "memcpy" || name == "memmove" || name == "strcpy") && argument == 1) return Touch::looks;
  return Touch::keeps;
}

std::vector<Usage> usages_of(const clang::DeclRefExpr* name, const clang::ParentMap& parents,
                             bool named_by_pointer) {
  Climb climb(parents, named_by_pointer);
  climb.set_object(name->getDecl());
  return climb.from(name);
}

}  // namespace kanor::host
