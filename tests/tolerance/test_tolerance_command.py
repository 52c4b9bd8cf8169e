"""`ulpscope tolerance` from outside: the fates of faults at the limit that it prints; what a plug-in and a file of results did is what `run` says of them; and Python's half.

    test_tolerance_command.py SOURCE_DIRECTORY PROGRAM
"""

import importlib.util
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

source, program = pathlib.Path(sys.argv[1]), sys.argv[2]
os.environ["ULPSCOPE_PROGRAM"] = program
sys.path.insert(0, str(source / "python"))
import ulpscope  # noqa: E402

failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, flush=True)


def run(*words, code=0):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode != code:
        say(False, f"{' '.join(words)}: exit {done.returncode}, expected {code}: {done.stderr}")
    return done.stdout


# ---- faults ----

LIMITS = "schema: ulpscope-limits/1\nrules:\n  "


def asked(spec, trials, word):
    options = ["--order", word] if word else []
    return json.loads(run("tolerance", "sum", spec, "--trials", str(trials), "--json", "-", *options))


def limit_of(said):
    return float(re.search(r"limit: ([^}a]+)", said["write"]["paste"]["limits"]).group(1))


counts = {"fails": 0, "passes": 0, "unseen": 0}
for spec, trials, word in (("uniform:n=1001", 8, None), ("uniform:n=1001", 8, "tree_two_pass"), ("gensum:n=500,cond=1000", 8, None),
                           ("normal:n=1000", 1, None), ("lognormal:n=300", 4, "kahan/serial"), ("uniform:n=4099", 8, "height=20")):
    said = asked(spec, trials, word)
    faults = said["write"]["faults"]
    for of in faults.values():
        counts[of["fate"]] += 1
    say(said["results_with_faults"] == trials and said["write"]["zeros_pass"] == faults["zero"]["passed"] and
        ("kahan_sign" in faults) == (word == "kahan/serial"), f"{spec} {word}: zeros are counted once; plain sums have no other's fault")
    say(said["relative"] and len(faults) >= 28 and limit_of(said) == said["write"]["rtol"], f"{spec} {word}: the limit is rtol")
say(counts["fails"] > 100 and counts["passes"] > 10 and counts["unseen"] > 20, f"all fates were seen: {counts}")

said = asked("normal:n=1000", 60, None)  # both parts: the limit is relative to each sum of magnitudes
share = said["write"]["rtol"] + said["write"]["atol"] / said["sum_abs"]
say(not said["relative"] and said["write"]["atol"] > 0 and share <= limit_of(said) <= 1.1 * share and
    said["write"]["paste"]["limits"].endswith("abs}"), "the limit is both parts, of the magnitudes")

# ---- the user's own method ----

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "mine.py")
    path.write_text("def short(x):\n    return float(sum(map(float, x[:-1])))\n")
    lines = json.loads(run("tolerance", "sum", "uniform:n=100", "--python", f"{path}:short", "--json", "-"))["lines"]
    (mine,) = (line for line in lines if line["name"] == "mine/short")
    (plain,) = (line for line in lines if line["name"] == "plain/serial")
    say(mine["kind"] == plain["kind"] == "measured" and mine["rtol"] > 1e-3 > 1e-5 > plain["rtol"], "a plug-in that drops the last has its line")

# ---- nothing is claimed ----

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "x.csv")
    path.write_text("1\nnan\n")
    for words, why in ((["sum", "-n", "0"], "there are no numbers"), (["sum", str(path)], "the data are not finite"),
                       (["sum", "zeros.csv"], None), (["sum", "const:n=9,value=0"], "all numbers are 0"),
                       (["dot@e4m3_in_e4m3", "-n", "9"], "what rounds to fp8 at each addition are all-reduces: plain sums")):
        text = run("tolerance", *words, code=2 if why is None else 0)
        say(why is None or f"no claim: {why}" in text, f"{' '.join(words[:2])}: {why or 'no such file'}")
for words in (["variance", "-n", "0"], ["sample_std", "-n", "1"], ["cosine", "const:n=4,value=0::const:value=0"], ["layer_norm", "-n", "0"],
              ["mean_weighted", "const:n=3::const:value=0"]):
    why = "there are no numbers" if "0" in words else "a result is not defined, or the data are not finite"
    say(f"no claim: {why}" in run("tolerance", *words), f"{' '.join(words)}: {why}")

