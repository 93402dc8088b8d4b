// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/option_table.hpp"

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <array>

namespace kanor::driver {
namespace {

struct Row {
  std::string_view flag;
  Role role;
};

/// Flags that take the next word when nothing is joined to them.
constexpr std::array separate{
    Row{"-I", Role::compile},
    Row{"-D", Role::compile},
    Row{"-U", Role::compile},
    Row{"-A", Role::compile},
    Row{"-isystem", Role::compile},
    Row{"-iquote", Role::compile},
    Row{"-idirafter", Role::compile},
    Row{"-iprefix", Role::compile},
    Row{"-iwithprefix", Role::compile},
    Row{"-iwithprefixbefore", Role::compile},
    Row{"-imultilib", Role::compile},
    Row{"-isysroot", Role::both},
    Row{"-cxx-isystem", Role::compile},
    Row{"-stdlib++-isystem", Role::compile},
    Row{"-imacros", Role::compile},
    Row{"-include", Role::compile},
    Row{"-include-pch", Role::compile},
    Row{"-Xpreprocessor", Role::compile},
    Row{"-Xassembler", Role::both},
    Row{"-Xclang", Role::compile},
    Row{"-Xlinker", Role::link},
    Row{"-L", Role::link},
    Row{"-T", Role::link},
    Row{"-u", Role::link},
    Row{"-z", Role::link},
    Row{"-e", Role::link},
    Row{"-h", Role::link},
    Row{"-B", Role::both},
    Row{"-mllvm", Role::compile},
    Row{"-aux-info", Role::compile},
    Row{"-arch", Role::both},
    Row{"-target", Role::both},
    Row{"-gcc-toolchain", Role::both},
    Row{"--param", Role::both},
    Row{"--sysroot", Role::both},
    Row{"-framework", Role::link},
    Row{"-F", Role::compile},
    Row{"-wrapper", Role::both},
    Row{"-dumpbase", Role::both},
    Row{"-dumpbase-ext", Role::both},
    Row{"-dumpdir", Role::both},
    Row{"-specs", Role::both},
};

/// Flags that are whole words of the link command only.
constexpr std::array link_words{"-shared",
                                "-static",
                                "-static-pie",
                                "-pie",
                                "-no-pie",
                                "-rdynamic",
                                "-s",
                                "-r",
                                "-nostartfiles",
                                "-nostdlib",
                                "-nolibc",
                                "-nodefaultlibs",
                                "-nostdlib++",
                                "-static-libgcc",
                                "-static-libstdc++",
                                "-symbolic",
                                "-Bstatic",
                                "-Bdynamic",
                                "-static-libasan",
                                "-static-libtsan",
                                "-static-libubsan",
                                "-shared-libgcc"};
constexpr std::array link_prefixes{"-Wl,", "-L", "-fuse-ld=", "-T", "-u", "-Xlinker=", "--ld-path="};

constexpr std::array compile_words{"-nostdinc", "-nostdinc++", "-w", "-C", "-CC", "-P", "-H", "-undef"};
constexpr std::array compile_prefixes{
    "-I",   "-D",       "-U",       "-std=",    "--std=", "-isystem", "-iquote",  "-idirafter",
    "-Wp,", "-include", "-imacros", "-Xclang=", "-Wno-",  "-Werror",  "-pedantic"};

constexpr std::array asking_words{
    "-dumpversion", "-dumpfullversion", "-dumpmachine", "-dumpspecs", "--target-help", "-cc1", "-cc1as"};
constexpr std::array asking_prefixes{"-print-", "--print-", "--help="};

constexpr std::array cxx_endings{".cpp", ".cc", ".cxx", ".C", ".c++", ".cp", ".CPP"};
constexpr std::array header_endings{".h", ".hh", ".hpp", ".hxx", ".h++", ".H", ".hp", ".tcc", ".HPP"};
constexpr std::array host_endings{".c",   ".i",   ".ii",  ".s",   ".S",    ".sx",  ".f",   ".for",
                                  ".ftn", ".F",   ".FOR", ".f90", ".f95",  ".f03", ".f08", ".F90",
                                  ".F95", ".F03", ".F08", ".go",  ".d",    ".adb", ".ads", ".m",
                                  ".mm",  ".bc",  ".ll",  ".cu",  ".cppm", ".ixx"};

constexpr std::array own_options{"--help",
                                 "--version",
                                 "--emit-cpp",
                                 "--no-sections",
                                 "--no-hoisting",
                                 "--no-copy-loops",
                                 "--no-globalize",
                                 "--globalize-from=",
                                 "--globals=",
                                 "--explain",
                                 "--explain-ranks=",
                                 "--host-cxx=",
                                 "--dump=",
                                 "--compile-commands=",
                                 "--launch",
                                 "--mpi-ranks=",
                                 "--thread-safe-library="};

template <typename List>
bool is_one_of(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}
template <typename List>
bool starts_one_of(const List& list, std::string_view word) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view prefix) { return word.starts_with(prefix); });
}

std::string_view ending(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(dot);
}

}  // namespace

FlagShape shape_of(std::string_view flag) {
  for (const Row& row : separate)
    if (row.flag == flag) return {true, row.role};
  if (is_one_of(compile_words, flag) || starts_one_of(compile_prefixes, flag)) return {false, Role::compile};
  if (is_one_of(link_words, flag) || starts_one_of(link_prefixes, flag)) return {false, Role::link};
  return {};
}

bool asks_host(std::string_view flag) {
  return is_one_of(asking_words, flag) || starts_one_of(asking_prefixes, flag);
}

std::string_view nearest_own_option(std::string_view word) {
  const auto name = [](std::string_view option) {
    const std::string_view whole = option.substr(0, option.find('='));
    return llvm::StringRef(whole).drop_front(2);
  };
  if (!word.starts_with("--")) return {};
  for (const std::string_view own : own_options) {
    const unsigned most = static_cast<unsigned>(name(own).size()) / 3;
    if (const unsigned distance = name(word).edit_distance(name(own)); distance > 0 && distance <= most)
      return own;
  }
  return {};
}

Language language_of(std::string_view path, std::string_view forced) {
  if (forced == "c++") return Language::cxx;
  if (forced == "c++-header") return Language::header;
  if (!forced.empty() && forced != "none") return Language::host;
  const auto end = ending(path);
  if (is_one_of(cxx_endings, end)) return Language::cxx;
  if (is_one_of(header_endings, end)) return Language::header;
  return is_one_of(host_endings, end) ? Language::host : Language::linker;
}

}  // namespace kanor::driver
