/* A 2-D stencil: rows and columns of a rank's tile go to its neighbours, of which some are MPI_PROC_NULL. */
#include "print.h"

enum { W = 600, H = 520, steps = 6 };

static double now[H + 2][W + 2], next[H + 2][W + 2];

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size, dims[2] = {0, 0}, periods[2] = {0, 0}, rank, up, down, left, right;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  double to_up[W], to_down[W], to_left[H], to_right[H];
  double from_up[W] = {0}, from_down[W] = {0}, from_left[H] = {0}, from_right[H] = {0};
  for (int y = 0; y < H + 2; ++y)
    for (int x = 0; x < W + 2; ++x) now[y][x] = rank + x * y % 7;
  for (int step = 0; step < steps; ++step) {
    MPI_Request open[8];
    for (int x = 0; x < W; ++x) to_up[x] = now[1][x + 1];
    for (int x = 0; x < W; ++x) to_down[x] = now[H][x + 1];
    for (int y = 0; y < H; ++y) to_left[y] = now[y + 1][1];
    for (int y = 0; y < H; ++y) to_right[y] = now[y + 1][W];
    MPI_Irecv(from_up, W, MPI_DOUBLE, up, 1, grid, &open[0]);
    MPI_Irecv(from_down, W, MPI_DOUBLE, down, 2, grid, &open[1]);
    MPI_Irecv(from_left, H, MPI_DOUBLE, left, 3, grid, &open[2]);
    MPI_Irecv(from_right, H, MPI_DOUBLE, right, 4, grid, &open[3]);
    MPI_Isend(to_down, W, MPI_DOUBLE, down, 1, grid, &open[4]);
    MPI_Isend(to_up, W, MPI_DOUBLE, up, 2, grid, &open[5]);
    MPI_Isend(to_right, H, MPI_DOUBLE, right, 3, grid, &open[6]);
    MPI_Isend(to_left, H, MPI_DOUBLE, left, 4, grid, &open[7]);
    MPI_Waitall(8, open, MPI_STATUSES_IGNORE);
    for (int x = 0; x < W; ++x) now[0][x + 1] = from_up[x];
    for (int x = 0; x < W; ++x) now[H + 1][x + 1] = from_down[x];
    for (int y = 0; y < H; ++y) now[y + 1][0] = from_left[y];
    for (int y = 0; y < H; ++y) now[y + 1][W + 1] = from_right[y];
    for (int y = 1; y <= H; ++y)
      for (int x = 1; x <= W; ++x)
        next[y][x] = 0.25 * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] + now[y][x + 1]);
    for (int y = 1; y <= H; ++y)
      for (int x = 1; x <= W; ++x) now[y][x] = next[y][x];
  }
  double sum = 0;
  for (int y = 0; y < H + 2; ++y)
    for (int x = 0; x < W + 2; ++x) sum += now[y][x] * (x + 2 * y);
  print_all("tile", sum);
  MPI_Comm_free(&grid);
  MPI_Finalize();
}
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
