// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: archives of the values that are neither flat nor a sequence of flat elements, for
/// ranks that share no addresses. Included only in programs that have such types.
///
/// cereal knows the standard library's types and the classes' own `serialize`; these archives put bytes
/// straight into the message, and know aggregates besides.
#pragma GCC system_header

#include <exception>

#include "kanor/abi/archived_as.hpp"
#include "kanor/abi/assign.hpp"
#include "kanor/abi/codec.hpp"
#include "kanor/abi/parts.hpp"

namespace kanor::abi {

/// A cereal output archive that writes to a message, or if the target is null, only determines a value's
/// size.
class value_writer : public cereal::OutputArchive<value_writer, cereal::AllowEmptyClassElision> {
  using Base = cereal::OutputArchive<value_writer, cereal::AllowEmptyClassElision>;

 public:
  explicit value_writer(archive_writer* target) : Base(this), target_(target) {}

  void write(const void* data, std::size_t bytes) {
    bytes_ += bytes;
    if (target_) target_->write(data, bytes);
  }
  std::size_t bytes() const { return bytes_; }

  // Nested values come back through these, which hide the base's.
  template <class... T>
  value_writer& operator()(T&&... values) {
    (put(values), ...);
    return *this;
  }
  template <class T>
  value_writer& operator&(T&& value) {
    return (*this)(value);
  }
  template <class T>
  value_writer& operator<<(T&& value) {
    return (*this)(value);
  }

 private:
  template <class T>
  void put(const T& value) {
    constexpr form how = archived_as<T>;
    if constexpr (how == form::bytes) {
      write(&reinterpret_cast<const char&>(value), sizeof(value));
    } else if constexpr (how == form::truth) {
      const unsigned char byte = value ? 1 : 0;
      write(&byte, 1);
    } else if constexpr (how == form::array) {
      if constexpr (archived_as<std::remove_all_extents_t<T>> == form::bytes) {
        write(&value, sizeof(value));
      } else {
        for (const auto& element : value) put(element);
      }
    } else if constexpr (how == form::named) {
      put(value.value);
    } else if constexpr (how == form::size) {
      put(static_cast<std::uint64_t>(value.size));
    } else if constexpr (how == form::blob) {
      write(value.data, value.size);
    } else if constexpr (how == form::sequence) {
      using Element = typename T::value_type;
      put(static_cast<std::uint64_t>(value.size()));
      if constexpr (archived_as<Element> == form::bytes && requires { value.data(); }) {
        write(value.data(), value.size() * sizeof(Element));
      } else {
        for (std::size_t i = 0; i < value.size(); ++i) put(static_cast<const Element&>(value[i]));
      }
    } else if constexpr (how == form::equals) {
      put(static_cast<std::uint64_t>(value.size()));
      for (const auto& element : value) put(element);
    } else if constexpr (how == form::hash) {
      put(value.max_load_factor());
      put(static_cast<std::uint64_t>(value.bucket_count()));
      put(static_cast<std::uint64_t>(value.size()));
      for (const auto& element : value) put(element);
    } else if constexpr (how == form::numbers) {
      put(static_cast<std::uint64_t>(value.size()));
      for (std::size_t i = 0; i < value.size(); ++i) put(value[i]);
    } else if constexpr (how == form::adapted) {
      if constexpr (keeps_order<T>) put(value.*order_access<T>::member());
      put(adapted(value));
    } else if constexpr (how == form::own) {
      Base::operator()(value);
    } else if constexpr (how == form::fields) {
      each_part(value, [this](const auto& part) { put(part); });
    } else if constexpr (how == form::nothing) {
      // The byte that it has may be another member's.
    } else if (target_) {
      archive_reader(nullptr, 0).fail("a part of it has a type that has no archive form");
    } else {
      bytes_ += sizeof(value);
    }
    // Every value has a byte at least: so a length that exceeds the bytes that are left cannot be right.
    if constexpr (std::is_empty_v<T>) put(false);
  }

  archive_writer* target_;
  std::size_t bytes_ = 0;
};

/// The cereal input archive for what a value_writer wrote. Malformed data ends the job.
class value_reader : public cereal::InputArchive<value_reader, cereal::AllowEmptyClassElision> {
  using Base = cereal::InputArchive<value_reader, cereal::AllowEmptyClassElision>;

 public:
  explicit value_reader(archive_reader& source) : Base(this), source_(source) {}

