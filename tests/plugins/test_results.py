"""--results: results that were computed elsewhere, for data that gen wrote.

    test_results.py ULPSCOPE
"""

import csv
import io
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ULPSCOPE = pathlib.Path(sys.argv[1]).resolve()
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else f"\n{found}", flush=True)


def ulpscope(*arguments):
    return subprocess.run([ULPSCOPE, *map(str, arguments)], capture_output=True, text=True, timeout=1000)


def run(*arguments):
    """Exit status, rows of results.csv, what was said."""
    done = ulpscope("run", "--device", "host", "--speed", 0, "-o", "-", *arguments)
    return done.returncode, list(csv.DictReader(io.StringIO(done.stdout))), done.stderr


def numbers(data, seed=1, trial=0):
    lines = ulpscope("gen", data, "--seed", seed, "--trial", trial).stdout.splitlines()
    return [float.fromhex(line) for line in lines if line and line[0] != "#"]


def write(text, name="mine.csv"):
    pathlib.Path(name).write_text(text)
    return name


def table(*rows, header="data,trial,computed"):
    quoted = io.StringIO()
    csv.writer(quoted, lineterminator="\n").writerows(rows)
    return f"{header}\n{quoted.getvalue()}"


folder = tempfile.TemporaryDirectory(prefix="ulpscope_results.")  # until the end
os.chdir(folder.name)
ONE, TWO = "uniform:n=100", "gensum:n=50,cond=1e6"

# ---- right ones ----
right = table(*((data, trial, math.fsum(numbers(data, trial=trial)).hex()) for data in (TWO, ONE) for trial in range(3)))
status, rows, said = run("--results", write(right), "-m", "mine/*")
say(status == 0 and [(row["method"], row["data"], row["trial"]) for row in rows] ==
    [("mine/mine", data, str(trial)) for data in (TWO, ONE) for trial in range(3)], "data and trials are those of the file", said)
say(all(float(row["ulp_error"]) <= 0.5 for row in rows), "each is held against its exact sum", said)
status, rows, said = run("--results", "mine.csv", "-m", "mine/*", "-d", ONE, "--trials", 2)
say(status == 0 and [row["data"] for row in rows] == [ONE, ONE], "-d and --trials select", said)
status, rows, said = run("--results", "mine.csv", "-m", "mine/*", "--trial", 2)
say(status == 0 and [row["trial"] for row in rows] == ["2", "2"], "--trial selects", said)
status, rows, said = run("--results", "mine.csv")
say(status == 0 and {"mine/mine", "plain/serial"} <= {row["method"] for row in rows}, "they stand beside the classic four", said)
write(f"schema: ulpscope-study/1\nplugins: [{{results: mine.csv}}]\nmethods: [mine/mine]\ndata:\n- {{spec: \"{ONE}\", trials: 3}}\n", "study.yaml")
status, rows, said = run("study.yaml")
say(status == 0 and len(rows) == 3, "a study file names them", said)

wrong = write(right.replace("p+5", "p+6", 1), "wrong.csv")
status, rows, said = run("--results", wrong, "-m", "wrong/*")
say(status == 1 and "times the bound that it claims" in said, "twin: one wrong result is found", said)

# Of two errors the larger in ulps is within its bound, since that sum cancels more: what breaks the bound is the other trial.
SIGNED = "uniform:n=100,low=-1"
sums = sorted((abs(math.fsum(x)), trial, math.fsum(x), math.fsum(map(abs, x)))
              for trial, x in ((trial, numbers(SIGNED, trial=trial)) for trial in range(20)))
bound = 99 * 2**-24 / (1 - 99 * 2**-24)
results = [(SIGNED, trial, s + {0: 0.5, 19: 1.5}.get(rank, 0) * bound * size) for rank, (_, trial, s, size) in enumerate(sums)]
status, rows, said = run("--results", write(table(*results), "two.csv"), "-m", "two/*")
ulps, ratios = ({row["trial"]: float(row[name]) for row in rows} for name in ("ulp_error", "bound_ratio"))
say(len(rows) == 20 and max(ulps, key=ulps.get) == str(sums[0][1]) and [trial for trial in ratios if ratios[trial] > 1] == [str(sums[-1][1])],
    "the worst in ulps is not that above its bound", rows)
say(status == 1 and f"--trial {sums[-1][1]} " in said, "the command shows the trial that exceeds its bound", said)
ulpscope("run", "--results", "two.csv", "-m", "two/*", "--speed", 0, "-o", "two")
for rule, trial in (("bound_ratio, limit: auto", sums[-1][1]), ("ulp_error, limit: 1ulp", sums[0][1])):  # and its twin
    write(f"schema: ulpscope-limits/1\nrules:\n- {{method: \"*\", data: \"*\", metric: {rule}}}\n", "limits.yaml")
    found = ulpscope("check", "two", "--limits", "limits.yaml").stdout
    say(f"--trial {trial} " in found, f"check reruns the worst by {rule}", found)

