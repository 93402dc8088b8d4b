// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/discover/invocation.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>

extern char** environ;

namespace kanor::host {
namespace {

/// The treatment of one of the user's flags for Clang's parse.
struct Rule {
  std::string_view prefix;
  bool exact;     ///< the whole word; otherwise a prefix
  bool separate;  ///< true if it takes the next word as its argument when nothing follows the prefix
  bool to_query;  ///< true if it decides where the host compiler's own headers are
  bool to_clang;
};

/// The first rule that fits decides; a flag without a rule concerns only the host compiler's back end, its
/// warnings or its output.
constexpr std::array rules{
    Rule{"-isystem", false, true, false, true},
    Rule{"-isysroot", false, true, true, false},
    Rule{"-iquote", false, true, false, true},
    Rule{"-idirafter", false, true, false, true},
    Rule{"-ivfsoverlay", true, true, false, true},
    Rule{"-Xclang", true, true, false, true},  // from with_headers_as_text()
    Rule{"-imacros", false, true, false, true},
    Rule{"-iprefix", false, true, false, true},
    Rule{"-iwithprefix", false, true, false, true},
    Rule{"-I", false, true, false, true},
    Rule{"-D", false, true, false, true},
    Rule{"-U", false, true, false, true},
    Rule{"-std=", false, false, true, true},
    Rule{"--std=", false, false, true, true},
    Rule{"-ansi", true, false, true, true},
    Rule{"-stdlib=", false, false, true, false},
    Rule{"-target", true, true, true, true},
    Rule{"--target=", false, false, true, true},
    Rule{"--sysroot", false, true, true, false},
    Rule{"--gcc-toolchain=", false, false, true, false},
    Rule{"-nostdinc", false, false, true, false},
    Rule{"-B", false, true, true, false},
    Rule{"-undef", true, false, false, true},
    Rule{"-pthread", true, false, false, true},
    Rule{"-O", false, false, false, true},
    Rule{"-m32", true, false, true, true},
    Rule{"-m64", true, false, true, true},
    Rule{"-march=", false, false, false, true},
    Rule{"-msse", false, false, false, true},
    Rule{"-mavx", false, false, false, true},
    Rule{"-mfma", false, false, false, true},
    Rule{"-mbmi", false, false, false, true},
    Rule{"-mf16c", true, false, false, true},
    Rule{"-mpopcnt", true, false, false, true},
    Rule{"-mlzcnt", true, false, false, true},
    Rule{"-maes", true, false, false, true},
    Rule{"-mno-sse", false, false, false, true},
    Rule{"-mno-avx", false, false, false, true},
    Rule{"-fexceptions", true, false, false, true},
    Rule{"-fno-exceptions", true, false, false, true},
    Rule{"-frtti", true, false, false, true},
    Rule{"-fno-rtti", true, false, false, true},
    Rule{"-fchar8_t", true, false, false, true},
    Rule{"-fno-char8_t", true, false, false, true},
    Rule{"-fsigned-char", true, false, false, true},
    Rule{"-funsigned-char", true, false, false, true},
    Rule{"-fshort-enums", true, false, false, true},
    Rule{"-fshort-wchar", true, false, false, true},
    Rule{"-ffast-math", true, false, false, true},
    Rule{"-ffinite-math-only", true, false, false, true},
    Rule{"-fwrapv", true, false, false, true},
    Rule{"-fconstexpr-depth=", false, false, false, true},
    Rule{"-ftemplate-depth=", false, false, false, true},
    Rule{"-fPIC", true, false, false, true},
    Rule{"-fPIE", true, false, false, true},
    Rule{"-fpic", true, false, false, true},
    Rule{"-fpie", true, false, false, true},
    Rule{"-fms-extensions", true, false, false, true},
    Rule{"-fpermissive", true, false, false, false},
};

const Rule* rule_for(std::string_view word) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
    return rule.exact ? word == rule.prefix : word.starts_with(rule.prefix);
  });
  return found == rules.end() ? nullptr : &*found;
}