  void read(void* data, std::size_t bytes) { source_.read(data, bytes); }

  template <class... T>
  value_reader& operator()(T&&... values) {
    (get(values), ...);
    return *this;
  }
  template <class T>
  value_reader& operator&(T&& value) {
    return (*this)(value);
  }
  template <class T>
  value_reader& operator>>(T&& value) {
    return (*this)(value);
  }

 private:
  std::size_t get_length() {
    std::uint64_t length = 0;
    read(&length, sizeof(length));
    // A class of its own may write nothing for an element, but nobody sends many of those.
    constexpr std::uint64_t allowance = 1 << 16;
    if (length > source_.left() + allowance) source_.fail("a length in it is not credible");
    return static_cast<std::size_t>(length);
  }

  template <class T>
  void get(T& value) {
    constexpr form how = archived_as<std::remove_const_t<T>>;
    if constexpr (how == form::bytes) {
      get_bytes(value);
    } else if constexpr (how == form::truth) {
      unsigned char byte = 0;
      read(&byte, 1);
      value = byte != 0;
    } else if constexpr (how == form::array) {
      if constexpr (archived_as<std::remove_all_extents_t<T>> == form::bytes) {
        read(&value, sizeof(value));
      } else {
        for (auto& element : value) get(element);
      }
    } else if constexpr (how == form::named) {
      get(value.value);
    } else if constexpr (how == form::size) {
      value.size = static_cast<std::remove_reference_t<decltype(value.size)>>(get_length());
    } else if constexpr (how == form::blob) {
      read(const_cast<void*>(static_cast<const void*>(value.data)), value.size);
    } else if constexpr (how == form::sequence) {
      get_sequence(value);
    } else if constexpr (how == form::equals) {
      get_equals(value);
    } else if constexpr (how == form::hash) {
      get_hashed(value);
    } else if constexpr (how == form::numbers) {
      const std::size_t length = get_length();
      value.resize(length);
      for (std::size_t i = 0; i < length; ++i) get(value[i]);
    } else if constexpr (how == form::adapted) {
      if constexpr (keeps_order<T>) get(value.*order_access<T>::member());
      get(adapted(value));
    } else if constexpr (how == form::own) {
      Base::operator()(value);
    } else if constexpr (how == form::fields) {
      each_part(value, [this](auto& part) { get(part); });
    } else if constexpr (how == form::nothing) {
    } else {
      source_.fail("a part of it has a type that has no archive form");
    }
    if constexpr (std::is_empty_v<T>) {
      bool ignored = false;
      get(ignored);
    }
  }

  template <class T>
  void get_bytes(T& value) {
    if constexpr (owns_its_bytes<T> || !std::is_copy_assignable_v<T>) {
      read(&reinterpret_cast<char&>(value), sizeof(value));
    } else {
      alignas(T) char room[sizeof(T)];
      read(room, sizeof(room));
      value = *std::launder(reinterpret_cast<const T*>(room));
    }
  }

  template <class T>
  void get_sequence(T& value) {
    using Element = typename T::value_type;
    const std::size_t length = get_length();
    if constexpr (!std::is_default_constructible_v<Element> && archived_as<Element> == form::bytes) {
      value.clear();
      for (std::size_t left = length; left > 0; --left) {
        alignas(Element) char room[sizeof(Element)];
        read(room, sizeof(room));
        value.push_back(*std::launder(reinterpret_cast<const Element*>(room)));
      }
    } else if constexpr (!std::is_default_constructible_v<Element>) {
      source_.fail("its elements have no default constructor");
    } else {
      value.resize(length);
      if constexpr (archived_as<Element> == form::bytes && requires { value.data(); }) {
        read(value.data(), length * sizeof(Element));
      } else if constexpr (requires { value.data(); }) {
        for (Element& element : value) get(element);
      } else {
        for (std::size_t i = 0; i < length; ++i) {
          bool element = false;
          get(element);
          value[i] = element;
        }
      }
    }
  }

  template <class T>
  void get_equals(T& value) {
    value.clear();
    for (std::size_t left = get_length(); left > 0; --left) {
      typename element_to_load<T>::type element;
      get(element);
      value.emplace_hint(value.end(), std::move(element));
    }
  }

