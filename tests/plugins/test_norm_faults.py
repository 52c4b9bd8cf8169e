"""Faults that are larger than rounding errors are named whatever the order of additions: norm_faults.c, of which no bits are
known, with its faults; and without them none is named.

    test_norm_faults.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER
"""

import os
import random
import re
import struct
import tempfile

from plugged import compiled, fact, finish, said_of

BY_SIZE, TRIALS, DATA = "by its size, not by its bits, ", 20, "normal:n=411,mean=3,sd=0.01"
FAULTS = {
    "variance:planted/sample": BY_SIZE + "variance in which the division is by n - 1, not by n, on 20 of 20",
    "std:planted/forgets": BY_SIZE + "std in which a merge of the moments of 128 numbers forgets d d na nb / n",
    "variance:planted/means": BY_SIZE + "variance in which a merge of the moments of 64 numbers takes two means as if",
    "variance:planted/halves": BY_SIZE + "variance in which a merge of the moments of 128 threads takes two means as if",
    "variance:planted/textbook": BY_SIZE + "variance in which errors are those of E[x^2] - E[x]^2",
    "rms_norm:planted/tail": BY_SIZE + "rms_norm in which the elements beyond the last whole block of 16 numbers are left out",
    "rms_norm:planted/newton": BY_SIZE + "rms_norm in which 1/root is off, or the sum in it: each number by the same factor",
    "layer_norm:planted/norm_textbook": BY_SIZE + "layer_norm in which errors are those of E[x^2] - E[x]^2",
    "layer_norm:planted/norm_newton": BY_SIZE + "layer_norm in which 1/root is off, or the sum in it: each number by the same factor",
    "layer_norm:planted/columns": ": each number less itself, as less a mean along the other axis",
    "mean_weighted:planted/weighted": BY_SIZE + "mean_weighted in which the sum is divided by n, not by that of the weights, on 20 of 20",
    "mean:planted/narrow@bfloat16": "by additions in bfloat16 in 8 chains (x0 + x8 + ...), joined in halves, on 20 of 20",
}
ROWS = 64  # a batch of so many rows of so many numbers
OF_ROWS = {
    "layer_norm:planted/mean_before": "the mean is that of the row before",
    "layer_norm:planted/root_behind": "1/root is that of the row behind",
    "layer_norm:planted/column": "the mean is that of its column, along the other axis",
    "layer_norm:planted/keepdims": "the mean is that of the row that its column counts, as of means without keepdims",
    "rms_norm:planted/rms_before": "1/root is that of the row before",
    "softmax:planted/sum_before": "the sum of exponentials is that of the row before",
    "log_softmax:planted/all_behind": "maximum and sum are those of the row behind",
    "logsumexp:planted/max_before": "the maximum, not that in the sum, is that of the row before",
    "mean:planted/mean_behind": "the result is that of the row behind",
    "mean:planted/of_column": "the result is that of its column, along the other axis",
    "variance:planted/about_before": "the mean is that of the row before",
    "std:planted/about_columns": "the mean is that of its column, along the other axis",
}
FEW = ("normal:n=57", "spread:n=100,kappa=10", "spread:n=150,kappa=3e3", "uniform:n=64", "spread:n=129,kappa=100,shape=outlier",
       "lognormal:n=90", "normal:n=77,sd=1e-4", "spread:n=64,kappa=1e6")  # of six data sets each


def data_of(method):
    return [DATA + "::uniform:low=0.1" if method.startswith("mean_weighted") else "normal:n=411" if "narrow" in method else "normal:n=411,mean=1,sd=0.02" if "norm_newton" in method else DATA]


def write_batch(path):
    """Rows and columns with means of their own."""
    random.seed(1)
    of_rows, of_columns = ([random.gauss(0, 2) for _ in range(ROWS)] for _ in range(2))
    header = str({"descr": "<f4", "fortran_order": False, "shape": (ROWS, ROWS)}).encode()
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", 118) + header.ljust(117) + b"\n")
        for row in of_rows:
            file.write(struct.pack(f"<{ROWS}f", *[row + column + random.gauss(0, 1 + abs(row)) for column in of_columns]))


with tempfile.TemporaryDirectory() as folder:
    os.environ["BATCH"] = f"{folder}/batch.npy"
    write_batch(os.environ["BATCH"])
    for sound in (0, 1):
        plugin = "--plugin", compiled(f"{folder}/libplanted{sound}.so", "norm_faults.c", f"-DSOUND={sound}")
        for method, words in FAULTS.items():
            said = said_of(plugin, method, data_of(method), TRIALS)
            if sound:
                fact(f"{method} without its fault is looked at", method in said, said)
                fact(f"{method} without its fault has none", not any(word in said for word in (" in which ", BY_SIZE, "in bfloat16 in 8", "whatever")), said)
            else:
                fact(f"{method} is named", words in said, said)
        for method, words in OF_ROWS.items():
            said = said_of(plugin, method, [os.environ["BATCH"] + ":axis=1"], trials=ROWS)
            fact(f"{method} is {'not accused' if sound else 'named'}",
                 method in said and " in which " not in said if sound else BY_SIZE in said and re.search(rf" in which {words}, on (\d+) of \1", said), said)
    for method in ("variance:planted/sample", "rms_norm:planted/newton", "layer_norm:planted/columns"):
        said = said_of(plugin, method, FEW, trials=6)
        fact(f"{method} without its fault has none in few data sets", " on " in said and " in which " not in said, said)
fact("twelve faults", len(FAULTS) == 12, len(FAULTS))
finish()
