// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of kanor/mpi.h.
#include "c_api/attributes.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

std::vector<Attributes::Attribute>::iterator Attributes::place_of(int key) {
  return std::find_if(all_.begin(), all_.end(),
                      [&](const Attribute& one) { return one.key.handle() == key; });
}

bool Attributes::find(int key, void*& value) const {
  for (const Attribute& one : all_)
    if (one.key.handle() == key) {
      value = one.value;
      return true;
    }
  return false;
}

void Attributes::call_delete_function(int object, const Attribute& attribute) {
  const Keyval& key = *attribute.key.object();
  const int error =
      key.remove ? key.remove(object, attribute.key.handle(), attribute.value, key.state) : MPI_SUCCESS;
  if (error != MPI_SUCCESS)
    throw CallError{error, "the delete function of an attribute has returned error " + std::to_string(error)};
}

void Attributes::set(int object, const Use<Keyval>& key, void* value) {
  remove(object, key.handle());
  all_.push_back({key, value});
}

void Attributes::remove(int object, int key) {
  const auto found = place_of(key);
  if (found == all_.end()) return;
  // The function may change the list.
  const Attribute gone = *found;
  call_delete_function(object, gone);
  const auto left = place_of(key);
  if (left != all_.end() && left->value == gone.value) all_.erase(left);
}

void Attributes::remove_all(int object) {
  while (!all_.empty()) remove(object, all_.back().key.handle());
}

void Attributes::copy(int object, const Attributes& from, int from_object) {
  const std::vector<Attribute> originals = from.all_;
  for (const Attribute& original : originals) {
    const Keyval& key = *original.key.object();
    if (!key.copy) continue;
    int flag = 0;
    void* made = nullptr;
    const int error = key.copy(from_object, original.key.handle(), key.state, original.value, &made, &flag);
    if (error != MPI_SUCCESS)
      throw CallError{error, "the copy function of an attribute has returned error " + std::to_string(error)};
    if (flag) set(object, original.key, made);
  }
}

