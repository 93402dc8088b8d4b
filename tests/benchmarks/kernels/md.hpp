// The molecular dynamics of kernels.py, all but its communication, in the manner of MiniMD ("Ownership
// Passing", Friedley et al., PPoPP 2013, section 5.2): atoms in a periodic box that is divided among the
// ranks, a Lennard-Jones force, and each pair of atoms in the list of one of them only. A step sends the
// positions of atoms at a border to the neighbour there, and the forces that it found for them come back.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "report.hpp"

using Point = std::array<double, 3>;
using Triple = std::array<int, 3>;

// Lennard-Jones units, and MiniMD's values.
constexpr double density = 0.8442, temperature = 1.44, time_step = 0.005;
constexpr double cutoff = 2.5, skin = 0.3, reach = cutoff + skin;
constexpr int steps_of_a_list = 20;
/// Of a pair. Without it one pair more within the cutoff would show in the energy of all.
constexpr double energy_at_cutoff = 4 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff) *
                                    (1 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff) - 1);

/// The part of the box that a rank has, in a grid of ranks with the least surfaces.
class Region {
 public:
  Region(double edge, int rank, int ranks) : edge_(edge) {
    double least = 0;
    for (int x = 1; x <= ranks; ++x)
      for (int y = 1; x * y <= ranks; ++y) {
        if (ranks % (x * y)) continue;
        const int z = ranks / (x * y);
        const double surface = 1.0 / (x * y) + 1.0 / (y * z) + 1.0 / (x * z);
        if (least > 0 && surface >= least) continue;
        least = surface;
        grid_ = {z, y, x};
        if (z < x) grid_ = {x, y, z};
      }
    place_ = {rank / (grid_[1] * grid_[2]), rank / grid_[2] % grid_[1], rank % grid_[2]};
    for (int d = 0; d < 3; ++d) {
      low_[d] = border(d, place_[d]);
      high_[d] = border(d, place_[d] + 1);
      if (high_[d] - low_[d] < reach) {
        std::fprintf(stderr, "too many ranks for so few atoms: forces reach beyond the next rank\n");
        std::exit(2);
      }
    }
  }

  double edge() const { return edge_; }
  double low(int d) const { return low_[d]; }
  double high(int d) const { return high_[d]; }
  bool has(const Point& at) const {
    for (int d = 0; d < 3; ++d)
      if (at[d] < low_[d] || at[d] >= high_[d]) return false;
    return true;
  }
  /// No other rank is beside it in this dimension.
  bool alone(int d) const { return grid_[d] == 1; }
  /// The ranks below and above, around the box.
  std::array<int, 2> neighbours(int d) const { return {at(d, -1), at(d, 1)}; }
  /// What a position changes by on its way to the neighbour below (0) or above (1).
  double shift(int d, int side) const {
    if (side == 0) return place_[d] == 0 ? edge_ : 0;
    return place_[d] == grid_[d] - 1 ? -edge_ : 0;
  }

 private:
  double border(int d, int place) const { return edge_ * place / grid_[d]; }
  int at(int d, int step) const {
    Triple place = place_;
    place[d] = (place[d] + grid_[d] + step) % grid_[d];
    return (place[0] * grid_[1] + place[1]) * grid_[2] + place[2];
  }

  const double edge_;
  Triple grid_{1, 1, 1}, place_{};
  Point low_{}, high_{};
};

/// A side has
///     void exchange(neighbours, counts, most, pack, unpack)
/// which sends, for both borders `side` of a dimension, what pack(side, double* buffer) writes, counts[side]
/// numbers, to neighbours[side], and calls unpack(side, const double*, int count) for what has come from
/// there, at most `most` numbers.
template <class Side>
class Atoms {
 public:
  Atoms(int cells, int rank, int ranks, Side& side)
      : side_(side), region_(cells * std::cbrt(4 / density), rank, ranks), all_(4 * cells * cells * cells) {
    place(cells);
  }

  std::size_t count() const { return own_; }

  /// Step 1 of the paper's: atoms move to the ranks that have their places; who is at a border, and near
  /// whom.
  void rebuild() {
    ghosts_from(own_);
    for (int d = 0; d < 3; ++d) migrate(d);
    for (int d = 0; d < 3; ++d) find_border(d);
    list();
  }

  /// Step 2: the positions of atoms at borders. The watch runs while there are other ranks to exchange with.
  void send_positions(Stopwatch& watch) {
    for (int d = 0; d < 3; ++d) {
      const Border(&borders)[2] = borders_[d];
      const auto pack = [&](int side, double* buffer) { pack_positions(d, side, buffer); };
      const auto unpack = [&](int side, const double* buffer, int count) {
        std::copy(buffer, buffer + count, x_.data() + 3 * borders[side].first);
      };
      exchange(d, {sent(d, 0), sent(d, 1)}, std::max(came(d, 0), came(d, 1)), pack, unpack, &watch);
    }
  }