/// The words of `flags` for which the rule's member `wanted` is true, with their separate arguments.
std::vector<std::string> select(const std::vector<std::string>& flags, bool Rule::*wanted) {
  std::vector<std::string> selected;
  for (std::size_t at = 0; at < flags.size(); ++at) {
    const Rule* rule = rule_for(flags[at]);
    if (rule == nullptr) continue;
    const bool takes_next = rule->separate && flags[at] == rule->prefix && at + 1 < flags.size();
    if (rule->*wanted) selected.push_back(flags[at]);
    if (!takes_next) continue;
    ++at;
    if (rule->*wanted) selected.push_back(flags[at]);
  }
  return selected;
}

struct Outcome {
  bool started = false;
  int status = 0;
  std::string output;  ///< standard output and standard error
};

Outcome run(const std::vector<std::string>& words) {
  Outcome outcome;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return outcome;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  // The listing's headings are what we look for, so they must not be translated.
  std::vector<std::string> settings;
  for (char** setting = environ; *setting != nullptr; ++setting)
    if (std::strncmp(*setting, "LC_", 3) != 0 && std::strncmp(*setting, "LANG", 4) != 0)
      settings.emplace_back(*setting);
  settings.emplace_back("LC_ALL=C");
  const auto pointers = [](const std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (const auto& string : strings) result.push_back(const_cast<char*>(string.c_str()));
    result.push_back(nullptr);
    return result;
  };
  pid_t child = 0;
  outcome.started = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers(words).data(),
                                 pointers(settings).data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (outcome.started) {
    std::array<char, 4096> piece;
    for (ssize_t got = 0; (got = read(ends[0], piece.data(), piece.size())) > 0;)
      outcome.output.append(piece.data(), static_cast<std::size_t>(got));
    waitpid(child, &outcome.status, 0);
  }
  close(ends[0]);
  return outcome;
}

/// Returns true for a directory of the compiler's own headers (stddef.h, immintrin.h), which Clang's own
/// replace.
bool is_builtin_directory(const std::string& directory) {
  return std::filesystem::exists(directory + "/stddef.h") &&
         std::filesystem::exists(directory + "/immintrin.h");
}

/// The first line of a compiler's listing that reports an error; its first line if none does.
std::string first_error(const std::string& listing) {
  const std::size_t error = listing.find("error: ");
  const std::size_t begin = error == std::string::npos ? 0 : listing.rfind('\n', error) + 1;
  return listing.substr(begin, listing.find('\n', begin) - begin);
}

/// The oldest host compilers, and the words before the version in their listings: "gcc version 12.2.0",
/// "Debian clang version 19.1.7".
struct Oldest {
  std::string_view before_version, name;
  int major;
};
constexpr std::array oldest_compilers{Oldest{"clang version ", "clang", 16},
                                      Oldest{"gcc version ", "g++", 12}};

/// What is wrong with the compiler's version, by the listing of `-v`; empty if nothing is or it says none.
std::string too_old(const std::string& listing) {
  for (const Oldest& oldest : oldest_compilers) {
    const std::size_t before = listing.find(oldest.before_version);
    if (before == std::string::npos) continue;
    const std::size_t begin = before + oldest.before_version.size();
    const std::string version =
        listing.substr(begin, listing.find_first_not_of("0123456789.", begin) - begin);
    int major = oldest.major;
    std::from_chars(version.data(), version.data() + version.size(), major);
    if (major >= oldest.major) return {};
    const std::string name(oldest.name);
    return "is " + name + ' ' + version + ", but Kanor needs " + name + ' ' + std::to_string(oldest.major) +
           " or later";
  }
  return {};
}

}  // namespace