# ---- means, variances and norms ----

said = json.loads(run("tolerance", "variance", "normal:n=200", "--trials", "5", "--json", "-"))
theorems = {line["name"]: line["atol"] for line in said["lines"] if line["kind"] == "theorem"}
say(said["write"]["name"] == "any of 6, any order" and said["write"]["proved"] and len(theorems) == 7 and
    said["write"]["atol"] == max(theorems.values()) > min(theorems.values()), f"an unknown algorithm has the largest bound of six: {theorems}")
say({("sum x^2", False), ("sum x^2", True), ("max - min", False)} <= {(of["of"], of["at_least"]) for of in said["class"]} and
    "limits" not in said["write"]["paste"], "the class is in the JSON, and no limit is of it")
text = run("tolerance", "layer_norm", "normal:n=200", "--trials", "2")
say("data normal:n=200, seed 1: 400 results" in text and "proven of any of 3, any order for all numbers with sum |x| <=" in text and
    "0 of 400" in text, "each element of a layer norm is a result")
text = run("tolerance", "variance", "normal:n=200,mean=1e4", "--trials", "2")  # the twin: E[x^2] - E[x]^2 promises nothing here
say("name an algorithm or an --order" in text, "where one algorithm promises nothing an unknown one does not either")
say("proven of any order for" in run("tolerance", "variance.two_pass", "normal:n=200,mean=1e4", "--trials", "2"), "and one that is named does")

vacuous = json.loads(run("tolerance", "sum@bfloat16_in_bfloat16", "-n", "300", "--json", "-"))
measured = max(line["rtol"] for line in vacuous["lines"][:-1] if line["kind"] == "measured")
say(vacuous["lines"][0]["no_claim"] and not vacuous["write"]["proved"] and 4 * measured <= vacuous["write"]["rtol"] <= 4.4 * measured,
    "a vacuous theorem: measured, no proof, and four times as much")
say("measured, no proof" in run("tolerance", "sum@bfloat16_in_bfloat16", "-n", "300"), "which the text says")
cancelled = json.loads(run("tolerance", "sum", "gensum:n=4096,cond=1e6", "--trials", "9", "--json", "-"))
say(cancelled["write"] is None and "zeros pass" in cancelled["not_written"] and cancelled["lines"][0]["zeros_pass"] == 9,
    "on data that cancel the theorem is not written: zeros pass it on 9 of 9")
for words in ("norm2 -n 100 --scale 1e-30", "sum gensum:n=4096,cond=1e6 --trials 9"):
    text = run("tolerance", *words.split())
    say("Write" not in text and "no number to write: zeros pass on all" in text, f"{words}: nothing to write, and why")
with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(folder, "x.csv").write_text("1\n-1\n3\n-3\n")
    text = run("tolerance", "sum", f"{folder}/x.csv", "--trials", "3")
say("Write" in text and "holds nothing" not in text and "on 3 0 is right" in text, "where s is 0, 0 is right")

atomic = json.loads(run("tolerance", "sum", "subnormal:n=1001", "--order", "tree_atomic", "--trials", "3", "--json", "-"))
say(not atomic["lines"][0]["no_claim"] and atomic["lines"][1]["no_claim"] and not atomic["write"]["proved"],
    "atomics flush subnormals: what is proven of any order is not proven of them")
halves = json.loads(run("tolerance", "sum", "subnormal:n=1001", "--order", "tree_last_block", "--trials", "3", "--json", "-"))["write"]
say(halves["proved"] and "limits" in halves["paste"], "the twin: of additions that round it is")
for words in ("dot uniform:n=64::uniform", "sum uniform:n=1001 --order tree_atomic", "norm2 -n 64"):
    write = json.loads(run("tolerance", *words.split(), "--trials", "3", "--json", "-"))["write"]
    say(write["proved"] and write["atol"] > 0 and "limits" not in write["paste"] and len(write["paste"]) == 3,
        f"{words}: no limit has the absolute part")
