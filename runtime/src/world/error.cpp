#include <kanor/error.hpp>

#include "job/failure.hpp"

namespace kanor {

void abort(std::string_view message) { rt::fail(message); }

}  // namespace kanor