status, rows, said = run("--results", write(table((ONE, 4, sum(numbers(ONE, trial=4)))), "four.csv"), "-m", "four/*")
say(status == 0 and [row["trial"] for row in rows] == ["4"], "one trial, which is not the first", said)
seven = table((ONE, 7, sum(numbers(ONE, seed=7))), header="data,seed,computed")
status, rows, said = run("--results", write(seven, "seven.csv"), "-m", "seven/*")
say(status == 0 and [row["seed"] for row in rows] == ["7"], "the seed is that of the file", said)
both = seven + f"{ONE},1,{sum(numbers(ONE))}\n"
status, rows, said = run("--results", write(both, "both.csv"))
say(status == 2 and "has results of seeds" in said and "--seed" in said, "two seeds are refused", said)
status, rows, said = run("--results", "both.csv", "-m", "both/*", "--seed", 7)
say(status == 0 and float(rows[0]["ulp_error"]) < 50, "--seed says which", said)

status, rows, said = run("--results", write(table(*((ONE, 0, 50 + k / 8) for k in (1, 2, 2, 5))), "many.csv"), "-m", "many/*")
say([row["computed"] for row in rows] == ["50.125", "50.25", "50.25", "50.625"], "several results of a case are repeats, in their order", said)
status, rows, said = run("--results", "many.csv", "-m", "many/*", "--repeats", 5)
say(status == 3 and len(rows) == 4 and "has 4 results for" in said, "no result is given twice", said)

ulpscope("gen", "normal:n=20::normal", "-o", "x.f32::y.f32")
x, y = ([float.fromhex(line) for line in pathlib.Path(name).read_text().splitlines() if line[0] != "#"] for name in ("x.f32", "y.f32"))
named = table(("dot:other/loop", "normal:n=20::normal", math.fsum(a * b for a, b in zip(x, y))), header="method,data,computed")
status, rows, said = run("--results", write(named, "dot.csv"), "-m", "dot:other/*")
say(status == 0 and rows and float(rows[0]["ulp_error"]) <= 0.5, "a dot product, under the name of its method", said)

x = numbers(ONE)
named = table(("variance:other/loop", ONE, math.fsum((a - math.fsum(x) / len(x)) ** 2 for a in x) / len(x)), header="method,data,computed")
status, rows, said = run("--results", write(named, "var.csv"), "-m", "variance:other/*,variance.two_pass:plain/serial", "-d", ONE, "--trials", 1)
words = {row["method"]: row["operation"] for row in rows}
say(status == 0 and words == {name: name.partition(":")[0] for name in ("variance:other/loop", "variance.two_pass:plain/serial")},
    "a variance whose algorithm nobody knows is called one; its twin, one of ours, has its own", rows)
ulpscope("run", "--results", "var.csv", "-m", "variance:other/*,variance.two_pass:plain/serial", "--speed", 0, "--trials", 1, "-d", ONE, "-o", "var")
page = json.loads(pathlib.Path("var/run.json").read_text())
found = [{one[key]: one["operation"] for one in listed} for key, listed in (("id", page["study"]["method_details"]), ("method", page["series"]))]
say(found == [words, words], "so it is in JSON, which is read back from the store", found)
status, rows, said = run("--results", "var/results.csv", "-m", "variance:*/*loop*")
say(status == 0 and [row["operation"] for row in rows] == ["variance"], "and may come from there again", (said, rows))

half = f"{ONE},format=bfloat16"
text = table((half, 0, math.fsum(numbers(half))), header="data,trial,computed")
status, rows, said = run("--results", write(text, "half.csv"), "-m", "half/*@*")
say(status == 0 and rows[0]["method"] == "half/half@bfloat16" and float(rows[0]["ulp_error"]) <= 0.5, "bfloat16, rounded on reading", said)

# Doubles whose sum is 8.5, and in binary32 is none of theirs: the format is said once, wherever it stands.
pathlib.Path("doubles.raw").write_bytes(struct.pack("<3d", 5.5, 1, 2))
write("5.5\n1\n2\n", "doubles.txt")
ulpscope("gen", "const:n=3,value=5.5,format=binary64", "-o", "doubles.npy")
for file, sum_of in (("doubles.raw", 8.5), ("doubles.txt", 8.5), ("doubles.npy", 16.5)):
    said_by = {f"data,computed\n{file}:format=binary64,{sum_of}\n", f"data,format,computed\n{file},double,{sum_of}\n",
               f"method,data,computed\ndoubles@binary64,{file},{sum_of}\n"}
    if file.endswith(".npy"):
        said_by = {text.replace(":format=binary64", "") for text in said_by}
    for text in sorted(said_by):
        status, rows, said = run("--results", write(text, "doubles.csv"), "-m", "doubles/*@binary64", "--permutations", 0)
        say(status == 0 and [(row["method"], row["ulp_error"]) for row in rows] == [("doubles/doubles@binary64", "0")],
            f"{text!r} is of doubles", (said, rows))
status, rows, said = run("--results", write("data,format,computed\ndoubles.raw:format=binary64,float32,8.5\n", "doubles.csv"))
say(status == 2 and "has numbers of another format than the results" in said, "twin: two formats are refused", said)

