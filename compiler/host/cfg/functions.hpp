// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/DeclCXX.h>

#include <map>
#include <vector>

#include "host/cfg/variables.hpp"

namespace kanor::host {

/// Returns true if the function that is called may have another body than the one that is seen.
bool is_replaceable(const clang::FunctionDecl* callee);

/// The functions of user files that have bodies, and their places in the graph.
class Functions {
 public:
  Functions(flow::FlowGraph& graph, Variables& variables, const Places& places)
      : graph_(graph), variables_(variables), places_(places) {}

  /// Finds all functions, instantiations and lambdas of the unit, with their parameters and results.
  void collect(const ParsedUnit& unit);

  const std::vector<const clang::FunctionDecl*>& all() const { return all_; }
  /// The function's index, -1 if its body is not seen.
  int index_of(const clang::FunctionDecl* function) const;
  /// The functions that a call of a virtual member may run: its own index and those of its overriders.
  std::vector<int> run_by(const clang::FunctionDecl* function) const;
  /// Notes that code that is not seen may call the function, with unknown arguments.
  void give_away(const clang::FunctionDecl* function);
  void give_away(const clang::CXXRecordDecl* closure);
  /// The call operators of a lambda or of a class that the program defines.
  std::vector<const clang::FunctionDecl*> call_operators(const clang::CXXRecordDecl* record) const;

  flow::Function& operator[](int function) { return graph_.functions[static_cast<std::size_t>(function)]; }
  /// Returns true if a call passes the object that `function` is called for as its first argument.
  static bool has_this(const clang::FunctionDecl* function);

 private:
  void add(const clang::FunctionDecl* function);

  flow::FlowGraph& graph_;
  Variables& variables_;
  const Places& places_;
  std::vector<const clang::FunctionDecl*> all_;
  std::map<const clang::Decl*, int> index_;
  std::map<const clang::Decl*, std::vector<int>> overriders_;
};

}  // namespace kanor::host
