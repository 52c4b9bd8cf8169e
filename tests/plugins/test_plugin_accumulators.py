"""Accumulators that a plug-in brings have in each order the bits of ours, and what they break of states is found.

    test_plugin_accumulators.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER
"""

import collections
import csv
import json
import pathlib
import re
import tempfile

from plugged import SOURCE, compiled, fact, finish, run

OURS = {"my_kahan": "kahan", "my_neumaier": "neumaier", "my_wide": "binary64", "my_wide16": "binary64"}
ORDERS = [line.split("(")[1].split(",")[0] for line in (SOURCE / "kernels/orders.def").read_text().splitlines()
          if line.startswith("ORDER(") and "ORDER_OF_ARRIVAL" not in line]
DATA = ["gensum:n=4097,cond=1e6", "gensum:n=31,cond=1e4", "uniform:n=1", "gensum:n=20000,cond=1e8"]
LAUNCHES = [("120", "256"), ("3", "64")]
TRIALS = 2
BROKEN = {
    "forgets_zero": r"merge\(zero, s\) is not s: expected the result -?0x\S+, found -?0x\S+",
    "forgets_other": r"merge\(s, zero\) is not s: expected the result -?0x\S+, found -?0x\S+",
    "spends_other": r"merge\(zero, s\) changed s",
    "linked": r"a state that was copied goes on otherwise: expected the result",
    "too_small": r"wrote beside its state of 4 bytes",
}


def try_bits(work, library):
    compared, other = collections.Counter(), []
    for blocks, threads in LAUNCHES:
        sums = work / f"{blocks}.csv"
        code, out, said = run("run", "--plugin", library, "-m", "my_*/*,kahan/*,neumaier/*,binary64/*,binary64/*@bfloat16",
                              *(word for data in DATA for word in ("-d", data)), "--trials", str(TRIALS), "--blocks", blocks,
                              "--threads", threads, "--speed", "0", "--csv", str(sums))
        fact(f"a run in {blocks} blocks of {threads} threads", code == 0 and not re.search("broken|failed", said), said)
        with open(sums, encoding="utf-8") as lines:
            rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        bits = {(row["data"], row["trial"], row["method"]): row["computed_bits"] for row in rows}
        for (data, trial, method), value in bits.items():
            accumulator, order = method.split("/")
            if accumulator in OURS:
                compared[order.split("@")[0]] += 1
                if bits.get((data, trial, f"{OURS[accumulator]}/{order}")) != value:
                    other.append((data, trial, method, value))
    each = len(OURS) * len(DATA) * TRIALS * len(LAUNCHES)
    fact(f"{len(ORDERS)} orders of {each} sums each", compared == {order: each for order in ORDERS}, compared)
    fact("their bits are those of ours", not other, other[:5])


def try_lists(library):
    code, out, said = run("list", "--plugin", library, "methods")
    unmerged = [f"my_loop/{order}" for order in ORDERS if "NEVER_MERGES" in (SOURCE / f"kernels/orders/{order}.h").read_text()]
    fact("an accumulator without a merge has the orders that never merge",
         "my_loop/serial" in unmerged and re.findall(r"\bmy_loop/\S+", out) == unmerged, out + said)
    code, out, said = run("run", "--plugin", library, "-m", "my_kahan/serial,my_kahan/tree_two_pass", "-d", "uniform:n=100", "--threads", "96")
    fact("a launch that the order does not take is named", "96 threads in a block; the tree needs a power of two" in out + said, out + said)


def try_study(work, library):
    """Behind a method of ours its plug-in is still one of the study's, and one alone."""
    code, out, said = run("run", "--plugin", library, "-m", "plain/serial,my_kahan/serial,my_loop/serial", "-d", "uniform:n=9", "-o", str(work / "out"))
    study = json.loads((work / "out/run.json").read_text())["study"]["text"] if code == 0 else said
    fact("the study of a run names the plug-in once", study.count(str(library)) == 1, study)


def try_states(work, library):
    code, out, said = run("plugin", "check", library)
    fact("those of ours keep every promise", code == 0 and not said, said)
    looked = dict(re.findall(r"^(my_\w+)/serial\S* +asked .* (\d+) that look at states", out, re.M))
    fact("and were asked for it", set(looked.values()) == {"6"} and set(looked) == {*OURS, "my_loop"}, out)
    code, out, said = run("plugin", "check", compiled(work / "broken.so", "accumulators.c", "-DBROKEN"))
    fact("a broken promise of states is status 1", code == 1, code)
    for name, words in BROKEN.items():
        fact(f"{name} is found", re.search(rf"^ulpscope: {name}/serial: is broken: of \d+ numbers?, {words}", said, re.M), said)


with tempfile.TemporaryDirectory(prefix="ulpscope_accumulators.") as name:
    ours = compiled(pathlib.Path(name) / "ours.so", "accumulators.c")
    try_bits(pathlib.Path(name), ours)
    try_lists(ours)
    try_study(pathlib.Path(name), ours)
    try_states(pathlib.Path(name), ours)
finish()
