#pragma once

#include <clang/AST/Stmt.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "host/cfg/values.hpp"
#include "host/facts/parsed_unit.hpp"

namespace kanor::host {

/// What a function's body says at a glance, whatever the order.
struct Glance {
  std::set<const clang::VarDecl*> read_only;  ///< local variables that nothing but their initialiser sets
};
Glance glance_at(const clang::FunctionDecl* function);

/// Makes events of communicate blocks.
class BlocksFlow {
 public:
  BlocksFlow(const ParsedUnit& unit, Variables& variables, Values& values, const Places& places);

  /// The events of a block as it stands in this function; none if it has no statements there.
  void lower(const FileMap::Entry* file, int block, const clang::FunctionDecl* function, const Glance& glance,
             std::vector<flow::Event>& events);

 private:
  struct Team {
    bool is_world = true;
    int variable = -1;
    std::vector<int> named_by;  ///< the variables in an expression that is not one alone
  };

  Team team_of(const clang::Expr* expression) const;
  flow::Uses without_team(flow::Uses uses) const;
  bool is_team(const clang::Expr* expression) const;
  bool is_team_size(const clang::Expr* expression) const;
  bool is_number(const clang::Expr* expression, int number) const;
  bool is_whole_team(const syntax::Set& set, const clang::CallExpr* call) const;
  std::set<std::string> names_in(const clang::Expr* expression) const;
  bool mentions(const syntax::Operand& operand, const std::set<std::string>& names) const;
  void judge(const StatementPieces& pieces, int statement, flow::Event& event);
  void receive(const syntax::Statement& statement, const StatementPieces& pieces);
  bool reaches_everyone(const syntax::Statement& statement, const StatementPieces& pieces,
                        bool& certain) const;

  const ParsedUnit& unit_;
  Variables& variables_;
  Values& values_;
  const Places& places_;
  std::map<std::tuple<const FileMap::Entry*, int, const clang::Decl*>, std::vector<std::size_t>> index_;
  const Glance* glance_ = nullptr;
  const text::Source* source_ = nullptr;
  Team team_;
};

}  // namespace kanor::host
