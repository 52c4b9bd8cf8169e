"""@name@ of @file@, for ulpscope to measure.  arrays: what it takes, "list", "numpy", "torch", "jax"; format: of what
it adds; deterministic: the same numbers have the same sum: docs/plugins-python.md."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "@folder@"))

import ulpscope
import @module@ as measured


@ulpscope.method(operation="@operation@", arrays="@arrays@", format="binary64", deterministic=True)
def @name@(*vectors):
    return measured.@name@(*vectors)
