# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a file holds LLVM optimisation remarks as opt-viewer expects them.

    check_remarks.py FILE
"""

import sys

import yaml


def construct(loader, suffix, node):
    return dict(loader.construct_mapping(node, deep=True), Type=suffix)


def main():
    yaml.SafeLoader.add_multi_constructor("!", construct)
    with open(sys.argv[1], encoding="utf-8") as file:
        remarks = list(yaml.safe_load_all(file))
    assert remarks, "no remarks"
    for remark in remarks:
        assert remark["Type"] in ("Passed", "Missed", "Analysis"), remark
        assert set(remark) == {"Type", "Pass", "Name", "DebugLoc", "Function", "Args"}, remark
        assert set(remark["DebugLoc"]) == {"File", "Line", "Column"}, remark
        assert remark["Args"] and all(len(argument) == 1 for argument in remark["Args"]), remark


if __name__ == "__main__":
    main()