write("1\n0x1p-30\n3\n", "three.f32")
status, rows, said = run("--results", write(table(("three.f32", 0, 4)), "file.csv"), "-m", "file/*")
say(status == 0 and len(rows) == 1, "of a file as it is", said)
status, rows, said = run("--results", write(table(("three.f32:order=descending", 0, 4)), "order.csv"), "-m", "order/*")
say(status == 0 and len(rows) == 1 and "order=descending" in rows[0]["data"], "of a file in another order", said)

# ---- results.csv of a run ----
ulpscope("run", "-m", "naive,kahan", "-d", ONE, "-d", TWO, "--trials", 3, "--speed", 0, "--device", "host", "-o", "out")
status, rows, said = run("--results", "out/results.csv", "-m", "naive,kahan,results/*")
bits = {}
for row in rows:
    bits.setdefault(row["method"].replace("results/", "").replace("_", "/", 1).replace("/", "_"), []).append(row["computed_bits"])
say(status == 0 and len(rows) == 24 and len({row["method"] for row in rows}) == 4, "results.csv is such a file", said)
pairs = {row["method"]: [r["computed_bits"] for r in rows if r["method"] == row["method"]] for row in rows}
say(pairs["results/plain_serial"] == pairs["plain/serial"] != pairs["kahan/tree_two_pass"], "with the same bits", pairs)

# ---- missing ones ----
gap = "".join(line for line in right.splitlines(True) if f'"{TWO}",1,' not in line)
status, rows, said = run("--results", write(gap, "gap.csv"), "-m", "gap/*")
say(status == 3 and len(rows) == 5 and
    f"gap/gap: has no result for {TWO}, seed 1, trial 1; `ulpscope gen {TWO} --seed 1 --trial 1` writes its data" in said, "a missing one is named", said)
status, rows, said = run("--results", "mine.csv", "-m", "mine/*", "-d", ONE, "--trials", 9)
say(status == 3 and len(rows) == 3 and said.count("has no result for") == 6 and "left out" not in said, "many missing ones leave the others", said)
done = ulpscope("bench", "--results", "mine.csv", "-m", "mine/*", "-n", 1000)
say(done.returncode == 2 and "computed elsewhere" in done.stderr, "they are not timed", done.stderr)

# ---- files that are none ----
for what, text, reason in (
    ("nothing", "", "holds no results"),
    ("a header", "data,computed\n", "holds no results"),
    ("no data", "spec,computed\nuniform,1\n", "b.csv:2: no data are named"),
    ("no result", "data,value\nuniform,1\n", "b.csv:2: neither computed_bits nor computed"),
    ("a word", f"data,computed\n{ONE},much\n", 'b.csv:2: computed "much" is not a number'),
    ("out of range", f"data,computed\n{ONE},1e60\n", 'b.csv:2: computed "1e60"'),
    ("too many bits", f"data,computed_bits\n{ONE},0x3ff0000000000000\n", "has more digits than the format"),
    ("no bits", f"data,computed_bits\n{ONE},1.5\n", "is not 0x and hexadecimal digits"),
    ("no such data", "data,computed\nuniformly:n=9,1\n", "b.csv:2: "),
    ("a sweep", "data,computed\nuniform:n=1..9*3,1\n", "is a sweep"),
    ("no trial", f"data,computed,trial\n\n{ONE},1,-3\n", 'b.csv:3: trial "-3"'),
    ("no operation", f"data,computed,operation\n{ONE},1,product\n", "operation product"),
    ("matrices", f"data,computed,operation\n{ONE},1,matmul\n", "operation matmul"),
    ("two operations", f"data,computed,operation,method\n{ONE},1,sum,dot:a/b\n", "the same in both"),
    ("no format", f"data,computed,format\n{ONE},1,floot\n", "unknown format"),
    ("two formats", f"data,computed,format,method\n{ONE},1,binary64,a/b@bfloat16\n", "expected one format"),
    ("other data", f'data,computed,format\n"{half}",1,binary32\n', "another format than the results"),
    ("a field too few", f"data,trial,computed\n{ONE},1\n", "b.csv:2: expected 3 fields, as in the first line, found 2"),
    ("an open quote", f'data,computed\n"{ONE},1\n', "a quote"),
    ("a NUL", f"data,computed\n{ONE},1\0\n", "NUL"),
    ("two columns", f"data,computed,computed\n{ONE},1,1\n", "two columns of one name"),
    ("a repeat twice", f"data,repeat,computed\n{ONE},0,1\n{ONE},1,1\n{ONE},0,2\n", "b.csv:4: a second result for uniform:n=100, seed 1, trial 0, repeat 0"),
):
    status, rows, said = run("--results", write(text, "b.csv"))
    say(status == 2 and not rows and reason in said, f"refused: {what}", f"{status} {said}")
status, rows, said = run("--results", "nowhere.csv")
say(status == 2 and "nowhere.csv" in said, "refused: no file", said)
sys.exit(1 if failures else 0)
