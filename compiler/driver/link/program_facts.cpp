// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/link/program_facts.hpp"

#include <fcntl.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>

#include "driver/link/linker_words.hpp"
#include "kanor/abi/hidden_state.hpp"
#include "kanor/abi/program_facts.hpp"

namespace kanor::driver {
namespace {

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return text;
}

std::string quoted_name(const std::string& linker_name) { return "'" + readable_name(linker_name) + "'"; }

/// One obstacle for all variables of an object: a library may have hundreds.
LinkObstacle foreign_variables(const ObjectFacts& object) {
  const auto& names = object.shared_variables;
  std::string which = quoted_name(names.front());
  if (names.size() > 1)
    which += " and " + std::to_string(names.size() - 1) +
             (names.size() > 2 ? " other variables" : " other variable");
  return {readable_name(names.front()), object.shown,
          which + " in '" + object.shown + "', which kanorc did not compile, " +
              (names.size() > 1 ? "exist" : "exists") + " once in a process"};
}

/// The section's place in the file: offset and size in bytes; size 0 if there is none.
std::pair<std::uint64_t, std::uint64_t> facts_section(const std::string& path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
  if (!buffer) throw std::system_error(buffer.getError(), "cannot read '" + path + "'");
  auto binary = llvm::object::ObjectFile::createELFObjectFile((*buffer)->getMemBufferRef());
  if (!binary) {
    llvm::consumeError(binary.takeError());
    return {0, 0};
  }
  for (const llvm::object::ELFSectionRef section : (*binary)->sections()) {
    auto name = section.getName();
    if (name && *name == KANOR_PROGRAM_FACTS_SECTION) return {section.getOffset(), section.getSize()};
    if (!name) llvm::consumeError(name.takeError());
  }
  return {0, 0};
}

/// A note's obstacle, worded for messages.
LinkObstacle worded(const LinkObstacle& noted) {
  return {noted.what, noted.location,
          "'" + noted.what + "' (" + noted.location + ") exists once in a process: " + noted.reason};
}

struct ProcessState {
  const char* symbol;
  const char* what;
};
#define KANOR_ROW(symbol, what) {#symbol, what},
constexpr ProcessState process_states[] = {KANOR_PROCESS_STATE(KANOR_ROW)};
constexpr ProcessState beside_handlers[] = {KANOR_BESIDE_HANDLERS(KANOR_ROW)};
#undef KANOR_ROW
#define KANOR_NAME(symbol) #symbol,
constexpr const char* own_handlers[] = {KANOR_OWN_HANDLERS(KANOR_NAME)};
#undef KANOR_NAME

/// One obstacle for each piece of the C library's state that the object may change for other ranks.
std::vector<LinkObstacle> library_state(const ObjectFacts& object, std::span<const ProcessState> states) {
  std::vector<LinkObstacle> found;
  const char* last = "";
  for (const ProcessState& state : states) {
    if (!object.symbols.used.contains(state.symbol) || std::string_view(state.what) == last) continue;
    last = state.what;
    found.push_back(
        {readable_name(state.symbol), object.shown,
         "'" + object.shown + "' uses " + quoted_name(state.symbol) + ", and threads share " + state.what});
  }
  return found;
}

/// Returns true if the object may have signals handled.
bool sets_handlers(const ObjectFacts& object) {
  return std::any_of(std::begin(own_handlers), std::end(own_handlers),
                     [&](const char* symbol) { return object.symbols.used.contains(symbol); });
}

/// `std::thread`, `OpenMP`, ...: what the object starts its threads with.
std::string thread_library(const ObjectFacts& object) {
  const std::string& starter = object.thread_starters.front();
  if (starter.starts_with("_ZNSt6thread")) return "std::thread";
  if (starter.starts_with("GOMP") || starter.starts_with("__kmpc")) return "OpenMP";
  return starter.starts_with("_ZN3tbb") ? "TBB" : starter;
}

/// The object's thread_local variable whose destructor may use others, if it has one.
std::optional<LinkObstacle> thread_end(const ObjectFacts& object) {
  const auto made = [](const std::string& variable, const std::string& location, const std::string& shown) {
    return LinkObstacle{variable, location,
                        "the destructor of " + shown + ", which is thread_local, may use other variables"};
  };
  if (const auto& end = object.thread_end)
    return made(end->what, end->location, "'" + end->what + "' (" + end->location + ")");
  const bool is_unknown =
      !object.has_note && !object.is_shared_library && object.symbols.used.contains("__cxa_thread_atexit");
  if (is_unknown) return made(object.shown, object.shown, "a variable in '" + object.shown + "'");
  return std::nullopt;
}

bool has_variable(const ObjectFacts& object, const std::string& linker_words) {
  return std::any_of(object.shared_variables.begin(), object.shared_variables.end(),
                     [&](const std::string& name) { return is_made_of(name, linker_words); });
}

}  // namespace

