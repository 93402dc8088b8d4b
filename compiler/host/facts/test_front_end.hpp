// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// For tests: runs every phase up to the facts on files in a directory of their own.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host/facts/facts.hpp"
#include "syntax/syntax.hpp"

namespace kanor::host {

class FrontEndTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ =
        std::filesystem::temp_directory_path() / ("kanor_" + std::string(test->test_suite_name()) + "_" +
                                                  std::to_string(getpid()) + "_" + test->name());
    std::filesystem::create_directories(directory_);
    invocation_.main_file = (directory_ / "a.cpp").string();
    invocation_.flags = {"-std=gnu++20", "-isystem", KANOR_TEST_INCLUDE_DIR};
    static const std::vector<std::string> directories = [this] {
      EXPECT_TRUE(query_host(invocation_, diagnostics_));
      return invocation_.system_directories;
    }();
    invocation_.system_directories = directories;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& bytes) { std::ofstream(directory_ / name) << bytes; }

  /// Runs the compiler as far as the facts; stops where errors stop it. Invalidates the results of earlier
  /// runs, which refer to their sources.
  void run(const std::string& main_text) {
    diagnostics_ = {};
    facts_ = {};
    shadows_.clear();
    asts_.clear();
    write("a.cpp", main_text);
    run();
  }
  void run() {
    discovery_ = discover(invocation_, diagnostics_);
    if (diagnostics_.has_errors()) return;
    for (const auto& file : discovery_.files)
      if (!file.is_system && syntax::may_have_blocks(*file.source))
        asts_.push_back(syntax::parse(*file.source, file.inactive, diagnostics_));
    if (diagnostics_.has_errors()) return;
    shadows_ = make_shadows(discovery_, asts_);
    for (const Shadow& shadow : shadows_) verify(shadow);
    facts_ = analyse(invocation_, discovery_, shadows_, diagnostics_, also_);
  }

  /// `line:column [text] message` of each diagnostic, in the order of the text.
  std::string messages() const {
    std::vector<std::pair<std::pair<std::string, std::uint32_t>, std::string>> lines;
    for (const auto& diagnostic : diagnostics_.all()) {
      std::ostringstream out;
      std::string path;
      if (diagnostic.source != nullptr) {
        const auto at = diagnostic.source->line_column(diagnostic.span.begin);
        path = std::filesystem::path(diagnostic.source->path()).filename().string();
        if (path != "a.cpp") out << path << ':';
        out << at.line << ':' << at.column << " [" << diagnostic.source->text(diagnostic.span) << "] ";
      }
      out << diagnostic.message << '\n';
      lines.push_back({{path, diagnostic.span.begin}, out.str()});
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string all;
    for (const auto& line : lines) all += line.second;
    return all;
  }

  std::filesystem::path directory_;
  Invocation invocation_;
  text::Diagnostics diagnostics_;
  Discovery discovery_;
  std::vector<syntax::Ast> asts_;
  std::vector<Shadow> shadows_;
  sema::Facts facts_;
  std::function<void(const ParsedUnit&)> also_;
};

}  // namespace kanor::host
