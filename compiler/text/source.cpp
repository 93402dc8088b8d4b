// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/source.hpp"

#include <algorithm>
#include <utility>

namespace kanor::text {

Source::Source(std::string path, std::string bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {
  line_starts_.push_back(0);
  for (std::size_t at = 0; at < bytes_.size(); ++at)
    if (bytes_[at] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
}

LineColumn Source::line_column(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(bytes_.size()));
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<unsigned>(next - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

std::string_view Source::line_text(unsigned line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const auto begin = line_starts_[line - 1];
  auto end = line < line_starts_.size() ? line_starts_[line] - 1 : bytes_.size();
  if (end > begin && bytes_[end - 1] == '\r') --end;
  return bytes().substr(begin, end - begin);
}

}  // namespace kanor::text
