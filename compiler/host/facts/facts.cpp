// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/facts.hpp"

#include <clang/Basic/Stack.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "host/discover/clang_session.hpp"
#include "host/facts/blocks.hpp"
#include "host/facts/changed_streams.hpp"
#include "host/facts/empty_containers.hpp"
#include "host/facts/file_map.hpp"
#include "host/facts/globals.hpp"
#include "host/facts/hidden_filters.hpp"
#include "host/facts/host_only.hpp"
#include "host/facts/listed_operands.hpp"
#include "host/facts/locked_blocks.hpp"
#include "host/facts/messages.hpp"
#include "host/facts/own_streams.hpp"
#include "host/facts/parsed_unit.hpp"
#include "host/facts/pending_exchanges.hpp"
#include "host/facts/prelude.hpp"
#include "host/facts/surroundings.hpp"
#include "host/facts/thread_ends.hpp"
#include "host/facts/words.hpp"

namespace kanor::host {
namespace {

struct Session {
  const Invocation& invocation;
  const Discovery& discovery;
  const FileMap& files;
  sema::Facts& facts;
  const std::function<void(const ParsedUnit&)>& also;
  std::vector<ClangMessage>& messages;
  const std::vector<HidingName>& hiding;
  std::vector<MissingWord> missing_words{};
  std::vector<text::Diagnostic> warnings{};
};

class Consumer : public clang::SemaConsumer {
 public:
  explicit Consumer(Session& session) : session_(session), words_(new Words(session.files, session.facts)) {}

  void InitializeSema(clang::Sema& sema) override {
    sema_ = &sema;
    sema.addExternalSource(words_.get());
  }
  void ForgetSema() override { sema_ = nullptr; }

  /// Skips bodies in system headers: they are most of a translation unit, and tell nothing of the user's
  /// types.
  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    std::uint32_t offset = 0;
    return session_.files.user_file(sema_->getSourceManager(), declaration->getLocation(), offset) == nullptr;
  }

  void HandleTranslationUnit(clang::ASTContext&) override {
    if (session_.invocation.is_mpi_program) {
      const bool is_whole = session_.messages.empty() && !sema_->getDiagnostics().hasErrorOccurred();
      const PieceTable none;
      if (session_.also && is_whole) session_.also({*sema_, session_.files, none});
      return;
    }
    const PieceTable pieces = collect_pieces(*sema_, session_.files, session_.facts);
    find_block_facts(*sema_, session_.files, pieces, session_.facts);
    find_empty_containers(*sema_, session_.files, pieces, session_.facts);
    find_surroundings(*sema_, session_.files, session_.facts);
    find_locked_blocks(*sema_, session_.files, session_.facts);
    find_pending_exchanges(*sema_, session_.files, session_.facts);
    find_globals(*sema_, session_.files,
                 {session_.invocation.foreign_variables, session_.discovery.openmp_words}, session_.facts);
    find_thread_ends(sema_->Context, session_.files, session_.facts);
    session_.warnings = find_hidden_filters(*sema_, session_.files, session_.hiding);
    find_own_streams(*sema_, session_.files, session_.facts);
    find_changed_streams(*sema_, session_.files, session_.facts);
    session_.missing_words = std::move(words_->missing);
    leave_to_host(pieces);
    // Unseen statements would be taken for harmless ones.
    const bool is_whole = session_.messages.empty() &&
                          (!sema_->getDiagnostics().hasErrorOccurred() || !has_gaps(*sema_, session_.files));
    if (session_.also && is_whole) session_.also({*sema_, session_.files, pieces});
  }

 private:
  /// Removes from Clang's errors those that are left to the host compiler, and adds errors for blocks that
  /// depend on them.
  void leave_to_host(const PieceTable& pieces) {
    const HostOnly host_only = take_host_only(session_.messages, session_.files);
    for (auto& message : dependent_uses(*sema_, session_.files, pieces, host_only.headers))
      session_.messages.push_back(std::move(message));
  }

  Session& session_;
  llvm::IntrusiveRefCntPtr<Words> words_;
  clang::Sema* sema_ = nullptr;
};

class Action : public clang::ASTFrontendAction {
 public:
  explicit Action(Session& session) : session_(session) {}

 protected:
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    clang::Preprocessor& preprocessor = compiler.getPreprocessor();
    if (session_.invocation.is_mpi_program) return true;
    // Ahead of what `-include` names, which may have blocks.
    preprocessor.setPredefines(std::string(prelude) + preprocessor.getPredefines());
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(session_);
  }

 private:
  Session& session_;
};

