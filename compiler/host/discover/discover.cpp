// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/discover/discover.hpp"

#include <clang/Basic/FileManager.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "host/discover/clang_session.hpp"
#include "host/discover/message_kinds.hpp"
#include "host/discover/pragma_text.hpp"

namespace kanor::host {
namespace {

/// The callbacks' notes on one file. A file can be entered several times, under a different id each.
struct FileNotes {
  clang::OptionalFileEntryRef file;
  std::string bytes;
  bool is_system = false;  ///< in a system directory
  bool is_kanors = false;  ///< written in Kanor, or includes such a file
  bool is_kanor_hpp = false;
  std::map<clang::FileID, std::vector<Span>> inactive;
  std::vector<Span> macro_definitions, macro_expansions;
  std::map<std::uint32_t, std::pair<Span, const clang::FileEntry*>> includes;  ///< by the directive's offset
  std::map<std::uint32_t, text::Renumbering> renumberings;                     ///< by their offset
  std::map<std::uint32_t, Pragma> pragmas;                                     ///< by their offsets
};

struct Notes {
  std::vector<FileNotes> files;
  std::unordered_map<const clang::FileEntry*, std::size_t> index;
  std::set<std::string> openmp_words;
};

bool is_kanor_hpp(const std::string& bytes) { return bytes.find("define KANOR_COMMUNICATE") != bytes.npos; }

/// Returns true for a library written in Kanor, which is translated with the program, wherever it is
/// installed. What comments say does not count.
bool is_written_in_kanor(const std::string& bytes) {
  if (bytes.find("communicate") == bytes.npos && bytes.find("KANOR_COMMUNICATE") == bytes.npos &&
      bytes.find("kanor::shared") == bytes.npos)
    return false;
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus20 = true;
  clang::Lexer lexer(clang::SourceLocation(), language, bytes.data(), bytes.data(),
                     bytes.data() + bytes.size());
  std::string_view before, second_before, word;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    second_before = std::exchange(before, word);
    word = {lexer.getBufferLocation() - token.getLength(), token.getLength()};
    if ((word == "communicate" && before == "@") || (word == "KANOR_COMMUNICATE" && before != "define") ||
        (word == "shared" && before == "::" && second_before == "kanor"))
      return true;
  }
  return false;
}

class Watcher : public clang::PPCallbacks {
 public:
  Watcher(clang::Preprocessor& preprocessor, const Invocation& invocation, Notes& notes)
      : preprocessor_(preprocessor),
        sources_(preprocessor.getSourceManager()),
        invocation_(invocation),
        notes_(notes) {
    preprocessor.setTokenWatcher([this](const clang::Token& token) { note_pragmas_before(token); });
  }

  void FileChanged(clang::SourceLocation where, FileChangeReason reason,
                   clang::SrcMgr::CharacteristicKind kind, clang::FileID) override {
    if (reason == RenameFile) renumber(where);
    if (reason != EnterFile) return;
    const clang::FileID id = sources_.getFileID(where);
    const auto file = sources_.getFileEntryRefForID(id);
    if (!file) return;
    const auto [at, is_new] = notes_.index.try_emplace(&file->getFileEntry(), notes_.files.size());
    if (is_new) {
      FileNotes& fresh = notes_.files.emplace_back();
      fresh.file = file;
      fresh.bytes = sources_.getBufferData(id).str();
      fresh.is_system = found_as_system_header(*file, kind) || lies_in_system_directory(file->getName());
      fresh.is_kanors = is_written_in_kanor(fresh.bytes);
      fresh.is_kanor_hpp = is_kanor_hpp(fresh.bytes);
    }
    notes_.files[at->second].inactive.try_emplace(id);
  }

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    const auto [id, begin] = sources_.getDecomposedLoc(range.getBegin());
    if (FileNotes* notes = of(id))
      notes->inactive[id].push_back({begin, sources_.getFileOffset(range.getEnd())});
  }

  void MacroDefined(const clang::Token&, const clang::MacroDirective* directive) override {
    const clang::MacroInfo* macro = directive->getMacroInfo();
    add(macro->getDefinitionLoc(), macro->getDefinitionEndLoc(), &FileNotes::macro_definitions);
  }

