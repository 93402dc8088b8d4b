// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a picture with few colours (k-means). Each pixel belongs to the nearest colour, and each colour
// becomes the mean of its pixels, until no colour changes. Each rank has a part of the pixels.
#include <kanor/kanor.hpp>
#include <kanor/std/all_reduce.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/gather_vectors.hpp>

#include <png.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using kanor::world;
using Colour = std::array<std::uint8_t, 3>;  // red, green, blue

namespace {

struct Picture {
  png_image image{};
  std::vector<Colour> pixels;
};

Picture read_picture(const std::string& path) {
  Picture picture;
  png_image& image = picture.image;
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, path.c_str())) {
    image.format = PNG_FORMAT_RGB;
    picture.pixels.resize(PNG_IMAGE_SIZE(image) / sizeof(Colour));
    const png_color background{0, 0, 0};
    if (png_image_finish_read(&image, &background, picture.pixels.data(), 0, nullptr)) return picture;
  }
  throw std::runtime_error("cannot read '" + path + "': " + image.message);
}

void write_picture(Picture picture, const std::string& path) {
  png_image& image = picture.image;
  if (!png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr))
    throw std::runtime_error("cannot write '" + path + "': " + image.message);
}

/// The square of the distance between two colours.
int distance(const Colour& a, const Colour& b) {
  int sum = 0;
  for (int part = 0; part < 3; ++part) sum += (a[part] - b[part]) * (a[part] - b[part]);
  return sum;
}

/// The index of the colour that is nearest to the pixel.
std::size_t nearest(const Colour& pixel, const std::vector<Colour>& colours) {
  std::size_t best = 0;
  for (std::size_t at = 1; at < colours.size(); ++at)
    if (distance(pixel, colours[at]) < distance(pixel, colours[best])) best = at;
  return best;
}

/// The colours to begin with. Each is the pixel that is farthest from those before it.
std::vector<Colour> first_colours(const std::vector<Colour>& mine, std::size_t count) {
  std::vector<Colour> colours;
  std::vector<int> distances(mine.size(), std::numeric_limits<int>::max());
  while (colours.size() < count) {
    std::pair<int, Colour> farthest;
    for (std::size_t at = 0; at < mine.size(); ++at) farthest = std::max(farthest, {distances[at], mine[at]});
    farthest = kanor::all_max(farthest);
    if (farthest.first == 0) break;  // the picture has no more colours
    colours.push_back(farthest.second);
    for (std::size_t at = 0; at < mine.size(); ++at)
      distances[at] = std::min(distances[at], distance(mine[at], colours.back()));
  }
  return colours;
}

/// Makes each colour the mean of its pixels on all ranks. Returns false if no colour changes.
bool improve(std::vector<Colour>& colours, const std::vector<Colour>& mine) {
  // Red, green, blue, and the number of pixels. Sums of integers do not depend on their order.
  std::vector<std::array<long, 4>> sums(colours.size());
  for (const Colour& pixel : mine) {
    auto& sum = sums[nearest(pixel, colours)];
    for (int part = 0; part < 3; ++part) sum[part] += pixel[part];
    ++sum[3];
  }
  @communicate { sums@r << + << sums@s where r, s in world }
  const std::vector<Colour> before = colours;
  for (std::size_t at = 0; at < colours.size(); ++at)
    for (int part = 0; part < 3 && sums[at][3] > 0; ++part)
      colours[at][part] = static_cast<std::uint8_t>((sums[at][part] + sums[at][3] / 2) / sums[at][3]);
  return colours != before;
}

void redraw(std::size_t count, const char* from, const char* to) {
  Picture picture;
  if (world.rank() == 0) picture = read_picture(from);
  const auto part = [&](int rank) { return kanor::block_range(picture.pixels.size(), rank); };
  std::vector<Colour> mine;
  @communicate { mine@r <<= picture.pixels[part(r).begin : part(r).size()]@0 where r in world }

  std::vector<Colour> colours = first_colours(mine, count);
  int rounds = 1;
  while (improve(colours, mine) && rounds < 100) ++rounds;

  for (Colour& pixel : mine) pixel = colours[nearest(pixel, colours)];
  picture.pixels = kanor::gather_vectors(mine, 0);
  if (world.rank() != 0) return;
  write_picture(picture, to);
  std::printf("%zu colours after %d rounds:", colours.size(), rounds);
  for (const auto& [red, green, blue] : colours) std::printf(" #%02x%02x%02x", red, green, blue);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc == 4 ? std::atoi(argv[1]) : 0;
  if (count < 1 || count > 256) {
    if (world.rank() == 0)
      std::fprintf(stderr, "usage: kmeans COLOURS FROM.png TO.png (COLOURS: 1 to 256)\n");
    return 2;
  }
  try {
    redraw(count, argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kmeans: %s\n", error.what());
    return 1;
  }
}
