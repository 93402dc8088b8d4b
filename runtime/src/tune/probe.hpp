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

/// A compiled probe, in a folder that is removed with it. Throws Failed.
class Probe {
 public:
  /// `tools`: the folder of kanor-mpicc and kanor-mpiexec.
  explicit Probe(std::string tools);
  ~Probe();
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  /// Runs it on so many ranks, with these arguments, and settings such as "KANOR_MODE=threads".
  std::vector<Batches> run(int ranks, const std::string& settings, const std::string& arguments) const;
  /// A file of its folder.
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string tools_, folder_;
};

}  // namespace kanor::tune
