#pragma once

#include <string>
#include <vector>

/// A grey picture, row by row from the top. Brightness from 0 (black) to 1 (white).
struct Picture {
  int width = 0;   ///< pixels
  int height = 0;  ///< pixels
  std::vector<double> brightness;  ///< width * height values
};

/// Reads any PNG file; colours become their brightness. Throws std::runtime_error with a message for the user.
Picture read_picture(const std::string& path);

/// Writes a PNG file in which 0 is black, then violet, red and yellow, and 1 is white. Throws as above.
void write_picture(const Picture& picture, const std::string& path);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