  /// Step 4: the forces that were found for others' atoms, the other way.
  void send_forces(Stopwatch& watch) {
    for (int d = 2; d >= 0; --d) {
      const Border(&borders)[2] = borders_[d];
      const auto pack = [&](int side, double* buffer) {
        const double* const from = f_.data() + 3 * borders[side].first;
        std::copy(from, from + came(d, side), buffer);
      };
      const auto unpack = [&](int side, const double* buffer, int) {
        for (const int atom : borders[side].sent)
          for (int e = 0; e < 3; ++e) f_[at(atom) + static_cast<std::size_t>(e)] += *buffer++;
      };
      exchange(d, {came(d, 0), came(d, 1)}, std::max(sent(d, 0), sent(d, 1)), pack, unpack, &watch);
    }
  }

  /// Step 3. Answers the potential energy of the pairs in this rank's list, if it is asked for.
  template <bool with_energy = false>
  [[gnu::noinline]] double find_forces() {
    double energy = 0;
    f_.assign(x_.size(), 0);
    for (std::size_t i = 0; i < own_; ++i) {
      const double* const xi = &x_[3 * i];
      Point fi{};
      for (std::size_t k = firsts_[i]; k < firsts_[i + 1]; ++k) {
        const double* const xj = &x_[at(near_[k])];
        const double dx = xi[0] - xj[0], dy = xi[1] - xj[1], dz = xi[2] - xj[2];
        const double square = dx * dx + dy * dy + dz * dz;
        if (square >= cutoff * cutoff) continue;
        const double inverse = 1 / square, sixth = inverse * inverse * inverse;
        const double force = 48 * sixth * (sixth - 0.5) * inverse;
        double* const fj = &f_[at(near_[k])];
        fi[0] += dx * force, fi[1] += dy * force, fi[2] += dz * force;
        fj[0] -= dx * force, fj[1] -= dy * force, fj[2] -= dz * force;
        if constexpr (with_energy) energy += 4 * sixth * (sixth - 1) - energy_at_cutoff;
      }
      for (std::size_t d = 0; d < 3; ++d) f_[3 * i + d] += fi[d];
    }
    return energy;
  }

  /// Step 5, half of the velocities' and then the positions', before the forces change.
  void move() {
    accelerate();
    for (std::size_t i = 0; i < 3 * own_; ++i) x_[i] += time_step * v_[i];
  }
  /// The other half of the velocities'.
  void accelerate() {
    for (std::size_t i = 0; i < 3 * own_; ++i) v_[i] += 0.5 * time_step * f_[i];
  }

  /// What does not depend on how the atoms are divided, each by the number of all atoms: energy, kinetic
  /// energy, and momentum; and how many atoms there are.
  std::vector<double> state() {
    std::vector<double> found(6);
    for (std::size_t i = 0; i < 3 * own_; ++i) {
      found[1] += 0.5 * v_[i] * v_[i];
      found[2 + i % 3] += v_[i];
    }
    found[0] = find_forces<true>() + found[1];
    for (double& sum : found) sum /= all_;
    found[5] = static_cast<double>(own_);
    Stopwatch watch;
    send_forces(watch);
    return found;
  }

 private:
  /// Atoms that lie where a neighbour needs them, and where the neighbour's begin among the own.
  struct Border {
    std::vector<int> sent;
    std::size_t first = 0, came = 0;
  };
  static constexpr int numbers = 6;  ///< of an atom that migrates

  static std::size_t at(int atom) { return 3 * static_cast<std::size_t>(atom); }
  int sent(int d, int side) const { return 3 * static_cast<int>(borders_[d][side].sent.size()); }
  int came(int d, int side) const { return 3 * static_cast<int>(borders_[d][side].came); }

