// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error codes of kanor/mpi.h.
#include "c_api/error_codes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {
namespace {

struct ClassText {
  int error_class;
  const char *name, *text;
};

#define KANOR_ERROR(name, text) {MPI_ERR_##name, "MPI_ERR_" #name, text},

/// The error classes in the order of their numbers, from 1 on.
constexpr ClassText class_texts[] = {
    // clang-format off
    KANOR_ERROR(BUFFER, "a buffer is not valid")
    KANOR_ERROR(COUNT, "a number of elements is not valid")
    KANOR_ERROR(TYPE, "a datatype is not valid")
    KANOR_ERROR(TAG, "a tag is not valid")
    KANOR_ERROR(COMM, "a communicator is not valid")
    KANOR_ERROR(RANK, "a rank is not valid")
    KANOR_ERROR(REQUEST, "a request is not valid")
    KANOR_ERROR(ROOT, "a root is not valid")
    KANOR_ERROR(GROUP, "a group is not valid")
    KANOR_ERROR(OP, "an operation is not valid")
    KANOR_ERROR(TOPOLOGY, "a topology is not valid")
    KANOR_ERROR(DIMS, "dimensions are not valid")
    KANOR_ERROR(ARG, "an argument is not valid")
    KANOR_ERROR(UNKNOWN, "the error is not known")
    KANOR_ERROR(TRUNCATE, "a message is longer than the buffer that receives it")
    KANOR_ERROR(OTHER, "an error that has no class of its own")
    KANOR_ERROR(INTERN, "an error inside Kanor, or a limit of it")
    KANOR_ERROR(IN_STATUS, "one of the requests has failed: its status says why")
    KANOR_ERROR(PENDING, "a request has neither failed nor been completed")
    KANOR_ERROR(KEYVAL, "a key of attributes is not valid")
    KANOR_ERROR(ACCESS, "access to a file was denied")
    KANOR_ERROR(AMODE, "the mode in which a file is opened is not valid")
    KANOR_ERROR(ASSERT, "an assertion is not valid")
    KANOR_ERROR(BAD_FILE, "a file's name is not valid")
    KANOR_ERROR(BASE, "a base address is not valid")
    KANOR_ERROR(CONVERSION, "a conversion of data has failed")
    KANOR_ERROR(DISP, "a displacement is not valid")
    KANOR_ERROR(DUP_DATAREP, "a data representation of that name is there already")
    KANOR_ERROR(FILE_EXISTS, "the file exists already")
    KANOR_ERROR(FILE_IN_USE, "the file is open")
    KANOR_ERROR(FILE, "a file handle is not valid")
    KANOR_ERROR(INFO_KEY, "a key of an info object is not valid")
    KANOR_ERROR(INFO_NOKEY, "an info object does not have the key")
    KANOR_ERROR(INFO_VALUE, "a value of an info object is not valid")
    KANOR_ERROR(INFO, "an info object is not valid")
    KANOR_ERROR(IO, "an error of input or output")
    KANOR_ERROR(LOCKTYPE, "a kind of lock is not valid")
    KANOR_ERROR(NAME, "there is no service of that name")
    KANOR_ERROR(NO_MEM, "there is not enough memory")
    KANOR_ERROR(NOT_SAME, "ranks have given different arguments where they must be the same")
    KANOR_ERROR(NO_SPACE, "there is not enough space for the file")
    KANOR_ERROR(NO_SUCH_FILE, "there is no such file")
    KANOR_ERROR(PORT, "a port is not valid")
    KANOR_ERROR(QUOTA, "the quota of file space is used up")
    KANOR_ERROR(READ_ONLY, "the file or its file system is read-only")
    KANOR_ERROR(RMA_CONFLICT, "accesses to a window are in conflict")
    KANOR_ERROR(RMA_SYNC, "accesses to a window are not synchronised as they must be")
    KANOR_ERROR(SERVICE, "the service is not published")
    KANOR_ERROR(SIZE, "a size is not valid")
    KANOR_ERROR(SPAWN, "processes could not be started")
    KANOR_ERROR(UNSUPPORTED_DATAREP, "the data representation is not supported")
    KANOR_ERROR(UNSUPPORTED_OPERATION, "the operation is not supported")
    KANOR_ERROR(WIN, "a window is not valid")
    KANOR_ERROR(RMA_RANGE, "an access goes beyond a window's memory")
    KANOR_ERROR(RMA_ATTACH, "memory could not be attached to a window")
    KANOR_ERROR(RMA_SHARED, "memory could not be shared")
    KANOR_ERROR(RMA_FLAVOR, "a window is of the wrong kind")
    // clang-format on
};

#undef KANOR_ERROR

constexpr bool are_in_order() {
  int number = MPI_SUCCESS;
  for (const ClassText& one : class_texts)
    if (one.error_class != ++number) return false;
  return true;
}
static_assert(are_in_order());

/// Null if it is no predefined class.
const ClassText* predefined(int code) {
  return code > MPI_SUCCESS && code <= static_cast<int>(std::size(class_texts)) ? &class_texts[code - 1]
                                                                                : nullptr;
}

}  // namespace

