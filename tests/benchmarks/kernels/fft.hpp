// The two-dimensional Fourier transform of kernels.py, all but its communication ("Ownership Passing",
// Friedley et al., PPoPP 2013, section 5.3): each rank has some rows of a square, transforms them, sends each
// rank its part of them transposed, transforms what are columns then, and sends everything back.
#pragma once

#include <fftw3.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <new>

#include "report.hpp"

using Complex = std::complex<double>;

inline fftw_complex* raw(Complex* numbers) { return reinterpret_cast<fftw_complex*>(numbers); }

/// Numbers that begin a cache line, as buffers of OPI_Alloc do: FFTW's plans depend on it.
class Numbers {
 public:
  explicit Numbers(std::size_t count) : data_(new (alignment) Complex[count]()) {}
  Numbers(const Numbers&) = delete;
  ~Numbers() { operator delete[](data_, alignment); }
  Complex* data() const { return data_; }

 private:
  static constexpr std::align_val_t alignment{64};
  Complex* const data_;
};

/// A part of a rank's rows.
struct Tile {
  std::size_t top, rows;  ///< the rank's own rows, from its first one
  std::size_t left, columns;
  int doubles() const { return static_cast<int>(2 * rows * columns); }
};

/// Who has which rows.
class Layout {
 public:
  Layout(int n, int rank, int ranks) : n_(n), rank_(rank), ranks_(ranks) {}

  std::size_t n() const { return static_cast<std::size_t>(n_); }
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  std::size_t begin(int rank) const {
    return n() * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks_);
  }
  std::size_t rows(int rank) const { return begin(rank + 1) - begin(rank); }
  std::size_t rows() const { return rows(rank_); }
  /// What another rank gets of this one's rows, and where this one puts what it gets.
  Tile part(int other) const { return {0, rows(), begin(other), rows(other)}; }
  /// All ranks have as many.
  bool even() const { return n_ % ranks_ == 0; }
  /// Doubles of what this rank and another one exchange, either way.
  int doubles(int other) const { return static_cast<int>(2 * rows() * rows(other)); }
  /// The same between this rank and all ranks below that one.
  int doubles_below(int other) const { return static_cast<int>(2 * rows() * begin(other)); }

 private:
  const int n_, rank_, ranks_;
};

/// The rows of this rank.
class Square {
 public:
  explicit Square(const Layout& layout) : layout_(layout), data_(layout.rows() * layout.n()) {}

  Complex* row(std::size_t row) const { return data_.data() + row * layout_.n(); }

  /// Writes what another rank gets, one of its columns after the other.
  [[gnu::noinline]] void pack(Complex* buffer, const Tile& tile) const {
    constexpr std::size_t edge = 8;
    for (std::size_t top = 0; top < tile.rows; top += edge)
      for (std::size_t left = 0; left < tile.columns; left += edge)
        for (std::size_t i = top; i < std::min(top + edge, tile.rows); ++i) {
          const Complex* const from = row(tile.top + i) + tile.left;
          for (std::size_t j = left; j < std::min(left + edge, tile.columns); ++j)
            buffer[j * tile.rows + i] = from[j];
        }
  }
  void pack(Complex* buffer, int to) const { pack(buffer, layout_.part(to)); }
  /// The columns that another rank has packed become parts of this rank's rows.
  [[gnu::noinline]] void unpack(const Complex* buffer, const Tile& tile) {
    for (std::size_t i = 0; i < tile.rows; ++i)
      std::memcpy(row(tile.top + i) + tile.left, buffer + i * tile.columns, tile.columns * sizeof *buffer);
  }
  void unpack(const Complex* buffer, int from) { unpack(buffer, layout_.part(from)); }

 private:
  const Layout layout_;
  const Numbers data_;
};

/// What two ranks exchange, in tiles that remain in a core's cache: a tile is packed, and when the other
/// rank's has come, that is unpacked in its place. The two go through the same places in the same order,
/// since the one's rows are the other one's columns.
class Tiles {
 public:
  Tiles(const Layout& layout, int edge, int other)
      : part_(layout.part(other)), edge_(static_cast<std::size_t>(edge)), mirrored_(layout.rank() > other) {}

  std::size_t count() const { return down() * across(); }
  Tile at(std::size_t number) const {
    const std::size_t i = mirrored_ ? number % down() : number / across();
    const std::size_t j = mirrored_ ? number / down() : number % across();
    return {i * edge_, std::min(edge_, part_.rows - i * edge_), part_.left + j * edge_,
            std::min(edge_, part_.columns - j * edge_)};
  }
  /// With a rank itself: the place where a tile belongs.
  Tile mirror_of(const Tile& tile) const {
    return {tile.left - part_.left, tile.columns, part_.left + tile.top, tile.rows};
  }

 private:
  std::size_t down() const { return (part_.rows + edge_ - 1) / edge_; }
  std::size_t across() const { return (part_.columns + edge_ - 1) / edge_; }

  const Tile part_;
  const std::size_t edge_;
  const bool mirrored_;
};

