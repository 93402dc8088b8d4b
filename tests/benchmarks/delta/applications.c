// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of applications in "Delta Send-Recv for Dynamic Pipelining in MPI Programs" (CCGrid 2012,
// section III). Each is written once; `plain`, `delta` and `hand` differ in how its messages are sent and
// received alone.
//
//     applications KERNEL lu|hycom|hycom_apart|mg  WAY plain|delta|hand  BYTES  PIECE  ITERATIONS
//
// Prints what delta.c prints. BYTES is the length of a message; the work grows with it. Messages are packed
// and unpacked in the loops that compute. Each rank compares its results with those that it computed alone
// before.
#include <math.h>

#include "messages.h"

static struct Message in[6], out[6];  // by neighbour, of whom some may be missing
static int messages;                  // so many are used
static int grid[3], place[3];         // of ranks, and this rank's place there
static double *results, *expected;    // what the kernel computes, and what it should
static int number_of_results;

// Deals the ranks to a grid, and finds the neighbours on both sides of each axis.
static void lay_out(int axes, int below[], int above[]) {
  const int periods[3] = {0};
  MPI_Comm whole;
  MPI_Dims_create(size, axes, grid);
  MPI_Cart_create(MPI_COMM_WORLD, axes, grid, periods, 0, &whole);
  MPI_Cart_coords(whole, me, axes, place);
  for (int axis = 0; axis < axes; ++axis) MPI_Cart_shift(whole, axis, 1, &below[axis], &above[axis]);
  MPI_Comm_free(&whole);
}

static void allocate_messages(int count, const int from[], const int to[], int length) {
  messages = count;
  for (int i = 0; i < count; ++i) {
    allocate(&in[i], length);
    allocate(&out[i], length);
    in[i].other = from[i];
    out[i].other = to[i];
  }
}

static void begin_all(void) {
  for (int i = 0; i < messages; ++i) begin_receive(&in[i]);
  for (int i = 0; i < messages; ++i) begin_send(&out[i]);
}

static void end_all_sends(void) {
  for (int i = 0; i < messages; ++i) end_send(&out[i]);
}

static void complete_all(void) {
  for (int i = 0; i < messages; ++i) complete_send(&out[i]);
  for (int i = 0; i < messages; ++i) end_receive(&in[i]);
}

// Of some, because it counts as the kernel's time.
static double sum_of_results(void) {
  double sum = 0;
  for (int i = 0; i < number_of_results; i += 1 + number_of_results / 64) sum += results[i];
  return sum;
}

// So that what is left of the iteration before cannot pass for a result: an element that is used before it
// has come, or leaves before it is computed, is not a number.
static void reset(void) {
  for (int i = 0; i < messages; ++i) {
    const size_t bytes = sizeof(double) * (size_t)in[i].elements;
    memset(out[i].data, 0xff, bytes);
    if (in[i].other != MPI_PROC_NULL) memset(in[i].data, 0xff, bytes);
  }
  memset(results, 0, sizeof(double) * (size_t)number_of_results);
}

