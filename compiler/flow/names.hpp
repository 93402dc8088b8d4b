// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flow/flow_graph.hpp"

// For print() and parse() alone: how the text form spells things.
namespace kanor::flow {

inline constexpr std::array variable_kinds{std::pair{VariableKind::local, std::string_view("local")},
                                           std::pair{VariableKind::parameter, std::string_view("parameter")},
                                           std::pair{VariableKind::global, std::string_view("global")},
                                           std::pair{VariableKind::member, std::string_view("member")},
                                           std::pair{VariableKind::result, std::string_view("result")},
                                           std::pair{VariableKind::team, std::string_view("team")}};

inline constexpr std::array unknowns{std::pair{Unknown::no, std::string_view("no")},
                                     std::pair{Unknown::rank, std::string_view("rank")},
                                     std::pair{Unknown::team_size, std::string_view("team_size")},
                                     std::pair{Unknown::address, std::string_view("address")},
                                     std::pair{Unknown::call, std::string_view("call")},
                                     std::pair{Unknown::memory, std::string_view("memory")},
                                     std::pair{Unknown::received, std::string_view("received")},
                                     std::pair{Unknown::exception, std::string_view("exception")},
                                     std::pair{Unknown::undefined, std::string_view("undefined")}};

inline constexpr std::array event_kinds{std::pair{EventKind::overwrite, std::string_view("overwrite")},
                                        std::pair{EventKind::write, std::string_view("write")},
                                        std::pair{EventKind::call, std::string_view("call")},
                                        std::pair{EventKind::block, std::string_view("block")},
                                        std::pair{EventKind::receive, std::string_view("receive")},
                                        std::pair{EventKind::split, std::string_view("split")}};

inline constexpr std::array access_kinds{std::pair{AccessKind::read, std::string_view("read")},
                                         std::pair{AccessKind::write, std::string_view("write")},
                                         std::pair{AccessKind::overwrite, std::string_view("overwrite")},
                                         std::pair{AccessKind::send, std::string_view("send")},
                                         std::pair{AccessKind::receive, std::string_view("receive")},
                                         std::pair{AccessKind::call, std::string_view("call")},
                                         std::pair{AccessKind::escape, std::string_view("escape")}};

/// The attributes by which the user decides about a candidate.
inline constexpr std::array askings{std::pair{Candidate::Asked::globalize, std::string_view("globalize")},
                                    std::pair{Candidate::Asked::local, std::string_view("local")}};

/// What the memory of a buffer is; none for BufferMemory::Kind::none.
inline constexpr std::array memory_kinds{
    std::pair{BufferMemory::Kind::automatic, std::string_view("automatic")},
    std::pair{BufferMemory::Kind::lasting, std::string_view("lasting")},
    std::pair{BufferMemory::Kind::allocated, std::string_view("allocated")}};

inline constexpr std::array message_roles{std::pair{Message::Role::send, std::string_view("send")},
                                          std::pair{Message::Role::receive, std::string_view("receive")}};

/// The words for a function's unseen callers; none for OtherCallers::none.
inline constexpr std::array other_callers{
    std::pair{OtherCallers::given_it, std::string_view("given")},
    std::pair{OtherCallers::other_files, std::string_view("elsewhere")}};

/// Turns names into single words that differ from all earlier ones.
class Words {
 public:
  std::string unique(std::string_view name) {
    std::string word;
    for (const char c : name)
      word +=
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ? c : '_';
    if (word.empty()) word = "_";
    const int count = ++seen_[word];
    return count == 1 ? word : word + '#' + std::to_string(count);
  }

 private:
  std::map<std::string, int> seen_;
};

}  // namespace kanor::flow