std::vector<TracedFile> parse_trace(const std::string& trace) {
  std::vector<TracedFile> files;
  std::istringstream in(trace);
  for (std::string line; std::getline(in, line);) {
    TracedFile file{line, {}};
    if (const auto close = line.find(')'); line.starts_with('(') && close != std::string::npos) {
      file = {line.substr(1, close - 1), line.substr(close + 1)};  // GNU ld: (archive)member
    } else if (const auto open = line.rfind('('); line.ends_with(')') && open != std::string::npos) {
      file = {line.substr(0, open),
              line.substr(open + 1, line.size() - open - 2)};  // gold, lld: archive(member)
    }
    if (!file.path.empty() && std::find(files.begin(), files.end(), file) == files.end())
      files.push_back(std::move(file));
  }
  return files;
}

bool belongs_to_toolchain(const std::string& traced) {
  // g++ finds the system's libraries at `/usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu`.
  const std::string path = std::filesystem::path(traced).lexically_normal().string();
  const std::string name = std::filesystem::path(path).filename().string();
  constexpr std::array exact{"libc.a",  "libc_nonshared.a", "libm.a",    "libmvec.a",  "libpthread.a",
                             "libdl.a", "librt.a",          "libutil.a", "libkanor.a", "libkanor_at_exit.a",
                             "Scrt1.o", "rcrt1.o",          "gcrt1.o",   "Mcrt1.o",    "grcrt1.o"};
  constexpr std::array prefixes{"crt",         "libgcc",  "libstdc++", "libsupc++", "libc++",   "libunwind",
                                "libgcov",     "libgomp", "libasan",   "libtsan",   "libubsan", "liblsan",
                                "libclang_rt", "libm-",   "libatomic", "libitm"};
  if (std::find(exact.begin(), exact.end(), name) != exact.end()) return true;
  if (path.find("/lib/gcc/") != std::string::npos || path.find("/lib/clang/") != std::string::npos)
    return true;
  // `crt*.o` of the user's own would be a file of the working directory.
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); }) &&
         path.starts_with('/');
}

bool have_private_variables(const std::vector<ObjectFacts>& objects) {
  return std::any_of(objects.begin(), objects.end(),
                     [](const ObjectFacts& object) { return object.has_private_variables; });
}

std::optional<NeedOfSharing> need_of_sharing(const std::vector<ObjectFacts>& objects) {
  if (!have_private_variables(objects)) return std::nullopt;
  for (const ObjectFacts& object : objects)
    if (!object.thread_starters.empty())
      return NeedOfSharing{"'" + object.shown + "' starts threads (" + thread_library(object) + ")",
                           "which would not see their rank's global variables",
                           "threads that ranks start of their own share it"};
  for (const ObjectFacts& object : objects)
    if (const auto end = thread_end(object))
      return NeedOfSharing{end->reason, "which would be destroyed before it",
                           "a thread_local variable's destructor may use it"};
  return std::nullopt;
}

