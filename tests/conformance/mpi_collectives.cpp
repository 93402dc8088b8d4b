// RUN: %kanorc -O1 %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_DISABLE=inline %run_everywhere --keep KANOR_DISABLE --ranks 3 --modes threads,processes %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 3 --modes threads,processes %t
// MPI's collectives of kanor/mpi.h: short values, which travel in messages, and long ones, which are read
// where they lie or folded in slices; with every root, counts that differ, datatypes with gaps, results in
// place of what is contributed, and an operation that neither commutes nor forgives other brackets.
#include <kanor/mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.hpp"

namespace {

int me, n;
const MPI_Comm all = MPI_COMM_WORLD;
using Numbers = std::vector<int>;

/// What rank `rank` contributes at index `at`, for rank `to`.
int number(int rank, int at, int to = 0) { return 7919 * rank + 31 * at + 1009 * to; }

Numbers numbers(int count, int rank, int to = 0) {
  Numbers made(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) made[static_cast<std::size_t>(i)] = number(rank, i, to);
  return made;
}

Numbers joined(const std::vector<Numbers>& parts) {
  Numbers all_parts;
  for (const Numbers& part : parts) all_parts.insert(all_parts.end(), part.begin(), part.end());
  return all_parts;
}

/// The contributions of all ranks for `to`, one behind the other.
Numbers from_all(int count, int to = 0) {
  std::vector<Numbers> parts;
  for (int rank = 0; rank < n; ++rank) parts.push_back(numbers(count, rank, to));
  return joined(parts);
}

Numbers to_all(int count, int rank) {
  std::vector<Numbers> parts;
  for (int to = 0; to < n; ++to) parts.push_back(numbers(count, rank, to));
  return joined(parts);
}

void broadcast_from(int root, int count) {
  Numbers one = me == root ? numbers(count, root) : Numbers(static_cast<std::size_t>(count), -1);
  CHECK_EQ(MPI_Bcast(one.data(), count, MPI_INT, root, all), MPI_SUCCESS);
  CHECK(one == numbers(count, root));
}

void move_from_and_to(int count, int root) {
  const auto length = static_cast<std::size_t>(count), size = static_cast<std::size_t>(n);
  broadcast_from(root, count);
  const Numbers mine = numbers(count, me);
  Numbers gathered(me == root ? length * size : 0, -1);
  MPI_Gather(mine.data(), count, MPI_INT, gathered.data(), count, MPI_INT, root, all);
  if (me == root) CHECK(gathered == from_all(count));
  // The root's own part is there already.
  if (me == root) {
    std::fill(gathered.begin(), gathered.end(), -1);
    std::copy(mine.begin(), mine.end(), gathered.begin() + static_cast<std::ptrdiff_t>(length) * root);
  }
  MPI_Gather(me == root ? MPI_IN_PLACE : mine.data(), count, MPI_INT, gathered.data(), count, MPI_INT, root,
             all);
  if (me == root) CHECK(gathered == from_all(count));

  const Numbers out = me == root ? to_all(count, root) : Numbers();
  Numbers part(length, -1);
  MPI_Scatter(out.data(), count, MPI_INT, part.data(), count, MPI_INT, root, all);
  CHECK(part == numbers(count, root, me));
  std::fill(part.begin(), part.end(), -1);
  MPI_Scatter(out.data(), count, MPI_INT, me == root ? MPI_IN_PLACE : part.data(), count, MPI_INT, root, all);
  CHECK(part == (me == root ? Numbers(length, -1) : numbers(count, root, me)));
}

void move_between_all(int count) {
  const auto length = static_cast<std::size_t>(count), size = static_cast<std::size_t>(n);
  const Numbers mine = numbers(count, me);
  Numbers everything(length * size, -1);
  MPI_Allgather(mine.data(), count, MPI_INT, everything.data(), count, MPI_INT, all);
  CHECK(everything == from_all(count));
  std::fill(everything.begin(), everything.end(), -1);
  std::copy(mine.begin(), mine.end(), everything.begin() + static_cast<std::ptrdiff_t>(length) * me);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, everything.data(), count, MPI_INT, all);
  CHECK(everything == from_all(count));

