// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/emit.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include "emit/aggregates.hpp"
#include "emit/block_emitter.hpp"
#include "emit/copy_loops.hpp"
#include "emit/globalisation.hpp"
#include "emit/line_writer.hpp"
#include "emit/pipelining.hpp"
#include "emit/small_edit.hpp"
#include "emit/spelling.hpp"

namespace kanor::emit {
namespace {

bool any_blocks(const plan::CommPlan& plan) {
  return std::any_of(plan.files.begin(), plan.files.end(),
                     [](const auto& file) { return !file.blocks.empty(); });
}

class FileEmitter {
 public:
  FileEmitter(const plan::CommPlan& plan, const plan::FilePlan& file, const analysis::Sharing& sharing,
              const std::vector<std::string>& copies, std::string_view note_lines)
      : plan_(plan),
        file_(file),
        sharing_(sharing),
        note_lines_(note_lines),
        source_(*file.file->source),
        out_(source_, file.file->renumberings) {
    for (const auto& declaration : file.file->private_declarations)
      small_.push_back({{declaration.insert_at, declaration.insert_at}, "thread_local ", false});
    for (const auto& aggregate : file.file->aggregates)
      small_.push_back({{aggregate.insert_at, aggregate.insert_at}, spell_parts(aggregate), false});
    for (const Span stream : file.file->own_streams) {
      small_.push_back({{stream.begin, stream.begin}, "::kanor::abi::own_stream(", false});
      small_.push_back({{stream.end, stream.end}, ")", false});
    }
    for (const Span attribute : file.file->attributes) small_.push_back({attribute, {}, true});
    for (const auto& include : file.file->includes)
      if (const auto& path = copies.at(static_cast<std::size_t>(include.target_file)); !path.empty())
        small_.push_back({include.name, '"' + path + '"', false});
    globalised_ = spell_globalised(sharing.graph, sharing.decisions, source_, file.file->attributes);
    small_.insert(small_.end(), globalised_.edits.begin(), globalised_.edits.end());
    pipelined_ = spell_pipelines(sharing, source_);
    small_.insert(small_.end(), pipelined_.edits.begin(), pipelined_.edits.end());
    const SpelledCopyLoops copy_loops = spell_copy_loops(sharing, file);
    small_.insert(small_.end(), copy_loops.edits.begin(), copy_loops.edits.end());
    operand_functions_ = copy_loops.functions;
    std::stable_sort(small_.begin(), small_.end(),
                     [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
  }

  std::string emit() {
    if (file_.file->is_main) support();
    out_.begin_file();
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    std::uint32_t at = source_.bytes().starts_with(byte_order_mark) ? 3 : 0;
    for (std::size_t number = 0; number < file_.blocks.size(); ++number) {
      const auto& block = file_.blocks[number];
      copy_with_starts({at, block.block->syntax->span.begin});
      insert_at(block.block->syntax->span.begin);
      const analysis::Pipeline* const pipeline =
          analysis::find(sharing_.pipelines, source_, static_cast<int>(number));
      const analysis::SplitPhase* const split =
          analysis::find(sharing_.splits, source_, static_cast<int>(number));
      if (pipeline != nullptr && pipeline->is_pipelined())
        emit_pipelined(*pipeline);
      else if (split != nullptr && split->is_split())
        emit_split(*split);
      else
        emit_block(block, source_, out_, copy_user_text(), globalised_.handles,
                   globalised_.after_block[static_cast<int>(number)]);
      const std::uint32_t end = end_of(*block.block->syntax);
      insert_at(end);
      inserted_until_ = end + 1;
      at = out_.resume(end);
    }
    copy_with_starts({at, static_cast<std::uint32_t>(source_.bytes().size())});
    if (file_.file->is_main) epilogue();
    return std::move(out_).take();
  }

 private:
  CopyUserText copy_user_text() {
    return {[this](Span span) { copy(span); }, [this](Span span) { return is_edited(span); },
            [this](Span span) {
              const auto found = operand_functions_.find(span.begin);
              return found == operand_functions_.end() ? std::string() : found->second;
            }};
  }

  /// Writes the block where it stands, unless it has started before.
  void emit_pipelined(const analysis::Pipeline& pipeline) {
    const std::string name = name_of_delta(pipeline.block);
    if (pipeline.producer.loop < 0)
      start(pipeline.block, file_.blocks[static_cast<std::size_t>(pipeline.block)].block->syntax->span.begin);
    out_.words(pipeline.consumer.loop < 0 ? name + ".complete();" : name + ".reach();");
  }

  /// Writes what is left of a split block where it stands.
  void emit_split(const analysis::SplitPhase& split) {
    const std::uint32_t begin = file_.blocks[static_cast<std::size_t>(split.block)].block->syntax->span.begin;
    if (split.first < 0) start(split.block, begin);
    if (split.last < 0) out_.words(name_of_pending(split.block) + ".wait();");
  }

  /// Starts a block before the statement at this offset.
  void start(int block, std::uint32_t offset) {
    out_.indent_like(offset);
    const plan::BlockPlan& planned = file_.blocks[static_cast<std::size_t>(block)];
    const analysis::SplitPhase* const split = analysis::find(sharing_.splits, source_, block);
    if (split == nullptr)
      emit_delta(planned, name_of_delta(block), source_, out_, copy_user_text());
    else
      emit_start(planned, (split->loop < 0 ? "::kanor::pending " : "") + name_of_pending(block), source_,
                 out_, copy_user_text());
  }

  void copy_with_starts(Span span) {
    for (auto next = pipelined_.starts.lower_bound(span.begin);
         next != pipelined_.starts.end() && next->first < span.end; ++next) {
      copy({span.begin, next->first});
      start(next->second, next->first);
      span.begin = out_.resume(next->first);
    }
    copy(span);
  }

  /// The end of the block's text, with the macro spelling's semicolon, so that the block may stand before an
  /// `else`.
  std::uint32_t end_of(const syntax::Block& block) const {
    if (block.spelling == syntax::Block::Spelling::at_sign) return block.span.end;
    const auto next = skip_blanks_and_comments(source_.bytes(), block.span.end);
    return next < source_.bytes().size() && source_.bytes()[next] == ';' ? next + 1 : block.span.end;
  }

  void copy(Span span) {
    auto edit = std::lower_bound(small_.begin(), small_.end(), span.begin,
                                 [](const SmallEdit& e, std::uint32_t at) { return e.span.begin < at; });
    for (; edit != small_.end() && edit->span.begin < span.end; ++edit) {
      if (edit->span.empty() && edit->span.begin < inserted_until_) continue;
      out_.user({span.begin, edit->span.begin});
      if (edit->blanks)
        out_.blank(edit->span);
      else
        out_.words(edit->replacement);
      span.begin = edit->span.end;
    }
    out_.user(span);
  }

  bool is_edited(Span span) const {
    return std::any_of(small_.begin(), small_.end(), [&](const SmallEdit& edit) {
      return edit.span.begin >= span.begin && edit.span.begin < span.end;
    });
  }

  /// Writes the insertions at the offset, before or after a block.
  void insert_at(std::uint32_t offset) {
    if (offset < inserted_until_) return;
    for (const SmallEdit& edit : small_)
      if (edit.span.empty() && edit.span.begin == offset) out_.words(edit.replacement);
  }

  void support() {
    const auto& program = *plan_.program;
    // Where the user's text includes kanor.hpp, and not earlier: what it defines before that decides how
    // headers read.
    if (any_blocks(plan_))
      out_.own_line(program.includes_kanor_first ? "#define KANOR_ABI_BLOCKS"
                                                 : "#include <kanor/abi/block.hpp>");
    if (shares())
      out_.own_line(program.includes_kanor_first ? "#define KANOR_ABI_GLOBALISED"
                                                 : "#include <kanor/abi/globalised.hpp>");
    if (pipelines())
      out_.own_line(program.includes_kanor_first ? "#define KANOR_ABI_DELTA"
                                                 : "#include <kanor/abi/delta.hpp>");
    if (!operand_functions_.empty())
      out_.own_line(program.includes_kanor_first ? "#define KANOR_ABI_COPY_LOOPS"
                                                 : "#include <kanor/abi/copy_loop.hpp>");
    if (program.needs_cereal())
      out_.own_line(program.includes_kanor_first ? "#define KANOR_ABI_CEREAL"
                                                 : "#include <kanor/abi/cereal.hpp>");
    if (needs_initialiser()) out_.own_line("#include <kanor/abi/globals.hpp>");
    const bool has_streams = std::any_of(plan_.files.begin(), plan_.files.end(),
                                         [](const auto& file) { return !file.file->own_streams.empty(); });
    if (has_streams) out_.own_line("#include <kanor/abi/own_stream.hpp>");
  }

  bool shares() const {
    const auto& all = sharing_.decisions;
    return std::any_of(all.begin(), all.end(), [](const auto& decision) {
      return decision.is_globalised || !decision.handovers.empty();
    });
  }

  bool pipelines() const {
    const auto& all = sharing_.pipelines;
    return std::any_of(all.begin(), all.end(), [](const auto& one) { return one.is_pipelined(); });
  }

  bool needs_initialiser() const {
    return !plan_.program->initialisers.empty() || plan_.program->has_unnamed_initialisers;
  }

  /// Writes the end of the unit: initialisers that every rank runs, and the note for the link.
  void epilogue() {
    const auto& program = *plan_.program;
    if (needs_initialiser()) {
      std::string touches;
      for (const auto& initialiser : program.initialisers)
        touches += " (void)&" + initialiser.expression + ';';
      // Whoever touches one such variable has all of the unit's initialised, those without a name here too.
      if (program.has_unnamed_initialisers)
        out_.own_line("namespace { thread_local const bool kanor_touched = ::kanor::abi::touch(); }");
      if (program.has_unnamed_initialisers) touches += " (void)&kanor_touched;";
      out_.own_line("namespace { const ::kanor::abi::rank_initialiser kanor_initialiser{[] {" + touches +
                    " }}; }");
    }
    std::string note = "kanor 1\n";
    if (program.has_private_variables) note += "private\n";
    note += note_lines_;
    if (const auto& end = program.thread_end)
      note += "thread-end\t" + end->variable + '\t' + end->location + '\n';
    for (const auto& obstacle : program.obstacles) {
      note += obstacle.linker_words.empty() ? "obstacle\t" : "obstacle-if\t" + obstacle.linker_words + '\t';
      note += obstacle.variable + '\t' + obstacle.location + '\t' + obstacle.reason + '\n';
    }
    out_.own_line(R"(__attribute__((section(".kanor.note"), used)) static const char kanor_note[] = )" +
                  string_literal(note) + ';');
  }

  const plan::CommPlan& plan_;
  const plan::FilePlan& file_;
  const analysis::Sharing& sharing_;
  std::string_view note_lines_;
  const text::Source& source_;
  LineWriter out_;
  std::vector<SmallEdit> small_;
  Globalised globalised_;
  PipelinedLoops pipelined_;
  std::map<std::uint32_t, std::string> operand_functions_;  ///< by the operand's offset
  std::uint32_t inserted_until_ = 0;  ///< insertions before this offset have been written
};

}  // namespace

Emission emit(const plan::CommPlan& plan, const analysis::Sharing& sharing,
              const std::vector<std::string>& copies, std::string_view note_lines) {
  Emission emission;
  for (const auto& file : plan.files)
    emission.files.push_back(
        {file.file->source, FileEmitter(plan, file, sharing, copies, note_lines).emit()});
  return emission;
}

void print(const Emission& emission, std::ostream& out) {
  for (const auto& file : emission.files) {
    if (emission.files.size() > 1) out << "// " << file.source->path() << '\n';
    out << file.text;
  }
}

}  // namespace kanor::emit
