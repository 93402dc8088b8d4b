// The Fourier transform of kernels.py with buffers that are handed over: one for each rank, given when it is
// packed, and unpacked when it has come.
#include "fft.hpp"
#include "ranks_opi.hpp"

namespace {

class AllToAll {
 public:
  explicit AllToAll(const Layout& layout) : layout_(layout), open_(static_cast<std::size_t>(layout.ranks())) {
    for (int rank = 0; rank < layout.ranks(); ++rank) most_ = std::max(most_, layout.doubles(rank));
  }

  void operator()(Square& square) {
    const int ranks = layout_.ranks();
    for (int step = 1; step <= ranks; ++step) {
      const int to = (layout_.rank() + step) % ranks, count = layout_.doubles(to);
      Complex* buffer = nullptr;
      OPI_Alloc(&buffer, static_cast<std::size_t>(count) * sizeof(double));
      square.pack(buffer, to);
      OPI_Igive(&buffer, count, MPI_DOUBLE, to, tag_, MPI_COMM_WORLD, &open_[static_cast<std::size_t>(to)]);
    }
    // From any, so that what comes first is unpacked first. Others may be in the next exchange already, which
    // has the other tag; they cannot be farther.
    for (int taken = 0; taken < ranks; ++taken) {
      Complex* buffer = nullptr;
      MPI_Status status;
      OPI_Take(&buffer, most_, MPI_DOUBLE, MPI_ANY_SOURCE, tag_, MPI_COMM_WORLD, &status);
      square.unpack(buffer, status.MPI_SOURCE);
      OPI_Free(&buffer);
    }
    MPI_Waitall(ranks, open_.data(), MPI_STATUSES_IGNORE);
    tag_ = 1 - tag_;
  }

 private:
  const Layout layout_;
  std::vector<MPI_Request> open_;
  int most_ = 0, tag_ = 0;
};

/// The same in tiles: while one is unpacked the next one is on its way.
class InTiles {
 public:
  InTiles(const Layout& layout, int edge)
      : layout_(layout),
        edge_(edge),
        own_(2 * static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge)) {}

  void operator()(Square& square) {
    transpose_in_tiles(layout_, edge_, square, own_.data(), [&](int other, const Tiles& tiles) {
      for (std::size_t number = 0; number <= tiles.count(); ++number) {
        if (number < tiles.count()) give(square, tiles.at(number), other);
        if (number > 0) take(square, tiles.at(number - 1), other);
      }
    });
  }

 private:
  void give(const Square& square, const Tile& tile, int to) {
    Complex* buffer = nullptr;
    OPI_Alloc(&buffer, static_cast<std::size_t>(tile.doubles()) * sizeof(double));
    square.pack(buffer, tile);
    OPI_Give(&buffer, tile.doubles(), MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
  }
  void take(Square& square, const Tile& tile, int from) {
    Complex* buffer = nullptr;
    OPI_Take(&buffer, tile.doubles(), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    square.unpack(buffer, tile);
    OPI_Free(&buffer);
  }

  const Layout layout_;
  const int edge_;
  const Numbers own_;
};

void meet() { MPI_Barrier(MPI_COMM_WORLD); }

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks(&argc, &argv);
  const Request request = read_request(argc, argv);
  const Layout layout(request.size, ranks.rank, ranks.size);
  ranks.tell(request.edge ? transform(request, layout, meet, InTiles(layout, request.edge))
                          : transform(request, layout, meet, AllToAll(layout)));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