  /// All ranks place all atoms, on a face-centred lattice, and keep their own.
  void place(int cells) {
    const double cell = region_.edge() / cells;
    std::uint64_t seed = 1;
    const auto random = [&] {
      seed = seed * 6364136223846793005 + 1442695040888963407;
      return static_cast<double>(seed >> 11) * 0x1p-53 - 0.5;
    };
    std::vector<Point> velocities(static_cast<std::size_t>(all_));
    Point mean{};
    double squares = 0;
    for (Point& v : velocities)
      for (std::size_t d = 0; d < 3; ++d) mean[d] += (v[d] = random()) / all_;
    for (Point& v : velocities)
      for (std::size_t d = 0; d < 3; ++d) v[d] -= mean[d], squares += v[d] * v[d];
    const double scale = std::sqrt(3 * (all_ - 1) * temperature / squares);
    for (int i = 0; i < all_; ++i) {
      const int corner = i % 4, x = i / 4 % cells, y = i / 4 / cells % cells, z = i / 4 / cells / cells;
      const Point to{cell * (x + 0.5 * (corner % 2)), cell * (y + 0.5 * (corner / 2)),
                     cell * (z + 0.5 * (corner == 1 || corner == 2))};
      if (!region_.has(to)) continue;
      x_.insert(x_.end(), to.begin(), to.end());
      for (const double v : velocities[static_cast<std::size_t>(i)]) v_.push_back(v * scale);
      ++own_;
    }
  }

  template <class Pack, class Unpack>
  void exchange(int d, std::array<int, 2> counts, int most, Pack pack, Unpack unpack,
                Stopwatch* watch = nullptr) {
    if (!region_.alone(d)) {
      if (watch) watch->start();
      side_.exchange(region_.neighbours(d), counts, most, pack, unpack);
      if (watch) watch->stop();
      return;
    }
    // The rank is its own neighbour: what goes below comes from above.
    for (int side = 0; side < 2; ++side) {
      const auto count = static_cast<std::size_t>(counts[static_cast<std::size_t>(side)]);
      if (self_.size() < count) self_.resize(count);
      pack(side, self_.data());
      unpack(1 - side, self_.data(), static_cast<int>(count));
    }
  }

  void pack_positions(int d, int side, double* buffer) const {
    const double shift = region_.shift(d, side);
    for (const int atom : borders_[d][side].sent) {
      for (std::size_t e = 0; e < 3; ++e) buffer[e] = x_[at(atom) + e];
      buffer[d] += shift;
      buffer += 3;
    }
  }

  void ghosts_from(std::size_t atom) { x_.resize(3 * atom); }

  void migrate(int d) {
    std::vector<int> leaving[2];
    for (std::size_t i = 0; i < own_; ++i) {
      const double where = x_[3 * i + static_cast<std::size_t>(d)];
      if (where < region_.low(d)) leaving[0].push_back(static_cast<int>(i));
      if (where >= region_.high(d)) leaving[1].push_back(static_cast<int>(i));
    }
    std::vector<double> came;
    const auto pack = [&](int side, double* buffer) {
      for (const int atom : leaving[side]) {
        std::copy_n(&x_[at(atom)], 3, buffer);
        std::copy_n(&v_[at(atom)], 3, buffer + 3);
        buffer[d] = std::min(buffer[d] + region_.shift(d, side), std::nextafter(region_.edge(), 0));
        buffer += numbers;
      }
    };
    const auto unpack = [&](int, const double* buffer, int count) {
      came.insert(came.end(), buffer, buffer + count);
    };
    const auto count = [&](int side) { return numbers * static_cast<int>(leaving[side].size()); };
    exchange(d, {count(0), count(1)}, numbers * all_, pack, unpack);
    for (const std::vector<int>& gone : leaving)
      for (const int atom : gone) x_[at(atom)] = std::nan("");
    keep();
    for (std::size_t i = 0; i < came.size(); i += numbers) {
      x_.insert(x_.end(), &came[i], &came[i] + 3);
      v_.insert(v_.end(), &came[i] + 3, &came[i] + 6);
      ++own_;
    }
  }

