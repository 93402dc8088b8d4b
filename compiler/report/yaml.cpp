// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Remarks/Remark.h>
#include <llvm/Remarks/RemarkFormat.h>
#include <llvm/Remarks/RemarkSerializer.h>
#include <llvm/Support/raw_ostream.h>

#include <ostream>
#include <stdexcept>
#include <string>

#include "report/remarks.hpp"
#include "report/styles.hpp"

namespace kanor::report {
namespace {

llvm::remarks::Type type(Remark::Kind kind) {
  switch (kind) {
    case Remark::Kind::passed:
      return llvm::remarks::Type::Passed;
    case Remark::Kind::missed:
      return llvm::remarks::Type::Missed;
    case Remark::Kind::analysis:
      break;
  }
  return llvm::remarks::Type::Analysis;
}

llvm::remarks::Remark in_llvms_terms(const Remark& remark, const std::string& function,
                                     const text::Source& source) {
  const auto at = source.line_column(remark.span.begin);
  llvm::remarks::Remark made;
  made.RemarkType = type(remark.kind);
  made.PassName = "kanor";
  made.RemarkName = remark.name;
  made.FunctionName = function;
  made.Loc = llvm::remarks::RemarkLocation{source.path(), at.line, at.column};
  for (const auto& part : remark.parts) {
    auto& argument = made.Args.emplace_back();
    argument.Key = part.key;
    argument.Val = part.value;
  }
  return made;
}

}  // namespace

void print_yaml(const plan::CommPlan& plan, const analysis::Sharing& sharing, std::ostream& out) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto serializer = llvm::remarks::createRemarkSerializer(llvm::remarks::Format::YAML,
                                                          llvm::remarks::SerializerMode::Separate, stream);
  if (!serializer) throw std::runtime_error(llvm::toString(serializer.takeError()));
  for (const auto& file : plan.files)
    for (const auto& block : file.blocks)
      for (const auto& statement : block.statements)
        for (const auto& remark : remarks(block, statement, *file.file->source, sharing))
          (*serializer)->emit(in_llvms_terms(remark, block.block->function, *file.file->source));
  out << stream.str();
}

}  // namespace kanor::report