namespace {

/// Copies attributes; where that fails, the copies go again.
void copy_or_none(int object, Attributes& made, int from_object, const Attributes& from) {
  try {
    made.copy(object, from, from_object);
  } catch (const CallError&) {
    try {
      made.remove_all(object);
    } catch (const CallError&) {
      made = {};  // the first error is the one to tell
    }
    throw;
  }
}

/// A datatype's attributes, of a predefined one too. Throws CallError where there is no such datatype.
Attributes& attributes_of_type(Rank& rank, MPI_Datatype type) {
  Calls& calls = Calls::of(rank);
  constexpr unsigned none_predefined = 127;
  if (number_of(type) == none_predefined && !calls.types.find(type))
    throw CallError{MPI_ERR_TYPE, type == MPI_DATATYPE_NULL ? "the datatype is MPI_DATATYPE_NULL"
                                                            : "there is no such datatype, or it was freed"};
  return calls.environment.type_attributes[type];
}

/// The attributes of an object of either kind.
Attributes& attributes_of(Rank& rank, HandleKind kind, int object) {
  return kind == HandleKind::communicator ? communicator(rank, object).attributes
                                          : attributes_of_type(rank, object);
}

/// What a predefined attribute points to; null if it is none.
int* predefined(Rank& rank, int key) {
  Environment& environment = Calls::of(rank).environment;
  const auto pointer_to = [&](int value) {
    int& kept = environment.attribute_values.at(static_cast<std::size_t>(key - MPI_TAG_UB));
    kept = value;
    return &kept;
  };
  switch (key) {
    case MPI_TAG_UB:
      return pointer_to(std::numeric_limits<int>::max());
    case MPI_HOST:
      return pointer_to(MPI_PROC_NULL);
    case MPI_IO:
      return pointer_to(MPI_ANY_SOURCE);
    case MPI_WTIME_IS_GLOBAL:
      return pointer_to(all_share_memory(rank));
    case MPI_UNIVERSE_SIZE:
      return pointer_to(team_size(rank));
    case MPI_APPNUM:
      return pointer_to(0);
    case MPI_LASTUSEDCODE:
      return pointer_to(environment.codes.last());
    default:
      return nullptr;
  }
}

/// The key of that kind with this handle: one that the program has freed too, as long as it is used.
Keyval& keyval(Rank& rank, HandleKind kind, int key) {
  Keyval* const made = Calls::of(rank).environment.keyvals.find(key);
  if (!made) {
    if (key == MPI_KEYVAL_INVALID) throw CallError{MPI_ERR_KEYVAL, "the key is MPI_KEYVAL_INVALID"};
    if (predefined(rank, key))
      throw CallError{MPI_ERR_KEYVAL, "the key is that of a predefined attribute, which stays as it is"};
    throw CallError{MPI_ERR_KEYVAL, "there is no such key, or it was freed"};
  }
  if (made->kind != kind)
    throw CallError{MPI_ERR_KEYVAL, kind == HandleKind::communicator
                                        ? "the key is one of datatypes' attributes"
                                        : "the key is one of communicators' attributes"};
  return *made;
}

int create_keyval(const char* call, HandleKind kind, MPI_Comm_copy_attr_function* copy,
                  MPI_Comm_delete_attr_function* remove, int* key, void* state) {
  Rank& self = caller();
  return handled(self, call, [&] {
    auto made = std::make_unique<Keyval>();
    made->kind = kind;
    made->copy = copy;
    made->remove = remove;
    made->state = state;
    result_at(key) = Calls::of(self).environment.keyvals.add(std::move(made));
    return MPI_SUCCESS;
  });
}

int free_keyval(const char* call, HandleKind kind, int* key) {
  Rank& self = caller();
  return handled(self, call, [&] {
    // A copy of the key may be freed again as long as attributes have it.
    keyval(self, kind, result_at(key)).by_program = 0;
    remove_unused(Calls::of(self).environment.keyvals, *key);
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
  });
}

/// The communicator whose error handler is asked.
MPI_Comm asked(HandleKind kind, int object) {
  return kind == HandleKind::communicator ? object : MPI_COMM_WORLD;
}

int set_attribute(const char* call, HandleKind kind, int object, int key, void* value) {
  Rank& self = caller();
  return handled(self, call, asked(kind, object), [&] {
    Attributes& attributes = attributes_of(self, kind, object);
    keyval(self, kind, key);
    attributes.set(object, Use<Keyval>(Calls::of(self).environment.keyvals, key), value);
    return MPI_SUCCESS;
  });
}

int get_attribute(const char* call, HandleKind kind, int object, int key, void* value, int* flag) {
  Rank& self = caller();
  return handled(self, call, asked(kind, object), [&] {
    const Attributes& attributes = attributes_of(self, kind, object);
    void*& result = result_at(static_cast<void**>(value));
    if (int* const known = kind == HandleKind::communicator ? predefined(self, key) : nullptr) {
      result = known;
      result_at(flag) = 1;
      return MPI_SUCCESS;
    }
    keyval(self, kind, key);
    result_at(flag) = attributes.find(key, result);
    return MPI_SUCCESS;
  });
}

int delete_attribute(const char* call, HandleKind kind, int object, int key) {
  Rank& self = caller();
  return handled(self, call, asked(kind, object), [&] {
    Attributes& attributes = attributes_of(self, kind, object);
    keyval(self, kind, key);
    attributes.remove(object, key);
    return MPI_SUCCESS;
  });
}

}  // namespace

void copy_attributes(Rank& rank, MPI_Comm from, MPI_Comm made) {
  try {
    copy_or_none(made, communicator(rank, made).attributes, from, communicator(rank, from).attributes);
  } catch (const CallError&) {
    Calls::of(rank).free_communicator(made);
    throw;
  }
}

void copy_type_attributes(Rank& rank, MPI_Datatype from, MPI_Datatype made) {
  auto& all = Calls::of(rank).environment.type_attributes;
  const auto found = all.find(from);
  if (found == all.end()) return;
  const Attributes& originals = found->second;
  copy_or_none(made, all[made], from, originals);
}