bool query_host(Invocation& invocation, text::Diagnostics& diagnostics) {
  std::vector<std::string> words{invocation.host_compiler};
  for (auto& word : select(invocation.flags, &Rule::to_query)) words.push_back(std::move(word));
  for (const char* word : {"-E", "-v", "-x", invocation.is_c ? "c" : "c++", "/dev/null"})
    words.emplace_back(word);
  const Outcome outcome = run(words);
  const auto complain = [&](std::string message) {
    diagnostics.report({text::Kind::command_line, nullptr, {}, std::move(message), {}});
    return false;
  };
  if (!outcome.started || (WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 127))
    return complain("the host compiler '" + invocation.host_compiler + "' can't be run");
  if (!invocation.is_c && !invocation.is_mpi_program)
    if (const std::string reason = too_old(outcome.output); !reason.empty())
      return complain("the host compiler '" + invocation.host_compiler + "' " + reason);
  if (outcome.status != 0)
    return complain("the host compiler '" + invocation.host_compiler +
                    "' fails: " + first_error(outcome.output));
  std::size_t at = outcome.output.find("#include <...> search starts here:");
  if (at == std::string::npos)
    return complain("the host compiler '" + invocation.host_compiler +
                    "' does not list its include directories");
  at = outcome.output.find('\n', at) + 1;
  while (at < outcome.output.size() && outcome.output[at] == ' ') {
    const auto end = outcome.output.find('\n', at);
    invocation.system_directories.push_back(outcome.output.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return true;
}

std::string find_header(const Invocation& invocation, const std::string& name) {
  std::vector<std::string> directories;
  const auto& flags = invocation.flags;
  for (std::size_t at = 0; at < flags.size(); ++at)
    for (const std::string_view option : {"-I", "-isystem", "-idirafter"}) {
      if (!flags[at].starts_with(option)) continue;
      if (flags[at] != option)
        directories.push_back(flags[at].substr(option.size()));
      else if (at + 1 < flags.size())
        directories.push_back(flags[at + 1]);
    }
  directories.insert(directories.end(), invocation.system_directories.begin(),
                     invocation.system_directories.end());
  std::error_code ignored;
  for (const std::string& directory : directories)
    if (const auto path = std::filesystem::path(directory) / name; std::filesystem::exists(path, ignored))
      return path.string();
  return {};
}

/// Replaces precompiled headers, which are the host's, by their text. `-Xclang -include` keeps Clang from
/// looking for a precompiled one of its own.
std::vector<std::string> with_headers_as_text(const std::vector<std::string>& flags) {
  std::vector<std::string> words, result;
  for (const auto& flag : flags)
    if (flag != "-Xclang") words.push_back(flag);
  const auto include = [&](const std::string& file) {
    result.insert(result.end(), {"-Xclang", "-include", "-Xclang", file});
  };
  for (std::size_t at = 0; at < words.size(); ++at) {
    const bool is_precompiled = words[at] == "-include-pch";
    if ((!is_precompiled && words[at] != "-include") || at + 1 == words.size()) {
      result.push_back(words[at]);
      continue;
    }
    const std::string& file = words[++at];
    if (!is_precompiled) {
      include(file);
      continue;
    }
    // By custom the text is beside it; a build system names it besides.
    const std::string text = std::filesystem::path(file).replace_extension().string();
    if (std::filesystem::is_regular_file(text) && std::find(words.begin(), words.end(), text) == words.end())
      include(text);
  }
  return result;
}

std::vector<std::string> clang_arguments(const Invocation& invocation) {
  std::vector<std::string> arguments{"kanorc", "-fsyntax-only", "-x", invocation.is_c ? "c" : "c++",
                                     "-nostdinc",
                                     // The host compiler gives its own warnings, with the user's flags. Names
                                     // that a block binds are kanorc's.
                                     "-Wno-everything", "-Wshadow", "-Wshadow-uncaptured-local",
                                     "-ferror-limit=0", "-resource-dir", KANOR_CLANG_RESOURCE_DIR};
  if (!invocation.is_c) arguments.emplace_back("-nostdinc++");
  if (!invocation.is_mpi_program) arguments.emplace_back("-D__KANORC__=1");
  for (auto& flag : select(with_headers_as_text(invocation.flags), &Rule::to_clang))
    arguments.push_back(std::move(flag));
  // Clang skips the pragmas: their meaning is the host compiler's matter, but code asks for the macro.
  for (const auto& flag : invocation.flags)
    if (flag == "-fopenmp") arguments.emplace_back("-D_OPENMP=201511");
  const std::string own = std::string(KANOR_CLANG_RESOURCE_DIR) + "/include";
  bool own_added = false;
  std::vector<std::string> behind;
  for (const auto& directory : invocation.system_directories) {
    if (is_builtin_directory(directory)) {
      if (!own_added) arguments.insert(arguments.end(), {"-isystem", own});
      own_added = true;
      behind.push_back(directory);  // for omp.h and the like, which only the host has
    } else {
      arguments.insert(arguments.end(), {"-isystem", directory});
    }
  }
  for (const auto& directory : behind) arguments.insert(arguments.end(), {"-idirafter", directory});
  arguments.push_back(invocation.main_file);
  return arguments;
}

}  // namespace kanor::host
