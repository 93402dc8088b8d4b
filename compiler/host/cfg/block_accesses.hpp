// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ParentMap.h>

#include "host/cfg/access_list.hpp"
#include "host/cfg/blocks_flow.hpp"
#include "host/cfg/statements.hpp"

namespace kanor::host {

/// Whether the block is to be pipelined with loops. `any`: also without the modifier `delta`.
flow::Pipelining pipelining_of(const syntax::Block& block, bool any);

/// Adds to a function's accesses what its blocks do.
class BlockAccesses {
 public:
  BlockAccesses(const ParsedUnit& unit, const Places& places, BlocksFlow& blocks_flow,
                const ProgramPoints& points, const Statements& statements, const clang::ParentMap& parents,
                AccessList& list, bool pipelines_blocks)
      : unit_(unit),
        places_(places),
        blocks_flow_(blocks_flow),
        points_(points),
        statements_(statements),
        parents_(parents),
        list_(list),
        pipelines_blocks_(pipelines_blocks) {}

  void add(const StatementKey& key, const StatementPieces& pieces);
  /// Keeps a value from being moved out that another part of the block needs. To be called after all
  /// statements have been added.
  void check_moved();

 private:
  /// A statement of a block, and the block's place in the function.
  struct InBlock {
    const StatementKey& key;
    const StatementPieces& pieces;
    const syntax::Block& block;
    const syntax::Statement& syntax;
    ProgramPoint point;
    int statement;
  };

  void add_value(const InBlock& here);
  /// Adds reads of all names in a piece of a block, except a name that is the whole piece.
  void read(const clang::Stmt* piece, const InBlock& here);
  /// Adds reads of all names in the piece, and notes the reason given why they cannot be shared.
  void keep_from_sharing(const clang::Stmt* piece, const InBlock& here, const char* reason);
  /// Adds the writes of a block that updates part of an object, whose values may have been shared just
  /// before.
  void update_part(const clang::Stmt* piece, const InBlock& here);
  flow::Access& add(flow::AccessKind kind, const clang::DeclRefExpr* name, const InBlock& here);
  flow::Access& communicate(const InBlock& here, const clang::DeclRefExpr* name, flow::AccessKind kind,
                            flow::Mention::What what);
  /// The name of an object, if that is all of the piece.
  const clang::DeclRefExpr* named_whole(const clang::Expr* piece, const syntax::Operand& operand) const;
  bool moves_only(const clang::DeclRefExpr* name) const;

  const ParsedUnit& unit_;
  const Places& places_;
  BlocksFlow& blocks_flow_;
  const ProgramPoints& points_;
  const Statements& statements_;
  const clang::ParentMap& parents_;
  AccessList& list_;
  bool pipelines_blocks_;
};

}  // namespace kanor::host
