// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/compile_commands.hpp"

#include <fcntl.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "driver/host_commands.hpp"
#include "driver/workspace.hpp"

namespace kanor::driver {
namespace {

/// A lock that is held while the database is read and replaced. It locks the directory: the database itself
/// is replaced as a whole, so that an editor never reads half of it, and no lock file stays behind.
class Lock {
 public:
  explicit Lock(const std::string& directory) : file_(::open(directory.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0 || ::flock(file_, LOCK_EX) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot lock '" + directory + "'");
  }
  ~Lock() { ::close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

std::vector<llvm::json::Value> read_database(const std::string& file) {
  if (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0) return {};
  auto parsed = llvm::json::parse(read_file(file));
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    throw std::runtime_error("'" + file + "' is not JSON, so nothing is added to it");
  }
  llvm::json::Array* entries = parsed->getAsArray();
  if (entries == nullptr)
    throw std::runtime_error("'" + file + "' is not a compilation database: it is not a list");
  return {entries->begin(), entries->end()};
}

llvm::json::Object entry(const CommandLine& line, const Installation& installation, const Input& input,
                         const std::string& directory) {
  llvm::json::Array arguments;
  for (const auto& word : line.host) arguments.push_back(word);
  for (const auto& word : reading_flags(line, installation)) arguments.push_back(word);
  if (!input.forced.empty()) {
    arguments.push_back("-x");
    arguments.push_back(input.forced);
  }
  arguments.push_back("-c");
  arguments.push_back(input.path);
  return llvm::json::Object{
      {"directory", directory}, {"file", input.path}, {"arguments", std::move(arguments)}};
}

bool is_of(const llvm::json::Value& value, const llvm::json::Object& fresh) {
  const auto* known = value.getAsObject();
  return known != nullptr && known->getString("directory") == fresh.getString("directory") &&
         known->getString("file") == fresh.getString("file");
}

}  // namespace

void note_compile_commands(const std::string& file, const CommandLine& line,
                           const Installation& installation) {
  const std::string directory = std::filesystem::current_path().string();
  const Lock lock(std::filesystem::absolute(file).parent_path().string());
  std::vector<llvm::json::Value> entries = read_database(file);
  for (const Input& input : line.inputs()) {
    if (input.language != Language::cxx) continue;
    auto fresh = entry(line, installation, input, directory);
    std::erase_if(entries, [&](const llvm::json::Value& value) { return is_of(value, fresh); });
    entries.emplace_back(std::move(fresh));
  }
  const std::string beside = file + ".new";
  write_file(beside, llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Array(entries))).str());
  std::filesystem::rename(beside, file);
}

}  // namespace kanor::driver
