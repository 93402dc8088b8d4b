// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/discover/clang_session.hpp"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>

#include <utility>

namespace kanor::host {

FilePlace place_of(const clang::SourceManager& sources, clang::SourceLocation begin,
                   clang::SourceLocation end, const clang::LangOptions& options) {
  if (begin.isInvalid()) return {};
  begin = sources.getFileLoc(begin);
  const auto [id, offset] = sources.getDecomposedLoc(begin);
  FilePlace place{sources.getFileEntryForID(id), offset, offset};
  if (end.isInvalid()) end = begin;
  end = sources.getFileLoc(end);
  const auto [end_id, end_offset] = sources.getDecomposedLoc(end);
  const bool ordered = end_id == id && end_offset >= offset;
  place.end = ordered ? end_offset + clang::Lexer::MeasureTokenLength(end, sources, options)
                      : offset + clang::Lexer::MeasureTokenLength(begin, sources, options);
  return place;
}

void MessageCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                        const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  const auto place = [&] {
    return place_of(info.getSourceManager(), info.getLocation(), info.getLocation(), options_);
  };
  const bool hides = info.getID() == clang::diag::warn_decl_shadow ||
                     info.getID() == clang::diag::warn_decl_shadow_uncaptured_local;
  if (std::exchange(after_hiding_, hides)) hiding.back().hidden = info.getLocation();
  if (after_hiding_) hiding.push_back({place(), {}});
  if (level < clang::DiagnosticsEngine::Note || level == clang::DiagnosticsEngine::Warning ||
      level == clang::DiagnosticsEngine::Remark) {
    after_error_ = false;
    return;
  }
  const bool is_error = level != clang::DiagnosticsEngine::Note;
  if (!is_error && !after_error_) return;
  after_error_ = true;
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  ClangMessage message{{}, info.getID(), is_error, std::string(text)};
  if (info.hasSourceManager() && info.getLocation().isValid()) message.place = place();
  messages.push_back(std::move(message));
}

std::unique_ptr<clang::CompilerInstance> make_compiler(const Invocation& invocation,
                                                       MessageCollector& collector,
                                                       text::Diagnostics& diagnostics) {
  const std::vector<std::string> words = clang_arguments(invocation);
  std::vector<const char*> arguments;
  for (const auto& word : words) arguments.push_back(word.c_str());
  auto driver_diagnostics =
      clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions, &collector, false);
  clang::CreateInvocationOptions options;
  options.Diags = driver_diagnostics;
  options.RecoverOnError = true;
  std::shared_ptr<clang::CompilerInvocation> parsed = clang::createInvocation(arguments, options);
  if (!parsed) {
    std::string reason = collector.messages.empty() ? "" : ": " + collector.messages.front().text;
    diagnostics.report({text::Kind::command_line, nullptr, {}, "clang does not take the flags" + reason, {}});
    return nullptr;
  }
  collector.messages.clear();
  collector.clear();
  parsed->getFrontendOpts().DisableFree = false;
  parsed->getDiagnosticOpts().ShowCarets = 0;  // else Clang itself prints how many errors there were
  auto compiler = std::make_unique<clang::CompilerInstance>();
  compiler->setInvocation(std::move(parsed));
  compiler->createDiagnostics(&collector, false);
  return compiler;
}

}  // namespace kanor::host
