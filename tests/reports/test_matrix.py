"""tools/matrix on a few claims: what a cell says, what counts as a defeat; and every claim of the real families is on the page.

    test_matrix.py SOURCE_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what)


def page_of(*claims):
    read = "".join(f"{line}\n" for line in ("plain kahan", *claims))
    return subprocess.run([source / "tools/matrix"], input=read, capture_output=True, text=True, check=True).stdout


FACTS = [  # what is stated, the claims, the line that the page has
    ("8192 ulp are a defeat", ["swamp AT_LEAST 0x1p13 plain"], "| swamp | **≥8.2e3** |  |"),
    ("fewer are none", ["swamp AT_LEAST 0x1.fffp12 plain"], "| swamp | ≥8.2e3 |  |"),
    ("a cell has the largest of its errors", ["swamp AT_LEAST 0x1.c9c38p24 plain", "swamp AT_LEAST 0x1p1 plain"], "| swamp | **≥3e7** |  |"),
    ("and the widest of its limits", ["swamp AT_MOST 0x0p0 plain", "swamp AT_MOST 0x1p6 plain"], "| swamp | ≤64 |  |"),
    ("both, where orders differ", ["swamp AT_LEAST 0x1.2p3 plain", "swamp AT_MOST 0x1p0 plain"], "| swamp | ≥9 ≤1 |  |"),
    ("0 is exact", ["swamp AT_MOST 0x0p0 superacc kahan"], "| swamp |  | 0 |"),
    ("no number is a defeat", ["swamp AT_LEAST inf kahan"], "| swamp |  | **≥∞** |"),
    ("a claim is about all that it names", ["swamp AT_MOST 0x1p-1 plain kahan"], "| swamp | ≤0.5 | ≤0.5 |"),
    ("and of one family", ["swamp AT_MOST 0x1p-1 plain", "tie AT_MOST 0x1p-1 kahan"], "| swamp | ≤0.5 |  |"),
]
for fact, claims, line in FACTS:
    page = page_of(*claims)
    say(line in page.splitlines(), fact)
    if line not in page:
        print(page)
claims = [name for path in source.glob("datasets/generators/*.c") for name in re.findall(r"([^\s,{]+),\s*AT_(?:MOST|LEAST),", path.read_text())]
written = sum(":" not in name for name in claims)  # of sums
say(len(claims) > written, "claims about variances are not on it")
say(written > 300 and f", {written} claims" in (source / "docs/generators.md").read_text(), f"all {written} claims are seen")
sys.exit(failures > 0)
