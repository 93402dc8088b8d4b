// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/recompile.hpp"

#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "driver/link/foreign_variables.hpp"
#include "driver/source_record.hpp"
#include "driver/terminal.hpp"

namespace kanor::driver {
namespace {

namespace object = llvm::object;

/// Changes the process's working directory while this object lives.
class InDirectory {
 public:
  explicit InDirectory(const std::filesystem::path& directory) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(directory);
  }
  ~InDirectory() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  InDirectory(const InDirectory&) = delete;
  InDirectory& operator=(const InDirectory&) = delete;

 private:
  std::filesystem::path before_;
};

namespace fs = std::filesystem;

/// An object and how it came to be.
struct Origin {
  std::string text;  ///< the record's text in the object's note
  SourceRecord record;
  fs::path directory;  ///< of the command; empty if the source is not there any more
  bool has_changed = false;

  /// The source's path as seen from the working directory, for messages.
  std::string shown() const {
    std::error_code error;
    if (directory.empty() || directory == fs::current_path(error)) return record.words.back();
    return (directory / record.words.back()).string();
  }
};

/// Finds the source by its digest in the object's directory, those above it, and the working directory: the
/// record does not have the command's directory.
Origin origin_of(std::string text, SourceRecord record, const std::string& object) {
  Origin origin{std::move(text), std::move(record), {}};
  std::vector<fs::path> places;
  std::error_code error;
  for (fs::path at = fs::absolute(object, error).lexically_normal(); at.has_relative_path();)
    places.push_back(at = at.parent_path());
  places.push_back(fs::current_path(error));
  if (fs::path(origin.record.words.back()).is_absolute()) places = {fs::current_path(error)};
  for (const fs::path& place : places) {
    const fs::path source = place / origin.record.words.back();
    if (!fs::is_regular_file(source, error)) continue;
    origin.has_changed = !is_source_of(origin.record.digest, read_file(source.string()));
    origin.directory = place;
    if (!origin.has_changed) break;
  }
  return origin;
}

/// The path of the new object; empty, with the reason printed, if there is none.
std::string compile_again(const Session& session, const Origin& origin, const OtherGlobals& globals) {
  const SourceRecord& record = origin.record;
  const std::string shown = origin.shown();
  const auto complain = [&](const std::string& why) {
    print_note("'" + shown + "' cannot be compiled again: " + why, session.line.colour);
    return std::string();
  };
  if (origin.directory.empty())
    return complain(
        fs::path(record.words.back()).is_absolute()
            ? "it no longer exists"
            : "it is neither in the working directory nor in the object's directory or one above that");
  if (origin.has_changed) return complain("it has changed since");
  auto words = record.words;
  // Its warnings have been given when it was compiled the first time.
  words.insert(words.end() - 1, "-w");
  CommandLine line = parse_command_line(words, session.line.host[0]);
  const auto inputs = line.inputs();
  line.output = session.workspace.path(fs::path(shown).stem().string() + ".o");
  line.colour = session.line.colour;
  line.verbose = session.line.verbose;
  const Session again{line, session.installation, session.workspace, globals.shared_variables,
                      globals.shared_because};
  const InDirectory there(origin.directory);
  const CompiledSource compiled = compile(again, inputs.at(0));
  if (compiled.status != 0) return complain("it does not compile");
  if (compiled.digest != record.digest) return complain("it has changed since");
  return compiled.object;
}

/// Writes a copy of an archive with some members replaced: `replacement` says by which file, or nothing.
template <typename Replacement>
std::string copy_archive(const std::string& path, Workspace& workspace, Replacement replacement) {
  const auto check = [&](llvm::Error error) {
    if (error) throw std::runtime_error("cannot copy '" + path + "': " + llvm::toString(std::move(error)));
  };
  const auto got = [&](auto expected) {
    check(expected.takeError());
    return std::move(*expected);
  };
  const auto bytes = llvm::MemoryBuffer::getFile(path, false, false);
  if (!bytes) throw std::system_error(bytes.getError(), "cannot read '" + path + "'");
  const auto archive = got(object::Archive::create((*bytes)->getMemBufferRef()));
  std::vector<llvm::NewArchiveMember> members;
  auto error = llvm::Error::success();
  for (const auto& child : archive->children(error)) {
    const llvm::StringRef name = got(child.getName());
    const llvm::MemoryBufferRef old = got(child.getMemoryBufferRef());
    const std::string file = replacement(old);
    if (file.empty())
      members.emplace_back(old);
    else
      members.push_back(got(llvm::NewArchiveMember::getFile(file, true)));
    members.back().MemberName = name;
  }
  check(std::move(error));
  const std::string copy = workspace.path(path);
  check(llvm::writeArchive(copy, members, llvm::SymtabWritingMode::NormalSymtab, object::Archive::K_GNU, true,
                           false));
  return copy;
}

using NewObjects = std::map<std::string, std::string>;  ///< from the note's record to the new object's path

std::string replacement_of(const std::vector<ObjectFacts>& facts, const NewObjects& made) {
  if (facts.size() != 1 || facts[0].sources.size() != 1) return {};
  const auto found = made.find(facts[0].sources[0]);
  return found == made.end() ? std::string() : found->second;
}

/// Adds the records whose objects it has put into the input to `placed`.
void put_in_place(const NewObjects& made, const Session& session, LinkInput& input,
                  std::set<std::string>& placed) {
  const std::string path = file_behind(input, session.line);
  if (path.empty()) return;
  bool has_some = false;
  const auto facts = read_objects(path, input.shown, {});
  for (const ObjectFacts& object : facts)
    if (!replacement_of({object}, made).empty()) {
      placed.insert(object.sources[0]);
      has_some = true;
    }
  if (!has_some) return;
  if (!is_archive(path))
    input.path = replacement_of(facts, made);
  else
    input.path = copy_archive(path, session.workspace, [&](llvm::MemoryBufferRef member) {
      return replacement_of(read_object(member, input.shown), made);
    });
}

}  // namespace

std::optional<SourceRecord> only_source(const ObjectFacts& object) {
  if (object.is_shared_library) return std::nullopt;
  // `ld -r` makes one object of several, and not all of them need to have a note.
  if (object.units != 1 || object.files > 1 || object.sources.size() != 1) return std::nullopt;
  return parse_record(object.sources[0]);
}

bool recompile(const Session& session, const std::vector<const ObjectFacts*>& objects,
               const OtherGlobals& globals, const std::string& because, std::vector<LinkInput>& inputs) {
  std::vector<Origin> origins;
  for (const ObjectFacts* object : objects) {
    auto record = only_source(*object);
    if (!record) return false;
    origins.push_back(origin_of(object->sources[0], std::move(*record), object->path));
  }
  if (!session.line.warning_options.none) {
    std::string names;
    for (const Origin& origin : origins) names += (names.empty() ? "'" : ", '") + origin.shown() + "'";
    print_note(because + ", so kanorc compiles " + names + " again with " +
                   (!globals.shared_because.empty() ? "'--globals=process'" : "that variable shared"),
               session.line.colour);
  }
  NewObjects made;
  for (const Origin& origin : origins) {
    auto& object = made[origin.text] = compile_again(session, origin, globals);
    if (object.empty()) return false;
  }
  auto replaced = inputs;
  std::set<std::string> placed;
  for (LinkInput& input : replaced) put_in_place(made, session, input, placed);
  if (placed.size() < made.size()) return false;  // a library of the system's directories
  inputs = std::move(replaced);
  return true;
}

}  // namespace kanor::driver
