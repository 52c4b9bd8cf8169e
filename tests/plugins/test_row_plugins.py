"""Plug-ins of softmax, logsumexp, cross entropies, prefix sums and windows: those of rows.c, rows.py and pipes/rows.py that are methods of ours are named, and sound
ones are not accused; what breaks the contract is said.

    test_row_plugins.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER
"""

import pathlib
import re
import tempfile

from plugged import SOURCE, compiled, fact, finish, has_numpy, run, said_of

SHIFTED, SERIAL, LOG = "softmax.shifted:plain/serial", r"scan:plain/serial \(one thread, left to right\)", "log_softmax.shifted:plain/serial"
AGAIN = r"rolling:plain/(again_each_time|add_subtract) \([^)]*\)"  # which are one where each thread has one number
SOUND = {
    "softmax:rows/shifted": SHIFTED + ", computed as each", "softmax:rows/naive": "softmax.naive:plain/serial, computed as each",
    "softmax:rows/block": r"softmax.shifted:plain/tree_rows,",
    "softmax:rows/division_free": "softmax.division_free:plain/serial, computed as each", "softmax:rows/online": "softmax.online:plain/serial,",
    "log_softmax:rows/log_shifted": LOG + ", computed as each", "logsumexp:rows/lse_shifted": "logsumexp.shifted:plain/serial, computed as M",
    "cross_entropy:rows/entropy": "cross_entropy.shifted:plain/serial, computed as", "scan:rows/serial": SERIAL + " on",
    "scan:rows/chunks": r"scan:plain/chunks( at 1 x 256)? \(a run", "scan:rows/hillis_steele": r"scan:plain/hillis_steele \(",
    "rolling:rows/again": AGAIN + " on", "rolling:rows/add_subtract": r"rolling:plain/add_subtract \([^)]*\) at 1 x 1 on",
}
NONE = ("softmax:rows/inverts", "softmax:rows/max_of_block", "softmax:rows/fp8", "log_softmax:rows/log_lacks_max", "logsumexp:rows/lse_lacks_max",
        "scan:rows/exclusive", "scan:rows/last_lost", "rolling:rows/window_longer")  # bits that no method has: another end, or a fault
OF_NUMPY = {"scan:rows/cumsum": SERIAL + " on", "rolling:rows/again": AGAIN + " on"}
OF_LINES = {
    "softmax:lines/softmax": SHIFTED + ", computed as each", "softmax:lines/naive": "softmax.naive:plain/serial, computed as each",
    "logsumexp:lines/logsumexp": "logsumexp.shifted:plain/serial, computed as M",
    "scan:lines/scan": SERIAL + " on", "rolling:lines/rolling": AGAIN + " on",
    "layer_norm:lines/layer_norm": "layer_norm.two_pass:plain/serial, computed as each",
}
CONTRACT = {
    "softmax:rows/beyond": "wrote more than its output|wrote past the end of its output", "scan:rows/before": "wrote before the beginning of its output",
    "scan:rows/unwritten": "wrote no result|left elements of its output unwritten", "softmax:rows/nothing": "wrote no result",
    "softmax:rows/reads_beyond": "read past the end of its input 1", "scan:rows/aborts": "called abort", "softmax:rows/hangs": "did not answer within 1 s",
}


def data_of(method):
    return "normal:n=403::uniform" if method.startswith("cross") else "normal:n=403,window=32" if method.startswith("rolling") else \
        "normal:n=403,mean=0.001,sd=0.0003" if method.startswith("layer") else "normal:n=403"


def try_names(*plugin, wanted):
    for method, words in wanted.items():
        line = said_of(plugin, method, [data_of(method)])
        fact(f"{method} is named", re.search(rf": (bit for bit|correctly rounded, as is) {words}", line), line)
        count = re.search(r" on (\d+) of (\d+)", line)
        fact(f"{method} was compared in all rows, 20 or more", count and count[1] == count[2] and int(count[1]) >= 20, line)
        fact(f"{method} is not accused", " in which " not in line and "is broken" not in line, line)


def try_none(*plugin):
    for method in NONE:
        line = said_of(plugin, method, [data_of(method)])
        fact(f"{method} is no method of ours", re.search(r": none of \d+ methods gives these bits", line), line)


def try_contract(library):
    for method, words in CONTRACT.items():
        code, _, said = run("run", "--plugin", library, "--timeout", 1, "-m", method, "-d", "normal:n=100", "--trials", 2, "--speed", 0)
        fact(f"{method} is said, status 3", code == 3 and re.search(rf"{method}.*: ({words})", said), f"{code} {said}")


def try_check(library):
    code, out, said = run("plugin", "check", library)
    checked = set(re.findall(r"^(\S+:rows/\w+) +asked", out, re.M)) & set(SOUND)
    fact("nine sound ones are checked", len(checked) == 9, checked)
    for method in checked:
        fact(f"plugin check does not accuse {method}", f"{method}: " not in said and re.search(rf"{method} +asked \d\d+ times: \d\d+ lengths", out),
             re.findall(rf".*{method}\b.*", said))
    for method in ("scan:rows/exclusive", "scan:rows/last_lost", "rolling:rows/window_longer", "log_softmax:rows/log_lacks_max", "logsumexp:rows/lse_lacks_max"):
        fact(f"plugin check finds {method}", re.search(rf"{method}: is broken: of \d+ integers?", said), said)
    fact("its status is 1", code == 1 and "not ok" in out, code)


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    try_names("--plugin", compiled(work / "rows.so", "rows.c"), wanted=SOUND)
    try_none("--plugin", work / "rows.so")
    if has_numpy():
        try_names("--python", SOURCE / "tests/plugins/rows.py", wanted=OF_NUMPY)
    try_names("--pipe", f"python3 {SOURCE}/tests/plugins/pipes/rows.py", wanted=OF_LINES)
    try_contract(compiled(work / "contract.so", "rows.c", "-DCONTRACT"))
    try_check(compiled(work / "checked.so", "rows.c", "-DCHECKED"))
finish()
