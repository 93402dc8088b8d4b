// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: assignments to sections and from them, element by element; included by assign.hpp.
#pragma GCC system_header

#include "kanor/abi/follow.hpp"
#include "kanor/abi/listed_section.hpp"

namespace kanor::abi {

template <class Place, class Value>
void assign_value(Place&& place, Value& value);

/// True if a value is assigned to a place as a whole when elements are assigned one by one; else the one that
/// is an array is decomposed further.
template <class Place, class Value>
inline constexpr bool assigns_as_element =
    (listed<Place> && listed<Value>) ||
    (!(std::is_array_v<Value> && std::is_scalar_v<Place>)&&std::is_assignable_v<Place&, Value&&>);

/// The end of the decomposition: at the value that an element of type `Place` takes, ...
template <class Place>
struct for_place {
  template <class List>
  static constexpr bool ends = assigns_as_element<Place, List>;
};
/// ... or at the place that an element of type `Value` goes to.
template <class Value>
struct for_value {
  template <class List>
  static constexpr bool ends = assigns_as_element<List, Value>;
};

template <class End, class List>
constexpr std::size_t leaves_of_one() {
  if constexpr (End::template ends<List>) {
    return 1;
  } else {
    static_assert(fixed_row<List>, "the elements of the two sides cannot be assigned to each other");
    return static_cast<std::size_t>(section_rows<List, 0, 1>::fixed_length()) *
           leaves_of_one<End, typename element_of<List>::type>();
  }
}

/// The elements of a list, or, if these are arrays that must be decomposed, their elements.
template <class End, class List>
struct leaves {
  using element = typename element_of<List>::type;
  static constexpr std::size_t in_one = leaves_of_one<End, element>();
  List& list;

  std::size_t size() const { return length_of(list) * in_one; }
  decltype(auto) operator[](std::size_t at) const {
    if constexpr (in_one == 1 && End::template ends<element>) {
      return list[at];
    } else {
      return leaves<End, element>{list[at / in_one]}[at % in_one];
    }
  }
};

template <class Place, class Value>
void assign_element(Place&& place, Value&& value) {
  if constexpr (bit_reference<std::remove_cvref_t<Place>>) {
    place = static_cast<bool>(value);
  } else {
    std::remove_reference_t<Value>& lvalue = value;
    assign_value(static_cast<Place&&>(place), lvalue);
  }
}

/// Copies contiguous flat elements to the elements of a section that it visits.
template <class Element>
struct section_unpacker {
  using takes_rows = void;
  const Element* source;

  void operator()(const element_rows<Element>& rows) {
    copy_rows(rows.first, rows.step, source, rows.length, rows.length, rows.count);
    source += rows.length * rows.count;
  }
  void operator()(const element_run<Element>& run) {
    if (run.stride == 1)
      (*this)(element_rows<Element>{run.first, 1, 1, run.count});
    else
      (*this)(element_rows<Element>{run.first, run.count, run.stride, 1});
  }
  template <class Run>
  void operator()(const Run run) {
    const Element* next = source;
    for (long long at = 0; at < run.count; ++at, ++next) {
      if constexpr (std::is_array_v<Element>)
        __builtin_memcpy(__builtin_addressof(run[at]), next, sizeof(Element));
      else
        run[at] = *next;
    }
    source = next;
  }
};

/// `source[i]` is the i-th of `count` elements; they may be moved from.
template <class Section, class Source>
void assign_elements_to_section(const Section& place, const Source& source, std::size_t count) {
  using Element = typename Section::element;
  static_assert(!std::is_const_v<Element>, "the place of a block's statement is const");
  const std::size_t length = place.size();
  if (length != count) fail_lengths(length, count);
  constexpr bool as_bytes = std::is_same_v<Source, Element*> && flat<Element> &&
                            std::is_trivially_copy_assignable_v<std::remove_all_extents_t<Element>>;
  if constexpr (as_bytes) {
    place.visit(section_unpacker<Element>{source});
  } else {
    std::size_t next = 0;
    place.visit([&](const auto& run) {
      for (long long at = 0; at < run.count; ++at, ++next) assign_element(run[at], source[next]);
    });
  }
}

/// Contiguous elements.
template <class Element>
struct element_sequence {
  using value_type = Element;
  Element* elements;
  std::size_t count;
  std::size_t size() const { return count; }
  Element& operator[](std::size_t at) const { return elements[at]; }
};

template <class Section, class Element>
void assign_sequence_to_section(const Section& place, Element* elements, std::size_t count) {
  using End = for_place<typename Section::element>;
  if constexpr (End::template ends<Element>) {
    assign_elements_to_section(place, elements, count);
  } else {
    element_sequence<Element> sequence{elements, count};
    const leaves<End, element_sequence<Element>> all{sequence};
    assign_elements_to_section(place, all, all.size());
  }
}

template <class Section, class Value>
void assign_to_section(const Section& place, Value& value) {
  if constexpr (is_section_value<Value>) {
    assign_sequence_to_section(place, value.data(), value.size());
  } else {
    static_assert(listed<Value>, "a section can only be assigned a section, an array or a vector");
    const leaves<for_place<typename Section::element>, Value> elements{value};
    assign_elements_to_section(place, elements, elements.size());
  }
}

/// Assigns to a vector, which takes the length, or to an array, which must have it.
template <class Place, class Element>
void assign_from_section(Place& place, Element* elements, std::size_t count) {
  static_assert(listed<Place>, "a section can only be assigned to a section, an array or a vector");
  if constexpr (vector_like<Place>) {
    place.resize(count);
    for (std::size_t at = 0; at < count; ++at) assign_element(place[at], elements[at]);
  } else {
    const leaves<for_value<Element>, Place> places{place};
    if (places.size() != count) fail_lengths(places.size(), count);
    for (std::size_t at = 0; at < count; ++at) assign_element(places[at], elements[at]);
  }
}

/// True if the elements of a section own storage in which places may lie, and their parts are known.
template <class Section>
inline constexpr bool elements_own = false;
template <class Section>
requires(is_section<Section>) inline constexpr bool elements_own<Section> =
    std::is_class_v<typename Section::element> && !flat<typename Section::element> &&
    !std::is_trivially_destructible_v<typename Section::element> &&
    std::is_move_constructible_v<typename Section::element> && transparent<typename Section::element>;

/// Like give_pieces_of() and replace_object(), for all elements of a section.
template <class Section>
void give_section_pieces(void* place, const piece_sink& sink) {
  static_cast<Section*>(place)->visit([&](const auto& run) {
    for (long long at = 0; at < run.count; ++at) give_pieces(run[at], sink);
  });
}

template <class Section>
void replace_section(void* place, void (*assign)(void* place, term value), term value,
                     const follower* followers, std::size_t count) {
  using Element = typename Section::element;
  const Section& section = *static_cast<Section*>(place);
  section_value<Element> before(section.size());
  section.visit([&](const auto& run) {
    for (long long at = 0; at < run.count; ++at, ++before.made)
      ::new (static_cast<void*>(before.data() + before.made)) Element(static_cast<Element&&>(run[at]));
  });
  assign(place, value);
  for (std::size_t i = 0; i < count; ++i) {
    counterpart found;
    std::size_t element = 0;
    section.visit([&](const auto& run) {
      for (long long at = 0; at < run.count; ++at, ++element)
        if (!found.known)
          found = follow(before[element], run[at], {*followers[i].address, followers[i].bytes});
    });
    *followers[i].address = found.where;
  }
}

}  // namespace kanor::abi
