"""ulpscope.run and the commands beside it on tensors and functions of PyTorch, on the host: Debian's 1.13 as well as newer ones.

    test_tensors.py SOURCE_DIRECTORY    ULPSCOPE_PROGRAM and ULPSCOPE_LIBRARY name what is built

Exit status 77: PyTorch is missing, here and in the system's Python.
"""

import importlib.util
import math
import os
import pathlib
import sys

if not importlib.util.find_spec("torch"):
    if sys.argv[2:] != ["--again"] and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv[:2], "--again"])
    print("skipped: there is no torch; install python3-torch to measure tensors")
    sys.exit(77)

import torch  # noqa: E402

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "python"))

import ulpscope  # noqa: E402

failures = 0
NUMBERS = [0.1] * 40 + [1e6]


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found, flush=True)


def measured(method, data):
    return ulpscope.run(method, data, quiet=True, speed=0, trials=2, permutations=0)


def total(x):
    return torch.as_tensor(x).sum()


if __name__ == "__main__":
    x = torch.tensor(NUMBERS, dtype=torch.float64)
    expected = measured("naive", NUMBERS).table()[0].bits_sha256
    say(measured("naive", x).table()[0].bits_sha256 == expected, f"a tensor of torch {torch.__version__} has the sum of its numbers")
    say(measured("naive", x.flip(0)).table()[0].bits_sha256 != expected, "another order, another sum")
    say(measured("naive", x.repeat_interleave(2)[::2]).table()[0].bits_sha256 == expected, "every second of twice as many")
    for dtype, suffix in ((torch.float64, "@binary64"), (torch.float32, ""), (torch.float16, "@binary16"), (torch.bfloat16, "@bfloat16")):
        row = measured("naive", (x / 4096).to(dtype)).table()[0]
        say(row.method == "plain/serial" + suffix and row.n == 41, f"{dtype} is summed as {row.method}", row)
    say(measured("naive", x.float().requires_grad_()).table()[0].method == "plain/serial", "gradients do not matter")
    say(measured("dot:naive", (x, x)).table()[0].n == 41, "two of them are a dot product")
    run = measured([total, "naive"], x)
    row = next(row for row in run.table() if row.method == "test_tensors/total@binary64")
    say(run.status == 0 and row.bound_ratio_max <= 1 and row.count == 1, "a function that uses torch", run.text)
    say(ulpscope.exact(x, quiet=True).nearest_number.binary64 == math.fsum(NUMBERS), "exact")
    say(ulpscope.blame("naive", x, quiet=True).inexact == 39 and ulpscope.explain("naive", total, x, quiet=True).methods[1].method == row.method, "blame and explain, in its format")
    for wrong in (torch.tensor([1, 2]), torch.tensor([1j]), torch.tensor([])):
        try:
            measured("naive", wrong)
            say(False, f"{wrong} is refused", "nothing was raised")
        except (TypeError, ValueError) as error:
            say("expected" in str(error), f"{wrong} is refused", error)
    print(failures, "failures")
    sys.exit(failures > 0)
