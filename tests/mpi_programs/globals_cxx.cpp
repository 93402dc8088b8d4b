// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ globals: every rank has its own, as if it were a process.
//
// Constructors and destructors of globals and their order, static locals in functions, inline
// functions, templates and lambdas, inline variables, static members, thread_local, exceptions
// through functions and MPI's callbacks, globals with containers, virtual classes, and threads of a
// rank.
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

#include "check.h"

namespace {

int rank = -1, size = 0;

// Constructed before main, in the order of the source; destroyed after main, the other way round.
std::vector<std::string>& order() {
  static std::vector<std::string> names;
  return names;
}

class Ordered {
 public:
  explicit Ordered(const char* name) : name_(name) { order().push_back(name); }
  ~Ordered() {
    if (order().empty() || order().back() != name_) std::_Exit(1);
    order().pop_back();
    if (rank == 0) std::printf("destroyed %s\n", name_.c_str());
    std::fflush(stdout);
  }
  void rename(const std::string& name) {
    std::replace(order().begin(), order().end(), name_, name);
    name_ = name;
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

Ordered first("first"), second("second");

std::vector<int> numbers = {1, 2, 3};
std::map<std::string, int> ages = {{"one", 1}, {"two", 2}};
std::string word = "a word that is too long to stand in the string itself";
std::unique_ptr<int> owned = std::make_unique<int>(17);
std::shared_ptr<std::vector<int>> shared = std::make_shared<std::vector<int>>(5, 7);
const int computed = static_cast<int>(numbers.size()) * 100;
std::function<int(int)> function = [](int x) { return x + computed; };

// Each instance of a template has its own.
template <typename T>
struct Counted {
  static T count;
  static int calls() {
    static int made = 0;
    return ++made;
  }
};
template <typename T>
T Counted<T>::count = T(10);

template <int N>
int next_of() {
  static int value = N;
  return value++;
}

struct Once {
  static int made;
  int value;
  Once() : value(++made) {}
};
int Once::made = 0;

Once& the_only_one() {
  static Once instance;
  return instance;
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const { return "shape"; }
};
struct Square : Shape {
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  std::string name() const override { return "square"; }
  double side;
};
struct Named : virtual Shape {
  std::string name() const override { return label; }
  std::string label = "named";
};
struct Both final : Named {
  double area() const override { return 0.5; }
};

Square square(3);
Shape* shapes[2] = {&square, nullptr};

thread_local int of_thread = 50;
thread_local std::string text_of_thread = "each thread's own";

class Failure : public std::runtime_error {
 public:
  Failure(const std::string& what, int by) : std::runtime_error(what), by(by) {}
  int by;
};

int unwound = 0;

struct Guard {
  ~Guard() { ++unwound; }
};

int dig(int depth) {
  Guard guard;
  if (depth == 0) throw Failure("rank " + std::to_string(rank), rank);
  return dig(depth - 1) + 1;
}

}  // namespace

inline int inline_variable = 70;
inline int next_inline() {
  static int value = inline_variable;
  return value++;
}

namespace {

void check_initial() {
  CHECK_EQ(order().size(), 2);
  CHECK_STR(order()[0].c_str(), "first");
  CHECK_STR(order()[1].c_str(), "second");
  CHECK_EQ(numbers.size(), 3);
  CHECK_EQ(ages.at("two"), 2);
  CHECK_EQ(word.size(), 53);
  CHECK_EQ(*owned, 17);
  CHECK_EQ(shared->size(), 5);
  CHECK_EQ(computed, 300);
  CHECK_EQ(function(1), 301);
  CHECK_EQ(Counted<int>::count, 10);
  CHECK_NUM(shapes[0]->area(), 9);
  CHECK_EQ(Once::made, 0);
  CHECK_EQ(of_thread, 50);
  CHECK_EQ(inline_variable, 70);
}

void check_containers() {
  for (int i = 0; i < 1000 * (rank + 1); ++i) numbers.push_back(rank + i);
  ages["rank"] = rank;
  ages["two"] += rank;
  word += std::to_string(rank);
  *owned += rank;
  shared = std::make_shared<std::vector<int>>(rank + 1, rank);
  function = [base = 1000 * rank](int x) { return x + base; };
  first.rename("first of " + std::to_string(rank));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(numbers.size(), 3 + 1000 * (rank + 1));
  CHECK_EQ(numbers.back(), rank + 1000 * (rank + 1) - 1);
  CHECK_EQ(ages.size(), 3);
  CHECK_EQ(ages["rank"], rank);
  CHECK_EQ(ages["two"], 2 + rank);
  CHECK_EQ(word.back(), '0' + rank);
  CHECK_EQ(*owned, 17 + rank);
  CHECK_EQ(shared->size(), rank + 1);
  CHECK_EQ(function(1), 1 + 1000 * rank);
  CHECK_STR(first.name().c_str(), ("first of " + std::to_string(rank)).c_str());

  // A global vector as a buffer.
  std::vector<int> from_left(4000 * 3);
  const int left = (rank + size - 1) % size;
  MPI_Status status;
  int count = 0;
  MPI_Sendrecv(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, (rank + 1) % size, 5,
               from_left.data(), static_cast<int>(from_left.size()), MPI_INT, left, 5,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 3 + 1000 * (left + 1));
  CHECK_EQ(from_left[3], left);
}

void check_statics() {
  for (int i = 0; i < 5; ++i) {
    CHECK_EQ(next_of<100>(), 100 + i);
    CHECK_EQ(next_of<200>(), 200 + i);
    CHECK_EQ(Counted<int>::calls(), i + 1);
    CHECK_EQ(next_inline(), 70 + i);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Counted<int>::count += rank;
  Counted<double>::count -= rank;
  inline_variable = rank;
  CHECK_EQ(the_only_one().value, 1);
  the_only_one().value += rank;
  auto counter = [] {
    static int calls = 0;
    return ++calls;
  };
  for (int i = 0; i <= rank; ++i) CHECK_EQ(counter(), i + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(Counted<int>::count, 10 + rank);
  CHECK_NUM(Counted<double>::count, 10 - rank);
  CHECK_EQ(Counted<long>::count, 10);
  CHECK_EQ(inline_variable, rank);
  CHECK_EQ(the_only_one().value, 1 + rank);
  CHECK_EQ(Once::made, 1);
  CHECK_EQ(counter(), rank + 2);
}

void check_classes() {
  square.side = rank;
  std::unique_ptr<Shape> both = std::make_unique<Both>();
  shapes[1] = both.get();
  dynamic_cast<Named&>(*both).label = "of " + std::to_string(rank);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_NUM(shapes[0]->area(), rank * rank);
  CHECK_STR(shapes[0]->name().c_str(), "square");
  CHECK_STR(shapes[1]->name().c_str(), ("of " + std::to_string(rank)).c_str());
  CHECK(dynamic_cast<Square*>(shapes[0]) == &square);
  CHECK(dynamic_cast<Square*>(shapes[1]) == nullptr);
  CHECK(typeid(*shapes[1]) == typeid(Both));
}

void check_exceptions() {
  for (int round = 0; round < 20; ++round) {
    bool caught = false;
    try {
      dig(5 + rank);
    } catch (const Failure& failure) {
      caught = true;
      MPI_Barrier(MPI_COMM_WORLD);  // inside of a handler, in all ranks at once
      CHECK_EQ(failure.by, rank);
      CHECK_STR(failure.what(), ("rank " + std::to_string(rank)).c_str());
    }
    CHECK(caught);
  }
  CHECK_EQ(unwound, 20 * (6 + rank));
  try {
    try {
      numbers.at(numbers.size());
    } catch (const std::exception&) {
      std::throw_with_nested(Failure("outer", 1));
    }
  } catch (const std::exception& outer) {
    CHECK_STR(outer.what(), "outer");
    bool inner = false;
    try {
      std::rethrow_if_nested(outer);
    } catch (const std::out_of_range&) {
      inner = true;
    }
    CHECK(inner);
  }
  CHECK_EQ(std::uncaught_exceptions(), 0);
}

void check_threads() {
  of_thread += rank;
  text_of_thread += std::to_string(rank);
  static int from_threads[2];
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([i] {
      of_thread += i + 1;
      // A thread of a rank has the rank's globals and thread_locals of its own.
      from_threads[i] =
          of_thread == 51 + i && text_of_thread == "each thread's own" ? rank + 1 : -1;
    });
  for (auto& thread : threads) thread.join();
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(from_threads[0], rank + 1);
  CHECK_EQ(from_threads[1], rank + 1);
  CHECK_EQ(of_thread, 50 + rank);
  CHECK_EQ(text_of_thread.back(), '0' + rank);
}

}  // namespace

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("initial values");
  check_initial();
  MPI_Barrier(MPI_COMM_WORLD);
  check_part("containers");
  check_containers();
  check_part("statics");
  check_statics();
  check_part("classes");
  check_classes();
  check_part("exceptions");
  check_exceptions();
  check_part("threads");
  if (provided >= MPI_THREAD_FUNNELED) check_threads();
  return check_finish();
}
