// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/symbolic_reader.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <functional>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

using sema::Obscurity;
using sema::Operation;
using sema::Symbolic;

class LocationFinder : public TreeWalk {
 public:
  explicit LocationFinder(std::function<void(clang::SourceLocation)> visit) : visit_(std::move(visit)) {}

  bool VisitExpr(clang::Expr* expression) override {
    visit_(expression->getBeginLoc());
    visit_(expression->getEndLoc());
    return true;
  }

 private:
  std::function<void(clang::SourceLocation)> visit_;
};

std::optional<Operation> operation_of(clang::BinaryOperatorKind kind) {
  static const std::map<clang::BinaryOperatorKind, Operation> operations{
      {clang::BO_Add, Operation::add},        {clang::BO_Sub, Operation::subtract},
      {clang::BO_Mul, Operation::multiply},   {clang::BO_Div, Operation::divide},
      {clang::BO_Rem, Operation::remainder},  {clang::BO_Xor, Operation::bit_xor},
      {clang::BO_And, Operation::bit_and},    {clang::BO_Or, Operation::bit_or},
      {clang::BO_Shl, Operation::shift_left}, {clang::BO_Shr, Operation::shift_right}};
  const auto found = operations.find(kind);
  return found == operations.end() ? std::nullopt : std::optional(found->second);
}

/// Joins lines that end in a backslash, since a token may continue on the next line.
std::string without_splices(std::string_view text) {
  std::string joined;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto rest = text.substr(at);
    if (rest.starts_with("\\\n"))
      ++at;
    else if (rest.starts_with("\\\r\n"))
      at += 2;
    else
      joined += text[at];
  }
  return joined;
}

Obscurity why_opaque(const clang::Expr* expression) {
  if (llvm::isa<clang::AbstractConditionalOperator>(expression)) return Obscurity::conditional;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
      binary != nullptr && (binary->isLogicalOp() || binary->isComparisonOp()))
    return Obscurity::conditional;
  if (llvm::isa<clang::ArraySubscriptExpr>(expression)) return Obscurity::element;
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression))
    return call->getOperator() == clang::OO_Subscript ? Obscurity::element : Obscurity::call;
  if (llvm::isa<clang::CallExpr>(expression)) return Obscurity::call;
  return Obscurity::not_integer;
}

/// Returns true for numbers that the runtime does not take for unknown ones: see kanor::abi::leaf.
bool is_moderate(std::int64_t number) {
  constexpr std::int64_t beyond = std::int64_t{1} << 62;
  return -beyond < number && number < beyond;
}

}  // namespace

SymbolicReader::SymbolicReader(clang::Sema& sema, const FileMap& files, const StatementKey& key,
                               UniformValues& values, SymbolOptions options)
    : sema_(sema), files_(files), key_(key), values_(values), options_(options), bounds_(sema.Context) {}

void SymbolicReader::add_name(Span declared, const Bounds& bounds) {
  names_.emplace(declared.begin, static_cast<int>(bounds_.of_names.size()));
  bounds_.of_names.push_back(bounds);
}

void SymbolicReader::add_let(Span declared, const clang::Expr* value, bool certain) {
  lets_.emplace(declared.begin, LetValue{value, certain});
}

std::optional<std::uint32_t> SymbolicReader::declared_at(const clang::ValueDecl* name) const {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
  if (variable == nullptr) return std::nullopt;
  std::uint32_t offset = 0;
  const auto* entry = files_.user_file(sema_.getSourceManager(), variable->getLocation(), offset);
  if (entry != key_.file || entry->shadow->block_at(offset) != key_.block) return std::nullopt;
  return entry->shadow->original(offset);
}

