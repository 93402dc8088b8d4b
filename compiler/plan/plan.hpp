// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <vector>

#include "plan/element_generators.hpp"
#include "plan/form.hpp"
#include "plan/pattern.hpp"
#include "sema/program.hpp"

/// Program -> CommPlan: for every statement of every block, what kind of communication it is and how a rank
/// finds its own part. Emission spells what stands here and decides nothing.
namespace kanor::plan {

/// How a rank finds the bindings in which it is the receiver, or the sender.
enum class Inversion {
  one_rank,    ///< the rank does not depend on names: one rank goes through all, the others through none
  solved,      ///< the runtime solves the rank's expression for its names
  enumerated,  ///< all ranks go through all bindings, because the rank is not described
  told         ///< none looks for them: the other side knows, and its messages tell
};

struct StatementPlan {
  const sema::CheckedStatement* statement = nullptr;
  Recognition recognition;
  Form form;  ///< how a rank finds the bindings in which it has a part; without text it goes through all
  Inversion receiver = Inversion::enumerated, sender = Inversion::enumerated;
  bool is_closed = false;                    ///< its bindings depend on the form's leaves and the team alone
  std::optional<ElementGenerator> elements;  ///< the generator whose bindings are merged into one
  /// The number of clauses after which a rank is evaluated, once for all loops that follow. Nothing if it is
  /// evaluated in the innermost one.
  std::optional<std::size_t> receiver_after, sender_after;
};

/// Returns true if only senders, or only receivers, know its bindings.
bool is_one_sided(const StatementPlan& statement);

struct BlockPlan {
  const sema::CheckedBlock* block = nullptr;
  std::vector<StatementPlan> statements;  ///< in the order of the text
};

struct FilePlan {
  const sema::CheckedFile* file = nullptr;
  std::vector<BlockPlan> blocks;  ///< in the order of the text
};

/// Refers to the program, which must outlive it.
struct CommPlan {
  const sema::Program* program = nullptr;
  std::vector<FilePlan> files;  ///< one for each of the program's files, in their order
};

/// Options of the planner.
struct Options {
  bool element_sections = true;  ///< element generators become sections
  bool hoists_ranks = true;      ///< a rank is evaluated before the loops that do not change it
};

CommPlan plan(const sema::Program& program, const Options& options = {});

/// Returns true if the block's ranks exchange messages in pairs, rather than by a collective algorithm.
/// `block`: counts the blocks of the file.
bool is_pairwise(const CommPlan& plan, const text::Source& source, int block);

/// The golden format of `kanorc --dump=plan`.
void print(const CommPlan& plan, std::ostream& out);

/// Throws std::logic_error if the plan does not have exactly the program's files, blocks and statements.
void verify(const CommPlan& plan);

}  // namespace kanor::plan
