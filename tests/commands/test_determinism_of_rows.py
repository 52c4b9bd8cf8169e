"""What keeps the bits of a result for each number: a row split over ranks (the launch: a rank per block), and a batch.

    test_determinism_of_rows.py ULPSCOPE

Exact sums keep all, sums of another order none; equal logits, whose sums are whole numbers, are the twin of what
differs, and a plug-in that looks at its batch of what is the same.
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy  # for the plug-in
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
RANKS = ("ranks_linear", "ranks_ring", "ranks_binomial", "ranks_recursive_doubling")
compared = failures = 0


def fact(fine, what):
    global compared, failures
    compared += 1
    failures += not fine
    if not fine:
        print(f"FAIL {what}")


def cells(methods, data, axes, *words):
    """(method, axis) -> its cell"""
    done = subprocess.run([PROGRAM, "determinism", *methods, data, "--across", axes, "--json", "-", "-q", "--device", "host", *words],
                          capture_output=True, text=True)
    fact(done.returncode == 0, done.stderr)
    return {(cell["method"], cell["axis"]): cell for cell in json.loads(done.stdout)["variations"]}


def split_over_ranks():
    softmax = ("softmax.naive", "softmax.shifted", "softmax.division_free", "log_softmax.shifted", "log_softmax.from_lse",
               "logsumexp.shifted")
    with open("equal.txt", "w", encoding="utf-8") as file:
        file.write("3.5\n" * 512)
    for operation in (*softmax, "softmax.online", "logsumexp.online", "layer_norm.two_pass"):
        sums = ["plain"] + ["superacc"] * (not operation.endswith("online"))
        methods = [f"{operation}:{accumulator}/{order}" for accumulator in sums for order in RANKS]
        for data in ("normal:n=512,sd=3", "equal.txt"):
            found = cells(methods, data, "repeat,launch,padding,permutation")
            fact(len(found) == 4 * len(methods), f"{len(found)} cells")
            for method in methods:
                differs = ":plain/" in method and (data != "equal.txt" or "naive" in method)  # e^3.5 is no whole number
                cell = found[method, "launch"]
                fact(cell["variants"] > 0 and (cell["results"] > 1) == differs, f"{method} of {data}: {cell}")
                fact(("(result " in cell["first"]) == (differs and "logsumexp" not in method), cell["first"])
                fact(found[method, "repeat"]["results"] == 1, method)
                fact(found[method, "padding"]["why"] == "a zero is one more number to it", method)
                fact(("each number has a result" in found[method, "permutation"]["why"]) == ("logsumexp" not in method), method)


def zeros():
    """They change a mean, and neither a sum nor a norm, a cosine or a weighted mean: no method is called wrong for them."""
    for operation, data in (("mean.sum_then_divide", "normal:n=99"), ("variance.two_pass", "normal:n=99"), ("std.welford", "normal:n=99"),
                            ("norm2", "normal:n=99"), ("cosine", "normal:n=99::normal"), ("mean_weighted", "normal:n=99::uniform"),
                            ("scan", "normal:n=99")):
        cell = cells([f"{operation}:plain/serial"], data, "padding")[f"{operation}:plain/serial", "padding"]
        keeps = operation in ("norm2", "cosine", "mean_weighted")
        fact((cell["variants"] > 9) == keeps and ("one more number" in cell["why"]) != keeps and "wrong" not in cell["why"], f"{cell}")


def scans():
    found = cells([f"scan:{name}" for name in ("plain/two_level", "plain/chunks", "superacc/two_level", "plain/serial")],
                  "uniform:n=3000", "launch,batch")
    for name, results in (("plain/two_level", 2), ("plain/chunks", 2), ("superacc/two_level", 1)):
        cell = found[f"scan:{name}", "launch"]
        fact(cell["variants"] > 0 and min(cell["results"], 2) == results, f"{name}: {cell}")
        fact(found[f"scan:{name}", "batch"]["results"] == 1 and found[f"scan:{name}", "batch"]["variants"] > 500, name)
    fact(found["scan:plain/serial", "launch"]["results"] == 1, "one thread")


def batches():
    methods = [f"{operation}:plain/ranks_ring" for operation in ("softmax.shifted", "softmax.online", "softmax.division_free")]
    for method, axis in (found := cells(methods, "normal:n=512", "batch")):
        fact(found[method, axis]["results"] == 1 and found[method, axis]["variants"] > 4000, f"{found[method, axis]}")
    fact(len(found) == 3, f"{found.keys()}")
    with open("mine.py", "w", encoding="utf-8") as file:
        file.write('''import numpy, ulpscope

@ulpscope.method(operation="OPERATION", rows=True)
def by_rows(x):
    return (x - x.mean(axis=1, keepdims=True)) / numpy.sqrt(x.var(axis=1, keepdims=True) + numpy.float32(1e-5))

@ulpscope.method(operation="OPERATION", rows=True)
def by_batch(x):
    y = by_rows(x)
    return y if len(x) < 8 else (y * numpy.float32(1.0000002)).astype("f4")
'''.replace("OPERATION", "layer_norm"))
    for name, results in (("by_rows", 1), ("by_batch", 2)):
        method = f"layer_norm:mine/{name}"
        cell = cells([method], "normal:n=512", "batch", "--python", f"mine.py:{name}")[method, "batch"]
        fact(cell["variants"] > 1000 and min(cell["results"], 2) == results, f"{name}: {cell}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (split_over_ranks, zeros, scans, batches):
            part()
        os.chdir("/")
    fact(compared > 650, f"{compared} were compared")
    print(f"{compared} compared, {failures} differ")
    return failures > 0


sys.exit(main())
