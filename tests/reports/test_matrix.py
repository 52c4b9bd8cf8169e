"""tools/matrix on runs of a few sums: what a cell says, what counts as a defeat, and what is passed over.

    test_matrix.py SOURCE_DIRECTORY
"""

import json
import pathlib
import subprocess
import sys
import tempfile

tool = pathlib.Path(sys.argv[1]) / "tools/matrix"
NUMBER, INFINITE, NO_NUMBER = "0x3f800000", "0xff800000", "0x7fc00000"
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what)


def page_of(folder, sums):
    """A sum: its method, data, class, relative error and the bits of the number nearest to the exact sum."""
    methods, specs = (list(dict.fromkeys(s[column] for s in sums)) for column in (0, 1))
    study = {"methods": methods, "data": [{"specs": [spec]} for spec in specs], "seed": 1}
    run = {"study": study, "provenance": {"run": {"command": "ulpscope run"}}}
    (folder / "run.json").write_text(json.dumps(run))
    rows = ["method,data,class,relative_error,nearest_bits,format"]
    rows += [f'{method},"{data}",{kind},{error},{bits},binary32' for method, data, kind, error, bits in sums]
    (folder / "results.csv").write_text("\n".join(rows) + "\n")
    return subprocess.run([tool, folder], capture_output=True, text=True, check=True).stdout


def one(kind, error="nan", bits=NUMBER, method="plain/serial", data="swamp:n=8"):
    return method, data, kind, error, bits


OTHER = "plain/pairwise"
FACTS = [  # what is stated, the sums, the line that the page has
    ("an error of 1e-3 is a defeat", [one("finite", 1e-3)], "| swamp | **0.0010** |"),
    ("a smaller one is none", [one("finite", 9.99e-4)], "| swamp | 9.99e-04 |"),
    ("a defeat in some orders says in how many", [one("finite", 0.5), one("exact", 0, method=OTHER)],
     "| swamp | **0.50 (1 of 2)** |"),
    ("a defeat in all orders does not", [one("finite", 0.5), one("finite", 0.25, method=OTHER)], "| swamp | **0.50** |"),
    ("a cell has the worst of its sums, not the last", [one("overflow"), one("finite", 2e-8)], "| swamp | **overflow** |"),
    ("an accumulator has a column for all orders", [one("exact", 0), one("exact", 0, method=OTHER)],
     "| family | plain |"),
    ("a family has a line for all its specs", [one("exact", 0), one("finite", 2e-8, data="swamp:n=9")],
     "| swamp | 2.00e-08 |"),
    ("another number than the sum 0 is a defeat", [one("zero_sum")], "| swamp | **not 0** |"),
    ("so is no number", [one("nan")], "| swamp | **nan** |"),
    ("a sum that is infinite is passed over", [one("inf", bits=INFINITE)], "| swamp | - |"),
    ("a sum that is no number is passed over", [one("nan", bits=NO_NUMBER)], "| swamp | - |"),
    ("who is defeated by what is said", [one("zero_sum"), one("zero_sum", data="tie")], "| plain | swamp, tie |"),
    ("and who by nothing", [one("exact", 0)], "| plain | none |"),
    ("digits as in a report", [one("finite", 12.345)], "| swamp | **12.3** |"),
    ("large numbers too", [one("finite", 1234.5)], "| swamp | **1.23e+03** |"),
]

with tempfile.TemporaryDirectory() as name:
    for fact, sums, line in FACTS:
        page = page_of(pathlib.Path(name), sums)
        say(line in page.splitlines(), fact)
        if line not in page:
            print(page)
sys.exit(failures > 0)
