// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error classes and codes, and their texts.
#pragma once

#include <kanor/mpi.h>

#include <string>
#include <vector>

namespace kanor::rt::c_api {

class Calls;

/// The error classes and codes that the program has added: numbers behind MPI_ERR_LASTCODE.
class ErrorCodes {
 public:
  int add_class();
  /// A code of that class. This and set_text() throw CallError where there is no such class or code.
  int add_code(int error_class);
  void set_text(int code, const char* text);

  /// The code's class; MPI_ERR_UNKNOWN if there is no such code.
  int class_of(int code) const;
  /// Null if the program has not added this code.
  const std::string* added_text(int code) const;
  /// The largest code.
  const int& last() const { return last_; }

 private:
  struct Added {
    int error_class;
    std::string text;
  };
  const Added* find(int code) const;

  int last_ = MPI_ERR_LASTCODE;
  std::vector<Added> added_;  ///< in order of their codes
};

/// A description of the latest error, if that had this code, else of the code.
std::string error_text(const Calls& calls, int code);

}  // namespace kanor::rt::c_api
