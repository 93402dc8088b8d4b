#pragma once

#include <iosfwd>
#include <vector>

#include "sema/program.hpp"

/// Program -> CommPlan: for every statement of every block, what kind of communication it is and how a rank
/// finds its own part. Emission spells what stands here and decides nothing.
namespace kanor::plan {

/// What the statement's bindings amount to.
enum class Pattern {
  general_exchange,  ///< any sender to any receiver: nothing is known of the ranks
};

/// How a rank finds the bindings in which it sends or receives.
enum class Enumeration {
  every_binding,  ///< it goes through all of them
};

struct StatementPlan {
  const sema::CheckedStatement* statement = nullptr;
  Pattern pattern = Pattern::general_exchange;
  Enumeration enumeration = Enumeration::every_binding;
};

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

CommPlan plan(const sema::Program& program);

/// The golden format of `kanorc --dump=plan`.
void print(const CommPlan& plan, std::ostream& out);

/// Throws std::logic_error if the plan does not have exactly the program's files, blocks and statements.
void verify(const CommPlan& plan);

}  // namespace kanor::plan