  template <class T>
  void get_hashed(T& value) {
    float max_load_factor = 1;
    std::uint64_t buckets = 0;
    get(max_load_factor);
    get(buckets);
    std::vector<typename element_to_load<T>::type> elements(get_length());
    for (auto& element : elements) get(element);
    if (!(max_load_factor > 0) ||
        static_cast<double>(buckets) >
            (1 << 20) + 64.0 * static_cast<double>(elements.size()) / max_load_factor)
      buckets = 0;  // nearly empty after many erasures: its own choice will do
    value.clear();
    if (max_load_factor > 0) value.max_load_factor(max_load_factor);
    if (buckets > value.bucket_count()) value.rehash(static_cast<std::size_t>(buckets));
    // Each new element comes to the front, of all or of those with its hash.
    for (std::size_t i = elements.size(); i > 0; --i) value.insert(std::move(elements[i - 1]));
  }

  archive_reader& source_;
};

// cereal itself writes a few things (class versions, minimal forms) without asking the archive's operators.
template <class T>
requires(std::is_arithmetic_v<T>) void save(value_writer& archive, const T& value) { archive(value); }
template <class T>
requires(std::is_arithmetic_v<T>) void load(value_reader& archive, T& value) { archive(value); }
template <class T>
void save(value_writer& archive, const cereal::NameValuePair<T>& value) {
  archive(value);
}
template <class T>
void load(value_reader& archive, cereal::NameValuePair<T>& value) {
  archive(value);
}
template <class T>
void save(value_writer& archive, const cereal::SizeTag<T>& value) {
  archive(value);
}
template <class T>
void load(value_reader& archive, cereal::SizeTag<T>& value) {
  archive(value);
}
template <class T>
void save(value_writer& archive, const cereal::BinaryData<T>& value) {
  archive(value);
}
template <class T>
void load(value_reader& archive, cereal::BinaryData<T>& value) {
  archive(value);
}

template <class T>
void fill_default(T& room) {
  if constexpr (std::is_array_v<T>) {
    for (auto& element : room) fill_default(element);
  } else {
    ::new (static_cast<void*>(__builtin_addressof(room))) T();
  }
}

template <class T>
struct archive_form {
  static constexpr bool available = true;

  /// The number of bytes that the value's archive would have.
  static std::size_t weight(const T& value) {
    if constexpr (archived_as<T> == form::none) {
      return sizeof(T);
    } else {
      value_writer writer(nullptr);
      writer(value);
      return writer.bytes();
    }
  }

  static void encode(archive_writer& target, const T& value) {
    value_writer writer(&target);
    writer(value);
  }

  /// Constructs the value in `room`.
  static void construct(void* room, archive_reader& source) {
    if constexpr (!std::is_default_constructible_v<std::remove_all_extents_t<T>>) {
      source.fail("its type has no default constructor");
    } else {
      try {
        T& value = *static_cast<T*>(room);
        fill_default(value);
        read(value, source);
      } catch (const std::exception& error) {
        source.fail(error.what());
      }
    }
  }

 private:
  /// Not inlined: where it sees how a variant was made, g++ warns that its next alternative is not on the
  /// heap.
  [[gnu::noinline]] static void read(T& value, archive_reader& source) {
    value_reader reader(source);
    reader(value);
  }
};

/// The elements of a section: their number, then each. Written from the section itself.
template <class Element>
struct archive_form<section_value<Element>> {
  static constexpr bool available = true;

  template <class Section>
  static std::size_t weight(const Section& section) {
    value_writer writer(nullptr);
    put(writer, section);
    return writer.bytes();
  }

  template <class Section>
  static void encode(archive_writer& target, const Section& section) {
    const std::uint64_t count = section.size();
    target.write(&count, sizeof(count));
    value_writer writer(&target);
    put(writer, section);
  }

  static void construct(void* room, archive_reader& source) {
    std::uint64_t count = 0;
    source.read(&count, sizeof(count));
    if (count > source.left()) source.fail("a section's length in it is not credible");
    auto& value = *::new (room) section_value<Element>(static_cast<std::size_t>(count));
    for (; value.made < count; ++value.made)
      archive_form<Element>::construct(value.data() + value.made, source);
  }

 private:
  template <class Section>
  static void put(value_writer& writer, const Section& section) {
    section.visit([&writer](const auto& run) {
      for (long long at = 0; at < run.count; ++at) writer(run[at]);
    });
  }
};

}  // namespace kanor::abi
