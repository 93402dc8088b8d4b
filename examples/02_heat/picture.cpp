#include "picture.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace {

struct Colour {
  double red, green, blue;
};

/// Evenly spaced from cold to hot.
constexpr std::array<Colour, 6> palette{{{0, 0, 4}, {66, 10, 104}, {147, 38, 103}, {221, 81, 58}, {252, 165, 10}, {252, 255, 212}}};

Colour colour_of(double value) {
  const double at = std::clamp(value, 0.0, 1.0) * (palette.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), palette.size() - 2);
  const double part = at - static_cast<double>(below);
  const Colour &a = palette[below], &b = palette[below + 1];
  return {a.red + part * (b.red - a.red), a.green + part * (b.green - a.green), a.blue + part * (b.blue - a.blue)};
}

}  // namespace

Picture read_picture(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str()))
    throw std::runtime_error("cannot read '" + path + "': " + image.message);
  image.format = PNG_FORMAT_GRAY;
  std::vector<png_byte> bytes(PNG_IMAGE_SIZE(image));
  const png_color background{0, 0, 0};
  if (!png_image_finish_read(&image, &background, bytes.data(), 0, nullptr))
    throw std::runtime_error("cannot read '" + path + "': " + image.message);

  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  for (const png_byte byte : bytes) picture.brightness.push_back(byte / 255.0);
  return picture;
}

void write_picture(const Picture& picture, const std::string& path) {
  std::vector<png_byte> bytes;
  bytes.reserve(3 * picture.brightness.size());
  for (const double value : picture.brightness) {
    const Colour colour = colour_of(value);
    for (const double part : {colour.red, colour.green, colour.blue}) bytes.push_back(static_cast<png_byte>(std::lround(part)));
  }

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&image, path.c_str(), 0, bytes.data(), 0, nullptr))
    throw std::runtime_error("cannot write '" + path + "': " + image.message);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