void remove_type_attributes(Rank& rank, MPI_Datatype type) {
  auto& all = Calls::of(rank).environment.type_attributes;
  const auto found = all.find(type);
  if (found == all.end()) return;
  found->second.remove_all(type);
  all.erase(type);
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_COMM_NULL_COPY_FN(MPI_Comm, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

int MPI_COMM_DUP_FN(MPI_Comm, int, void*, void* value, void* made, int* flag) {
  *static_cast<void**>(made) = value;
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_COMM_NULL_DELETE_FN(MPI_Comm, int, void*, void*) { return MPI_SUCCESS; }

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove, int* key,
                           void* state) {
  return create_keyval("MPI_Comm_create_keyval", HandleKind::communicator, copy, remove, key, state);
}

int MPI_Comm_free_keyval(int* key) {
  return free_keyval("MPI_Comm_free_keyval", HandleKind::communicator, key);
}

int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value) {
  return set_attribute("MPI_Comm_set_attr", HandleKind::communicator, comm, key, value);
}

int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag) {
  return get_attribute("MPI_Comm_get_attr", HandleKind::communicator, comm, key, value, flag);
}

int MPI_Comm_delete_attr(MPI_Comm comm, int key) {
  return delete_attribute("MPI_Comm_delete_attr", HandleKind::communicator, comm, key);
}

int MPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* remove, int* key,
                           void* state) {
  return create_keyval("MPI_Type_create_keyval", HandleKind::datatype, copy, remove, key, state);
}

int MPI_Type_free_keyval(int* key) { return free_keyval("MPI_Type_free_keyval", HandleKind::datatype, key); }

int MPI_Type_set_attr(MPI_Datatype type, int key, void* value) {
  return set_attribute("MPI_Type_set_attr", HandleKind::datatype, type, key, value);
}

int MPI_Type_get_attr(MPI_Datatype type, int key, void* value, int* flag) {
  return get_attribute("MPI_Type_get_attr", HandleKind::datatype, type, key, value, flag);
}

int MPI_Type_delete_attr(MPI_Datatype type, int key) {
  return delete_attribute("MPI_Type_delete_attr", HandleKind::datatype, type, key);
}

int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* remove, int* key, void* state) {
  return create_keyval("MPI_Keyval_create", HandleKind::communicator, copy, remove, key, state);
}

int MPI_Keyval_free(int* key) { return free_keyval("MPI_Keyval_free", HandleKind::communicator, key); }

int MPI_Attr_put(MPI_Comm comm, int key, void* value) {
  return set_attribute("MPI_Attr_put", HandleKind::communicator, comm, key, value);
}

int MPI_Attr_get(MPI_Comm comm, int key, void* value, int* flag) {
  return get_attribute("MPI_Attr_get", HandleKind::communicator, comm, key, value, flag);
}

int MPI_Attr_delete(MPI_Comm comm, int key) {
  return delete_attribute("MPI_Attr_delete", HandleKind::communicator, comm, key);
}

KANOR_PROFILED(COMM_NULL_COPY_FN)
KANOR_PROFILED(COMM_DUP_FN)
KANOR_PROFILED(COMM_NULL_DELETE_FN)
KANOR_PROFILED(Comm_create_keyval)
KANOR_PROFILED(Comm_free_keyval)
KANOR_PROFILED(Comm_set_attr)
KANOR_PROFILED(Comm_get_attr)
KANOR_PROFILED(Comm_delete_attr)
KANOR_PROFILED(Type_create_keyval)
KANOR_PROFILED(Type_free_keyval)
KANOR_PROFILED(Type_set_attr)
KANOR_PROFILED(Type_get_attr)
KANOR_PROFILED(Type_delete_attr)
KANOR_PROFILED(Keyval_create)
KANOR_PROFILED(Keyval_free)
KANOR_PROFILED(Attr_put)
KANOR_PROFILED(Attr_get)
KANOR_PROFILED(Attr_delete)
