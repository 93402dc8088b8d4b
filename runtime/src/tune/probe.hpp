// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program whose messages kanor-tune measures (probe.c).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace kanor::tune {

/// What kanor-tune tells its user before it gives up.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The times of one length: of each batch, in microseconds.
struct Batches {
  std::size_t bytes = 0;
  int count = 0;  ///< messages in a row
  std::vector<double> times_us;
};

/// Words that set variables of the environment, such as "KANOR_MODE=threads".
using Settings = std::vector<std::string>;

/// A compiled probe, in a folder that is removed with it. Its functions throw Failed.
class Probe {
 public:
  /// `tools`: the folder of kanor-mpicc and kanor-mpiexec. Takes variables out of this process's environment
  /// that would change what is measured.
  explicit Probe(std::string tools);
  ~Probe();
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  /// Runs it on so many ranks, with these settings and arguments.
  std::vector<Batches> run(int ranks, const Settings& settings, const std::string& arguments) const;
  /// Writes a file of its folder. Returns its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string output_of(const std::string& command, const std::string& what) const;

  std::string tools_, folder_;
};

}  // namespace kanor::tune
