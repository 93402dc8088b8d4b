// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_library/streams.hpp"

#include <iostream>

#include "c_library/library_state.hpp"
#include "kanor/abi/own_stream.hpp"

namespace kanor::rt {
namespace {

void begin_as(std::ios& stream, const std::ios& original, std::ostream& own_out) {
  stream.copyfmt(original);
  if (original.tie() == &std::cout) stream.tie(&own_out);
}

OwnStreams& own_streams(LibraryState& state) {
  std::call_once(state.streams_made, [&] { state.streams = std::make_shared<OwnStreams>(); });
  return *state.streams;
}

}  // namespace

OwnStreams::OwnStreams()
    : in(std::cin.rdbuf()), out(std::cout.rdbuf()), error(std::cerr.rdbuf()), log(std::clog.rdbuf()) {
  begin_as(in, std::cin, out);
  begin_as(out, std::cout, out);
  begin_as(error, std::cerr, out);
  begin_as(log, std::clog, out);
}

void keep_own_streams() {}

}  // namespace kanor::rt

void* kanor::abi::own_stream_at(void* stream) noexcept {
  using namespace kanor::rt;
  LibraryState* const state = own_library_state();
  if (!state) return stream;
  if (stream == &std::cout) return &own_streams(*state).out;
  if (stream == &std::cerr) return &own_streams(*state).error;
  if (stream == &std::clog) return &own_streams(*state).log;
  if (stream == &std::cin) return &own_streams(*state).in;
  return stream;
}
