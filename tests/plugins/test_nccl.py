"""examples/nccl with a library that adds on the host (fake_nccl.c): the orders of NCCL's sources are recognised in every
element of a tensor, and one order, place or rounding that is another is told.

    test_nccl.py ULPSCOPE SOURCE_DIRECTORY FOLDER_OF_FAKE
"""

import os
import pathlib
import re
import subprocess
import sys

ULPSCOPE, SOURCE, FAKE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
NCCL = SOURCE / "examples/nccl"
FORMATS = ("binary32", "bfloat16", "binary16")
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else f"\n{found}", flush=True)


def run(*words, fault="", **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NCCL_")}
    environment.update(LD_LIBRARY_PATH=str(FAKE), FAULT=fault, **variables)
    done = subprocess.run([str(word) for word in words], env=environment, capture_output=True, text=True, timeout=1000)
    return done.returncode, done.stdout, done.stderr


def orders(ranks, *words, **variables):
    """Exit status, the rows of the table as [orders, runs, arithmetic, yes or NO], the trees by name, all of it."""
    status, out, err = run(sys.executable, NCCL / "orders.py", ranks, *words, **variables)
    rows = [re.split("  +", line) for line in out.splitlines() if re.match("(binary|bfloat|e[45]m)", line)]
    trees = dict(re.findall("^  (.*): (.*)$", out, re.M))
    return status, [row[-4:] for row in rows], trees, out + err


def models():
    words = ["--formats", ",".join(FORMATS), "--counts", "1,64,1001"]
    for ranks in (2, 3, 4, 5):
        ring = ", ".join(str((k + 1) % ranks) for k in range(ranks))
        expected = "from 0" if ranks == 2 else f"from {ring}"
        status, rows, trees, said = orders(ranks, *words, NCCL_ALGO="Ring")
        say(status == 0 and len(rows) == 9 and all(row[2:] == ["rounded at each addition", "yes"] for row in rows)
            and rows[1][0] == rows[2][0] == expected, f"ring of {ranks}: from each rank in turn", said)
        status, rows, trees, said = orders(ranks, *words, NCCL_ALGO="Tree")
        say(status == 0 and len(rows) == 9 and list(trees) == ["last to first"], f"tree of {ranks} in one machine: a chain", said)
    say(trees["last to first"] == "x0 + (x1 + (x2 + (x3 + x4)))", "which adds the last rank first", trees)
    status, rows, trees, said = orders(4, "--symmetric", *words)
    say(status == 0 and all(row[0] == "from 0" for row in rows) and [row[2] for row in rows[::3]] ==
        ["rounded at each addition", "in binary32, rounded once", "in binary32, rounded once"], "symmetric kernels round once", said)


def faults():
    words = ["--formats", "binary32,bfloat16", "--counts", "64"]
    for fault, pattern in (("neighbours", "other 1"), ("place", "from 2, 3, 0, 1"), ("ranks", "the GPUs have different sums"), ("fails", "invalid argument")):
        status, rows, _, said = orders(4, *words, NCCL_ALGO="Ring", fault=fault)
        say(status == 1 and [row[-1] for row in rows] == ["NO", "NO"] and pattern in said, f"told: {fault}", said)
    status, rows, _, said = orders(4, *words, NCCL_ALGO="Ring", fault="once")
    say(status == 1 and [row[2:] for row in rows] == [["rounded at each addition", "yes"], ["in binary32, rounded once", "NO"]], "told: once", said)
    status, _, _, said = orders(4, *words, NCCL_ALGO="Tree", fault="once")
    say(status == 1 and "NO" in said, "told of a tree: once", said)
    status, _, _, said = orders(17, NCCL_ALGO="Ring")
    say(status == 1 and said == "orders: ncclCommInitAll: invalid argument\n", "more GPUs than there are", said)


def probed():
    def tree(method, pipe, algorithm):
        return run(ULPSCOPE, "tree", "--probe", method, "-n", 4, "--pipe", f"{sys.executable} {NCCL}/nccl_sum.py 4 --count 64 {pipe}", NCCL_ALGO=algorithm)

    for place, first in ((0, 1), (20, 2), (63, 0)):
        status, out, err = tree("nccl/all_reduce", f"--place {place} --first {first}", "Ring")
        say(status == 0 and "same tree as  plain/serial, plain/ranks_ring;" in out, f"tree --probe names the ring of element {place}", out + err)
    status, out, err = tree("nccl/all_reduce", "--place 20 --first 1", "Ring")
    say(status == 0 and "ranks_ring" not in out, "but not from another rank", out + err)
    status, out, err = tree("nccl/all_reduce@bfloat16_in_bfloat16", "", "Tree")
    say(status == 0 and re.search(r"^order +x0 \+ \(x1 \+ \(x2 \+ x3\)\)$", out, re.M), "and draws the chain", out + err)


models()
faults()
probed()
sys.exit(1 if failures else 0)
