#include "plan/plan.hpp"

#include <ostream>
#include <stdexcept>
#include <string_view>

namespace kanor::plan {
namespace {

BlockPlan plan_block(const sema::CheckedBlock& block) {
  BlockPlan result{&block, {}};
  for (const auto& statement : block.statements)
    result.statements.push_back({&statement, Pattern::general_exchange, Enumeration::every_binding});
  return result;
}

std::string_view words(Pattern pattern) {
  switch (pattern) {
    case Pattern::general_exchange:
      return "general exchange";
  }
  throw std::logic_error("unknown pattern");
}

std::string_view words(Enumeration enumeration) {
  switch (enumeration) {
    case Enumeration::every_binding:
      return "every rank goes through all bindings";
  }
  throw std::logic_error("unknown enumeration");
}

void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace

CommPlan plan(const sema::Program& program) {
  CommPlan result{&program, {}};
  for (const auto& file : program.files) {
    FilePlan planned{&file, {}};
    for (const auto& block : file.blocks) planned.blocks.push_back(plan_block(block));
    result.files.push_back(std::move(planned));
  }
  return result;
}

void print(const CommPlan& plan, std::ostream& out) {
  for (const FilePlan& file : plan.files) {
    if (file.blocks.empty()) continue;
    const text::Source& source = *file.file->source;
    out << "file " << source.path() << '\n';
    for (const BlockPlan& block : file.blocks) {
      out << "  block at line " << source.line(block.block->syntax->span.begin) << '\n';
      for (const StatementPlan& planned : block.statements)
        out << "    statement at line " << source.line(planned.statement->syntax->span.begin) << ": "
            << words(planned.pattern) << ", " << words(planned.enumeration) << '\n';
    }
  }
}

void verify(const CommPlan& plan) {
  expect(plan.program != nullptr, "a plan without a program");
  expect(plan.files.size() == plan.program->files.size(), "the plan's files are not the program's");
  for (std::size_t f = 0; f < plan.files.size(); ++f) {
    const FilePlan& file = plan.files[f];
    expect(file.file == &plan.program->files[f], "a file out of order");
    expect(file.blocks.size() == file.file->blocks.size(), "a file's blocks are not the program's");
    for (std::size_t b = 0; b < file.blocks.size(); ++b) {
      expect(file.blocks[b].block == &file.file->blocks[b], "a block out of order");
      expect(file.blocks[b].statements.size() == file.blocks[b].block->statements.size(),
             "a block's statements are not the program's");
      for (std::size_t s = 0; s < file.blocks[b].statements.size(); ++s)
        expect(file.blocks[b].statements[s].statement == &file.blocks[b].block->statements[s],
               "a statement out of order");
    }
  }
}

}  // namespace kanor::plan
