// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/standard_input.hpp"

#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <system_error>

namespace kanor::driver {
namespace {

std::string read_standard_input() {
  std::ostringstream text;
  if (std::cin.peek() != std::istream::traits_type::eof()) text << std::cin.rdbuf();
  if (std::cin.bad()) throw std::system_error(errno, std::generic_category(), "cannot read standard input");
  return std::move(text).str();
}

}  // namespace

CommandLine with_standard_input(const CommandLine& line) {
  CommandLine result = line;
  for (Argument& argument : result.arguments) {
    auto* input = std::get_if<Input>(&argument);
    if (input == nullptr || input->path != "-") continue;
    if (input->language != Language::cxx && input->language != Language::header) continue;
    input->path = "<stdin>";
    input->text = read_standard_input();
  }
  return result;
}

std::string overlay_of(const Input& input, Workspace& workspace) {
  const auto text = std::filesystem::absolute(workspace.write("-", *input.text)).string();
  llvm::json::Object file{{"name", std::filesystem::absolute(input.path).string()},
                          {"type", "file"},
                          {"external-contents", text}};
  const llvm::json::Value overlay = llvm::json::Object{
      {"version", 0}, {"use-external-names", false}, {"roots", llvm::json::Array{std::move(file)}}};
  return workspace.write("overlay.yaml", llvm::formatv("{0}", overlay).str());
}

}  // namespace kanor::driver