  const Numbers out = to_all(count, me);
  Numbers in(length * size, -1);
  MPI_Alltoall(out.data(), count, MPI_INT, in.data(), count, MPI_INT, all);
  CHECK(in == from_all(count, me));
  Numbers both = out;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, both.data(), count, MPI_INT, all);
  CHECK(both == from_all(count, me));
}

/// Rank s has count * (s + 1) numbers, and count * (1 + (s + r) % 3) for rank r; nothing where that is 0.
void move_unlike_counts(int count, int root) {
  Numbers counts(static_cast<std::size_t>(n)), offsets(counts);
  int total = 0;
  for (int rank = n - 1; rank >= 0; --rank) {  // not in the ranks' order, and with gaps
    counts[static_cast<std::size_t>(rank)] = count * (rank % 3);
    offsets[static_cast<std::size_t>(rank)] = total + 2;
    total += counts[static_cast<std::size_t>(rank)] + 2;
  }
  const auto expected = [&](auto value_of) {
    Numbers made(static_cast<std::size_t>(total), -1);
    for (int rank = 0; rank < n; ++rank)
      for (int i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i)
        made[static_cast<std::size_t>(offsets[static_cast<std::size_t>(rank)] + i)] = value_of(rank, i);
    return made;
  };
  const auto by_rank = [](int rank, int i) { return number(rank, i); };
  const int own_count = counts[static_cast<std::size_t>(me)];
  const Numbers mine = numbers(own_count, me);
  Numbers got(static_cast<std::size_t>(total), -1);
  MPI_Gatherv(mine.data(), own_count, MPI_INT, got.data(), counts.data(), offsets.data(), MPI_INT, root, all);
  CHECK(got == (me == root ? expected(by_rank) : Numbers(static_cast<std::size_t>(total), -1)));
  std::fill(got.begin(), got.end(), -1);
  MPI_Allgatherv(mine.data(), own_count, MPI_INT, got.data(), counts.data(), offsets.data(), MPI_INT, all);
  CHECK(got == expected(by_rank));
  Numbers part(static_cast<std::size_t>(own_count), -1);
  MPI_Scatterv(got.data(), counts.data(), offsets.data(), MPI_INT, part.data(), own_count, MPI_INT, root,
               all);
  CHECK(part == mine);

  Numbers out_counts, out_offsets, in_counts, in_offsets, out;
  int in_total = 0;
  for (int rank = 0; rank < n; ++rank) {
    out_counts.push_back(count * ((me + rank) % 3) + (me == rank));
    out_offsets.push_back(static_cast<int>(out.size()));
    const Numbers piece = numbers(out_counts.back(), me, rank);
    out.insert(out.end(), piece.begin(), piece.end());
    in_counts.push_back(count * ((rank + me) % 3) + (me == rank));
    in_offsets.push_back(in_total);
    in_total += in_counts.back();
  }
  Numbers in(static_cast<std::size_t>(in_total), -1), in_expected;
  for (int rank = 0; rank < n; ++rank) {
    const Numbers piece = numbers(in_counts[static_cast<std::size_t>(rank)], rank, me);
    in_expected.insert(in_expected.end(), piece.begin(), piece.end());
  }
  MPI_Alltoallv(out.data(), out_counts.data(), out_offsets.data(), MPI_INT, in.data(), in_counts.data(),
                in_offsets.data(), MPI_INT, all);
  CHECK(in == in_expected);
}

/// Every second number of 2 * count; the gaps stay as they are.
void move_with_gaps(int count, int root) {
  MPI_Datatype every_second;
  MPI_Type_vector(count, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  const auto spread = [&](const Numbers& dense, int between) {
    Numbers wide(2 * dense.size() - 1, between);
    for (std::size_t i = 0; i < dense.size(); ++i) wide[2 * i] = dense[i];
    return wide;
  };
  Numbers wide = spread(me == root ? numbers(count, root) : Numbers(static_cast<std::size_t>(count), -1), -2);
  MPI_Bcast(wide.data(), 1, every_second, root, all);
  CHECK(wide == spread(numbers(count, root), -2));
  // With gaps to without, and back.
  const Numbers mine = spread(numbers(count, me), -2);
  Numbers everything(static_cast<std::size_t>(count * n), -1);
  MPI_Allgather(mine.data(), 1, every_second, everything.data(), count, MPI_INT, all);
  CHECK(everything == from_all(count));
  std::fill(wide.begin(), wide.end(), -3);
  MPI_Scatter(everything.data(), count, MPI_INT, wide.data(), 1, every_second, root, all);
  CHECK(wide == spread(numbers(count, me), -3));
  MPI_Type_free(&every_second);
}

/// x -> a * x + b modulo a prime. Composing neither commutes nor, by the third number, is associative.
struct Step {
  int a, b, brackets;
  bool operator==(const Step&) const = default;
};
Step composed(const Step& first, const Step& second) {
  constexpr long prime = 32749;
  return {static_cast<int>(long{second.a} * first.a % prime),
          static_cast<int>((long{second.a} * first.b + second.b) % prime),
          static_cast<int>((3L * first.brackets + 5L * second.brackets + 1) % prime)};
}
void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* first = static_cast<const Step*>(in);
  auto* second = static_cast<Step*>(inout);
  for (int i = 0; i < *count; ++i) second[i] = composed(first[i], second[i]);
}
Step step(int rank, int at) { return {2 + rank + at % 5, 3 * rank + at % 7, rank + 1}; }

