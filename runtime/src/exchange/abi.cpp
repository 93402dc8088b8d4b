// The door for emitted code: kanor/abi/block.hpp's functions, handed on to the rank's Exchange.
#include <string>

#include "exchange/exchange.hpp"
#include "kanor/abi/block.hpp"

namespace kanor::abi {

using rt::Exchange;

block::block(const site& where) noexcept : exchange_(&Exchange::here()) {
  exchange_->enter(where);
  rank_ = exchange_->rank();
  size_ = exchange_->size();
}

block::~block() {
  if (!exchange_->complete()) rt::fail("an exception ended the block before it was complete");
}

void block::run() noexcept { exchange_->run(); }

void block::statement(const statement_site& where, void* operation, Visit visit, const void* bindings,
                      void* binder) noexcept {
  exchange_->begin(where, operation);
  exchange_->enumerate(visit, bindings, binder);
}

void* block::keep(std::size_t bytes, std::size_t alignment, void (*destroy)(void*)) noexcept {
  return exchange_->keep(bytes, alignment, destroy);
}

void block::put_flat(int receiver, const void* data, std::size_t bytes, std::size_t alignment) noexcept {
  exchange_->open(receiver);
  exchange_->put_flat(data, bytes, alignment);
}

std::byte* block::put_sequence(int receiver, std::size_t count, std::size_t element_bytes,
                               std::size_t element_alignment) noexcept {
  exchange_->open(receiver);
  return exchange_->put_sequence(count, element_bytes, element_alignment);
}

bool block::by_pointer(int receiver) noexcept { return exchange_->by_pointer(receiver); }

void block::put_pointer(int receiver, void* object, std::size_t weight_bytes) noexcept {
  exchange_->open(receiver);
  exchange_->put_pointer(object, weight_bytes);
}

archive_writer block::begin_archive(int receiver) noexcept {
  exchange_->open(receiver);
  archive_writer writer;
  std::size_t capacity = 0;
  writer.exchange_ = exchange_;
  writer.begin_ = writer.at_ = exchange_->begin_archive(&capacity);
  writer.end_ = writer.at_ + capacity;
  return writer;
}

void block::end_archive(const archive_writer& writer) noexcept {
  exchange_->advance(static_cast<std::size_t>(writer.at_ - writer.begin_));
  exchange_->end_archive();
}

void archive_writer::grow(std::size_t bytes) {
  std::size_t capacity = 0;
  exchange_->advance(static_cast<std::size_t>(at_ - begin_));
  begin_ = at_ = exchange_->reserve(bytes, &capacity);
  end_ = at_ + capacity;
}

void block::add(int sender, void* place, const receiving& how) noexcept {
  exchange_->add(place, sender, how, nullptr, 0);
}

void block::add(int sender, void* place, const receiving& how, const named_value* names,
                int name_count) noexcept {
  exchange_->add(place, sender, how, names, name_count);
}

void block::fail_ranks(named_value receiver, named_value sender, const named_value* names,
                       int name_count) noexcept {
  exchange_->fail_ranks(receiver, sender, names, name_count);
}

void block::fail_no_archive(int receiver) noexcept {
  exchange_->open(receiver);
  exchange_->fail_sending("has no form that could leave this address space, so it cannot reach");
}

void fail_lengths(std::size_t place_length, std::size_t value_length) {
  Exchange::here().fail_updating("the place has length " + std::to_string(place_length) +
                                 ", but the value has length " + std::to_string(value_length));
}

void fail_fold_lengths(std::size_t first_length, std::size_t second_length) {
  Exchange::here().fail_fold_lengths(first_length, second_length);
}

void fail_archive(const char* what, std::size_t at_byte, std::size_t length_bytes) {
  Exchange::here().fail_updating("the value's archive cannot be read: " + std::string(what) + " (at byte " +
                                 std::to_string(at_byte) + " of " + std::to_string(length_bytes) + ")");
}

void fail_negative_member(long long value) {
  rt::fail("a set of unsigned numbers begins with " + std::to_string(value) + " (give both ends one type)");
}

void fail_range_step() { rt::fail("a kanor::range has step 0"); }

}  // namespace kanor::abi
