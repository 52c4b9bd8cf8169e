"""tools/matrix on a few claims: what a cell says, what counts as a defeat; and every claim of the real families is seen.

    test_matrix.py SOURCE_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1])
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what)


def page_of(root):
    return subprocess.run([source / "tools/matrix", root], capture_output=True, text=True, check=True).stdout


def page_of_rows(rows):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in (
            ("datasets/generators.def", "ELEMENTS(swamp)\n"),
            ("datasets/generators/swamp.c", f"static const struct effect effects[] = {{\n{rows}    {{0}},\n}};\n"),
            ("kernels/accumulators.def", "ACCUMULATOR(plain, SUMS)\nACCUMULATOR(kahan, SUMS)\nACCUMULATOR(superacc, SUMS)\n"),
            ("kernels/orders.def", "ORDER(serial, A)\nORDER(pairwise, A)\n"),
        ):
            pathlib.Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(folder, path).write_text(text)
        return page_of(folder)


FACTS = [  # what is stated, the claims as (methods, limit), the line that the page has
    ("8192 ulp are a defeat", [("plain/serial", "AT_LEAST, 8192")], "| swamp | **≥8.2e3** |  |"),
    ("fewer are none", [("plain/serial", "AT_LEAST, 8191")], "| swamp | ≥8.2e3 |  |"),
    ("a cell has the largest of its errors",
     [("plain/*", "AT_LEAST, 3e7"), ("plain/*", "AT_LEAST, 2")], "| swamp | **≥3e7** |  |"),
    ("and the widest of its limits", [("plain/*", "AT_MOST, 0"), ("plain/*", "AT_MOST, 64")], "| swamp | ≤64 |  |"),
    ("both, where orders differ", [("plain/serial", "AT_LEAST, 9"), ("plain/pairwise", "AT_MOST, 1")], "| swamp | ≥9 ≤1 |  |"),
    ("0 is exact", [("kahan/*", "AT_MOST, 0")], "| swamp |  | 0 |"),
    ("no number is a defeat", [("kahan/*", "AT_LEAST, NO_NUMBER")], "| swamp |  | **≥∞** |"),
    ("who is left out is not meant", [("*,!plain/*", "AT_MOST, 0.5")], "| swamp |  | ≤0.5 |"),
    ("one order is enough", [("*/pairwise", "AT_MOST, 0.5")], "| swamp | ≤0.5 | ≤0.5 |"),
]
for fact, rows, line in FACTS:
    page = page_of_rows("".join(f'    {{"n=8", "{methods}", {limit}}},\n' for methods, limit in rows))
    say(line in page.splitlines(), fact)
    if line not in page:
        print(page)
say("| swamp |  | ≤1 |" in page_of_rows('    {"n=8",\n     "kahan/*",\n     AT_MOST, 1},\n'), "a claim may be on several lines")

written = sum(len(re.findall(r"\bAT_(?:MOST|LEAST),", path.read_text())) for path in source.glob("datasets/generators/*.c"))
say(f"{written} claims" in page_of(source), f"all {written} claims are seen")
sys.exit(failures > 0)
