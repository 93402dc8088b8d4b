# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lldb should know of programs that kanorc compiled with -g: `command script import` this file.

A variable that ranks share is shown as its value, and `step` does not stop in Kanor's headers, nor in those of the
standard library.
"""

SHARED = "^kanor::abi::variable_pointer<.+>$"


class SharedVariable:
    """The children of what a shared variable points to."""

    def __init__(self, variable, _):
        self.variable = variable
        self.update()

    def update(self):
        pointer = self.variable.GetNonSyntheticValue().GetChildMemberWithName("kanor_at")
        self.value = pointer.Dereference()
        self.value.SetPreferSyntheticValue(True)

    def num_children(self):
        return self.value.GetNumChildren()

    def get_child_at_index(self, index):
        return self.value.GetChildAtIndex(index)

    def get_child_index(self, name):
        return self.value.GetIndexOfChildWithName(name)

    def has_children(self):
        return True


def summary(variable, _):
    pointer = variable.GetNonSyntheticValue().GetChildMemberWithName("kanor_at")
    if pointer.GetValueAsUnsigned() == 0:
        return "<no value: it is overwritten before it is read>"
    return pointer.Dereference().GetSummary() or ""


def __lldb_init_module(debugger, _):
    module = __name__
    debugger.HandleCommand(f'type synthetic add -x "{SHARED}" -l {module}.SharedVariable')
    debugger.HandleCommand(f'type summary add -e -x "{SHARED}" -F {module}.summary')
    debugger.HandleCommand("settings set target.process.thread.step-avoid-regexp ^(std|kanor)::")
