"""Faults that are larger than rounding errors are named whatever the order of additions: norm_faults.c, of which no bits are
known, with its faults; and without them none is named.

    test_norm_faults.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER
"""

import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE, PROGRAM, COMPILER = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]), sys.argv[3]
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-shared", "-fPIC", f"-I{SOURCE}/include"]
BY_SIZE, TRIALS, DATA = "by its size, not by its bits, ", 20, "normal:n=411,mean=3,sd=0.01"
FAULTS = {
    "variance:planted/sample": BY_SIZE + "variance in which the division is by n - 1, not by n, on 20 of 20",
    "std:planted/forgets": BY_SIZE + "std in which a merge of the moments of 128 numbers forgets d d na nb / n",
    "variance:planted/means": BY_SIZE + "variance in which a merge of the moments of 64 numbers takes two means as if",
    "variance:planted/halves": BY_SIZE + "variance in which a merge of the moments of 128 threads takes two means as if",
    "variance:planted/textbook": BY_SIZE + "variance in which errors are those of E[x^2] - E[x]^2",
    "rms_norm:planted/tail": BY_SIZE + "rms_norm in which the elements beyond the last whole block of 16 numbers are left out",
    "rms_norm:planted/newton": BY_SIZE + "rms_norm in which 1/root is off, or the sum in it: each number by the same factor",
    "layer_norm:planted/norm_textbook": BY_SIZE + "layer_norm in which 1/root is off, or the sum in it: each number by the same factor",
    "layer_norm:planted/columns": ": each number less itself, as less a mean along the other axis",
    "mean_weighted:planted/weighted": BY_SIZE + "mean_weighted in which the sum is divided by n, not by that of the weights, on 20 of 20",
    "mean:planted/narrow@bfloat16": "by additions in bfloat16 in 8 chains (x0 + x8 + ...), joined in halves, on 20 of 20",
}
FEW = ("normal:n=57", "spread:n=100,kappa=10", "spread:n=150,kappa=3e3", "uniform:n=64", "spread:n=129,kappa=100,shape=outlier",
       "lognormal:n=90", "normal:n=77,sd=1e-4", "spread:n=64,kappa=1e6")  # of six data sets each
failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else f': {shown}'}", flush=True)


def data_of(method):
    return [DATA + "::uniform:low=0.1" if method.startswith("mean_weighted") else "normal:n=411" if "narrow" in method else DATA]


def said_of(library, method, data, trials=TRIALS):
    specs = [word for spec in data for word in ("-d", spec)]
    done = subprocess.run([PROGRAM, "run", "--plugin", library, "-m", method, *specs, "--trials", str(trials), "--speed", "0"],
                          capture_output=True, text=True, timeout=600)
    return " ".join(done.stdout.partition("what the bits say")[2].split()) + done.stderr


with tempfile.TemporaryDirectory() as folder:
    for sound in (0, 1):
        library = f"{folder}/libplanted{sound}.so"
        subprocess.run([COMPILER, *FLAGS, f"-DSOUND={sound}", SOURCE / "tests/plugins/norm_faults.c", "-o", library, "-lm"], check=True)
        for method, words in FAULTS.items():
            said = said_of(library, method, data_of(method))
            if sound:
                fact(f"{method} without its fault is looked at", method in said, said)
                fact(f"{method} without its fault has none", not any(word in said for word in (" in which ", BY_SIZE, "in bfloat16 in 8", "whatever")), said)
            else:
                fact(f"{method} is named", words in said, said)
    for method in ("variance:planted/sample", "rms_norm:planted/newton", "layer_norm:planted/columns"):
        said = said_of(library, method, FEW, trials=6)
        fact(f"{method} without its fault has none in few data sets", " on " in said and " in which " not in said, said)
fact("eleven faults", len(FAULTS) == 11, len(FAULTS))
print(f"{failures} failures")
sys.exit(failures > 0)