  void MacroExpands(const clang::Token&, const clang::MacroDefinition& macro, clang::SourceRange range,
                    const clang::MacroArgs* arguments) override {
    if (arguments == nullptr || macro.getMacroInfo() == nullptr) return;
    add(range.getBegin(), range.getEnd(), &FileNotes::macro_expansions);
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange name, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    const auto [id, offset] = sources_.getDecomposedLoc(hash);
    FileNotes* notes = of(id);
    if (notes == nullptr || !file) return;
    Span span;
    if (name.getBegin().isFileID() && sources_.getFileID(name.getBegin()) == id) {
      span = {sources_.getFileOffset(name.getBegin()), sources_.getFileOffset(name.getEnd())};
      if (name.isTokenRange())
        span.end += clang::Lexer::MeasureTokenLength(name.getEnd(), sources_, preprocessor_.getLangOpts());
    }
    notes->includes.insert_or_assign(offset, std::pair(span, &file->getFileEntry()));
  }

  void PragmaDirective(clang::SourceLocation introducer, clang::PragmaIntroducerKind) override {
    const auto [id, offset] = sources_.getDecomposedExpansionLoc(introducer);
    const FileNotes* notes = of(id);
    if (notes == nullptr) return;  // Clang's own text, before the program's
    const PragmaText pragma(std::string_view(notes->bytes).substr(offset));
    if (pragma.is_about_warnings()) return;
    const bool is_openmp_on = preprocessor_.isMacroDefined("_OPENMP");
    if (!pragmas_) pragmas_.emplace();
    pragmas_->add({0, pragma.is_for_speed(), is_openmp_on && pragma.may_lock()});
    if (is_openmp_on) pragma.add_openmp_words(notes_.openmp_words);
  }

 private:
  void note_pragmas_before(const clang::Token& token) {
    if (!pragmas_ || token.is(clang::tok::eof)) return;
    const auto [id, offset] = sources_.getDecomposedExpansionLoc(token.getLocation());
    if (FileNotes* notes = of(id))
      notes->pragmas.try_emplace(offset, Pragma{offset}).first->second.add(*pragmas_);
    pragmas_.reset();
  }

  /// Notes the `#line` directive that stands directly before `where`.
  void renumber(clang::SourceLocation where) {
    const auto [id, offset] = sources_.getDecomposedLoc(where);
    const clang::PresumedLoc presumed = sources_.getPresumedLoc(where);
    if (FileNotes* notes = of(id); notes != nullptr && presumed.isValid())
      notes->renumberings[offset] = {offset, presumed.getLine(), presumed.getFilename()};
  }

  FileNotes* of(clang::FileID id) {
    const auto found = notes_.index.find(sources_.getFileEntryForID(id));
    return found == notes_.index.end() ? nullptr : &notes_.files[found->second];
  }

  void add(clang::SourceLocation begin, clang::SourceLocation end, std::vector<Span> FileNotes::*list) {
    if (!begin.isFileID() || !end.isFileID()) return;
    const auto [id, offset] = sources_.getDecomposedLoc(begin);
    const auto [end_id, end_offset] = sources_.getDecomposedLoc(end);
    FileNotes* notes = of(id);
    if (notes == nullptr || end_id != id) return;
    const auto length = clang::Lexer::MeasureTokenLength(end, sources_, preprocessor_.getLangOpts());
    (notes->*list).push_back({offset, end_offset + length});
  }

  /// Returns true if the file was found as a system header. A precompiled header's text may call itself one;
  /// what it includes is the user's all the same.
  bool found_as_system_header(clang::FileEntryRef file, clang::SrcMgr::CharacteristicKind kind) {
    return clang::SrcMgr::isSystem(kind) &&
           clang::SrcMgr::isSystem(preprocessor_.getHeaderSearchInfo().getFileDirFlavor(file));
  }

  /// Returns true for paths in a system directory: `-I/usr/include/eigen3` does not make Eigen the user's
  /// own.
  bool lies_in_system_directory(std::string_view path) const {
    return std::any_of(invocation_.system_directories.begin(), invocation_.system_directories.end(),
                       [&](const std::string& directory) {
                         return path.starts_with(directory) && path.size() > directory.size() &&
                                path[directory.size()] == '/';
                       });
  }

  clang::Preprocessor& preprocessor_;
  clang::SourceManager& sources_;
  const Invocation& invocation_;
  Notes& notes_;
  std::optional<Pragma> pragmas_;  ///< those since the last token
};

class Action : public clang::PreprocessOnlyAction {
 public:
  Action(const Invocation& invocation, Notes& notes) : invocation_(invocation), notes_(notes) {}

 protected:
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<Watcher>(compiler.getPreprocessor(), invocation_, notes_));
    return true;
  }

 private:
  const Invocation& invocation_;
  Notes& notes_;
};

