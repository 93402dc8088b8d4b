// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file in which kanor-tune keeps what it has measured.
//
//     kanor-tune 1
//     # a comment
//     cpu = model name AMD EPYC 9555 64-Core Processor, cpu family 26, model 2, stepping 1
//     least_offered_block = 196608
//     ...
#pragma once

#include <string>
#include <string_view>

#include "job/tuning.hpp"

namespace kanor::rt {

/// The path of the file: what KANOR_TUNING says, else kanor/tuning in the user's cache folder
/// ($XDG_CACHE_HOME, or .cache in $HOME). Empty if there is no such folder, or KANOR_TUNING is `none`.
std::string tuning_path();

/// The processor as the file names it.
std::string cpu_name();

/// The text of a file. `comments` are lines without their `#`.
std::string tuning_text(const Tuning& tuning, std::string_view cpu, std::string_view comments);

/// Reads the text of a file. Returns false if it is damaged, of another version or another processor; then
/// `error` says which, and `tuning` stays as it is.
bool parse_tuning(std::string_view text, std::string_view cpu, Tuning& tuning, std::string& error);

/// Reads the user's file, if there is one. Otherwise, and if it cannot be used, `tuning` stays as it is. A
/// file that cannot be used is named by the line that is returned, for the user.
std::string read_tuning(Tuning& tuning);

}  // namespace kanor::rt