/// Of ranks `begin` to `end`: F(first 2^k) op F(the rest).
Step folded(int begin, int end, int at) {
  if (end - begin == 1) return step(begin, at);
  int half = 1;
  while (2 * half < end - begin) half *= 2;
  return composed(folded(begin, begin + half, at), folded(begin + half, end, at));
}

void reduce_steps(int count, int root) {
  MPI_Datatype three;
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  MPI_Op op;
  MPI_Op_create(&compose, 0, &op);
  std::vector<Step> mine, expected;
  for (int i = 0; i < count; ++i) {
    mine.push_back(step(me, i));
    expected.push_back(folded(0, n, i));
  }
  const std::vector<Step> before = mine, none(mine.size(), Step{-1, -1, -1});
  std::vector<Step> result = none;
  MPI_Reduce(mine.data(), result.data(), count, three, op, root, all);
  CHECK(result == (me == root ? expected : none));
  CHECK(mine == before);
  result = none;
  MPI_Allreduce(mine.data(), result.data(), count, three, op, all);
  CHECK(result == expected);
  CHECK(mine == before);
  result = mine;
  MPI_Allreduce(MPI_IN_PLACE, result.data(), count, three, op, all);
  CHECK(result == expected);
  result = mine;
  MPI_Reduce(me == root ? MPI_IN_PLACE : result.data(), result.data(), count, three, op, root, all);
  CHECK(result == (me == root ? expected : mine));
  for (int i = 0; i < count; ++i) expected[static_cast<std::size_t>(i)] = folded(0, me + 1, i);
  result = none;
  MPI_Scan(mine.data(), result.data(), count, three, op, all);
  for (int i = 0; i < count; ++i) {
    // The brackets of a scan are those of its ranks.
    CHECK_EQ(result[static_cast<std::size_t>(i)].a, expected[static_cast<std::size_t>(i)].a);
    CHECK_EQ(result[static_cast<std::size_t>(i)].b, expected[static_cast<std::size_t>(i)].b);
  }
  result = none;
  MPI_Exscan(mine.data(), result.data(), count, three, op, all);
  for (int i = 0; i < count; ++i) {
    const Step below = me == 0 ? none.front() : folded(0, me, i);
    CHECK_EQ(result[static_cast<std::size_t>(i)].a, below.a);
    CHECK_EQ(result[static_cast<std::size_t>(i)].b, below.b);
  }
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
  MPI_Type_free(&three);
}

template <class T, class Fold>
void reduce_predefined(MPI_Datatype type, MPI_Op op, Fold fold) {
  for (const int count : {1, 2047, 2048}) {
    const auto value = [](int rank, int at) { return static_cast<T>((rank * 5 + at * 3 + 1) % 11); };
    std::vector<T> mine, expected, result(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      mine.push_back(value(me, i));
      T sum = value(0, i);
      for (int rank = 1; rank < n; ++rank) sum = static_cast<T>(fold(sum, value(rank, i)));
      expected.push_back(sum);
    }
    CHECK_EQ(MPI_Allreduce(mine.data(), result.data(), count, type, op, all), MPI_SUCCESS);
    CHECK(result == expected);
  }
}

