#include "host/cfg/blocks_flow.hpp"

#include <clang/Sema/Sema.h>

#include <algorithm>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

using flow::Event;
using flow::EventKind;
using flow::Unknown;
using flow::Uses;

class Glancer : public TreeWalk {
 public:
  explicit Glancer(Glance& glance) : glance_(glance) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) ++named_[variable];
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() != clang::CK_LValueToRValue) return true;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) ++read_[variable];
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->hasLocalStorage() && variable->hasInit()) declared_.push_back(variable);
    return true;
  }
  void finish() {
    for (const auto* variable : declared_)
      if (named_[variable] == read_[variable]) glance_.read_only.insert(variable);
  }

 private:
  Glance& glance_;
  std::map<const clang::VarDecl*, int> named_, read_;
  std::vector<const clang::VarDecl*> declared_;
};

class NameFinder : public TreeWalk {
 public:
  explicit NameFinder(const Places& places) : places_(places) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (places_.is_in_block(name->getDecl()->getLocation()) ||
        name->getDecl()->getNameAsString() == "kanor_let")
      found.insert(name->getDecl()->getNameAsString());
    return true;
  }
  std::set<std::string> found;

 private:
  const Places& places_;
};

bool share(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
}

}  // namespace

Glance glance_at(const clang::FunctionDecl* function) {
  Glance glance;
  Glancer glancer(glance);
  glancer.TraverseStmt(function->getBody());
  glancer.finish();
  return glance;
}

BlocksFlow::BlocksFlow(const ParsedUnit& unit, Variables& variables, Values& values, const Places& places)
    : unit_(unit), variables_(variables), values_(values), places_(places) {
  const auto& all = unit.pieces.all();
  for (std::size_t at = 0; at < all.size(); ++at) {
    const StatementKey& key = all[at].first;
    if (key.function != nullptr)
      index_[{key.file, key.block, key.function->getCanonicalDecl()}].push_back(at);
  }
}

std::set<std::string> BlocksFlow::names_in(const clang::Expr* expression) const {
  NameFinder finder(places_);
  if (expression != nullptr) finder.TraverseStmt(const_cast<clang::Expr*>(expression));
  return finder.found;
}

BlocksFlow::Team BlocksFlow::team_of(const clang::Expr* expression) const {
  const auto* inner = expression->IgnoreParenImpCasts();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
    const int which = variables_.of(name->getDecl());
    return {which < 0, which, {}};
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner))
    return {false, variables_.of(member->getMemberDecl()), {}};
  return {false, -1, values_.roots(inner)};
}

/// Members of `*t` agree on what `t` says of the team.
Uses BlocksFlow::without_team(Uses uses) const {
  const auto& named = team_.named_by;
  uses.erase(std::remove_if(uses.begin(), uses.end(),
                            [&](const flow::Use& use) {
                              return std::find(named.begin(), named.end(), use.variable) != named.end();
                            }),
             uses.end());
  return uses;
}

bool BlocksFlow::is_team(const clang::Expr* expression) const {
  if (!host::is_team(expression->IgnoreParenImpCasts()->getType())) return false;
  const Team other = team_of(expression);
  return other.is_world == team_.is_world && other.variable == team_.variable &&
         (other.is_world || other.variable >= 0);
}

bool BlocksFlow::is_team_size(const clang::Expr* expression) const {
  expression = expression->IgnoreParenCasts();
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression))
    return call->getMethodDecl() != nullptr && call->getMethodDecl()->getNameAsString() == "size" &&
           is_team(call->getImplicitObjectArgument());
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr || variable->getInit() == nullptr) return false;
  return (variable->getType().isConstQualified() || glance_->read_only.contains(variable)) &&
         !places_.is_in_block(variable->getLocation()) && is_team_size(variable->getInit());
}

bool BlocksFlow::is_number(const clang::Expr* expression, int number) const {
  clang::Expr::EvalResult result;
  return !expression->isValueDependent() && expression->EvaluateAsInt(result, unit_.sema.Context) &&
         result.Val.getInt() == number;
}

bool BlocksFlow::is_whole_team(const syntax::Set& set, const clang::CallExpr* call) const {
  if (call == nullptr || call->getNumArgs() == 0) return false;
  const clang::Expr* first = call->getArg(0)->IgnoreImplicit();
  if (set.form == syntax::Set::Form::range) {
    if (is_team(first)) return true;
    const auto* range = llvm::dyn_cast<clang::CallExpr>(first->IgnoreParenImpCasts());
    return range != nullptr && range->getDirectCallee() != nullptr &&
           range->getDirectCallee()->getQualifiedNameAsString() == "kanor::range" &&
           range->getNumArgs() == 3 && llvm::isa<clang::CXXDefaultArgExpr>(range->getArg(2)) &&
           is_number(range->getArg(0), 0) && is_team_size(range->getArg(1));
  }
  if (set.form != syntax::Set::Form::interval || call->getNumArgs() != 2 || !is_number(first, 0))
    return false;
  const auto* last = llvm::dyn_cast<clang::BinaryOperator>(call->getArg(1)->IgnoreParenImpCasts());
  return last != nullptr && last->getOpcode() == clang::BO_Sub && is_team_size(last->getLHS()) &&
         is_number(last->getRHS(), 1);
}

/// What stands between a section's brackets is seen as text alone.
bool BlocksFlow::mentions(const syntax::Operand& operand, const std::set<std::string>& names) const {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const auto& dimension : operand.dimensions) {
    const auto text = source_->text(dimension.span);
    for (const std::string& name : names)
      for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const auto end = at + name.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
      }
  }
  return false;
}

