# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gdb should know of programs that kanorc compiled with -g.

A variable that ranks share has its value elsewhere: `print A`, `print A[3]` and `print A.size()` show it. `step` does not
stop in Kanor's headers, nor in those of the standard library. docs/debugging.md tells how this file is loaded.
"""

import gdb
import gdb.printing
import gdb.xmethod

SHARED = r"^kanor::abi::variable_pointer<.*>$"
ARGUMENTS = {"operator*": 0, "operator->": 0, "operator[]": 1, "at": 1, "size": 0, "empty": 0, "capacity": 0, "front": 0,
             "back": 0, "data": 0, "begin": 0, "end": 0}


class SharedVariable:
    """Prints the value, as if the variable held it."""

    def __init__(self, variable):
        self.pointer = variable["kanor_at"]

    def to_string(self):
        return self.pointer.dereference() if self.pointer else "<no value: it is overwritten before it is read>"


class SharedCall(gdb.xmethod.XMethodWorker):
    """`variable.method(argument)`, called on the value."""

    def __init__(self, method):
        self.method = method

    def get_arg_types(self):
        return [gdb.lookup_type("unsigned long")] * ARGUMENTS[self.method]

    def get_result_type(self, variable, *arguments):
        return self(variable, *arguments).type

    def __call__(self, variable, *arguments):
        pointer = variable["kanor_at"]
        if not pointer:
            raise gdb.GdbError("the variable has no value: it is overwritten before it is read")
        if self.method == "operator->":
            return pointer
        if self.method == "operator*":
            return pointer.dereference()
        value = pointer.dereference()
        if self.method == "operator[]" and value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
            return value[arguments[0]]
        # gdb finds the method, or what libstdc++ has in its place.
        gdb.set_convenience_variable("kanor_pointer", pointer)
        if self.method == "operator[]":
            return gdb.parse_and_eval(f"(*$kanor_pointer)[{int(arguments[0])}]")
        given = ", ".join(str(int(argument)) for argument in arguments)
        return gdb.parse_and_eval(f"(*$kanor_pointer).{self.method}({given})")


class SharedMethod(gdb.xmethod.XMethod):
    def get_worker(self, method):
        return SharedCall(method)


class SharedMatcher(gdb.xmethod.XMethodMatcher):
    def __init__(self):
        super().__init__("kanor")
        self.methods = [SharedMethod("shared variables")]

    def match(self, class_type, method):
        name = class_type.strip_typedefs().name or ""
        if method in ARGUMENTS and name.startswith("kanor::abi::variable_pointer<") and self.methods[0].enabled:
            return SharedCall(method)
        return None


def register():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("kanor")
    printers.add_printer("shared variables", SHARED, SharedVariable)
    gdb.printing.register_pretty_printer(None, printers, replace=True)
    gdb.xmethod.register_xmethod_matcher(None, SharedMatcher(), replace=True)
    if "^(std|__gnu_cxx|kanor)::" not in gdb.execute("info skip", to_string=True):
        gdb.execute("skip -rfunction ^(std|__gnu_cxx|kanor)::", to_string=True)


register()
