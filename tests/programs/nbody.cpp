// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// Bodies that attract each other: positions are gathered by all in every step. Each body's force is summed in the
// order of the bodies, so the serial program gives the same bits.
#include "oracle.hpp"

#include <cmath>
#include <cstring>
#include <vector>

namespace {

struct Vector {
  double x, y, z;
};
struct Body {
  Vector position, velocity;
  double mass;
};

constexpr int bodies = 60, steps = 20;
constexpr double dt = 0.01;

std::vector<Body> start() {
  oracle::Numbers numbers(6);
  std::vector<Body> all(bodies);
  for (Body& body : all) body = {{numbers.real(), numbers.real(), numbers.real()}, {0, 0, 0}, 0.1 + numbers.real()};
  return all;
}

void advance(std::vector<Body>& mine, const std::vector<Body>& all) {
  for (Body& body : mine) {
    Vector force{0, 0, 0};
    for (const Body& other : all) {
      const double dx = other.position.x - body.position.x, dy = other.position.y - body.position.y, dz = other.position.z - body.position.z;
      const double distance2 = dx * dx + dy * dy + dz * dz + 1e-3, strength = other.mass / (distance2 * std::sqrt(distance2));
      force.x += strength * dx;
      force.y += strength * dy;
      force.z += strength * dz;
    }
    body.velocity.x += dt * force.x;
    body.velocity.y += dt * force.y;
    body.velocity.z += dt * force.z;
  }
  for (Body& body : mine) {
    body.position.x += dt * body.velocity.x;
    body.position.y += dt * body.velocity.y;
    body.position.z += dt * body.velocity.z;
  }
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const auto mine = oracle::part(bodies, n, me);
  auto everybody = start();
  std::vector<Body> my_bodies(everybody.begin() + mine.first, everybody.begin() + mine.last);
  std::vector<std::vector<Body>> parts(n);
  for (int step = 0; step < steps; ++step) {
    @communicate { parts[i]@j <<= my_bodies@i where i, j in world }
    everybody.clear();
    for (const auto& part : parts) everybody.insert(everybody.end(), part.begin(), part.end());
    advance(my_bodies, everybody);
  }

  auto wanted = start();
  for (int step = 0; step < steps; ++step) {
    const auto before = wanted;
    advance(wanted, before);
  }
  bool right = static_cast<int>(my_bodies.size()) == mine.size();
  for (int k = 0; k < mine.size(); ++k) right = right && std::memcmp(&my_bodies[k], &wanted[mine.first + k], sizeof(Body)) == 0;
  return oracle::verdict("nbody", right);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