std::vector<int> SymbolicReader::names_in(const clang::Expr* expression) const {
  std::vector<int> names;
  for_each_name(expression, [&](const clang::DeclRefExpr* name) {
    const auto declared = declared_at(name->getDecl());
    if (!declared) return;
    if (const auto found = names_.find(*declared); found != names_.end()) names.push_back(found->second);
    if (const auto let = lets_.find(*declared); let != lets_.end()) {
      const auto inner = names_in(let->second.value);
      names.insert(names.end(), inner.begin(), inner.end());
    }
  });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

bool SymbolicReader::mentions_let(const clang::Expr* expression) const {
  bool found = false;
  for_each_name(expression, [&](const clang::DeclRefExpr* name) {
    const auto declared = declared_at(name->getDecl());
    found = found || (declared && lets_.contains(*declared));
  });
  return found;
}

std::optional<std::string> SymbolicReader::text_of(const clang::Expr* expression) const {
  const auto& sources = sema_.getSourceManager();
  const auto range = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(expression->getSourceRange()), sources, sema_.getLangOpts());
  std::uint32_t begin = 0;
  if (range.isInvalid() || files_.user_file(sources, range.getBegin(), begin) != key_.file)
    return text_in_macro(expression);
  const std::uint32_t end = sources.getFileOffset(range.getEnd());
  const auto first = key_.file->shadow->original(begin);
  const auto last = end > begin ? key_.file->shadow->original(end - 1) : std::nullopt;
  if (!first || !last || *last + 1 - *first != end - begin) return std::nullopt;
  return without_splices(key_.file->source->text({*first, *last + 1}));
}

/// The expression's text if it is in the body of one macro, with no part from an argument or another macro.
std::optional<std::string> SymbolicReader::text_in_macro(const clang::Expr* expression) const {
  const auto& sources = sema_.getSourceManager();
  const clang::FileID body = sources.getFileID(expression->getBeginLoc());
  bool together = expression->getBeginLoc().isMacroID();
  LocationFinder finder([&](clang::SourceLocation location) {
    if (location.isValid())
      together = together && sources.getFileID(location) == body && sources.isMacroBodyExpansion(location);
  });
  finder.TraverseStmt(const_cast<clang::Expr*>(expression));
  if (!together) return std::nullopt;
  const clang::SourceRange spelled(sources.getSpellingLoc(expression->getBeginLoc()),
                                   sources.getSpellingLoc(expression->getEndLoc()));
  const auto text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(spelled), sources,
                                                sema_.getLangOpts());
  return text.empty() ? std::nullopt : std::optional(without_splices(text));
}

Span SymbolicReader::span_of(const clang::Expr* expression) const {
  const auto place = place_of(sema_.getSourceManager(), expression->getBeginLoc(), expression->getEndLoc(),
                              sema_.getLangOpts());
  const auto begin = key_.file->shadow->original(place.begin);
  return begin ? Span{*begin, *begin + (place.end - place.begin)} : Span{};
}

Symbolic SymbolicReader::opaque(Obscurity why, const clang::Expr* expression) const {
  return sema::opaque(why, span_of(expression), names_in(expression));
}

Symbolic SymbolicReader::add_leaf(sema::Leaf leaf, const Bounds& bounds) {
  for (std::size_t at = 0; at < leaves_.size(); ++at)
    if (leaves_[at].text == leaf.text && leaves_[at].size_of_range == leaf.size_of_range)
      return sema::leaf(static_cast<int>(at));
  leaves_.push_back(std::move(leaf));
  bounds_.of_leaves.push_back(bounds);
  return sema::leaf(static_cast<int>(leaves_.size()) - 1);
}

Symbolic SymbolicReader::read_size(const clang::Expr* team) {
  const auto text = text_of(without_wrapping(team));
  if (!text) return opaque(Obscurity::in_macro, team);
  sema::Leaf leaf;
  leaf.text = *text;
  leaf.size_of_range = true;
  if (values_.is_team(team)) {
    Symbolic size;
    size.kind = Symbolic::Kind::team_size;
    leaf.meaning.push_back(size);
  }
  return add_leaf(std::move(leaf), {1, std::nullopt, 31});
}

Symbolic SymbolicReader::read(const clang::Expr* expression, bool certain) {
  expression = without_wrapping(expression);
  if (--budget_ < 0) return opaque(Obscurity::too_long, expression);
  const clang::QualType type = expression->getType();
  if (type.isNull() || !type->isIntegralOrUnscopedEnumerationType())
    return opaque(Obscurity::not_integer, expression);
  return names_in(expression).empty() ? read_uniform(expression, certain) : read_parts(expression, certain);
}

/// Returns true for a sum or difference with a constant.
bool SymbolicReader::is_offset(const clang::Expr* expression) const {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression);
  return binary != nullptr && binary->isAdditiveOp() &&
         (values_.constant(binary->getLHS()) || values_.constant(binary->getRHS()));
}