with tempfile.TemporaryDirectory() as folder:  # the limit that it would have been, on products that underflow
    pathlib.Path(folder, "limits.yaml").write_text(f'{LIMITS}- {{method: "*", data: "*", metric: relative_error, limit: 3.9e-06}}\n')
    run("run", "-q", "-m", "dot:plain/serial", "-d", "uniform:n=64,low=1e-23,high=3e-23::uniform:low=1e-23,high=3e-23", "--speed", "0", "--device",
        "host", "-o", f"{folder}/out", "--permutations", "0")
    run("check", f"{folder}/out", "--limits", f"{folder}/limits.yaml", code=1)
for order, tried in (("height=20", True), ("chains=4", True), ("pairwise", False)):
    text = run("tolerance", "sum", "-n", "99", "--order", order, "--trials", "2")
    say((f"correct fails: by plain/pairwise_1; no sum in an order of {order} is tried" in text) == tried, f"{order}: which sum was tried")
for words, least in ((("--condition", "1.234"), 1.3), (("--scale", "1.234"), 130)):
    of = json.loads(run("tolerance", "sum", "-n", "100", *words, "--json", "-"))
    say(of["condition" if least < 2 else "sum_abs"] == least, f"{words}: the class is the one that is printed")

few = json.loads(run("tolerance", "sum@bfloat16_in_bfloat16", "normal:n=24,sd=3", "--json", "-"))["write"]
say(0 < few["zeros_pass"] == few["faults"]["zero"]["passed"] < 100, "zeros pass on some of them")

for atol, passing in ((49.5, 0), (50.5, 100)):
    lines = json.loads(run("tolerance", "sum", "const:n=500,value=0.1", "--atol", str(atol), "--json", "-"))["lines"]
    say(lines[-1]["kind"] == "yours" and lines[-1]["zeros_pass"] == passing, f"zeros pass {atol} around 50 on {passing} of 100")

# ---- Python ----

of = ulpscope.tolerance("sum", n=1000)
say((of.rtol, of.atol, of.proved, of.by) == (6.0e-05, 0, True, "any order") and "inputs_tf32" in of.passes and "drop_half" not in of.passes,
    "ulpscope.tolerance")
say(math.isnan(ulpscope.tolerance("sum", n=0).rtol), "nothing is claimed of no numbers")
say("zeros pass" in ulpscope.tolerance("norm2", n=100, scale=1e-30).by, "zeros pass: nothing to write, and by says it")
say(ulpscope.tolerance("matmul", shape=(4, 64, 5)).report["n"] == 64, "a shape as a tuple")
attacked = [ulpscope.tolerance("sum", n=20, attack=wish).report["lines"][-1]["kind"] == "attacked" for wish in (True, False, None)]
say(attacked == [True, False, False], "attack=True is --attack; False and None are none")
for error, words, options in (('did you mean "sum"?', ("sun",), {"n": 3}), ("found json", ("sum",), {"json": "x"}), ("found quiet", ("sum",), {"quiet": True}),
                              ("an empty text", ("sum", ""), {}), ("--a-b", ("sum",), {"a_b": 1}),
                              *([("found one of dict", ("sum", {}), {})] if importlib.util.find_spec("numpy") else [])):
    try:
        ulpscope.tolerance(*words, **options)
        say(False, f"refused: {error}")
    except (TypeError, ValueError) as refusal:
        say(error in str(refusal), f"refused: {error}")
with tempfile.TemporaryDirectory() as folder:  # three rows of four, by a header as NumPy writes it
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }".ljust(117) + "\n"
    path = pathlib.Path(folder, "a.npy")
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + struct.pack("<12f", *range(12)))
    for trials in ((), ("--trials", "9")):
        done = subprocess.run([program, "tolerance", "sum", f"{path}:axis=0", "--json", "-", *trials], capture_output=True, text=True, check=True)
        say(json.loads(done.stdout)["trials"] == 4 and not done.stderr, "no more trials than an axis has sums")
    of = json.loads(run("tolerance", "rows", f"{path}:axis=-1", "--json", "-"))
    say((of["n"], of["trials"]) == (4, 3), "rows of a file are those of its last axis")
sys.exit(failures > 0)
