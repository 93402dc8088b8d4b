// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// For the rooms of host/ alone: one run of Clang, and where its locations stand in the user's files.

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/discover/invocation.hpp"
#include "text/diagnostic.hpp"

namespace kanor::host {

/// A place in a file that Clang read; `file` is null for built-in text.
struct FilePlace {
  const clang::FileEntry* file = nullptr;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// An error as Clang found it, with the notes that follow it.
struct ClangMessage {
  FilePlace place;
  unsigned id = 0;  ///< clang::diag::...
  bool is_error = true;
  std::string text;
};

/// A declaration that Clang has found to hide another one.
struct HidingName {
  FilePlace place;
  clang::SourceLocation hidden;  ///< the name of what it hides
};

/// Keeps errors and their notes, and names that hide others.
class MessageCollector : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;
  void BeginSourceFile(const clang::LangOptions& options, const clang::Preprocessor*) override {
    options_ = options;
  }

  std::vector<ClangMessage> messages;
  std::vector<HidingName> hiding;

 private:
  clang::LangOptions options_;
  bool after_error_ = false;
  bool after_hiding_ = false;
};

/// The place of a token or range in the file that the user sees: for code from a macro, where it is expanded,
/// or spelled if it is an argument.
FilePlace place_of(const clang::SourceManager& sources, clang::SourceLocation begin,
                   clang::SourceLocation end, const clang::LangOptions& options);

/// A compiler ready to execute an action, or null with a command_line error. The collector must outlive it.
std::unique_ptr<clang::CompilerInstance> make_compiler(const Invocation& invocation,
                                                       MessageCollector& collector,
                                                       text::Diagnostics& diagnostics);

}  // namespace kanor::host
