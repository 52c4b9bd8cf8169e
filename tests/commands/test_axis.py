#!/usr/bin/env python3
"""Results along an axis of arrays of 1 to 4 dimensions, in C and Fortran order, of .npy and .safetensors, against
NumPy's shapes and Python's Fraction, and batches of matrix products against NumPy's matmul of integers.

    test_axis.py ULPSCOPE
"""
import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext
from fractions import Fraction

try:
    import numpy
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
PRECISION = {"f4": (24, -149), "f8": (53, -1074), "f2": (11, -24)}
SHAPES = [(7,), (3, 5), (2, 3, 4), (2, 3, 1, 5)]
compared = failures = 0


def say(fine, what):
    global compared, failures
    compared += 1
    failures += not fine
    if not fine:
        print(f"FAIL {what}")


def run(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    say(done.returncode == code, f"exit {done.returncode} of {words}: {done.stderr}")
    return done


def rounded(value, dtype):
    """To nearest, ties to even; of normal and subnormal numbers within the range."""
    precision, least = PRECISION[dtype]
    if value == 0:
        return 0.0
    exponent = abs(value).numerator.bit_length() - abs(value).denominator.bit_length()
    exponent -= abs(value) < Fraction(2) ** exponent
    step = Fraction(2) ** max(exponent - precision + 1, least)
    return float(round(value / step) * step)


def exact(operation, numbers, dtype):
    x = [Fraction(float(number)) for number in numbers]
    total = sum(x)
    if operation == "mean":
        total /= len(x)
    if operation == "variance":
        total = sum((value - total / len(x)) ** 2 for value in x) / len(x)
    return rounded(total, dtype)


def expected(operation, x, axis, dtype):
    lines = numpy.moveaxis(x, axis, -1)
    return numpy.array([exact(operation, line, dtype) for line in lines.reshape(-1, x.shape[axis])], dtype).reshape(lines.shape[:-1])


def safetensors(path, x):
    name = {"f4": "F32", "f8": "F64", "f2": "F16"}[x.dtype.str[1:]]
    header = json.dumps({"w": {"dtype": name, "shape": list(x.shape), "data_offsets": [0, x.nbytes]}}).encode()
    with open(path, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header + x.tobytes("C"))


def same(path, wanted):
    found = numpy.load(path)
    return found.shape == wanted.shape and found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes()


def every_axis_of_every_array(random):
    for shape in SHAPES:
        x64 = random.standard_normal(shape) * 2.0 ** random.integers(-9, 9, shape)
        for order in "CF":
            for axis in range(-len(shape), len(shape)):
                dtype = ("f4", "f8", "f2")[(axis + len(shape)) % 3]
                operation = ("sum", "mean", "variance")[(axis + len(shape) + (order == "F")) % 3]
                x = numpy.asarray(x64.astype(dtype), order=order)
                wanted = expected(operation, x, axis, dtype)
                numpy.save("x.npy", x)
                spec, what = "x.npy", f"{operation} of {dtype} {shape} {order} along {axis}"
                if axis >= 0 and order == "C":
                    safetensors("x.safetensors", x)
                    spec = "x.safetensors:w"
                run("exact", f"{spec}{',' if ':' in spec else ':'}axis={axis}", "--operation", operation, "--output", "y.npy", "-q")
                say(same("y.npy", wanted), what)
                numpy.save("z.npy", wanted)
                say(open("y.npy", "rb").read() == open("z.npy", "rb").read(), f"{what}: byte for byte as numpy.save writes it")
                other = expected(operation, x, (axis + 1) % len(shape), dtype)  # the twin
                say(len(shape) == 1 or other.tobytes() != wanted.tobytes(), f"{what}: along another axis is another array")


def row_of(operation, numbers, dtype):
    """By Python's decimal numbers, 80 digits of them."""
    x = [Decimal(float(number)) for number in numbers]
    mean, eps = sum(x) / len(x), Decimal(1e-5)
    if operation in ("softmax", "log_softmax"):
        total = sum((value - max(x)).exp() for value in x)
        row = [(value - max(x)).exp() / total if operation == "softmax" else value - max(x) - total.ln() for value in x]
    elif operation == "layer_norm":
        row = [(value - mean) / (sum((other - mean) ** 2 for other in x) / len(x) + eps).sqrt() for value in x]
    elif operation == "rms_norm":
        row = [value / (sum(other * other for other in x) / len(x) + eps).sqrt() for value in x]
    else:
        row = [sum(x[0 if operation == "scan" else max(0, i - 1):i + 1]) for i in range(len(x))]
    return [rounded(Fraction(value), dtype) for value in row]


def rows(operation, x, axis, dtype):
    lines = numpy.moveaxis(x, axis, -1)
    made = [row_of(operation, line, dtype) for line in lines.reshape(-1, x.shape[axis])]
    return numpy.ascontiguousarray(numpy.moveaxis(numpy.array(made, dtype).reshape(lines.shape), -1, axis))


def a_result_for_each_number(random):
    getcontext().prec = 80
    twins = 0
    for shape in SHAPES:
        for axis in range(-len(shape), len(shape)):
            for o, operation in enumerate(("softmax", "log_softmax", "layer_norm", "rms_norm", "scan", "rolling")):
                dtype = ("f4", "f8", "f2")[(axis + len(shape) + o) % 3]
                x = (random.standard_normal(shape) * 4).astype(dtype)
                numpy.save("x.npy", x)
                spec = f"x.npy:axis={axis}{',window=2' if operation == 'rolling' else ''}"
                run("exact", spec, "--operation", operation, "--output", "y.npy", "-q")
                wanted = rows(operation, x, axis, dtype)
                say(same("y.npy", wanted), f"{operation} of {dtype} {shape} along {axis}")
                twins += rows(operation, x, (axis + 1) % len(shape), dtype).tobytes() != wanted.tobytes()
    say(twins >= 6 * 18 - 12, f"{twins}: along another axis it is another array")
    lines = run("exact", "x.npy:window=2", "--operation", "rolling", "--top", 3, "--digits", 5).stdout.splitlines()
    say(lines[0].startswith("rolling     30 results, each rounded once to binary32") and lines[4].startswith("...         27 more;"), f"{lines}")
    for i, value in enumerate(row_of("rolling", x.reshape(-1), "f4")[:3]):
        say(lines[1 + i].split()[0] == f"[{i}]" and float.fromhex(lines[1 + i].split()[1]) == value, lines[1 + i])
    run("exact", "x.npy", "--operation", "softmax", "--output", "y.npy", "--as", "binary32", "-q")
    say(same("y.npy", numpy.array(row_of("softmax", x.reshape(-1), "f4"), "f4")), "without an axis all numbers are one row")
    numpy.save("masked.npy", numpy.full(3, -numpy.inf, "f4"))
    done = run("exact", "masked.npy", "--operation", "softmax", "--nonfinite", "ieee")
    say(done.stdout.count("nan, not defined: all numbers are -inf") == 3, done.stdout)
    for words, part in ((("--operation", "softmax", "--json", "-"), "a flag that is of one result"),
                        (("--operation", "scan", "--compare", "1"), "a flag that is of one result"),
                        (("--operation", "scan", "--verify-reference"), "a flag that is of one result"),
                        (("--operation", "softmax", "--output", "y.npy", "--top", "3"), "--output writes all"),
                        (("--operation", "softmax", "--top", "0"), "out of range"), (("--top", "3"), "sum has one result"),
                        (("--operation", "rolling"), "has no window="), (("--operation", "soft"), "softmax, log_softmax, scan"),
                        (("--operation", "cross_entropy"), "expected two")):
        say(part in run("exact", "x.npy", *words, code=2).stderr, f"refused: {words}")
    with open("x.txt", "w", encoding="utf-8") as file:
        file.write("1\n2\n")
    for operation in ("logsumexp", "scan"):
        say("(null)" not in run("exact", "x.txt", "--operation", operation).stdout, operation)


def trials_keep_their_index(random):
    x = random.integers(1, 9, (4, 50, 3)).astype("f4")
    x[2, :, 1] = [1e8, 1, -1e8, 3, 1] * 10  # the one that goes wrong
    numpy.save("x.npy", x)
    done = run("run", "-q", "-m", "plain/serial", "x.npy:axis=1", "--json", "-", "--csv", "x.csv")
    worst = json.loads(done.stdout)["series"][0]
    say(worst["count"] == 12 and worst["witness"]["trial"] == 7 and worst["witness"]["index"] == "[2, 1]", f"{worst['witness']}")
    exact_of = [line.split(",") for line in open("x.csv").read().splitlines()]
    column = exact_of[0].index("computed_bits")
    bits = [int(line[column], 16) for line in exact_of[1:]]
    serial = numpy.zeros((4, 3), "f4")
    for k in range(50):
        serial = (serial + x[:, k, :]).astype("f4")
    say(bits == [int(value.view("u4")) for value in serial.reshape(-1)], "each trial is one of NumPy's rows, in C order")
    say("result [2, 1] of 12" in run("exact", "x.npy:axis=1", "--trial", 7).stderr, "exact names the result")
    page = run("run", "-q", "-m", "plain/serial", "x.npy:axis=1", "-o", "out") and open("out/report.html").read()
    say("trial 7 (result [2, 1])" in page, "the report names it")
    say("(result [" not in (run("run", "-q", "-m", "plain/serial", "x.npy", "-o", "out", "--overwrite") and open("out/report.html").read()), "of one sum none")


def tiles(random):
    """More numbers in a line than a tile has, and more lines; of a file that is kept open, which a fresh one is not."""
    for shape in ((70000, 70), (70, 70000), (300, 40, 90)):
        x = random.integers(-1000, 1000, shape).astype("f4")
        for order in "CF":
            numpy.save("x.npy", numpy.asarray(x, order=order))
            for axis in range(len(shape)):
                for age in (0, 100):
                    os.utime("x.npy", (os.stat("x.npy").st_mtime - age,) * 2)
                    if x.size // shape[axis] < 20000 and (age or shape[axis] < 20000):
                        run("exact", f"x.npy:axis={axis}", "--output", "y.npy", "-q")
                        say(same("y.npy", x.astype("f8").sum(axis).astype("f4")), f"{shape} {order} along {axis}, {age} s old")


def batches(random):
    for leading in ((), (3,), (2, 3)):
        a = random.integers(-9, 9, (*leading, 4, 5)).astype("f4")
        b = random.integers(-9, 9, (*leading, 5, 2)).astype("f4")
        count = a.size // 20
        for first in (-1, -2):
            for second in (-1, -2):
                for order in "CF":
                    numpy.save("a.npy", numpy.asarray(a if first == -1 else a.swapaxes(-1, -2), order=order))
                    numpy.save("b.npy", numpy.asarray(b if second == -2 else b.swapaxes(-1, -2), order=order))
                    spec, trial = f"a.npy:axis={first}::b.npy:axis={second}", count - 1
                    run("gen", spec, "--matrix", "--trial", trial, "-o", "c.npy::d.npy", "-q")
                    say(same("c.npy", a.reshape(-1, 4, 5)[trial]) and same("d.npy", b.reshape(-1, 5, 2)[trial]), f"{leading} {spec} {order}")
        done = run("run", "-q", "-m", "matmul:plain/naive", "a.npy:axis=-2::b.npy:axis=-2", "--json", "-")
        series = json.loads(done.stdout)["series"][0]
        say(series["count"] == 8 * count and series["classes"]["exact"] == 8 * count, f"{count} products: {series['classes']}")
    numpy.save("w.npy", b[0, 0])
    numpy.save("r.npy", b[:1])
    numpy.save("a.npy", a)
    done = run("run", "-q", "-m", "matmul:plain/naive", "a.npy:axis=-1::w.npy", "--json", "-")
    say(json.loads(done.stdout)["series"][0]["count"] == 48, "one B for all A")
    for spec, words in (("a.npy:axis=-1::r.npy:axis=-2", "of shape (2, 3), those of r.npy:axis=-2 of (1, 3)"),
                        ("a.npy::b.npy", "of a batch of them give the axis"), ("a.npy:axis=0::b.npy:axis=-2", "the last of A and the last but one of B"),
                        ("a.npy:axis=all::w.npy", "axis=all was given of a matrix")):
        say(words in run("run", "-m", "matmul:plain/naive", spec, code=2).stderr, f"refused: {spec}")


def refusals(random):
    numpy.save("x.npy", numpy.ones((2, 3), "f4"))
    numpy.save("y.npy", numpy.ones((3, 2), "f4"))
    numpy.save("wide.npy", numpy.ones((2, 4), "f4"))
    numpy.save("empty.npy", numpy.ones((2, 0), "f4"))
    numpy.save("one.npy", numpy.ones(3, "f4"))
    for words, part in ((("exact", "x.npy:axis=2"), "one of its 2 axes"), (("exact", "x.npy:axis=-3"), "one of its 2 axes"),
                        (("exact", "one.npy:axis=1"), "one of its 1 axes"), (("exact", "empty.npy:axis=1"), "expected a number in each result"),
                        (("exact", "empty.npy:axis=0"), "expected a number in each result"), (("exact", "x.npy:axis=0", "--trial", 3), "makes 3 sums"),
                        (("run", "-m", "dot:plain/serial", "x.npy:axis=0::y.npy:axis=1"), None), (("exact", "x.npy", "--output", "z.npy"), "has one result"),
                        (("exact", "x.npy:axis=0::wide.npy:axis=0"), "of shape (3,), those of wide.npy:axis=0 of (4,)"),
                        (("exact", "x.npy:axis=0", "--output", "z.npy", "--json", "z.json"), "--output writes all"),
                        (("exact", "x.npy:axis=0", "--output", "z.foo"), "unknown ending"), (("exact", "x.npy:axis=0", "--output", "x.npy"), "a file of its own")):
        done = run(*words, code=2 if part else 0)
        say(not part or part in done.stderr, f"refused: {words}: {done.stderr}")
    run("exact", "one.npy:axis=0", "--output", "z.npy", "-q")
    say(same("z.npy", numpy.array(3, "f4")), "of one dimension there is one sum, of shape ()")
    numpy.save("row.npy", numpy.ones((1, 3), "f4"))
    run("exact", "row.npy:axis=0", "--operation", "sample_variance", "--output", "z.npy", "-q")
    say(numpy.isnan(numpy.load("z.npy")).all(), "a sample variance of one row is NaN, as NumPy has it")


def main():
    random = numpy.random.default_rng(48)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (every_axis_of_every_array, a_result_for_each_number, trials_keep_their_index, tiles, batches, refusals):
            part(random)
        os.chdir("/")
    say(compared > 520, f"{compared} were compared")
    print(f"{compared} compared, {failures} differ")
    return failures > 0


sys.exit(main())
