// The collectives of collectives.py as calls of the standard library: `library`, of one number or of a vector
// from each rank, and `joined`, where the vectors of all ranks become one.
#include <kanor/std/collectives.hpp>

#include <functional>

#include "timing.hpp"

using kanor::world;

namespace {

using Vector = std::vector<double>;

void meet() { kanor::barrier(); }
double most(double mine) { return kanor::all_max(mine); }

void report(const Turns& turns) {
  const double all = kanor::reduce(turns.checksum() * (world.rank() + 1), std::plus<>(), 0);
  if (world.rank() == 0) print_batches(all, turns.times());
}

// Of one number, and of a vector.
void first(const Request&, std::size_t& place, double& value) { value = first_number(world.rank(), place++); }
void first(const Request& request, std::size_t& place, Vector& value) {
  value.resize(request.count);
  for (double& number : value) number = first_number(world.rank(), place++);
}
void change(Turns& turns, double& value) { turns.change(&value, 1); }
void change(Turns& turns, Vector& value) { turns.change(value.data(), value.size()); }
void see(Turns& turns, const double& value) { turns.saw(&value, 1); }
void see(Turns& turns, const Vector& value) { turns.saw(value.data(), value.size()); }
// What a rank has of all.
void see_all(Turns& turns, const Vector& values) { turns.saw(values.data(), values.size()); }
void see_all(Turns& turns, const std::vector<Vector>& values) {
  for (const Vector& value : values) see(turns, value);
}

template <class T>
T one(const Request& request) {
  T value{};
  std::size_t place = 0;
  first(request, place, value);
  return value;
}
/// One for each rank.
template <class T>
std::vector<T> some(const Request& request) {
  std::vector<T> values(static_cast<std::size_t>(world.size()));
  std::size_t place = 0;
  for (T& value : values) first(request, place, value);
  return values;
}

/// The calls with values of type T.
template <class T>
struct Library {
  static void barrier(const Request& request) {
    Turns turns(request, meet, most);
    while (turns.next()) kanor::barrier();
    report(turns);
  }

  static void broadcast(const Request& request) {
    T value = one<T>(request);
    Turns turns(request, meet, most);
    while (turns.next()) {
      if (world.rank() == 0) change(turns, value);
      kanor::broadcast(value, 0);
      if (world.rank() != 0) see(turns, value);
    }
    report(turns);
  }

  static void reduce(const Request& request) {
    T value = one<T>(request);
    Turns turns(request, meet, most);
    while (turns.next()) {
      change(turns, value);
      const T folded = kanor::reduce(value, std::plus<>(), 0);
      if (world.rank() == 0) see(turns, folded);
    }
    report(turns);
  }

  static void all_reduce(const Request& request) {
    T value = one<T>(request);
    Turns turns(request, meet, most);
    while (turns.next()) {
      change(turns, value);
      see(turns, kanor::all_sum(value));
    }
    report(turns);
  }

  static void gather(const Request& request) {
    T value = one<T>(request);
    Turns turns(request, meet, most);
    while (turns.next()) {
      change(turns, value);
      const std::vector<T> all = kanor::gather(value, 0);
      if (world.rank() == 0) see_all(turns, all);
    }
    report(turns);
  }

  static void scatter(const Request& request) {
    std::vector<T> values = some<T>(request);
    Turns turns(request, meet, most);
    while (turns.next()) {
      if (world.rank() == 0)
        for (T& value : values) change(turns, value);
      see(turns, kanor::scatter(values, 0));
    }
    report(turns);
  }

  static void all_gather(const Request& request) {
    T value = one<T>(request);
    Turns turns(request, meet, most);
    while (turns.next()) {
      change(turns, value);
      see_all(turns, kanor::all_gather(value));
    }
    report(turns);
  }

  static void all_to_all(const Request& request) {
    Request of_one = request;
    of_one.count = share(request, world.size());
    std::vector<T> values = some<T>(of_one);
    Turns turns(request, meet, most);
    while (turns.next()) {
      for (T& value : values) change(turns, value);
      see_all(turns, kanor::all_to_all(values));
    }
    report(turns);
  }

  static void scan(const Request& request) {
    T value = one<T>(request);
    Turns turns(request, meet, most);
    while (turns.next()) {
      change(turns, value);
      see(turns, kanor::inclusive_scan(value, std::plus<>()));
    }
    report(turns);
  }

  static bool run(const Request& request) {
    if (request.operation == "barrier") return barrier(request), true;
    if (request.operation == "broadcast") return broadcast(request), true;
    if (request.operation == "reduce") return reduce(request), true;
    if (request.operation == "all_reduce") return all_reduce(request), true;
    if (request.operation == "gather") return gather(request), true;
    if (request.operation == "scatter") return scatter(request), true;
    if (request.operation == "all_gather") return all_gather(request), true;
    if (request.operation == "all_to_all") return all_to_all(request), true;
    if (request.operation == "scan") return scan(request), true;
    return false;
  }
};

bool join(const Request& request) {
  const bool is_for_all = request.operation == "all_gather";
  if (!is_for_all && request.operation != "gather") return false;
  Vector value = one<Vector>(request);
  Turns turns(request, meet, most);
  while (turns.next()) {
    change(turns, value);
    const Vector all = is_for_all ? kanor::all_gather_vectors(value) : kanor::gather_vectors(value, 0);
    if (is_for_all || world.rank() == 0) see(turns, all);
  }
  report(turns);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const Request request = read_request(argc, argv);
  if (request.spelling == "joined" ? join(request)
      : request.count <= 1         ? Library<double>::run(request)
                                   : Library<Vector>::run(request))
    return 0;
  return unknown(request);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
