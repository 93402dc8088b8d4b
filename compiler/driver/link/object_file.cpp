// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/object_file.hpp"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <array>
#include <memory>

#include "kanor/abi/program_facts.hpp"

namespace kanor::driver {
namespace {

namespace object = llvm::object;
namespace elf = llvm::ELF;

/// The last ones may call what they are given on a thread of their own (SIGEV_THREAD).
constexpr std::array thread_starting_functions{
    "pthread_create", "thrd_create", "__kmpc_fork_call", "timer_create", "mq_notify",
    "aio_read",       "aio_read64",  "aio_write",        "aio_write64",  "aio_fsync",
    "aio_fsync64",    "lio_listio",  "lio_listio64",     "getaddrinfo_a"};
constexpr std::array thread_starting_prefixes{"_ZNSt6thread15_M_start_thread", "GOMP_parallel", "_ZN3tbb"};

bool starts_threads(std::string_view name) {
  return std::find(thread_starting_functions.begin(), thread_starting_functions.end(), name) !=
             thread_starting_functions.end() ||
         std::any_of(thread_starting_prefixes.begin(), thread_starting_prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Returns true for variables of compilers and of the standard library's headers, on which no program's
/// result depends.
bool is_compilers_own(std::string_view name) {
  constexpr std::array names{"__dso_handle", "_ZStL8__ioinit"};
  constexpr std::array prefixes{"_ZNSt",    "_ZZNSt",   "_ZZNKSt", "_ZStL",   "DW.ref.",
                                "__gcov",   "__asan",   "__tsan",  "__ubsan", "__sanitizer",
                                "__profc_", "__profd_", "__llvm_", ".L",      "__odr_asan"};
  return std::find(names.begin(), names.end(), name) != names.end() ||
         std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <typename T>
T value_or(llvm::Expected<T> expected, T otherwise) {
  if (expected) return *expected;
  llvm::consumeError(expected.takeError());
  return otherwise;
}

/// Returns true for a section of mutable variables; those in `.data.rel.ro` are constants once the program is
/// loaded.
bool is_mutable_data(const object::SectionRef& section) {
  const llvm::StringRef name = value_or(section.getName(), llvm::StringRef());
  const auto flags = object::ELFSectionRef(section).getFlags();
  return (flags & elf::SHF_WRITE) != 0 && (flags & elf::SHF_TLS) == 0 && !name.starts_with(".data.rel.ro") &&
         !name.starts_with(".init_array") && !name.starts_with(".fini_array") &&
         !name.starts_with(".ctors") && !name.starts_with(".dtors");
}

void read_symbol(const object::ELFObjectFileBase& file, const object::ELFSymbolRef& symbol,
                 ObjectFacts& facts) {
  const std::string name = value_or(symbol.getName(), llvm::StringRef()).str();
  if (symbol.getELFType() == elf::STT_FILE) ++facts.files;
  constexpr std::string_view guard_of_initialisation = "_ZGV";
  if (name.empty() || name.starts_with(guard_of_initialisation)) return;
  if (name == "__gnu_lto_slim") facts.is_intermediate = true;
  const auto flags = value_or(symbol.getFlags(), 0U);
  const bool is_global = symbol.getBinding() != elf::STB_LOCAL;
  const bool per_thread = symbol.getELFType() == elf::STT_TLS;
  if ((flags & object::BasicSymbolRef::SF_Undefined) != 0) {
    (per_thread ? facts.symbols.used_per_thread : facts.symbols.used).insert(name);
    if (starts_threads(name)) facts.thread_starters.push_back(name);
    return;
  }
  if (per_thread) {
    if (is_global) facts.symbols.defined_per_thread.insert(name);
    return;
  }
  const bool common = (flags & object::BasicSymbolRef::SF_Common) != 0;
  if (is_global && !common && symbol.getELFType() != elf::STT_OBJECT)
    facts.symbols.defined_functions.insert(name);
  if (!common && (symbol.getELFType() != elf::STT_OBJECT || symbol.getSize() == 0)) return;
  if (is_global) facts.symbols.defined_data.insert(name);
  if (is_compilers_own(name)) return;
  const auto section = value_or(symbol.getSection(), file.section_end());
  if (common || (section != file.section_end() && is_mutable_data(*section)))
    facts.shared_variables.push_back(name);
}

/// Returns true for an object with variables that have lost their names, as `strip --strip-unneeded` and
/// `strip -x` take those of static ones: nothing has a name in a section of variables.
bool has_nameless_variables(const object::ELFObjectFileBase& file) {
  std::set<std::uint64_t> named;
  for (const object::ELFSymbolRef symbol : file.symbols()) {
    const auto section = value_or(symbol.getSection(), file.section_end());
    if (section != file.section_end() && symbol.getELFType() != elf::STT_SECTION &&
        !value_or(symbol.getName(), llvm::StringRef()).empty())
      named.insert(section->getIndex());
  }
  return std::any_of(file.section_begin(), file.section_end(), [&](const object::SectionRef& section) {
    return section.getSize() > 0 && is_mutable_data(section) && !named.contains(section.getIndex());
  });
}

void read_notes(const object::ELFObjectFileBase& file, ObjectFacts& facts) {
  for (const auto& section : file.sections())
    if (value_or(section.getName(), llvm::StringRef()) == KANOR_NOTE_SECTION) {
      const llvm::StringRef text = value_or(section.getContents(), llvm::StringRef());
      read_note({text.data(), text.size()}, facts);
    }
}

/// The strings of this kind, such as DT_NEEDED, in the file's dynamic section.
template <typename Elf>
std::vector<std::string> dynamic_strings(const object::ELFObjectFile<Elf>& file, std::int64_t kind) {
  std::vector<std::string> strings;
  const auto entries = value_or(file.getELFFile().dynamicEntries(), {});
  const char* text = nullptr;
  for (const auto& entry : entries)
    if (entry.getTag() == elf::DT_STRTAB)
      text = reinterpret_cast<const char*>(value_or(file.getELFFile().toMappedAddr(entry.getPtr()),
                                                    static_cast<const std::uint8_t*>(nullptr)));
  for (const auto& entry : entries)
    if (text != nullptr && entry.getTag() == kind) strings.emplace_back(text + entry.getVal());
  return strings;
}

std::vector<std::string> dynamic_strings(const object::ELFObjectFileBase& file, std::int64_t kind) {
  if (const auto* one = llvm::dyn_cast<object::ELF64LEObjectFile>(&file)) return dynamic_strings(*one, kind);
  if (const auto* one = llvm::dyn_cast<object::ELF32LEObjectFile>(&file)) return dynamic_strings(*one, kind);
  if (const auto* one = llvm::dyn_cast<object::ELF64BEObjectFile>(&file)) return dynamic_strings(*one, kind);
  return dynamic_strings(llvm::cast<object::ELF32BEObjectFile>(file), kind);
}

/// Reads a shared library. Its variables, if kanorc has not compiled it, are one for the process;
/// library_safety.hpp judges if ranks may share them, and here only their names matter, for declarations of
/// them. So it is with what starts threads. The other facts are for libraries with a note.
void read_shared_library(const object::ELFObjectFileBase& file, ObjectFacts& facts) {
  facts.is_shared_library = true;
  if (auto names = dynamic_strings(file, elf::DT_SONAME); !names.empty()) facts.library_name = names.front();
  const auto is_undefined = [](const object::ELFSymbolRef& symbol) {
    return (value_or(symbol.getFlags(), 0U) & object::BasicSymbolRef::SF_Undefined) != 0;
  };
  ObjectFacts all;
  for (const object::ELFSymbolRef symbol : file.getDynamicSymbolIterators()) {
    read_symbol(file, symbol, all);
    if (symbol.getELFType() == elf::STT_OBJECT && !is_undefined(symbol))
      facts.symbols.defined_data.insert(value_or(symbol.getName(), llvm::StringRef()).str());
  }
  facts.symbols.defined_functions = std::move(all.symbols.defined_functions);
  facts.symbols.used_by_library = std::move(all.symbols.used);
  facts.symbols.defined_per_thread = std::move(all.symbols.defined_per_thread);
  facts.symbols.used_per_thread = std::move(all.symbols.used_per_thread);
  facts.thread_starters.insert(facts.thread_starters.end(), all.thread_starters.begin(),
                               all.thread_starters.end());
  if (!facts.has_note) return;
  for (const object::ELFSymbolRef symbol : file.symbols())
    if (!is_undefined(symbol)) read_symbol(file, symbol, all);
  facts.shared_variables = std::move(all.shared_variables);
}

void read_object_file(const object::ELFObjectFileBase& file, ObjectFacts& facts) {
  for (const object::ELFSymbolRef symbol : file.symbols()) read_symbol(file, symbol, facts);
  if (!facts.has_note && has_nameless_variables(file))
    facts.known_obstacles.push_back(
        {"(stripped)", facts.shown,
         "'" + facts.shown +
             "', which kanorc did not compile, has no local names, so its variables cannot be seen"});
}

void read_file(llvm::MemoryBufferRef bytes, const std::string& shown, std::vector<ObjectFacts>& found) {
  ObjectFacts facts;
  facts.shown = shown;
  if (llvm::identify_magic(bytes.getBuffer()) == llvm::file_magic::bitcode) {
    facts.is_intermediate = true;
    found.push_back(std::move(facts));
    return;
  }
  auto binary = object::ObjectFile::createELFObjectFile(bytes);
  if (!binary) return llvm::consumeError(binary.takeError());
  const auto* file = llvm::dyn_cast<object::ELFObjectFileBase>(binary->get());
  read_notes(*file, facts);
  if (file->getEType() == elf::ET_REL)
    read_object_file(*file, facts);
  else
    read_shared_library(*file, facts);
  found.push_back(std::move(facts));
}

void read_archive(const object::Archive& archive, const std::string& shown,
                  const std::set<std::string>& members, std::vector<ObjectFacts>& found) {
  auto error = llvm::Error::success();
  for (const auto& child : archive.children(error)) {
    const std::string name = value_or(child.getName(), llvm::StringRef()).str();
    if (!members.empty() && !members.contains(name)) continue;
    if (auto bytes = child.getMemoryBufferRef())
      read_file(*bytes, shown + "(" + name + ")", found);
    else
      llvm::consumeError(bytes.takeError());
  }
  llvm::consumeError(std::move(error));
}

/// Removes the front of `text` up to `end`, and returns what was before it.
std::string cut(std::string_view& text, char end) {
  const auto at = text.find(end);
  std::string piece(text.substr(0, at));
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return piece;
}

}  // namespace

std::vector<ObjectFacts> read_objects(const std::string& path, const std::string& shown,
                                      const std::set<std::string>& members) {
  std::vector<ObjectFacts> found;
  const auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer) return found;
  const llvm::MemoryBufferRef bytes = (*buffer)->getMemBufferRef();
  if (llvm::identify_magic(bytes.getBuffer()) != llvm::file_magic::archive) {
    read_file(bytes, shown, found);
  } else if (auto archive = object::Archive::create(bytes)) {
    read_archive(**archive, shown, members, found);
  } else {
    llvm::consumeError(archive.takeError());
  }
  for (ObjectFacts& facts : found) facts.path = path;
  return found;
}

std::vector<ObjectFacts> read_object(llvm::MemoryBufferRef bytes, const std::string& shown) {
  std::vector<ObjectFacts> found;
  read_file(bytes, shown, found);
  return found;
}

std::vector<std::string> needed_libraries(const std::string& path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer) return {};
  auto binary = object::ObjectFile::createELFObjectFile((*buffer)->getMemBufferRef());
  if (!binary) {
    llvm::consumeError(binary.takeError());
    return {};
  }
  return dynamic_strings(*llvm::cast<object::ELFObjectFileBase>(binary->get()), elf::DT_NEEDED);
}

std::string readable_name(const std::string& linker_name) { return llvm::demangle(linker_name); }

void read_note(std::string_view note, ObjectFacts& facts) {
  while (!note.empty()) {
    const std::string unit = cut(note, '\0');
    std::string_view lines = unit;
    while (!lines.empty()) {
      const std::string line = cut(lines, '\n');
      std::string_view fields = line;
      const std::string kind = cut(fields, '\t');
      if (kind.starts_with("kanor ")) {
        facts.has_note = true;
        ++facts.units;
      }
      if (kind == "source") facts.sources.emplace_back(fields);
      if (kind == "private") facts.has_private_variables = true;
      if (kind == "thread-end" && !facts.thread_end) {
        auto& end = facts.thread_end.emplace();
        end.what = cut(fields, '\t');
        end.location = fields;
      }
      if (kind == "threads") facts.thread_starters.emplace_back(fields);
      if (kind == "uses") facts.symbols.used.emplace(fields);
      if (kind != "obstacle" && kind != "obstacle-if" && kind != "obstacle-known") continue;
      const std::string words = kind == "obstacle-if" ? cut(fields, '\t') : "";
      LinkObstacle obstacle;
      obstacle.what = cut(fields, '\t');
      obstacle.location = cut(fields, '\t');
      obstacle.reason = fields;
      if (kind == "obstacle-if")
        facts.possible.push_back({words, std::move(obstacle)});
      else
        (kind == "obstacle" ? facts.obstacles : facts.known_obstacles).push_back(std::move(obstacle));
    }
  }
}

}  // namespace kanor::driver
