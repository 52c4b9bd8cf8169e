"""What is said of products that are computed as tensor cores and libraries do (products.c), and not of their twins.

    test_products.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE, PROGRAM, COMPILER = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]), sys.argv[3]
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off", "-shared", "-fPIC", f"-I{SOURCE}/include"]
NAMED = {
    "never@e4m3": "matmul:hopper_wgmma@e4m3, fp8 never promoted (fast accumulation)",
    "every_128@e4m3": "matmul:hopper_wgmma@e4m3, fp8 promoted every 128 of k",
    "in_8_parts@e4m3": "matmul:hopper_wgmma@e4m3, split in 8 parts of k",
    "scaled_by_fma": "matmul:hopper_wgmma@e4m3, factors in e4m3 by blocks of 128 of k, scaled by fma of (part sa) sb",
    "tf32_even": "matmul:plain/naive, binary32 inputs rounded to TF32 (nearest even)",
    "tf32_dropped": "matmul:plain/naive, binary32 inputs rounded to TF32 (dropped)",
    "even_of_tf32@tf32_to_binary32": "matmul:plain/naive@tf32_to_binary32",
}
TWINS = ["never_but_14_bits@e4m3", "every_96@e4m3", "in_8_parts_in_turn@e4m3", "scaled_twice", "one_bit_more", "tf32_away",
         "bfloat16_of_tf32@tf32_to_binary32"]
LIMITS = '''schema: ulpscope-limits/1
rules:
  - {method: "*", data: "*", metric: ulp_error, statistic: max, limit: 0.5ulp, why: "a limit that all break"}
'''
failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else f': {shown}'}", flush=True)


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, errors="replace", timeout=1000)
    return done.returncode, done.stdout, done.stderr


def try_run(library, out):
    arguments = [word for n, rows, columns in ((1024, 12, 12), (4096, 6, 6)) for word in ("-d", f"normal:n={n},rows={rows}::normal:columns={columns}")]
    _, text, said = run("run", "--plugin", library, "-m", "matmul:products/*", "--format", "e4m3,binary32,tf32_to_binary32", "--trials", "2", "-o", str(out), *arguments)
    lines = {line.split()[0].rstrip(":").partition("/")[2]: line for line in text.partition("what the bits say")[2].splitlines()
             if line.strip().startswith("matmul:products/")}
    fact("of each product something is said", sorted(lines) == sorted([*NAMED, *TWINS]), f"{sorted(lines)}\n{said}")
    for name, words in NAMED.items():
        counts = re.search(r" on (\d+) of (\d+)", lines.get(name, ""))
        fact(f"{name} is named", f"bit for bit {words}" in lines.get(name, "") and "series" not in lines[name], lines.get(name))
        fact(f"{name} was compared in all elements, more than 50", counts and counts[1] == counts[2] and int(counts[1]) > 50, lines.get(name))
    above = {line.split()[0].partition("/")[2] for line in text.splitlines() if line.endswith("ABOVE ITS BOUND")}
    fact("a product of TF32 is within its bound, and its twin is not", TWINS[-1] in above and not above & {"even_of_tf32@tf32_to_binary32"}, above)
    for name in TWINS:
        fact(f"{name} is not named", re.search(r": none of \d{2,} ways to compute a product gives these bits", lines.get(name, ""))
             and "bit for bit" not in lines[name], lines.get(name))


def try_short(library, out):
    """Where a promotion every 128 of k would change nothing, none is said, nor that there was none."""
    for n, said in ((128, False), (256, True)):
        _, text, _ = run("run", "--plugin", library, "-m", "matmul:products/never@e4m3", "--format", "e4m3", "--trials", "2", "-o", str(out / str(n)),
                         "-d", f"normal:n={n},rows=12::normal:columns=12")
        line = " ".join(text.partition("what the bits say")[2].split())
        fact(f"{n} of k: the unit is named", "bit for bit matmul:hopper_wgmma@e4m3" in line, line)
        fact(f"{n} of k: never promoted is {'' if said else 'not '}said", ("never promoted" in line) == said, line)


def try_check(out, limits):
    limits.write_text(LIMITS)
    page = limits.with_suffix(".json")
    code, _, _ = run("check", str(out), "--limits", str(limits), "--json", str(page))
    causes = {}
    for series in json.loads(page.read_text())["series"]:
        causes.setdefault(series["method"].partition("/")[2], set()).update(finding["cause"] for finding in series["findings"])
    fact("check fails", code == 1 and len(causes) == len(NAMED) + len(TWINS), f"{code} {sorted(causes)}")
    for name, words in NAMED.items():
        fact(f"check: {name} has its cause", all((words.partition(", ")[2] or words) in (cause or "") for cause in causes.get(name, [None])), causes.get(name))
        fact(f"check: {name} has each word once", not any(re.search(r"(binary32 inputs.*){2}", cause or "") for cause in causes.get(name, [])), causes.get(name))
    for name in TWINS:
        fact(f"check: {name} has none", all("none of" in (cause or "") for cause in causes.get(name, [None])), causes.get(name))


def try_grade(library, out):
    """Of three and their twins: what grade looks for is what a run looks for."""
    for name in ("never@e4m3", "every_128@e4m3", "tf32_even", "never_but_14_bits@e4m3", "every_96@e4m3", "tf32_away"):
        page = out / "grade.json"
        code, text, said = run("grade", f"matmul:products/{name}", "--plugin", library, "--size-most", "256", "--samples", "1",
                               "--json", str(page))
        computed = json.loads(page.read_text()).get("computed_as", "")
        words = NAMED.get(name, "").partition(", ")[2]
        if name in NAMED:
            fact(f"grade: {name} is named", words in computed and "on 64 of 64 elements" in computed, computed or said)
        else:
            fact(f"grade: {name} is not named", re.match(r"none of \d{2,} ways to compute it has the bits of 64 elements", computed), computed or said)
        fact(f"grade: {name}, on its page", computed.split(",")[0] in " ".join(text.split()) and code in (0, 1), text)
    _, text, _ = run("grade", "matmul:plain/naive", "--size-most", "32", "--samples", "1")
    fact("grade says nothing of a method of ours", "bit for bit" not in text and "none of" not in text, text)


def try_verdicts(library):
    """A product that rounds to TF32 is less precise than binary32, and as precise as one of TF32 has to be."""
    for name, code, verdict in (("tf32_even", 1, "FAIL: conventional, but less precise than its formats"),
                                ("even_of_tf32@tf32_to_binary32", 0, "pass: conventional"),
                                (TWINS[-1], 1, "FAIL: conventional, but less precise than its formats")):
        done, text, said = run("grade", f"matmul:products/{name}", "--plugin", library, "--size-most", "64", "--samples", "1")
        fact(f"grade: the verdict on {name}", done == code and verdict in text, f"{done} {text}{said}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        library = str(work / "products.so")
        subprocess.run([COMPILER, *FLAGS, str(SOURCE / "tests/plugins/products.c"), "-o", library, "-lm"], check=True)
        try_run(library, work / "out")
        try_check(work / "out", work / "limits.yaml")
        try_short(library, work)
        try_grade(library, work)
        try_verdicts(library)
    return failures > 0


sys.exit(main())