static void check(void) {
  for (int i = 0; i < number_of_results; ++i)
    if (!(fabs(results[i] - expected[i]) <= 1e-9 * (1 + fabs(expected[i])))) {  // also if it is not a number
      fprintf(stderr, "rank %d: result %d is %.17g, and should be %.17g\n", me, i, results[i], expected[i]);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void allocate_results(int count) {
  number_of_results = count;
  results = calloc((size_t)count, sizeof(double));
  expected = calloc((size_t)count, sizeof(double));
}

// lu: the wavefront of NAS LU, blts(). Each rank has a square of cells, and sweeps over it once for each
// plane. A cell needs the cells north and west of it, and itself in the plane before. In each plane, a rank
// receives the cells beside its square, and sends its last row to the south, and its last column to the east.
enum { parts = 5, planes = 4, cells_of_step = step / parts };  // numbers of a cell; cells of about 1 KB
enum { north, west };
enum { south, east };
static int cells;  // of a side of the square
static double lower[3][parts][parts], diagonal[parts][parts];

// Solves for one cell, which has its value of the plane before.
static void solve(double* cell, const double* beside, const double* left, int row, int column, int plane) {
  const double right_hand = 1 + 0.01 * ((3 * row + 5 * column + 7 * plane) % 13);
  double value[parts];
  for (int m = 0; m < parts; ++m) {
    double sum = 0;
    for (int l = 0; l < parts; ++l)
      sum += lower[0][m][l] * cell[l] + lower[1][m][l] * beside[l] + lower[2][m][l] * left[l];
    value[m] = right_hand + 0.1 * m - sum;
  }
  for (int m = 0; m < parts; ++m) {
    for (int l = 0; l < m; ++l) value[m] -= diagonal[m][l] * value[l];
    value[m] /= diagonal[m][m];
  }
  memcpy(cell, value, sizeof value);
}

static void need_cell(struct Message* message, int cell) {
  const int end = cell + cells_of_step < cells ? cell + cells_of_step : cells;
  if (cell % cells_of_step == 0) need(message, parts * cell, parts * end);
}

static void pack_cell(struct Message* message, int cell, const double* value) {
  memcpy(message->data + parts * cell, value, sizeof(double) * parts);
  if (cell % cells_of_step == cells_of_step - 1 || cell == cells - 1)
    ready(message, parts * (cell - cell % cells_of_step), parts * (cell + 1));
}

static double lu(void) {
  const int row = place[0] * cells, column = place[1] * cells;
  for (int plane = 0; plane < planes; ++plane) {
    begin_all();
    for (int j = 0; j < cells; ++j) {
      double* const line = results + (size_t)parts * cells * j;  // of the cells of column j
      need_cell(&in[north], j);
      for (int i = 0; i < cells; ++i) {
        if (j == 0) need_cell(&in[west], i);
        const double* const beside = i > 0 ? line + parts * (i - 1) : in[north].data + parts * j;
        const double* const left = j > 0 ? line + parts * (i - cells) : in[west].data + parts * i;
        solve(line + parts * i, beside, left, row + i, column + j, plane);
        if (j == cells - 1) pack_cell(&out[east], i, line + parts * i);
      }
      pack_cell(&out[south], j, line + parts * (cells - 1));
    }
    end_all_sends();
    complete_all();
  }
  return sum_of_results();
}

// What this rank should have, from the cells of all ranks that its own depend on.
static void expect_lu(void) {
  const int rows = (place[0] + 1) * cells, columns = (place[1] + 1) * cells;
  static const double nothing[parts];
  double* const all = calloc((size_t)parts * rows * columns, sizeof(double));
  for (int plane = 0; plane < planes; ++plane)
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) {
        double* const cell = all + parts * ((size_t)rows * j + i);
        solve(cell, i > 0 ? cell - parts : nothing, j > 0 ? cell - (size_t)parts * rows : nothing, i, j,
              plane);
      }
  const size_t line = (size_t)parts * cells;
  for (int j = 0; j < cells; ++j)
    memcpy(expected + line * j, all + parts * ((size_t)rows * (columns - cells + j) + rows - cells),
           sizeof(double) * line);
  free(all);
}

static void prepare_lu(void) {
  int from[2], to[2];
  cells = elements / parts > 0 ? elements / parts : 1;
  lay_out(2, from, to);
  allocate_messages(2, from, to, parts * cells);
  allocate_results(parts * cells * cells);
  for (int m = 0; m < parts; ++m)
    for (int l = 0; l < parts; ++l) {
      for (int axis = 0; axis < 3; ++axis) lower[axis][m][l] = 0.01 * ((m + 2 * l + 3 * axis) % 7);
      diagonal[m][l] = l == m ? 1.5 : 0.05 * (m + l);
    }
  expect_lu();
}

// hycom: the row sums of HYCOM, xcsum(). Each rank has some columns of an array. It sums its part of each
// row, where a mask is set, adds what the rank before has for that row, and passes the sum on to the next
// rank.
enum { columns_of_rank = 64 };
static double* field;
static unsigned char* mask;
static double* own;  // its parts of the rows

static double field_at(int row, int column) { return 0.25 * ((row * 7 + column * 3) % 101) - 5; }
static int mask_at(int row, int column) { return (row + column * 5) % 11 != 0; }

static void sum_rows(int first, int end) {
  for (int row = first; row < end; ++row) {
    double sum = 0;
    for (size_t i = (size_t)row * columns_of_rank, last = i + columns_of_rank; i < last; ++i)
      if (mask[i]) sum += field[i];
    own[row] = sum;
  }
}

static void add_rows(int first, int end) {
  need(&in[0], first, end);
  for (int row = first; row < end; ++row) results[row] = out[0].data[row] = in[0].data[row] + own[row];
  ready(&out[0], first, end);
}

static double hycom(void) {
  begin_all();
  for (int first = 0, end; first < elements; first = end) {
    end = end_of(first);
    sum_rows(first, end);
    add_rows(first, end);
  }
  end_all_sends();
  complete_all();
  return sum_of_results();
}

// The same, but each rank sums its parts of all rows first. So the ranks compute at the same time even with
// plain messages, and only the additions wait for each other.
static double hycom_apart(void) {
  begin_all();
  sum_rows(0, elements);
  for (int first = 0, end; first < elements; first = end) {
    end = end_of(first);
    add_rows(first, end);
  }
  end_all_sends();
  complete_all();
  return sum_of_results();
}

static void prepare_hycom(void) {
  int from[1], to[1];
  if (elements < 1) elements = 1;
  lay_out(1, from, to);
  allocate_messages(1, from, to, elements);
  allocate_results(elements);
  const size_t all = (size_t)elements * columns_of_rank;
  field = malloc(sizeof(double) * all);
  mask = malloc(all);
  own = malloc(sizeof(double) * (size_t)elements);
  for (int row = 0; row < elements; ++row) {
    for (int i = 0; i < columns_of_rank; ++i) {
      field[(size_t)row * columns_of_rank + i] = field_at(row, me * columns_of_rank + i);
      mask[(size_t)row * columns_of_rank + i] = (unsigned char)mask_at(row, me * columns_of_rank + i);
    }
    for (int column = 0; column < (me + 1) * columns_of_rank; ++column)
      if (mask_at(row, column)) expected[row] += field_at(row, column);
  }
}

// mg: the stencil of NAS MG, psinv(). Each rank has a cube of points, and computes a correction for each. It
// sends the six faces of its cube as they are computed. Then it smooths its points: the inner ones, which
// need no other rank, and the outer ones, which need a neighbour's face.
enum { faces = 6 };                    // below and above, along each axis
static int points;                     // of an edge of the cube
static double *residual, *correction;  // with one more point on each side
static const double weights[3] = {-3.0 / 8, 1.0 / 32, -1.0 / 64};

static size_t at(int k, int j, int i) { return ((size_t)k * (points + 2) + j) * (points + 2) + i; }

static double residual_at(int k, int j, int i) { return 0.125 * ((k * 29 + j * 13 + i * 7 + 1000) % 31) - 2; }

// Where a point of a face is in `correction`, or with `beyond` the neighbour's point next to it.
static size_t at_face(int face, int row, int column, int beyond) {
  const int edge = face % 2 ? points + beyond : 1 - beyond;
  return face / 2 == 0   ? at(row, column, edge)
         : face / 2 == 1 ? at(row, edge, column)
                         : at(edge, row, column);
}

static void pack_row(int face, int row) {
  const int rows = points < step ? step / points : 1,
            last = (row - 1) / rows * rows;  // as many as are named at a time
  double* const to = out[face].data + (row - 1) * points;
  for (int column = 1; column <= points; ++column) to[column - 1] = correction[at_face(face, row, column, 0)];
  if (row % rows == 0 || row == points) ready(&out[face], last * points, row * points);
}

static void unpack_row(int face, int row) {
  const double* const from = in[face].data + (row - 1) * points;
  need(&in[face], (row - 1) * points, row * points);
  for (int column = 1; column <= points; ++column)
    correction[at_face(face, row, column, 1)] = from[column - 1];
}

static void correct_row(int k, int j) {
  double near[points + 2], far[points + 2];
  const int line = points + 2;
  const double *const r = residual + at(k, j, 0), *const under = residual + at(k - 1, j, 0),
                      *const over = residual + at(k + 1, j, 0);
  for (int i = 0; i < line; ++i) {
    near[i] = r[i - line] + r[i + line] + under[i] + over[i];
    far[i] = under[i - line] + under[i + line] + over[i - line] + over[i + line];
  }
  double* const u = correction + at(k, j, 0);
  for (int i = 1; i <= points; ++i)
    u[i] = weights[0] * r[i] + weights[1] * (r[i - 1] + r[i + 1] + near[i]) +
           weights[2] * (far[i] + near[i - 1] + near[i + 1]);
}

static void smooth(int k, int j, int first, int last) {
  const int line = points + 2, plane = line * line;
  const double* const u = correction + at(k, j, 0);
  double* const to = results + ((k - 1) * points + j - 1) * points;
  for (int i = first; i <= last; ++i)
    to[i - 1] =
        u[i] / 2 + (u[i - 1] + u[i + 1] + u[i - line] + u[i + line] + u[i - plane] + u[i + plane]) / 12;
}

static void correct(void) {
  for (int k = 1; k <= points; ++k) {
    for (int j = 1; j <= points; ++j) {
      correct_row(k, j);
      if (k == 1) pack_row(4, j);
      if (k == points) pack_row(5, j);
    }
    for (int face = 0; face < 4; ++face) pack_row(face, k);
  }
}

static void smooth_outer(void) {
  for (int k = 1; k <= points; ++k) {
    for (int face = 0; face < 4; ++face) unpack_row(face, k);
    for (int j = 1; j <= points; ++j) {
      if (k == 1) unpack_row(4, j);
      if (k == points) unpack_row(5, j);
      const int whole = k == 1 || k == points || j == 1 || j == points;
      smooth(k, j, 1, whole ? points : 1);
      if (!whole) smooth(k, j, points, points);
    }
  }
}

static double mg(void) {
  begin_all();
  correct();
  end_all_sends();
  for (int k = 2; k < points; ++k)
    for (int j = 2; j < points; ++j) smooth(k, j, 2, points - 1);
  smooth_outer();
  complete_all();
  return sum_of_results();
}

// The correction of any point of all ranks' cubes, in the whole array's coordinates, and 0 beyond them.
static double correction_at(int k, int j, int i) {
  if (i < 0 || i >= grid[0] * points || j < 0 || j >= grid[1] * points || k < 0 || k >= grid[2] * points)
    return 0;
  double sum = 0;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const int distance = abs(x) + abs(y) + abs(z);
        if (distance < 3) sum += weights[distance] * residual_at(k + z, j + y, i + x);
      }
  return sum;
}