/// Whether every rank of the team gets the same: the receiver is a name that ranges over the team, and
/// neither the sender nor the value nor the place depends on it. `certain` if something arrives in any case.
bool BlocksFlow::reaches_everyone(const syntax::Statement& statement, const StatementPieces& pieces,
                                  bool& certain) const {
  certain = true;
  const auto receiver = names_in(pieces.receiver);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(pieces.receiver->IgnoreParenImpCasts());
  if (name == nullptr || receiver.size() != 1) return false;
  bool covers = false;
  for (std::size_t at = 0; at < statement.clauses.size(); ++at) {
    const int index = static_cast<int>(at);
    if (const auto* generator = std::get_if<syntax::Generator>(&statement.clauses[at])) {
      const auto found = pieces.sets.find(index);
      if (found == pieces.sets.end()) return false;
      for (const auto* argument : found->second->arguments())
        if (share(names_in(argument), receiver)) return false;
      const bool whole = is_whole_team(generator->set, found->second);
      if (generator->set.form == syntax::Set::Form::range && !whole) certain = false;
      for (const auto& bound : generator->names)
        if (receiver.contains(bound.text)) covers = whole;
      continue;
    }
    const bool is_let = std::holds_alternative<syntax::Let>(statement.clauses[at]);
    const auto& table = is_let ? pieces.lets : pieces.filters;
    const auto found = table.find(index);
    if (found == table.end() || share(names_in(found->second), receiver)) return false;
    certain = certain && is_let;
  }
  return covers && !share(names_in(pieces.sender), receiver) && !share(names_in(pieces.value), receiver) &&
         !share(names_in(pieces.place), receiver) && !mentions(statement.place, receiver) &&
         !mentions(statement.value, receiver);
}

void BlocksFlow::judge(const StatementPieces& pieces, int statement, Event& event) {
  const auto add = [&](const char* role, const clang::Expr* expression) {
    event.judged.push_back(
        {role, statement, values_.at(expression), without_team(values_.value(expression))});
  };
  for (const auto& [clause, call] : pieces.sets)
    for (const auto* element : call->arguments()) {
      const auto* set = element->IgnoreImplicit();
      flow::Uses uses = is_handle(set->getType()) ? values_.reached(set) : values_.value(set);
      append(uses, values_.length(set));
      event.judged.push_back({"set", statement, values_.at(set), without_team(uses)});
    }
  for (const auto& [clause, let] : pieces.lets) add("let", let);
  for (const auto& [clause, filter] : pieces.filters) add("filter", filter);
  if (pieces.receiver != nullptr) add("receiver", pieces.receiver);
  if (pieces.sender != nullptr) add("sender", pieces.sender);
}

void BlocksFlow::receive(const syntax::Statement& statement, const StatementPieces& pieces) {
  if (pieces.place == nullptr || pieces.value == nullptr || pieces.receiver == nullptr ||
      pieces.sender == nullptr)
    return;
  const auto at = values_.at(pieces.place);
  bool certain = false;
  if (!reaches_everyone(statement, pieces, certain)) {
    const Uses received{{-1, -1, Unknown::received, at}};
    values_.assign(pieces.place, {received, received}, false, at, EventKind::write);
    return;
  }
  Uses uses = values_.value(pieces.sender);
  for (const auto& [clause, call] : pieces.sets)
    for (const auto* element : call->arguments()) {
      append(uses, values_.value(element->IgnoreImplicit()));
      append(uses, values_.length(element->IgnoreImplicit()));
    }
  for (const auto& [clause, filter] : pieces.filters) append(uses, values_.value(filter));
  for (const auto& [clause, let] : pieces.lets) append(uses, values_.value(let));
  const bool whole = certain && !statement.place.is_section();
  values_.assign(pieces.place, {uses, uses}, whole, at, whole ? EventKind::receive : EventKind::write);
}

void BlocksFlow::lower(const FileMap::Entry* file, int block, const clang::FunctionDecl* function,
                       const Glance& glance, std::vector<Event>& events) {
  const auto found = index_.find({file, block, function->getCanonicalDecl()});
  if (found == index_.end()) return;
  glance_ = &glance;
  source_ = file->source;
  const auto& syntax = file->shadow->ast->blocks[static_cast<std::size_t>(block)];
  bool one_sided = false;
  for (const auto& modifier : syntax.modifiers)
    one_sided |=
        modifier.kind == syntax::ModifierKind::knows && source_->text(modifier.argument.span) != "both";
  team_ = Team{};
  for (const TeamPiece& piece : unit_.pieces.teams)
    if (piece.key.file == file && piece.key.block == block && piece.key.function != nullptr &&
        piece.key.function->getCanonicalDecl() == function->getCanonicalDecl())
      team_ = team_of(piece.team);
  Event event;
  event.kind = EventKind::block;
  event.block = block;
  event.has_team = !team_.is_world;
  event.team = team_.variable;
  const auto length = source_->text(syntax.span).find_first_of("({ \t\n");
  event.at = {source_, {syntax.span.begin, syntax.span.begin + static_cast<std::uint32_t>(length)}};
  if (!one_sided)
    for (const std::size_t at : found->second)
      judge(unit_.pieces.all()[at].second, unit_.pieces.all()[at].first.statement, event);
  events.push_back(std::move(event));
  for (const std::size_t at : found->second) {
    const auto& [key, pieces] = unit_.pieces.all()[at];
    receive(syntax.statements[static_cast<std::size_t>(key.statement)], pieces);
  }
}

}  // namespace kanor::host