/// A file's facts, with room for each block's.
sema::FileFacts empty_facts(const text::Source& source, const std::vector<Shadow>& shadows) {
  sema::FileFacts facts;
  facts.source = &source;
  for (const Shadow& shadow : shadows) {
    if (shadow.source != &source) continue;
    for (const Attribute& attribute : shadow.attributes)
      if (facts.attributes.empty() || !(facts.attributes.back() == attribute.blank))
        facts.attributes.push_back(attribute.blank);
    if (shadow.ast == nullptr) continue;
    for (const auto& block : shadow.ast->blocks) {
      facts.blocks.emplace_back().statements.resize(block.statements.size());
      facts.blocks.back().symbols.resize(block.statements.size());
    }
  }
  return facts;
}

/// Reports misspelt attributes, which would otherwise be removed like the others, and mean nothing.
void report_unknown_attributes(const std::vector<Shadow>& shadows, text::Diagnostics& diagnostics) {
  constexpr std::array<std::string_view, 6> known{"globalize",          "local",  "noescape",
                                                  "same_address_space", "shared", "uniform"};
  for (const Shadow& shadow : shadows)
    for (const Attribute& attribute : shadow.attributes) {
      const std::string_view text = shadow.source->text(attribute.name);
      const std::string_view name = text.substr(text.find_last_of(": \t\n") + 1);
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      std::string list;
      for (const std::string_view one : known) list += (list.empty() ? "'" : ", '") + std::string(one) + "'";
      diagnostics.report({text::Kind::unknown_attribute,
                          shadow.source,
                          attribute.name,
                          "unknown attribute 'kanor::" + std::string(name) + "' ignored",
                          {{nullptr, {}, "kanor's attributes are " + list}}});
    }
}

/// Reports blocks in macros' arguments: a macro may expand an argument any number of times, and without its
/// lines.
bool report_blocks_in_macros(const Discovery& discovery, const std::vector<Shadow>& shadows,
                             text::Diagnostics& diagnostics) {
  bool found = false;
  for (const Shadow& shadow : shadows) {
    if (shadow.ast == nullptr) continue;
    const auto& file = discovery.files[static_cast<std::size_t>(discovery.index_of(shadow.source))];
    for (const auto& block : shadow.ast->blocks) {
      for (const Span expansion : file.macro_expansions) {
        if (!expansion.contains(block.span) || expansion == block.span) continue;
        const auto name = shadow.source->text(expansion);
        diagnostics.report(
            {text::Kind::block_in_macro,
             shadow.source,
             syntax::keyword_of(block, *shadow.source),
             "a macro argument cannot contain a communicate block",
             {{shadow.source,
               {expansion.begin, expansion.begin + static_cast<std::uint32_t>(name.find_first_of("( \t\n"))},
               "the macro is expanded here"}}});
        found = true;
        break;
      }
    }
  }
  return found;
}

}  // namespace

sema::Facts analyse(const Invocation& invocation, const Discovery& discovery,
                    const std::vector<Shadow>& shadows, text::Diagnostics& diagnostics,
                    const std::function<void(const ParsedUnit&)>& also) {
  sema::Facts facts;
  for (const DiscoveredFile& file : discovery.files)
    if (!file.is_system) facts.files.push_back(empty_facts(*file.source, shadows));
  report_unknown_attributes(shadows, diagnostics);
  if (report_blocks_in_macros(discovery, shadows, diagnostics)) return facts;
  clang::noteBottomOfStack();  // lets Clang go on with a fresh stack where nesting is deep
  MessageCollector collector;
  const auto compiler = make_compiler(invocation, collector, diagnostics);
  if (!compiler) return facts;
  for (const Shadow& shadow : shadows)
    compiler->getPreprocessorOpts().addRemappedFile(
        shadow.source->path(),
        llvm::MemoryBuffer::getMemBuffer(shadow.text, shadow.source->path()).release());
  compiler->getFrontendOpts().SkipFunctionBodies = true;
  compiler->createFileManager();
  const FileMap files(compiler->getFileManager(), discovery, shadows);
  Session session{invocation, discovery, files, facts, also, collector.messages, collector.hiding};
  Action action(session);
  compiler->ExecuteAction(action);
  facts.listed = find_listed_operands(collector.messages, files);
  if (!facts.listed.empty()) return facts;
  report_messages(collector.messages, invocation, files, session.missing_words, facts, diagnostics);
  for (auto& warning : session.warnings) diagnostics.report(std::move(warning));
  return facts;
}

}  // namespace kanor::host