/// Transposes the square by tiles. `give(buffer, count, rank)` packs nothing: see the programs. Ranks meet in
/// pairs, the same ones at a time.
template <class Pair>
void transpose_in_tiles(const Layout& layout, int edge, Square& square, Complex* own, Pair exchange_with) {
  const int ranks = layout.ranks(), rank = layout.rank();
  for (int step = 0; step < ranks; ++step) {
    const int other = (step + ranks - rank) % ranks;
    const Tiles tiles(layout, edge, other);
    if (other != rank) {
      exchange_with(other, tiles);
      continue;
    }
    for (std::size_t number = 0; number < tiles.count(); ++number) {
      const Tile tile = tiles.at(number), mirror = tiles.mirror_of(tile);
      if (mirror.top < tile.top) continue;
      Complex* const second = own + tile.rows * tile.columns;
      square.pack(own, tile);
      if (mirror.top != tile.top) square.pack(second, mirror), square.unpack(second, tile);
      square.unpack(own, mirror);
    }
  }
}

/// A number of the square that is transformed, in the turn.
inline Complex input(const Layout& layout, std::size_t row, std::size_t column, int turn) {
  const auto number = [](std::uint64_t at) {
    at = (at + 1) * 0x9e3779b97f4a7c15;
    at = (at ^ at >> 31) * 0xbf58476d1ce4e5b9;
    return static_cast<double>(at >> 11) * 0x1p-52 - 1;
  };
  const std::uint64_t at = row * layout.n() + column;
  Complex value{number(2 * at), number(2 * at + 1)};
  // Each turn changes one number of each rank, and so all numbers of the result: old content is noticed.
  for (int rank = 0; rank < layout.ranks(); ++rank)
    if (row == layout.begin(rank) && column == static_cast<std::size_t>(turn) % layout.n()) value += turn + 1;
  return value;
}

/// FFTW plans in one rank of a process at a time. An estimated plan is the same in every run, so that
/// programs differ in their communication only.
template <class Work>
void in_turn(const Layout& layout, void (*meet)(), Work work) {
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    if (rank == layout.rank()) work();
    meet();
  }
}

/// The greatest difference to what FFTW makes of the whole square, as part of the root of the mean square.
inline double difference(const Layout& layout, const Square& square, int turn) {
  const std::size_t n = layout.n();
  const Numbers whole(n * n);
  const int edge = static_cast<int>(n);
  const fftw_plan plan =
      fftw_plan_dft_2d(edge, edge, raw(whole.data()), raw(whole.data()), FFTW_FORWARD, FFTW_ESTIMATE);
  for (std::size_t at = 0; at < n * n; ++at) whole.data()[at] = input(layout, at / n, at % n, turn);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  double worst = 0, squares = 0;
  for (std::size_t i = 0; i < layout.rows(); ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const Complex wanted = whole.data()[(layout.begin(layout.rank()) + i) * n + j];
      squares += std::norm(wanted);
      worst = std::max(worst, std::abs(square.row(i)[j] - wanted));
    }
  return layout.rows() ? worst / std::sqrt(squares / static_cast<double>(layout.rows() * n)) : 0;
}

/// A transform for each batch, after one that does not count. `transpose(square)` packs, exchanges and
/// unpacks; it is timed by itself and starts together.
template <class Transpose>
Report transform(const Request& request, const Layout& layout, void (*meet)(), Transpose transpose) {
  if (request.size % 4) {  // all rows begin alike then, as FFTW's plan has it
    std::fprintf(stderr, "the size must be a multiple of 4\n");
    std::exit(2);
  }
  const std::size_t n = layout.n(), first = layout.begin(layout.rank());
  Square square(layout);
  const Numbers line(n);
  fftw_plan plan = nullptr;
  in_turn(layout, meet, [&] {
    plan = fftw_plan_dft_1d(request.size, raw(line.data()), raw(line.data()), FFTW_FORWARD, FFTW_ESTIMATE);
  });

  Report report{{0}, {}, {}};
  Stopwatch total, communication;
  for (int turn = 0; turn <= request.batches; ++turn) {
    for (std::size_t i = 0; i < layout.rows(); ++i)
      for (std::size_t j = 0; j < n; ++j) square.row(i)[j] = input(layout, first + i, j, turn);
    meet();
    total.start();
    for (int dimension = 0; dimension < 2; ++dimension) {
      for (std::size_t i = 0; i < layout.rows(); ++i)
        fftw_execute_dft(plan, raw(square.row(i)), raw(square.row(i)));
      meet();
      communication.start();
      transpose(square);
      communication.stop();
    }
    total.stop();
    const double times[2] = {total.take(1), communication.take(1)};
    if (turn > 0) {
      report.total.push_back(times[0]);
      report.communication.push_back(times[1]);
    }
    for (std::size_t i = 0; i < layout.rows(); ++i)
      for (std::size_t j = 0; j < n; ++j)
        report.checks[0] +=
            square.row(i)[j].real() * static_cast<double>((i + first + 3 * j) % 7) / static_cast<double>(n);
  }

  in_turn(layout, meet, [&] {
    fftw_destroy_plan(plan);
    const double found = difference(layout, square, request.batches);
    if (found < 1e-11) return;
    std::fprintf(stderr, "rank %d: the result is not that of FFTW: they differ by %g\n", layout.rank(),
                 found);
    std::exit(1);
  });
  return report;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