void sort_and_drop_repeats(std::vector<Span>& spans) {
  const auto before = [](Span a, Span b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; };
  std::sort(spans.begin(), spans.end(), before);
  spans.erase(std::unique(spans.begin(), spans.end()), spans.end());
}

std::vector<Span> intersect(const std::vector<Span>& a, const std::vector<Span>& b) {
  std::vector<Span> both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Span common{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (common.begin < common.end) both.push_back(common);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return both;
}

/// Keeps the outermost spans: groups within a skipped group are reported separately.
std::vector<Span> outermost(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](Span a, Span b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  std::vector<Span> kept;
  for (const Span span : spans)
    if (kept.empty() || kept.back().end <= span.begin) kept.push_back(span);
  return kept;
}

/// A file that includes one written in Kanor has to include what kanorc makes of that one. A file that
/// includes kanor.hpp is written in Kanor, even without a block: blocks elsewhere use what it has.
void mark_includers(Notes& notes) {
  const auto includes_kanors = [&](const FileNotes& file) {
    return std::any_of(file.includes.begin(), file.includes.end(), [&](const auto& include) {
      const auto target = notes.index.find(include.second.second);
      if (target == notes.index.end()) return false;
      return notes.files[target->second].is_kanors || notes.files[target->second].is_kanor_hpp;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (FileNotes& file : notes.files)
      if (!file.is_kanors && includes_kanors(file)) file.is_kanors = changed = true;
  }
}

DiscoveredFile finish(FileNotes& notes, const Notes& all, bool is_main) {
  DiscoveredFile file;
  file.source = std::make_unique<text::Source>(notes.file->getName().str(), std::move(notes.bytes));
  file.is_main = is_main;
  file.is_system = notes.is_system && !notes.is_kanors && !is_main;
  bool first = true;
  for (auto& [id, spans] : notes.inactive) {
    auto groups = outermost(std::move(spans));
    file.inactive = first ? std::move(groups) : intersect(file.inactive, groups);
    first = false;
  }
  file.macro_definitions = std::move(notes.macro_definitions);
  file.macro_expansions = std::move(notes.macro_expansions);
  sort_and_drop_repeats(file.macro_definitions);
  sort_and_drop_repeats(file.macro_expansions);
  for (const auto& [offset, include] : notes.includes) {
    const auto target = all.index.find(include.second);
    if (target != all.index.end()) file.includes.push_back({include.first, static_cast<int>(target->second)});
  }
  for (const auto& [offset, pragma] : notes.pragmas) file.pragmas.push_back(pragma);
  for (auto& [offset, renumbering] : notes.renumberings) file.renumberings.push_back(std::move(renumbering));
  return file;
}

void report(const MessageCollector& collector, const Notes& notes, const Discovery& discovery,
            text::Diagnostics& diagnostics) {
  std::vector<text::Diagnostic> found;
  bool is_hosts = false;
  for (const ClangMessage& message : collector.messages) {
    const auto at = notes.index.find(message.place.file);
    const DiscoveredFile* file = at == notes.index.end() ? nullptr : &discovery.files[at->second];
    // What a system header asks of a preprocessor, such as to be a certain compiler's, is the host's matter.
    if (message.is_error) is_hosts = file != nullptr && file->is_system && !is_fatal(message.id);
    if (is_hosts) continue;
    const text::Source* source = file == nullptr ? nullptr : file->source.get();
    const Span span{message.place.begin, message.place.end};
    if (message.is_error)
      found.push_back({text::Kind::host_error, source, span, message.text, {}});
    else if (!found.empty())
      found.back().notes.push_back({source, span, message.text});
  }
  for (auto& diagnostic : found) diagnostics.report(std::move(diagnostic));
}

}  // namespace

int Discovery::index_of(const text::Source* source) const {
  for (std::size_t at = 0; at < files.size(); ++at)
    if (files[at].source.get() == source) return static_cast<int>(at);
  return -1;
}

Discovery discover(const Invocation& invocation, text::Diagnostics& diagnostics) {
  Discovery discovery;
  MessageCollector collector;
  const auto compiler = make_compiler(invocation, collector, diagnostics);
  if (!compiler) return discovery;
  Notes notes;
  Action action(invocation, notes);
  compiler->ExecuteAction(action);
  mark_includers(notes);
  for (std::size_t at = 0; at < notes.files.size(); ++at)
    discovery.files.push_back(finish(notes.files[at], notes, at == 0));
  discovery.openmp_words = std::move(notes.openmp_words);
  report(collector, notes, discovery, diagnostics);
  return discovery;
}

}  // namespace kanor::host