std::vector<LinkObstacle> obstacles_of(const std::vector<ObjectFacts>& objects) {
  std::vector<LinkObstacle> obstacles;
  const auto add = [&](LinkObstacle obstacle) {
    if (std::find(obstacles.begin(), obstacles.end(), obstacle) == obstacles.end())
      obstacles.push_back(std::move(obstacle));
  };
  const bool has_handlers = std::any_of(objects.begin(), objects.end(), sets_handlers);
  // The cause of other obstacles, where variables are shared because of it.
  for (const ObjectFacts& object : objects)
    if (auto end = thread_end(object)) add(std::move(*end));
  for (const ObjectFacts& object : objects) {
    for (const auto& obstacle : object.obstacles) add(worded(obstacle));
    for (const auto& possible : object.possible)
      if (has_variable(object, possible.linker_words)) add(worded(possible.obstacle));
    for (const auto& obstacle : object.known_obstacles) add(obstacle);
    if (object.is_intermediate && !object.has_note)
      add({object.shown, object.shown,
           "'" + object.shown +
               "', which kanorc did not compile, holds only link-time optimisation code, so its variables "
               "cannot be seen"});
    if (!object.has_note && !object.shared_variables.empty()) add(foreign_variables(object));
    for (LinkObstacle& obstacle : library_state(object, process_states)) add(std::move(obstacle));
    if (!has_handlers) continue;
    for (LinkObstacle& obstacle : library_state(object, beside_handlers)) add(std::move(obstacle));
  }
  return obstacles;
}

std::set<std::string> signal_functions(const std::vector<ObjectFacts>& objects) {
  std::set<std::string> found;
  for (const ObjectFacts& object : objects) {
    for (const char* const symbol : own_handlers)
      if (object.symbols.used.contains(symbol)) found.insert(symbol);
    for (const ProcessState& state : beside_handlers)
      if (object.symbols.used.contains(state.symbol)) found.insert(state.symbol);
  }
  return found;
}

std::string fields_text(const LinkObstacle& obstacle) {
  return printable(obstacle.what) + '\t' + printable(obstacle.location) + '\t' + printable(obstacle.reason);
}

void forget_thread_ends(ObjectFacts& object) {
  object.thread_end.reset();
  object.symbols.used.erase("__cxa_thread_atexit");
}

void forget_variables(ObjectFacts& object) {
  if (object.is_shared_library) return;
#define KANOR_FORGET(symbol, what) object.symbols.used.erase(#symbol);
  KANOR_COPIED_STATE(KANOR_FORGET)
#undef KANOR_FORGET
  object.obstacles.clear();
  object.possible.clear();
  object.known_obstacles.clear();
  object.shared_variables.clear();
  forget_thread_ends(object);
  object.is_intermediate = false;
}

std::string facts_text(const std::string& plugin_directory, const std::vector<LinkObstacle>& obstacles,
                       const std::string& more_lines, bool is_mpi_program) {
  constexpr std::size_t room_for_count = 32;
  std::string text = KANOR_PROGRAM_FACTS_HEADER;
  text += "plugins\t" + printable(plugin_directory) + '\n';
  if (is_mpi_program) text += "mpi\n";
  text += more_lines;
  std::size_t written = 0;
  for (const auto& obstacle : obstacles) {
    const std::string line = "obstacle\t" + fields_text(obstacle) + '\n';
    if (text.size() + line.size() + room_for_count >= KANOR_PROGRAM_FACTS_BYTES) break;
    text += line;
    ++written;
  }
  if (written < obstacles.size()) text += "more\t" + std::to_string(obstacles.size() - written) + '\n';
  return text;
}

bool write_facts(const std::string& path, const std::string& text) {
  const auto [offset, size] = facts_section(path);
  if (size < text.size()) return false;
  std::string bytes = text;
  bytes.resize(size, '\0');
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const ssize_t written =
      file < 0 ? -1 : pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  const int error = errno;
  if (file >= 0) close(file);
  if (written != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(error, std::generic_category(), "cannot write '" + path + "'");
  return true;
}

}  // namespace kanor::driver
