// The memory of kanor::buffer: regions of plain bytes.
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "kanor/abi/buffer_block.hpp"
#include "ownership/region.hpp"

namespace kanor::abi {

void* new_elements(std::size_t bytes) {
  rt::Region& region = rt::make_region(rt::here("a kanor::buffer was made"), bytes);
  region.bytes = bytes;
  return region.object();
}

std::size_t bytes_of_elements(const void* elements) noexcept {
  return rt::Region::of(const_cast<void*>(elements)).bytes;
}

void buffer_memory::allocate(std::size_t count, std::size_t element_bytes) {
  if (count > std::numeric_limits<std::size_t>::max() / 4 / element_bytes)
    rt::fail("a kanor::buffer of " + std::to_string(count) + " elements of " + std::to_string(element_bytes) +
             " bytes was to be made");
  given_memory::put(*this, new_elements(count * element_bytes), count);
}

void buffer_memory::free() noexcept {
  rt::let_go(rt::Region::of(elements_));
  elements_ = nullptr;
  count_ = 0;
}

term given_memory::take(buffer_memory& buffer, std::uint64_t number) {
  const term taken{std::exchange(buffer.elements_, nullptr), std::exchange(buffer.count_, 0)};
  buffer.given_ = number;
  return taken;
}

void given_memory::put(buffer_memory& buffer, void* elements, std::size_t count) noexcept {
  if (buffer.elements_) buffer.free();
  buffer.elements_ = elements;
  buffer.count_ = count;
  buffer.given_ = 0;
}

void given_memory::adopt(buffer_memory& buffer, void* elements, std::size_t element_bytes) {
  const std::size_t bytes = bytes_of_elements(elements);
  rt::Region& region = rt::Region::of(elements);
  if (!rt::is_sole(region)) {
    void* const copy = new_elements(bytes);
    std::memcpy(copy, elements, bytes);
    rt::let_go(region);
    elements = copy;
  }
  put(buffer, elements, bytes / element_bytes);
}

}  // namespace kanor::abi