const ErrorCodes::Added* ErrorCodes::find(int code) const {
  return code > MPI_ERR_LASTCODE && code <= last_
             ? &added_[static_cast<std::size_t>(code - MPI_ERR_LASTCODE - 1)]
             : nullptr;
}

int ErrorCodes::add_class() {
  added_.push_back({++last_, ""});
  return last_;
}

int ErrorCodes::add_code(int error_class) {
  const Added* const added = find(error_class);
  const bool is_added_class = added && added->error_class == error_class;
  if (!is_added_class && !predefined(error_class))
    throw CallError{MPI_ERR_ARG, "there is no error class " + std::to_string(error_class)};
  added_.push_back({error_class, ""});
  return ++last_;
}

void ErrorCodes::set_text(int code, const char* text) {
  if (!find(code))
    throw CallError{MPI_ERR_ARG, "error code " + std::to_string(code) + " has not been added by the program"};
  if (!text) throw CallError{MPI_ERR_ARG, "the text is NULL"};
  added_[static_cast<std::size_t>(code - MPI_ERR_LASTCODE - 1)].text = text;
}

int ErrorCodes::class_of(int code) const {
  if (const Added* const added = find(code)) return added->error_class;
  return code == MPI_SUCCESS || predefined(code) ? code : MPI_ERR_UNKNOWN;
}

const std::string* ErrorCodes::added_text(int code) const {
  const Added* const added = find(code);
  return added ? &added->text : nullptr;
}

std::string error_text(const Calls& calls, int code) {
  if (code == MPI_SUCCESS) return "no error";
  if (const std::string* const added = calls.environment.codes.added_text(code)) return *added;
  if (code == calls.error) return calls.text;
  if (const ClassText* const known = predefined(code))
    return std::string(known->name) + " (" + std::to_string(code) + "): " + known->text;
  return "there is no error code " + std::to_string(code);
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Error_class(int code, int* error_class) {
  Rank& self = caller();
  return handled(self, "MPI_Error_class", [&] {
    result_at(error_class) = Calls::of(self).environment.codes.class_of(code);
    return MPI_SUCCESS;
  });
}

int MPI_Error_string(int code, char* text, int* length) {
  Rank& self = caller();
  return handled(self, "MPI_Error_string", [&] {
    if (!text) throw CallError{MPI_ERR_ARG, "the address of the text is NULL"};
    std::string words = error_text(Calls::of(self), code);
    words.resize(std::min<std::size_t>(words.size(), MPI_MAX_ERROR_STRING - 1));
    result_at(length) = static_cast<int>(words.size());
    std::memcpy(text, words.c_str(), words.size() + 1);
    return MPI_SUCCESS;
  });
}

int MPI_Add_error_class(int* error_class) {
  Rank& self = caller();
  return handled(self, "MPI_Add_error_class", [&] {
    result_at(error_class) = Calls::of(self).environment.codes.add_class();
    return MPI_SUCCESS;
  });
}

int MPI_Add_error_code(int error_class, int* code) {
  Rank& self = caller();
  return handled(self, "MPI_Add_error_code", [&] {
    result_at(code) = Calls::of(self).environment.codes.add_code(error_class);
    return MPI_SUCCESS;
  });
}

int MPI_Add_error_string(int code, const char* text) {
  Rank& self = caller();
  return handled(self, "MPI_Add_error_string", [&] {
    Calls::of(self).environment.codes.set_text(code, text);
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Error_class)
KANOR_PROFILED(Error_string)
KANOR_PROFILED(Add_error_class)
KANOR_PROFILED(Add_error_code)
KANOR_PROFILED(Add_error_string)
