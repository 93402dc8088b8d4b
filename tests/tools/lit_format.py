# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lit does for each test beyond running its lines. In a file of its own: lit hands it to other processes by name."""

import os

import lit.formats
import openmpi


class SessionPerTest(lit.formats.ShTest):
    """A test's launches of Open MPI keep their sessions apart from those of the tests beside it."""

    def execute(self, test, lit_config):
        environment = test.config.environment
        environment[openmpi.SESSIONS] = os.path.join(environment["TMPDIR"], str(os.getpid()))
        return super().execute(test, lit_config)