Symbolic SymbolicReader::read_uniform(const clang::Expr* expression, bool certain) {
  const bool is_literal = llvm::isa<clang::IntegerLiteral>(expression);
  if (options_.folds_constants || is_literal)
    if (const auto number = values_.constant(expression); number && is_moderate(*number))
      return sema::integer(*number);
  // The team's size, and n beside n - 1, are worth more in the open, and what must not be evaluated here may
  // have parts that may.
  const bool is_operation =
      llvm::isa<clang::BinaryOperator, clang::UnaryOperator, clang::CastExpr>(expression);
  const auto text = text_of(expression);
  // A let's name means nothing outside of the statement's clauses.
  const bool has_let = mentions_let(expression);
  const bool usable = text && !has_let && (certain || values_.is_safe(expression));
  if ((is_operation || has_let) &&
      (!usable || is_offset(expression) || values_.mentions_team_size(expression))) {
    Symbolic parts = read_parts(expression, certain);
    if (!usable || sema::is_described(parts)) return parts;
  }
  if (!usable) return opaque(text ? Obscurity::guarded : Obscurity::in_macro, expression);
  sema::Leaf leaf;
  leaf.text = *text;
  // Another instantiation may have other constants in it.
  const auto meaning = values_.meaning(expression);
  if (meaning && (options_.folds_constants || meaning->is(Symbolic::Kind::team_size)))
    leaf.meaning.push_back(*meaning);
  Bounds bounds = bounds_.of_type(expression->getType());
  if (!leaf.meaning.empty() && leaf.meaning[0].is(Symbolic::Kind::team_size)) bounds = {1, std::nullopt, 31};
  return add_leaf(std::move(leaf), bounds);
}

Symbolic SymbolicReader::read_parts(const clang::Expr* expression, bool certain) {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return read_variable(name, certain);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) return read_cast(cast, certain);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return read_binary(binary, certain);
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression))
    return read_call(call, certain);
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression))
    return read_operator(call, certain);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->getOpcode() == clang::UO_Plus) return read(unary->getSubExpr(), certain);
    if (unary->getOpcode() == clang::UO_Minus) {
      if (unary->getType()->isUnsignedIntegerType()) return opaque(Obscurity::may_wrap, expression);
      return sema::negated(read(unary->getSubExpr(), certain));
    }
  }
  return opaque(why_opaque(expression), expression);
}

Symbolic SymbolicReader::read_variable(const clang::DeclRefExpr* name, bool certain) {
  const auto declared = declared_at(name->getDecl());
  if (!declared) return opaque(Obscurity::not_integer, name);
  if (const auto found = names_.find(*declared); found != names_.end()) return sema::name(found->second);
  const auto let = lets_.find(*declared);
  if (let == lets_.end()) return opaque(Obscurity::not_integer, name);
  return read(let->second.value, certain && let->second.certain);
}

Symbolic SymbolicReader::read_cast(const clang::CastExpr* cast, bool certain) {
  const clang::Expr* inner = cast->getSubExpr();
  if (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_LValueToRValue)
    return read(inner, certain);
  if (cast->getCastKind() != clang::CK_IntegralCast) return opaque(why_opaque(cast), cast);
  Symbolic value = read(inner, certain);
  if (!sema::is_described(value) || bounds_.keeps_value(value, inner->getType(), cast->getType()))
    return value;
  return opaque(Obscurity::may_change, cast);
}

Symbolic SymbolicReader::read_binary(const clang::BinaryOperator* expression, bool certain) {
  const auto kind = operation_of(expression->getOpcode());
  if (!kind) return opaque(why_opaque(expression), expression);
  Symbolic left = read(expression->getLHS(), certain), right = read(expression->getRHS(), certain);
  if (!sema::is_described(left)) return left;
  if (!sema::is_described(right)) return right;
  if (!bounds_.is_exact(*kind, left, right, expression->getType()))
    return opaque(Obscurity::may_wrap, expression);
  return sema::operation(*kind, std::move(left), std::move(right));
}