static void expect_mg(void) {
  const int i0 = place[0] * points - 1, j0 = place[1] * points - 1, k0 = place[2] * points - 1,
            line = points + 2;
  for (int k = 0; k < line; ++k)
    for (int j = 0; j < line; ++j)
      for (int i = 0; i < line; ++i) {
        residual[at(k, j, i)] = residual_at(k0 + k, j0 + j, i0 + i);
        correction[at(k, j, i)] = correction_at(k0 + k, j0 + j, i0 + i);
      }
  for (int k = 1; k <= points; ++k)
    for (int j = 1; j <= points; ++j) smooth(k, j, 1, points);
  memcpy(expected, results, sizeof(double) * (size_t)number_of_results);
}

static void reset_mg(void) {
  reset();
  memset(correction, 0xff, sizeof(double) * at(points + 2, 0, 0));
}

static void prepare_mg(void) {
  int below[3], above[3], others[faces];
  points = (int)sqrt(elements) > 0 ? (int)sqrt(elements) : 1;
  lay_out(3, below, above);
  for (int face = 0; face < faces; ++face) others[face] = (face % 2 ? above : below)[face / 2];
  allocate_messages(faces, others, others, points * points);
  allocate_results(points * points * points);
  residual = malloc(sizeof(double) * at(points + 2, 0, 0));
  correction = malloc(sizeof(double) * at(points + 2, 0, 0));
  expect_mg();
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*prepare)(void);
    double (*kernel)(void);
    void (*reset)(void);
  } all[] = {{"lu", prepare_lu, lu, reset},
             {"hycom", prepare_hycom, hycom, reset},
             {"hycom_apart", prepare_hycom, hycom_apart, reset},
             {"mg", prepare_mg, mg, reset_mg}};
  const int iterations = start(&argc, &argv);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(argv[1], all[i].name) == 0) {
      all[i].prepare();
      measure(all[i].kernel, all[i].reset, check, iterations);
    }
  MPI_Finalize();
  return 0;
}