template <class T>
void reduce_integers(MPI_Datatype type) {
  reduce_predefined<T>(type, MPI_SUM, [](T a, T b) { return a + b; });
  reduce_predefined<T>(type, MPI_MAX, [](T a, T b) { return std::max(a, b); });
  reduce_predefined<T>(type, MPI_MIN, [](T a, T b) { return std::min(a, b); });
  reduce_predefined<T>(type, MPI_LAND, [](T a, T b) { return a && b; });
  reduce_predefined<T>(type, MPI_LOR, [](T a, T b) { return a || b; });
  reduce_predefined<T>(type, MPI_LXOR, [](T a, T b) { return !a != !b; });
  reduce_predefined<T>(type, MPI_BAND, [](T a, T b) { return a & b; });
  reduce_predefined<T>(type, MPI_BOR, [](T a, T b) { return a | b; });
  reduce_predefined<T>(type, MPI_BXOR, [](T a, T b) { return a ^ b; });
}

template <class T>
void reduce_reals(MPI_Datatype type) {
  reduce_predefined<T>(type, MPI_SUM, [](T a, T b) { return a + b; });
  reduce_predefined<T>(type, MPI_PROD, [](T a, T b) { return a * b; });
  reduce_predefined<T>(type, MPI_MAX, [](T a, T b) { return std::max(a, b); });
  reduce_predefined<T>(type, MPI_MIN, [](T a, T b) { return std::min(a, b); });
}

void reduce_types() {
  reduce_integers<signed char>(MPI_SIGNED_CHAR);
  reduce_integers<unsigned char>(MPI_UINT8_T);
  reduce_integers<short>(MPI_SHORT);
  reduce_integers<unsigned short>(MPI_UNSIGNED_SHORT);
  reduce_integers<int>(MPI_INT);
  reduce_integers<unsigned>(MPI_UINT32_T);
  reduce_integers<long>(MPI_LONG);
  reduce_integers<unsigned long long>(MPI_UNSIGNED_LONG_LONG);
  reduce_reals<float>(MPI_FLOAT);
  reduce_reals<double>(MPI_DOUBLE);
  reduce_reals<long double>(MPI_LONG_DOUBLE);
  using Complex = std::complex<double>;
  reduce_predefined<Complex>(MPI_C_DOUBLE_COMPLEX, MPI_SUM, [](Complex a, Complex b) { return a + b; });
  reduce_predefined<Complex>(MPI_C_DOUBLE_COMPLEX, MPI_PROD, [](Complex a, Complex b) { return a * b; });
  reduce_predefined<unsigned char>(MPI_BYTE, MPI_BXOR, [](int a, int b) { return a ^ b; });
  // Integers wrap around.
  int most = 0x7fffffff, wrapped = 0;
  MPI_Allreduce(&most, &wrapped, 1, MPI_INT, MPI_SUM, all);
  CHECK_EQ(wrapped, static_cast<int>(static_cast<unsigned>(most) * static_cast<unsigned>(n)));
}

void alone() {
  int mine = me, got = -1;
  MPI_Allreduce(&mine, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  CHECK_EQ(got, me);
  MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_SELF);
  got = -1;
  MPI_Alltoall(&mine, 1, MPI_INT, &got, 1, MPI_INT, MPI_COMM_SELF);
  CHECK_EQ(got, me);
  Numbers many = numbers(5000, me), same(many.size());
  MPI_Reduce(many.data(), same.data(), 5000, MPI_INT, MPI_MAX, 0, MPI_COMM_SELF);
  CHECK(same == many);
  got = -1;
  MPI_Exscan(&mine, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  CHECK_EQ(got, -1);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(all, &me);
  MPI_Comm_size(all, &n);
  // On both sides of each least_shared_bytes; teams are on both of most_direct.
  for (const int count : {0, 1, 2047, 2048, 20000}) {
    for (int root = 0; root < n; root += std::max(1, n - 1)) move_from_and_to(count, root);
    move_between_all(count);
  }
  // On both sides of least_lent_bytes.
  for (const int count : {(1 << 20) - 1, 1 << 20}) broadcast_from(n / 2, count);
  for (const int count : {0, 3, 2500}) move_unlike_counts(count, n / 2);
  for (const int count : {1, 3000}) move_with_gaps(count, n - 1);
  for (const int count : {0, 1, 3, 2047, 2048, 5000}) reduce_steps(count, n / 2);
  reduce_types();
  alone();
  return check::finish("mpi_collectives");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