Symbolic SymbolicReader::with_grid(Symbolic::Kind kind, const clang::Expr* grid,
                                   const std::vector<const clang::Expr*>& arguments, bool certain) {
  const auto text = text_of(without_wrapping(grid));
  if (!text) return opaque(Obscurity::in_macro, grid);
  if (!certain && !values_.is_safe(grid)) return opaque(Obscurity::guarded, grid);
  if (!names_in(grid).empty()) return opaque(Obscurity::element, grid);
  sema::Leaf leaf;
  leaf.text = *text;
  leaf.is_grid = true;
  Symbolic made;
  made.kind = kind;
  made.operands.push_back(add_leaf(std::move(leaf), {}));
  for (const clang::Expr* argument : arguments) {
    Symbolic operand = read(argument, certain);
    if (!sema::is_described(operand)) return operand;
    made.operands.push_back(std::move(operand));
  }
  return made;
}

Symbolic SymbolicReader::read_call(const clang::CXXMemberCallExpr* call, bool certain) {
  const auto* method = call->getMethodDecl();
  if (method != nullptr && method->getDeclName().isIdentifier() && method->getName() == "neighbor" &&
      call->getNumArgs() == 3 && is_class(call->getObjectType(), "kanor::grid"))
    return with_grid(Symbolic::Kind::grid_neighbor, call->getImplicitObjectArgument(),
                     {call->getArg(0), call->getArg(1), call->getArg(2)}, certain);
  return opaque(Obscurity::call, call);
}

Symbolic SymbolicReader::read_operator(const clang::CXXOperatorCallExpr* call, bool certain) {
  if (call->getOperator() == clang::OO_Call && is_class(call->getArg(0)->getType(), "kanor::grid")) {
    const std::vector<const clang::Expr*> arguments(call->arg_begin() + 1, call->arg_end());
    return with_grid(Symbolic::Kind::grid_rank, call->getArg(0), arguments, certain);
  }
  if (call->getOperator() == clang::OO_Subscript) {
    const auto* coords = llvm::dyn_cast<clang::CXXMemberCallExpr>(without_wrapping(call->getArg(0)));
    const auto* method = coords == nullptr ? nullptr : coords->getMethodDecl();
    if (method != nullptr && method->getDeclName().isIdentifier() && method->getName() == "coords" &&
        is_class(coords->getObjectType(), "kanor::grid"))
      return with_grid(Symbolic::Kind::grid_coordinate, coords->getImplicitObjectArgument(),
                       {coords->getArg(0), call->getArg(1)}, certain);
  }
  return opaque(why_opaque(call), call);
}

void SymbolicReader::read_filter(const clang::Expr* condition, bool holds, bool certain,
                                 std::vector<sema::SymbolicFilter>& filters) {
  condition = without_wrapping(condition);
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(condition);
      cast != nullptr && cast->getCastKind() == clang::CK_IntegralToBoolean)
    return read_filter(cast->getSubExpr(), holds, certain, filters);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
      unary != nullptr && unary->getOpcode() == clang::UO_LNot)
    return read_filter(unary->getSubExpr(), !holds, certain, filters);
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (binary != nullptr && binary->getOpcode() == (holds ? clang::BO_LAnd : clang::BO_LOr)) {
    read_filter(binary->getLHS(), holds, certain, filters);
    return read_filter(binary->getRHS(), holds, false, filters);
  }
  sema::SymbolicFilter filter;
  filter.span = span_of(condition);
  filter.right = sema::integer(0);
  if (binary != nullptr && binary->isComparisonOp() && binary->getOpcode() != clang::BO_Cmp) {
    static const std::map<clang::BinaryOperatorKind, sema::Relation> relations{
        {clang::BO_EQ, sema::Relation::equal},   {clang::BO_NE, sema::Relation::not_equal},
        {clang::BO_LT, sema::Relation::less},    {clang::BO_LE, sema::Relation::less_equal},
        {clang::BO_GT, sema::Relation::greater}, {clang::BO_GE, sema::Relation::greater_equal}};
    filter.relation = relations.at(binary->getOpcode());
    filter.left = read(binary->getLHS(), certain);
    filter.right = read(binary->getRHS(), certain);
    if (!sema::is_described(filter.right))
      filter.left = opaque(sema::find_opaque(filter.right)->obscurity, condition);
  } else {
    filter.left = read(condition, certain);
  }
  if (!holds) filter.relation = sema::negated(filter.relation);
  if (!sema::is_described(filter.left)) {
    const auto why = sema::find_opaque(filter.left)->obscurity;
    filter.left = opaque(why, condition);
    filter.right = sema::integer(0);
  }
  filters.push_back(std::move(filter));
}

}  // namespace kanor::host
