"""Plug-ins of softmax, logsumexp, cross entropies and prefix sums: rows.c and rows.py are named, with what is wrong with them, and sound
ones are not accused; what breaks the contract is said; faults done to whole rows are seen by bits.

    test_row_plugins.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE, PROGRAM, COMPILER = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]), sys.argv[3]
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-pedantic", "-ffp-contract=off", "-shared", "-fPIC",
         f"-I{SOURCE}/include"]
SHIFTED, SERIAL, LOG = "softmax.shifted:plain/serial", r"scan:plain/serial \(one thread, left to right\)", "log_softmax.shifted:plain/serial"
SOUND = {
    "softmax:rows/shifted": SHIFTED + ", computed as each", "softmax:rows/naive": "softmax.naive:plain/serial, computed as each",
    "softmax:rows/inverts": SHIFTED + ", each exponential times 1/sum,", "softmax:rows/block": r"softmax.shifted:plain/tree_rows,",
    "softmax:rows/division_free": "softmax.division_free:plain/serial, computed as each", "softmax:rows/online": "softmax.online:plain/serial,",
    "log_softmax:rows/log_shifted": LOG + ", computed as each", "logsumexp:rows/lse_shifted": "logsumexp.shifted:plain/serial, computed as M",
    "cross_entropy:rows/entropy": "cross_entropy.shifted:plain/serial, computed as", "scan:rows/serial": SERIAL + " on",
    "scan:rows/chunks": r"scan:plain/chunks( at 1 x 256)? \(a run", "scan:rows/hillis_steele": r"scan:plain/hillis_steele \(",
}
FAULTS = {
    "softmax:rows/max_of_block": SHIFTED + " in which the maximum is that of the first block alone,",
    "softmax:rows/not_rescaled": SHIFTED + " in which the sums of two halves, each less its own maximum, are merged without rescaling,",
    "softmax:rows/fp8": SHIFTED + " in which each exponential is rounded to fp8, e4m3, before the division,",
    "softmax:rows/softmax_drops_last": SHIFTED + " in which the last element is left out,",
    "log_softmax:rows/log_lacks_max": LOG + " in which the logarithm lacks the maximum,",
    "log_softmax:rows/log_naive": LOG + " in which the maximum is not taken off: naive,",
    "logsumexp:rows/lse_lacks_max": "logsumexp.shifted:plain/serial in which the logarithm lacks the maximum,",
    "scan:rows/exclusive": SERIAL + " in which each result is that of the number before it, the first 0: exclusive for inclusive,",
    "scan:rows/last_lost": SERIAL + " in which the results of the last block are left 0,",
    "scan:rows/carry_lost": SERIAL + " in which the results of one block lack what is before it",
}
OF_NUMPY = {
    "scan:rows/cumsum": SERIAL + " on", "scan:rows/exclusive": FAULTS["scan:rows/exclusive"], "softmax:rows/fp8": FAULTS["softmax:rows/fp8"],
    "log_softmax:rows/log_lacks_max": FAULTS["log_softmax:rows/log_lacks_max"],
}
CONTRACT = {
    "softmax:rows/beyond": "wrote more than its output|wrote past the end of its output", "scan:rows/before": "wrote before the beginning of its output",
    "scan:rows/unwritten": "wrote no result|left elements of its output unwritten", "softmax:rows/nothing": "wrote no result",
    "softmax:rows/reads_beyond": "read past the end of its input 1", "scan:rows/aborts": "called abort", "softmax:rows/hangs": "did not answer within 1 s",
}
SEEN = {
    "softmax.shifted:plain/serial": ("max_left_out", "max_of_block", "rescaling_forgotten", "p_fp8", "plain_bfloat16", "drop_last", "sign_flipped"),
    "softmax.online:plain/tree_two_pass": ("max_left_out", "max_of_block", "rescaling_forgotten", "p_fp8", "drop_block"),
    "logsumexp.shifted:plain/serial": ("max_left_out", "max_of_block", "rescaling_forgotten", "log_lacks_max"),
    "scan:kahan/chunks": ("exclusive", "carry_lost", "carry_twice", "last_block", "drop_block"),
    "scan:plain/two_level": ("exclusive", "carry_lost", "carry_twice", "last_block", "sign_flipped"),
    "rolling:plain/add_subtract": ("window_longer", "never_added", "toward_zero"),
}
failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else f': {shown}'}", flush=True)


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=1000)
    return done.returncode, done.stdout, done.stderr


def compiled(work, *arguments):
    library = work / f"rows{len(arguments)}.so"
    subprocess.run([COMPILER, *FLAGS, *arguments, str(SOURCE / "tests/plugins/rows.c"), "-o", str(library), "-lm"], check=True)
    return library


def try_names(*plugin, wanted):
    for method, words in wanted.items():
        data = "normal:n=403::uniform" if method.startswith("cross") else "normal:n=403"
        _, text, wrong = run("run", *plugin, "-m", method, "-d", data, "--trials", 20, "--speed", 0)
        line = " ".join(text.partition("what the bits say")[2].split()) + wrong
        fact(f"{method} is named", re.search(rf": (bit for bit|correctly rounded, as is) {words}", line), line)
        count = re.search(r" on (\d+) of (\d+)", line)
        fact(f"{method} was compared in all rows, 20 or more", count and count[1] == count[2] and int(count[1]) >= 20, line)
        fact(f"{method} is accused where it has a fault alone", (" in which " in line) == (words in [*FAULTS.values()]), line)


def try_contract(library):
    for method, words in CONTRACT.items():
        code, _, said = run("run", "--plugin", library, "--timeout", 1, "-m", method, "-d", "normal:n=100", "--trials", 2, "--speed", 0)
        fact(f"{method} is said, status 3", code == 3 and re.search(rf"{method}.*: ({words})", said), f"{code} {said}")


def try_check(library):
    code, out, said = run("plugin", "check", library)
    for method in SOUND:
        fact(f"plugin check does not accuse {method}", f"{method}: " not in said and re.search(rf"{method} +asked \d\d+ times: \d\d+ lengths", out),
             re.findall(rf".*{method}\b.*", said))
    for method in ("scan:rows/exclusive", "scan:rows/last_lost", "log_softmax:rows/log_lacks_max", "logsumexp:rows/lse_lacks_max"):
        fact(f"plugin check finds {method}", re.search(rf"{method}: is broken: of \d+ integers?", said), said)
    fact("its status is 1", code == 1 and "not ok" in out, code)


def try_vacuity(work):
    limits = work / "limits.yaml"
    limits.write_text("schema: ulpscope-limits/1\nrules:\n  - {method: '*', data: '*', metric: bits, same: baseline}\n")
    os.chdir(work)
    for index, (method, faults) in enumerate(SEEN.items()):
        data = "normal:n=1003" + (",window=32" if method.startswith("rolling") else "")
        run("run", "-m", method, "-d", data, "--trials", 2, "--blocks", 2, "--threads", 32, "--speed", 0, "-o", "out", "--overwrite")
        run("baseline", "save", f"b{index}", "out")
        code, text, said = run("check", "out", "--limits", limits, "--baseline", f"b{index}", "--vacuity", "--json", "page.json")
        page = work / "page.json"
        sums = json.loads(page.read_text())["vacuity"]["sums"] if page.exists() else []
        fates = {one["fault"]: one["fate"] for one in sums}
        fact(f"more than 20 faults are done to {method}", len(fates) > 20, f"{len(fates)} {code} {text} {said}")
        for fault in faults:
            fact(f"{fault} is seen in {method}", fates.get(fault) == "killed", fates.get(fault))
        fact(f"what the data do not show in {method} is not called seen", fates.get("flush_subnormals") == "UNSEEN" or "flush_subnormals" not in fates, fates)
        page.unlink(missing_ok=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        library, contract = compiled(work), compiled(work, "-DCONTRACT")
        try_names("--plugin", library, wanted=SOUND | FAULTS)
        try_names("--python", SOURCE / "tests/plugins/rows.py", wanted=OF_NUMPY)
        try_contract(contract)
        try_check(library)
        try_vacuity(work)
    print(f"{failures} failures")
    return failures > 0


sys.exit(main())
