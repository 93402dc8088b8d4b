// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

// Of libregistry.so: names of models, in a table that the library constructs.
void add_model(const std::string& name);
void remove_model(const std::string& name);
int models();

// Of libmodels.so, which adds its own to the table: a name that it constructs.
extern const std::string models_name;