  /// Closes the gaps of those that have left.
  void keep() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < own_; ++i) {
      if (std::isnan(x_[3 * i])) continue;
      std::copy_n(&x_[3 * i], 3, &x_[3 * kept]);
      std::copy_n(&v_[3 * i], 3, &v_[3 * kept]);
      ++kept;
    }
    own_ = kept;
    x_.resize(3 * own_);
    v_.resize(3 * own_);
  }

  /// Also others' atoms that came in dimensions before are sent on: so they get to ranks across a corner.
  void find_border(int d) {
    Border(&borders)[2] = borders_[d];
    for (Border& border : borders) border.sent.clear();
    for (std::size_t i = 0; i < x_.size() / 3; ++i) {
      const double where = x_[3 * i + static_cast<std::size_t>(d)];
      if (where < region_.low(d) + reach) borders[0].sent.push_back(static_cast<int>(i));
      if (where >= region_.high(d) - reach) borders[1].sent.push_back(static_cast<int>(i));
    }
    const auto pack = [&](int side, double* buffer) { pack_positions(d, side, buffer); };
    const auto unpack = [&](int side, const double* buffer, int count) {
      borders[side].first = x_.size() / 3;
      borders[side].came = static_cast<std::size_t>(count) / 3;
      x_.insert(x_.end(), buffer, buffer + count);
    };
    exchange(d, {sent(d, 0), sent(d, 1)}, 3 * 2 * all_, pack, unpack);
  }

  /// The pairs of this rank: both atoms its own, or another's atom that is later by its position, so that the
  /// other rank leaves it out.
  void list() {
    Triple cells;
    for (int d = 0; d < 3; ++d) {
      const double length = region_.high(d) - region_.low(d) + 2 * reach;
      cells[d] = static_cast<int>(length / reach);
    }
    const auto cell_of = [&](const double* x) {
      Triple cell;
      for (int d = 0; d < 3; ++d)
        cell[d] = std::clamp(static_cast<int>((x[d] - region_.low(d)) / reach + 1), 0, cells[d] - 1);
      return cell;
    };
    const auto number = [&](int x, int y, int z) {
      return static_cast<std::size_t>((x * cells[1] + y) * cells[2] + z);
    };
    const std::size_t atoms = x_.size() / 3;
    firsts_of_cells_.assign(number(cells[0] - 1, cells[1] - 1, cells[2] - 1) + 1, -1);
    next_in_cell_.resize(atoms);
    for (std::size_t i = atoms; i-- > 0;) {
      const Triple cell = cell_of(&x_[3 * i]);
      int& first = firsts_of_cells_[number(cell[0], cell[1], cell[2])];
      next_in_cell_[i] = first;
      first = static_cast<int>(i);
    }
    firsts_.assign(1, 0);
    near_.clear();
    for (std::size_t i = 0; i < own_; ++i) {
      const Triple cell = cell_of(&x_[3 * i]);
      for (int x = std::max(cell[0] - 1, 0); x < std::min(cell[0] + 2, cells[0]); ++x)
        for (int y = std::max(cell[1] - 1, 0); y < std::min(cell[1] + 2, cells[1]); ++y)
          for (int z = std::max(cell[2] - 1, 0); z < std::min(cell[2] + 2, cells[2]); ++z)
            for (int j = firsts_of_cells_[number(x, y, z)]; j >= 0;
                 j = next_in_cell_[static_cast<std::size_t>(j)])
              if (is_pair(i, static_cast<std::size_t>(j))) near_.push_back(j);
      firsts_.push_back(near_.size());
    }
  }

  bool is_pair(std::size_t i, std::size_t j) const {
    const double *const xi = &x_[3 * i], *const xj = &x_[3 * j];
    if (j < own_) {
      if (j <= i) return false;
    } else {
      for (int d = 2; d >= 0; --d) {
        if (xj[d] < xi[d]) return false;
        if (xj[d] > xi[d]) break;
      }
    }
    const double dx = xi[0] - xj[0], dy = xi[1] - xj[1], dz = xi[2] - xj[2];
    return dx * dx + dy * dy + dz * dz < reach * reach;
  }

  Side& side_;
  const Region region_;
  const int all_;
  std::size_t own_ = 0;            ///< atoms of this rank; the others' come after them
  std::vector<double> x_, v_, f_;  ///< positions, velocities, forces
  Border borders_[3][2];
  std::vector<double> self_;
  std::vector<int> near_, firsts_of_cells_, next_in_cell_;
  std::vector<std::size_t> firsts_;  ///< where in near_ an atom's begin
};

/// After so many batches the atoms still are where they are with other roundings, later they are not.
constexpr int early = 4;

/// A batch is the steps from one migration to the next, after one that does not count. What steps 2 and 4
/// exchange with other ranks is timed by itself and starts together.
template <class Side>
Report simulate(const Request& request, int rank, int ranks, void (*meet)(), Side& side) {
  Atoms<Side> atoms(request.size, rank, ranks, side);
  atoms.rebuild();
  Report report{atoms.state(), {}, {}};
  Stopwatch total, communication;
  for (int batch = 0; batch <= request.batches; ++batch) {
    meet();
    total.start();
    for (int step = 0; step < steps_of_a_list; ++step) {
      atoms.move();
      if (step == 0) {
        atoms.rebuild();
      } else {
        meet();
        atoms.send_positions(communication);
      }
      atoms.find_forces();
      meet();
      atoms.send_forces(communication);
      atoms.accelerate();
    }
    total.stop();
    const double times[2] = {total.take(steps_of_a_list), communication.take(steps_of_a_list)};
    if (batch == early || batch == request.batches) {
      const std::vector<double> state = atoms.state();
      report.checks.insert(report.checks.end(), state.begin(), state.end());
    }
    if (batch == 0) continue;
    report.total.push_back(times[0]);
    report.communication.push_back(times[1]);
  }
  return report;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
